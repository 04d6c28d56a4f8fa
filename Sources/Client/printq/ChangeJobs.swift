// The commands `printq cancel`, `printq hold` and `printq release`.

import ArgumentParser
import IPP
import PrintqOutput
import PrintModel
import SpoolerClient

struct Cancel: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Cancel jobs that are waiting or printing.")

    @Argument(help: "The job numbers.")
    var ids: [JobID] = []
    @Flag(help: "Cancel all of your own jobs.")
    var all = false
    @OptionGroup var choice: PrinterChoice
    @OptionGroup var session: Session

    func validate() throws {
        if all, !ids.isEmpty { throw ValidationError("--all cannot be combined with job numbers") }
        if !all, ids.isEmpty { throw ValidationError("specify job numbers or --all") }
        if !all, choice.printer != nil { throw ValidationError("--printer requires --all") }
    }

    func run() async throws {
        let queue = try session.spooler
        guard all else {
            return try await ids.changeEach { id throws(SpoolerClientError) in
                try await queue.ask(.cancelJob, job: id)
                return try await queue.outcome(of: id)
            }
        }
        let jobs = try await queue.jobs(JobListing(.notCompleted, printer: choice.name, isMine: true), ["job-id"])
        if jobs.isEmpty { StandardOutput.print("you have no jobs in the queue\n") }
        for id in jobs.map({ JobView($0).id }) {
            do throws(SpoolerClientError) {
                try await queue.ask(.cancelJob, job: id)
                StandardOutput.print(try await queue.outcome(of: id))
            } catch {
                // The job may have ended in the meantime.
                guard error.code == .notDone else { throw error }
            }
        }
    }
}

struct Hold: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Hold jobs until a time, or until 'printq release'.")

    @Argument(help: "The job numbers.")
    var ids: [JobID]
    @Option(
        help: ArgumentHelp(
            "The release time, such as 18:30 or 2030-01-31T18:30 (default: hold indefinitely).", valueName: "time"))
    var until: String?
    @OptionGroup var session: Session

    func run() async throws {
        let until = try HoldUntil(localText: until ?? "indefinite", now: Session.now)
        guard until != .noHold else {
            throw SpoolerClientError(.usage, "--until cannot be no-hold; release jobs with 'printq release'")
        }
        let queue = try session.spooler
        try await ids.changeEach { id throws(SpoolerClientError) in
            try await queue.ask(.holdJob, job: id, attributes: until.attributes)
            return try await queue.outcome(of: id)
        }
    }
}

struct Release: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Release held jobs.")

    @Argument(help: "The job numbers.")
    var ids: [JobID]
    @OptionGroup var session: Session

    func run() async throws {
        let queue = try session.spooler
        try await ids.changeEach { id throws(SpoolerClientError) in
            try await queue.ask(.releaseJob, job: id)
            return try await queue.outcome(of: id)
        }
    }
}
