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
                try await queue.cancel(id)
            }
        }
        let jobs = try await queue.cancelOwnJobs(at: choice.name)
        if jobs.isEmpty, !output.json { StandardOutput.print("you have no jobs in the queue\n") }
        var canceled = ChangedJobs(output)
        for job in try await queue.jobs(withIDs: jobs) {
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
            try await queue.hold(id, until: until)
        }
    }
}

struct Release: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "release",
        abstract: "Release held jobs.",
        discussion: """
            The owner of a job releases it without its PIN. With --printer, the command is a release station: it asks \
            for a PIN, and releases the jobs of all users that wait for this PIN at the printer.
            """)

    @Argument(help: "The job numbers.")
    var ids: [JobID] = []
    @OptionGroup var secret: PinChoice
    @OptionGroup var choice: PrinterChoice
    @OptionGroup var output: OutputChoice
    @OptionGroup var session: Session

    func validate() throws {
        if choice.printer != nil, !ids.isEmpty {
            throw ValidationError("--printer cannot be combined with job numbers")
        }
        if choice.printer == nil, ids.isEmpty { throw ValidationError("specify job numbers or --printer") }
    }

    func run() async throws {
        let queue = try session.spooler
        if let printer = try choice.name { return try await release(at: printer, queue) }
        guard let pin = try secret.read() else {
            return try await ids.changeEach(in: queue, output) { id throws(SpoolerClientError) in
                try await queue.release(id)
            }
        }
        // The user need not be allowed to see the released jobs.
        for id in ids {
            try await queue.release(id.number, pin: pin)
            if !output.json { StandardOutput.print("job \(id.number) is released\n") }
        }
        if output.json { write(ids.count) }
    }

    private func release(at printer: String, _ queue: Spooler) async throws {
        let pin = try secret.read() ?? PinChoice.read()
        let count = try await queue.release(jobsAt: printer, pin: pin)
        if output.json { return write(count) }
        StandardOutput.print(count == 1 ? "1 job is released\n" : "\(count) jobs are released\n")
    }

    private func write(_ count: Int) { StandardOutput.print(.object([("released", .number(count))])) }
}
