// printq queue and printq log: jobs as tables.

import ArgumentParser
import IPP
import PrintqOutput
import PrintModel
import SpoolerClient

struct ListQueue: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "queue", abstract: "Show what waits and prints, in order.",
        discussion: "Suspended jobs come first: they wait for a person.")

    @OptionGroup var choice: PrinterChoice
    @Flag(help: "Every job, also those that have ended.")
    var all = false
    @Flag(help: "Only the jobs that have ended.")
    var completed = false
    @Flag(help: "Only your own jobs.")
    var mine = false
    @Option(
        help: ArgumentHelp(
            "At most so many jobs (default: 100; no limit with --all or --json).", valueName: "number"))
    var limit: Int?
    @OptionGroup var output: OutputChoice
    @OptionGroup var session: Session

    func validate() throws {
        if all, completed { throw ValidationError("--all and --completed exclude each other") }
        if let limit, limit < 1 { throw ValidationError("--limit must be above 0, not \(limit)") }
    }

    func run() async throws {
        let listing = JobListing(
            all ? .all : completed ? .completed : .notCompleted, printer: try choice.name, isMine: mine,
            limit: limit ?? (all || output.json ? nil : 100))
        let rest = try await JobTable(spooler: try session.spooler, json: output.json).show(
            listing, ended: completed,
            whenEmpty: completed ? "no job has ended yet" : "the queue is empty")
        // Who reads the output asked for so many; who reads the terminal sees that there are more.
        if limit == nil { StandardOutput.note(rest) }
    }
}

struct Log: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show the jobs that have ended, the last one first; or what they have cost.",
        discussion: """
            Suspended jobs, which wait for a person, are shown before those that have ended. With --accounting: what came out for each job that has ended, the first one first. SIDES have something on them, \
            BLANK ones are the backs of last pages; copies are counted in. Administrators see everybody's jobs, others their own.
            """)

    @OptionGroup var choice: PrinterChoice
    @Flag(help: "Only your own jobs.")
    var mine = false
    @Option(help: ArgumentHelp("At most so many jobs (default: 20; not with --accounting).", valueName: "number"))
    var limit: Int?
    @Flag(help: "What the jobs have cost: pages, sheets, copies.")
    var accounting = false
    @Flag(help: "Write CSV for spreadsheets (with --accounting).")
    var csv = false
    @Option(help: "Add up what was printed by user or by printer (with --accounting).")
    var by: AccountingGrouping?
    @Option(help: ArgumentHelp("Only jobs of this user (with --accounting).", valueName: "name"))
    var user: String?
    @Option(
        help: ArgumentHelp(
            "Only jobs that ended then or later: 2030-01-31, 2030-01-31T18:30 (with --accounting).", valueName: "time"),
        transform: { try AccountingGrouping.moment($0) })
    var since: UnixTime?
    @Option(
        help: ArgumentHelp(
            "Only jobs that ended before; a date alone is counted in (with --accounting).", valueName: "time"),
        transform: { try AccountingGrouping.moment($0, endsDay: true) })
    var until: UnixTime?
    @OptionGroup var output: OutputChoice
    @OptionGroup var session: Session

    func validate() throws {
        if !accounting, csv || by != nil || user != nil || since != nil || until != nil {
            throw ValidationError("--csv, --by, --user, --since and --until go with --accounting")
        }
        if accounting, limit != nil {
            throw ValidationError("--limit and --accounting exclude each other; use --since")
        }
        if csv, output.json { throw ValidationError("--csv and --json exclude each other") }
        if mine, user != nil { throw ValidationError("--mine and --user exclude each other") }
        if let limit, limit < 1 { throw ValidationError("--limit must be above 0, not \(limit)") }
    }

    func run() async throws {
        guard !accounting else { return try await showAccounting() }
        let listing = JobListing(.completed, printer: try choice.name, isMine: mine, limit: limit ?? 20)
        try await JobTable(spooler: try session.spooler, json: output.json).show(
            listing, ended: true, whenEmpty: "no job has ended yet")
    }
}

/// Writes lists of jobs to standard output, as a table or as JSON.
private struct JobTable {
    let spooler: Spooler
    let json: Bool

    /// Writes the jobs of a list page by page, and returns the number of jobs beyond the list's limit.
    @discardableResult
    func show(
        _ listing: JobListing, ended: Bool, whenEmpty: String
    ) async throws -> Spooler.Remainder {
        var widths: [Int]?
        var isFirst = true
        func show(_ jobs: [AttributeGroup]) {
            guard !jobs.isEmpty else { return }
            if json {
                for job in jobs {
                    StandardOutput.print(
                        (isFirst ? "[\n  " : ",\n  ") + JSONText(job.attributes).text(indentation: "  "))
                    isFirst = false
                }
            } else {
                StandardOutput.print(jobs.map(JobView.init).table(now: Session.now, ended: ended), following: &widths)
                isFirst = false
            }
        }
        // The log as JSON has the jobs that have ended, and no others.
        let suspended = json && ended ? [] : try await spooler.suspendedJobs(listing)
        let waiting = Set(suspended.map { JobView($0).id })
        if ended, !suspended.isEmpty {
            StandardOutput.print("Waiting for a person:\n")
            StandardOutput.print(suspended.map(JobView.init).table(now: Session.now), whenEmpty: "")
            StandardOutput.print("\n")
        } else {
            show(suspended)
        }
        let rest = try await spooler.list(listing, json || ended ? JobView.listedNames : JobView.tableNames) { jobs in
            show(waiting.isEmpty ? jobs : jobs.filter { !waiting.contains(JobView($0).id) })
        }
        if json {
            StandardOutput.print(isFirst ? "[]\n" : "\n]\n")
        } else if isFirst {
            StandardOutput.print(whenEmpty + "\n")
        }
        if !json { StandardOutput.note(suspended: suspended.map { JobView($0).id }) }
        return rest
    }
}

extension Spooler {
    /// The jobs that wait for a person, of the printer and the owner of a listing.
    fileprivate func suspendedJobs(_ listing: JobListing) async throws(SpoolerClientError) -> [AttributeGroup] {
        let stopped = JobListing(.stopped, printer: listing.printer, isMine: listing.isMine)
        return Array(try await jobs(stopped).filter { JobView($0).isSuspended }.prefix(listing.limit ?? .max))
    }
}

extension StandardOutput {
    /// Says on standard error that jobs wait for a person's word.
    fileprivate static func note(suspended ids: [Int]) {
        guard let first = ids.first else { return }
        let jobs = ids.count == 1 ? "job \(first) is" : "\(ids.count.grouped) jobs are"
        show("\(jobs) suspended; 'printq why \(first)' says why, and what may be done\n")
    }

    /// Says on standard error that a list goes on.
    fileprivate static func note(_ rest: Spooler.Remainder) {
        let more: String
        switch rest {
        case .none: return
        case .jobs(let count): more = "… and \(count.grouped) more"
        case .some: more = "… and more"
        }
        show("\(more); show them with '--limit NUMBER', or everything with '--all'\n")
    }
}

extension Int {
    /// The number as people write it: `19,900`.
    fileprivate var grouped: String {
        guard self >= 1000 else { return "\(self)" }
        let rest = "\(self % 1000)"
        return (self / 1000).grouped + "," + String(repeating: "0", count: 3 - rest.count) + rest
    }
}
