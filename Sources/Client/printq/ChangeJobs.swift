// The commands `printq cancel`, `printq hold` and `printq release`.

import ArgumentParser
import IPP
import PrintqOutput
import PrintModel
import SpoolerClient

struct Cancel: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cancel",
        abstract: "Cancel jobs that are waiting or printing.")

    @Argument(help: "The job numbers.")
    var ids: [JobID] = []
    @Flag(help: "Cancels all of your own jobs.")
    var all = false
    @OptionGroup var choice: PrinterChoice
    @OptionGroup var output: OutputChoice
    @OptionGroup var session: Session

    func validate() throws {
        if all, !ids.isEmpty { throw ValidationError("--all cannot be combined with job numbers") }
        if !all, ids.isEmpty { throw ValidationError("specify job numbers or --all") }
        if !all, choice.printer != nil { throw ValidationError("--printer requires --all") }
    }

    func run() async throws {
        let queue = try session.spooler
        guard all else {
            return try await ids.changeEach(in: queue, output) { id throws(SpoolerClientError) in
                try await queue.ask(.cancelJob, job: id)
            }
        }
        let jobs = try await queue.jobs(JobListQuery(.notCompleted, printer: choice.name, isMine: true), ["job-id"])
        if jobs.isEmpty, !output.json { StandardOutput.print("you have no jobs in the queue\n") }
        if !jobs.isEmpty { try await queue.ask(.cancelMyJobs, printer: choice.name) }
        var canceled = ChangedJobs(output)
        for job in try await queue.jobs(withIDs: jobs.map { JobView($0).id }) {
            // The job may have ended before the request.
            if ![.completed, .aborted].contains(JobView(job).state) { canceled.note(job) }
        }
        canceled.end()
    }
}

struct Hold: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hold",
        abstract: "Hold jobs until a specified time, or until 'printq release' releases the jobs.")

    @Argument(help: "The job numbers.")
    var ids: [JobID]
    @Option(
        help: ArgumentHelp(
            "The release time, such as 18:30 or 2030-01-31T18:30 (default: hold indefinitely).", valueName: "time"))
    var until: String?
    @OptionGroup var output: OutputChoice
    @OptionGroup var session: Session

    func run() async throws {
        let until = try HoldUntil(localText: until ?? "indefinite", now: Session.now, option: "--until")
        guard until != .noHold else {
            throw SpoolerClientError(
                .usage, "invalid value 'no-hold' for --until; release jobs with 'printq release'")
        }
        let queue = try session.spooler
        try await ids.changeEach(in: queue, output) { id throws(SpoolerClientError) in
            try await queue.ask(.holdJob, job: id, attributes: until.attributes)
        }
    }
}

struct Release: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "release", abstract: "Release held jobs.")

    @Argument(help: "The job numbers.")
    var ids: [JobID]
    @OptionGroup var output: OutputChoice
    @OptionGroup var session: Session

    func run() async throws {
        let queue = try session.spooler
        try await ids.changeEach(in: queue, output) { id throws(SpoolerClientError) in
            try await queue.ask(.releaseJob, job: id)
        }
    }
}
