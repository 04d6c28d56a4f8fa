// printq cancel, hold and release.

import ArgumentParser
import IPP
import PrintqOutput
import PrintModel
import SpoolerClient

struct Cancel: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Cancel jobs, also those that print.")

    @Argument(help: "The jobs' numbers.")
    var ids: [JobID] = []
    @Flag(help: "All of your own jobs.")
    var all = false
    @OptionGroup var choice: PrinterChoice
    @OptionGroup var session: Session

    func validate() throws {
        if all, !ids.isEmpty { throw ValidationError("--all and job numbers exclude each other") }
        if !all, ids.isEmpty { throw ValidationError("name the jobs to cancel, or give --all") }
        if !all, choice.printer != nil { throw ValidationError("--printer goes with --all") }
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
                // It may have ended meanwhile.
                guard error.code == .notDone else { throw error }
            }
        }
    }
}

struct Hold: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Keep jobs waiting, until they are released or until a time.")

    @Argument(help: "The jobs' numbers.")
    var ids: [JobID]
    @Option(
        help: ArgumentHelp("A time such as 18:30 or 2030-01-31T18:30 (default: until released).", valueName: "time"))
    var until: String?
    @OptionGroup var session: Session

    func run() async throws {
        let until = try HoldUntil(localText: until ?? "indefinite", now: Session.now)
        guard until != .noHold else {
            throw SpoolerClientError(.usage, "to hold a job not at all, use 'printq release'")
        }
        let queue = try session.spooler
        try await ids.changeEach { id throws(SpoolerClientError) in
            try await queue.ask(.holdJob, job: id, attributes: until.attributes)
            return try await queue.outcome(of: id)
        }
    }
}

struct Release: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Let held jobs go on.")

    @Argument(help: "The jobs' numbers.")
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
