// printq queue and printq log: jobs as tables.

import ArgumentParser
import IPP
import PrintCommands

struct ListQueue: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "queue", abstract: "Show what waits and prints, in order.")

    @OptionGroup var choice: PrinterChoice
    @Flag(help: "Also the jobs that have ended.")
    var all = false
    @Flag(help: "Only the jobs that have ended.")
    var completed = false
    @Flag(help: "Only your own jobs.")
    var mine = false
    @Option(help: ArgumentHelp("At most so many jobs.", valueName: "number"))
    var limit: Int?
    @OptionGroup var output: OutputChoice
    @OptionGroup var session: Session

    func validate() throws {
        if all, completed { throw ValidationError("--all and --completed exclude each other") }
        if let limit, limit < 1 { throw ValidationError("--limit must be above 0, not \(limit)") }
    }

    func run() async throws {
        let listing = JobListing(
            all ? .all : completed ? .completed : .notCompleted, printer: try choice.name, isMine: mine, limit: limit)
        let groups = try await session.queue.jobs(listing)
        try output.show(groups, ended: completed, whenEmpty: completed ? "no job has ended yet" : "the queue is empty")
    }
}

struct Log: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show the jobs that have ended, the last one first.")

    @OptionGroup var choice: PrinterChoice
    @Flag(help: "Only your own jobs.")
    var mine = false
    @Option(help: ArgumentHelp("At most so many jobs.", valueName: "number"))
    var limit = 20
    @OptionGroup var output: OutputChoice
    @OptionGroup var session: Session

    func validate() throws {
        if limit < 1 { throw ValidationError("--limit must be above 0, not \(limit)") }
    }

    func run() async throws {
        let listing = JobListing(.completed, printer: try choice.name, isMine: mine, limit: limit)
        try output.show(try await session.queue.jobs(listing), ended: true, whenEmpty: "no job has ended yet")
    }
}

extension OutputChoice {
    fileprivate func show(_ groups: [AttributeGroup], ended: Bool, whenEmpty: String) throws {
        if json { return Terminal.print(.array(groups.map { JSONText($0.attributes) })) }
        Terminal.print(groups.map(JobView.init).table(now: Session.now, ended: ended), whenEmpty: whenEmpty)
    }
}
