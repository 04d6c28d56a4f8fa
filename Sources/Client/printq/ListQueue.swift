// The commands `printq queue` and `printq log`, which list jobs.

import ArgumentParser
import IPP
import PrintqOutput
import PrintModel
import SpoolerClient

struct ListQueue: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "queue", abstract: "List waiting and printing jobs, in queue order.",
        discussion: "Suspended jobs come first: they need 'printq resume', 'printq reprint' or 'printq cancel'.")

    @OptionGroup var choice: PrinterChoice
    @Flag(help: "Shows all jobs, including ended jobs.")
    var all = false
    @Flag(help: "Shows only ended jobs.")
    var completed = false
    @Flag(help: "Shows only your own jobs.")
    var mine = false
    @Option(
        name: [.customShort("U"), .long], help: ArgumentHelp("The user whose jobs are shown.", valueName: "name"))
    var user: String?
    @Option(
        help: ArgumentHelp(
            "The maximum number of jobs (default: 100; no limit with --all or --json).", valueName: "number"))
    var limit: Int?
    @OptionGroup var choices: ListChoice

    func validate() throws {
        if all, completed { throw ValidationError("--all cannot be combined with --completed") }
        if mine, user != nil { throw ValidationError("--mine cannot be combined with --user") }
        if let limit, limit < 1 { throw ValidationError("invalid value '\(limit)' for --limit; expected 1 or more") }
    }

    func run() async throws {
        let listing = JobListQuery(
            all ? .all : completed ? .completed : .notCompleted, printer: try choice.name, isMine: mine,
            owner: user, limit: limit ?? (all || choices.json ? nil : 100))
        let rest = try await JobTable(
            spooler: try choices.spooler, json: choices.json, times: .chosen(absolute: choices.absolute),
            isStyled: choices.color.isStyled
        ).show(
            listing, ended: completed,
            whenEmpty: user.map { "\($0) has no jobs" } ?? (completed ? "no job has ended yet" : "the queue is empty"))
        // A user who sets a limit expects a short list. Without --limit, a note reports that there are more jobs.
        if limit == nil { StandardOutput.note(rest) }
    }
}

struct Log: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "log",
        abstract: "List ended jobs, their printed sides and sheets, or the log of printd.",
        discussion: """
            Suspended jobs are listed first, because they need a command from you. With --accounting, the log lists \
            what each ended job printed, oldest first. SIDES counts the printed sides and BLANK the blank backs of \
            last pages; both include all copies. Administrators see the jobs of all users, other users see only their \
            own.

            With --follow, the log lists the last 10 ended jobs, oldest first, then each job as soon as it ends, until \
            you press ^C. It continues after a restart of printd.

            With --daemon, the log shows the messages of printd, oldest first: from the journal for the service of \
            this machine, otherwise from printd.log in the spool.
            """)

    @OptionGroup var choice: PrinterChoice
    @Flag(help: "Shows only your own jobs.")
    var mine = false
    @Option(
        help: ArgumentHelp(
            "The maximum number of jobs (default: 20) or, with --daemon, of messages (default: 100). With --follow, "
                + "the number of jobs or messages that are listed first (default: 10). Cannot be combined with "
                + "--accounting.",
            valueName: "number"))
    var limit: Int?
    @Flag(name: .shortAndLong, help: "Waits for new ended jobs or messages, and shows them.")
    var follow = false
    @Flag(help: "Shows the messages of printd.")
    var daemon = false
    @Option(help: ArgumentHelp("The job whose messages are shown (with --daemon).", valueName: "id"))
    var job: JobID?
    @Flag(help: "Shows the number of sides, sheets and copies that each ended job printed.")
    var accounting = false
    @Flag(help: "Writes CSV for spreadsheets (with --accounting).")
    var csv = false
    @Option(help: "Groups the totals by user or by printer (with --accounting).")
    var by: AccountingGrouping?
    @Option(
        name: [.customShort("U"), .long],
        help: ArgumentHelp("The user whose jobs or messages (with --daemon) are shown.", valueName: "name"))
    var user: String?
    @Option(
        help: ArgumentHelp(
            "The start of the period in which the jobs ended (with --accounting) or the messages were logged (with "
                + "--daemon), such as 2030-01-31 or 2030-01-31T18:30.",
            valueName: "time"),
        transform: { try AccountingGrouping.moment($0) })
    var since: UnixTime?
    @Option(
        help: ArgumentHelp(
            "The end of the period in which the jobs ended (with --accounting) or the messages were logged (with "
                + "--daemon); a date includes the whole day.",
            valueName: "time"),
        transform: { try AccountingGrouping.moment($0, endsDay: true) })
    var until: UnixTime?
    @OptionGroup var choices: ListChoice

    func validate() throws {
        if !accounting, csv || by != nil { throw ValidationError("--csv and --by require --accounting") }
        if !accounting, !daemon, since != nil || until != nil {
            throw ValidationError("--since and --until require --accounting or --daemon")
        }
        if accounting, follow { throw ValidationError("--accounting cannot be combined with --follow") }
        if daemon, accounting || mine {
            throw ValidationError(
                "--daemon cannot be combined with --accounting or --mine; use --user instead of --mine")
        }
        if !daemon, job != nil { throw ValidationError("--job requires --daemon; see also 'printq show'") }
        if accounting, limit != nil {
            throw ValidationError("--limit cannot be combined with --accounting; use --since")
        }
        if csv, choices.json { throw ValidationError("--csv cannot be combined with --json") }
        if mine, user != nil { throw ValidationError("--mine cannot be combined with --user") }
        if let limit, limit < 1 { throw ValidationError("invalid value '\(limit)' for --limit; expected 1 or more") }
    }

    func run() async throws {
        guard !accounting else { return try await showAccounting() }
        guard !daemon else { return try await showDaemonLog() }
        guard !follow else { return try await followEndedJobs() }
        let listing = JobListQuery(.completed, printer: try choice.name, isMine: mine, owner: user, limit: limit ?? 20)
        try await JobTable(
            spooler: try choices.spooler, json: choices.json, times: .chosen(absolute: choices.absolute),
            isStyled: choices.color.isStyled
        ).show(
            listing, ended: true, whenEmpty: user.map { "no job of \($0) has ended yet" } ?? "no job has ended yet")
    }
}

/// A writer of job lists to standard output, as a table or as JSON.
private struct JobTable {
    let spooler: Spooler
    let json: Bool
    let times: TimeStyle
    let isStyled: Bool

    /// Writes the jobs of a list page by page.
    ///
    /// - Returns: The number of jobs that are omitted because of the limit of the list.
    @discardableResult
    func show(
        _ listing: JobListQuery, ended: Bool, whenEmpty: String
    ) async throws -> Spooler.Remainder {
        var form: TextTable.Form?
        var isFirst = true
        var reasons: QueueReasons?
        func show(_ jobs: [AttributeGroup]) {
            guard !jobs.isEmpty else { return }
            if json {
                for job in jobs {
                    StandardOutput.print(
                        (isFirst ? "[\n  " : ",\n  ") + JSONText(job.attributes).text(indentation: "  "))
                    isFirst = false
                }
            } else {
                let jobs = jobs.map(JobView.init)
                let table = jobs.table(
                    now: Session.now, ended: ended, reasons: jobs.map { reasons?.reason(of: $0) ?? $0.shortReason },
                    times: times)
                StandardOutput.print(table, following: &form, isStyled: isStyled)
                isFirst = false
            }
        }
        // The log lists suspended jobs separately. The JSON log contains only ended jobs.
        var suspended: [AttributeGroup]? = ended ? json ? [] : try await spooler.suspendedJobs(listing) : nil
        if ended, let jobs = suspended, !jobs.isEmpty {
            StandardOutput.print("Suspended jobs:\n")
            StandardOutput.print(
                jobs.map(JobView.init).table(now: Session.now, times: times), whenEmpty: "", isStyled: isStyled)
            StandardOutput.print("\n")
        }
        let rest = try await spooler.list(listing, json || ended ? JobView.listedNames : JobView.tableNames) {
            (jobs: [AttributeGroup]) async throws(SpoolerClientError) in
            if suspended == nil {
                // A short list contains all suspended jobs, and often no job whose reason depends on its printer.
                let isComplete =
                    listing.owner == nil && jobs.count < min(listing.limit ?? .max, Spooler.pageSize)
                let first =
                    isComplete ? jobs.filter { JobView($0).isSuspended } : try await spooler.suspendedJobs(listing)
                suspended = first
                let dependent = json ? [] : jobs.map(JobView.init).filter(QueueReasons.dependsOnPrinter)
                if !json, !isComplete || !dependent.isEmpty {
                    let printers = try await spooler.states(ofPrinters: isComplete ? dependent.map(\.printer) : nil)
                    reasons = QueueReasons(printers: printers, seesAllJobs: !listing.isMine && listing.owner == nil)
                }
                show(first)
            }
            let shown = Set((suspended ?? []).map { JobView($0).id })
            show(shown.isEmpty ? jobs : jobs.filter { !shown.contains(JobView($0).id) })
        }
        if json {
            StandardOutput.print(isFirst ? "[]\n" : "\n]\n")
        } else if isFirst {
            StandardOutput.print(whenEmpty + "\n")
        }
        if !json { StandardOutput.note(suspended: (suspended ?? []).map { JobView($0).id }) }
        return rest
    }
}

extension Spooler {
    /// Returns the suspended jobs that match the printer and the owner of a listing.
    fileprivate func suspendedJobs(_ listing: JobListQuery) async throws(SpoolerClientError) -> [AttributeGroup] {
        let stopped = JobListQuery(.stopped, printer: listing.printer, isMine: listing.isMine, owner: listing.owner)
        return Array(try await jobs(stopped).filter { JobView($0).isSuspended }.prefix(listing.limit ?? .max))
    }

    /// Returns the states of printers.
    ///
    /// If all names are equal, printd describes only one printer, which is faster.
    ///
    /// - Parameter names: The names of the printers; nil for all printers.
    fileprivate func states(ofPrinters names: [String]?) async throws(SpoolerClientError) -> [PrinterView] {
        if let name = names?.first, names?.allSatisfy({ $0 == name }) == true,
            let group = try? await printer(name, PrinterView.stateNames)
        {
            return [PrinterView(group)]
        }
        let answer = try await ask(.cupsGetPrinters, requested: PrinterView.stateNames)
        return answer.groups(.printer).map(PrinterView.init)
    }
}

extension StandardOutput {
    /// Reports on standard error that jobs are suspended.
    fileprivate static func note(suspended ids: [Int]) {
        guard let first = ids.first else { return }
        let jobs = ids.count == 1 ? "job \(first) is" : "\(ids.count.grouped) jobs are"
        show("\(jobs) suspended; see 'printq why \(first)'\n")
    }

    /// Reports on standard error that the list is incomplete.
    fileprivate static func note(_ rest: Spooler.Remainder) {
        let more: String
        switch rest {
        case .none: return
        case .jobs(let count): more = "… and \(count.grouped) more"
        case .some: more = "… and more"
        }
        show("\(more); use --limit NUMBER or --all to see more\n")
    }
}

extension Int {
    /// The number with thousands separators: `19,900`.
    fileprivate var grouped: String {
        guard self >= 1000 else { return "\(self)" }
        let rest = "\(self % 1000)"
        return (self / 1000).grouped + "," + String(repeating: "0", count: 3 - rest.count) + rest
    }
}
