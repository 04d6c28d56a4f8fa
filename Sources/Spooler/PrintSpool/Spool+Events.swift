// The event log: what happened, in order.

import FoundationEssentials
import GRDB
public import PrintModel

extension Spool {
    /// What happened after the event of the given sequence number, oldest first; 0 begins with the oldest that is kept.
    ///
    /// With a job's id, only what happened to that job.
    public func events(after sequence: Int, jobID: Int? = nil, limit: Int = 1000) async throws(SpoolError) -> [JobEvent]
    {
        try await read { db in try Self.fetchEvents(after: sequence, jobID: jobID, limit: limit, in: db) }
    }

    /// What happened after the event of the given sequence number, and how far the log was cut, at one moment.
    ///
    /// Events go with their jobs: of those up to `purgedThrough` some are missing, of those after it none. It is 0 while
    /// the log is whole.
    public func eventPage(
        after sequence: Int, limit: Int = 1000
    ) async throws(SpoolError) -> (events: [JobEvent], purgedThrough: Int) {
        try await read { db in
            (
                try Self.fetchEvents(after: sequence, jobID: nil, limit: limit, in: db),
                try Int.fetchOne(try db.cachedStatement(sql: "SELECT purged_through FROM event_log")) ?? 0
            )
        }
    }

    /// The sequence number of the newest event there has been; 0 when nothing ever happened.
    public func latestEventSequence() async throws(SpoolError) -> Int {
        // Also when that event has been removed: SQLite keeps the last number it gave.
        try await read { db in
            try Int.fetchOne(db, sql: "SELECT seq FROM sqlite_sequence WHERE name = 'events'") ?? 0
        }
    }

    /// How many commits have changed something since the spool was opened; a reader that knows the number knows
    /// whether what it read is still all there is.
    public var commitCount: Int { observers.wakeUps }

    /// The newest events of a job, oldest first.
    public func newestEvents(ofJob jobID: Int, limit: Int = 1000) async throws(SpoolError) -> [JobEvent] {
        try await read { db in
            let statement = try db.cachedStatement(sql: Self.newestEventsOfJob)
            return try Row.fetchAll(statement, arguments: [jobID, max(0, limit)]).reversed().map(Self.event)
        }
    }

    // MARK: - Steps

    /// Finds the newest events of a job.
    package static let newestEventsOfJob = """
        SELECT \(eventColumns) WHERE events.job_id = ? ORDER BY events.sequence DESC LIMIT ?
        """

    /// What an event is made of.
    private static let eventColumns = """
        events.sequence, events.job_id, events.printer, events.time, events.kind, events.state, events.message,
            events.reasons, events.impressions, events.impressions_completed, jobs.name, jobs.owner,
            printers.is_accepting, CASE events.kind WHEN 'job-completed' THEN jobs.sheet_plan END
        FROM events LEFT JOIN jobs ON jobs.id = events.job_id LEFT JOIN printers ON printers.name = events.printer
        """

    /// The query for events.
    package static func eventsQuery(ofJob: Bool) -> String {
        """
        SELECT \(eventColumns)
        WHERE events.sequence > ?\(ofJob ? " AND events.job_id = ?" : "") ORDER BY events.sequence LIMIT ?
        """
    }

    private static func fetchEvents(
        after sequence: Int, jobID: Int?, limit: Int, in db: Database
    ) throws -> [JobEvent] {
        var arguments: StatementArguments = [sequence]
        if let jobID { arguments += [jobID] }
        arguments += [max(0, limit)]
        let statement = try db.cachedStatement(sql: eventsQuery(ofJob: jobID != nil))
        return try Row.fetchAll(statement, arguments: arguments).map(event)
    }

    private static func event(_ row: Row) -> JobEvent {
        let jobID: Int? = row[1]
        let state: Int? = row[5]
        var event = JobEvent(
            sequence: row[0], jobID: jobID, printer: row[2], time: row[3], kind: row[4],
            state: jobID == nil ? nil : state.flatMap(JobState.init(rawValue:)), message: row[6],
            printerState: jobID == nil ? state.flatMap(PrinterState.init(rawValue:)) : nil,
            reasons: (row[7] as String?).map { $0.split(separator: " ").map(String.init) } ?? [],
            impressions: row[8], impressionsCompleted: row[9], jobName: row[10], owner: row[11],
            isAccepting: row[12] ?? false)
        if let text: String = row[13], let plan = try? JobRecord.value(of: text) as SheetPlan {
            event.pages = plan.pages > 0 ? plan.pages : nil
            event.copies = plan.copies
        }
        return event
    }

    /// Appends a job's event to the log.
    func appendEvent(_ kind: String, of job: Job, message: String, in db: Database) throws {
        try appendEvent(
            kind, jobID: job.id, printer: job.printer, state: job.state.rawValue, message: message,
            reasons: job.reasons.map(\.rawValue), impressions: job.impressionsPerCopy,
            impressionsCompleted: job.printedImpressions, in: db)
    }

    /// Appends an event of a printer's own to the log.
    func appendEvent(_ kind: String, at printer: ConfiguredPrinter, message: String, in db: Database) throws {
        let isPrinting =
            try Bool.fetchOne(
                try db.cachedStatement(sql: Self.isPrinting), arguments: [printer.name]) ?? false
        let state: PrinterState = printer.isPaused ? .stopped : isPrinting ? .processing : .idle
        try appendEvent(
            kind, jobID: nil, printer: printer.name, state: state.rawValue, message: message,
            reasons: printer.isPaused ? ["paused"] : [], in: db)
    }

    /// Finds out whether a printer prints.
    ///
    /// The `+` makes SQLite use the index of the jobs in progress: without it, SQLite infers that condition from the state and
    /// does not look it up in the index.
    package static let isPrinting = """
        SELECT EXISTS (SELECT 1 FROM jobs WHERE \(JobCondition.isInProgress()) AND printer = ? AND +state = \(JobState.processing.rawValue))
        """

    /// Appends to the log what a printer says of itself while a job of ours is in its hands.
    ///
    /// Nothing depends on it: a power cut may take it back.
    public func noteStatus(_ status: PrinterStatus, message: String, of printer: String) async throws(SpoolError) {
        try await write(.ordered) { [self] db in
            try appendEvent(
                "printer-state-changed", jobID: nil, printer: printer, state: status.state.rawValue, message: message,
                reasons: status.reasons, in: db)
        }
    }

    /// Appends to the log what a job tells of its printer: that it has stopped in the middle, or goes on.
    func appendPrinterEvent(of job: Job, since before: Job, reasons: [String], in db: Database) throws {
        guard job.hasStoppedPrinter != before.hasStoppedPrinter else { return }
        let (state, message): (PrinterState, String) =
            job.hasStoppedPrinter
            ? (.stopped, job.message) : (job.state.isTerminal ? .idle : .processing, "Goes on")
        try appendEvent(
            "printer-state-changed", jobID: nil, printer: job.printer, state: state.rawValue, message: message,
            reasons: job.hasStoppedPrinter ? reasons : [], in: db)
    }

    /// Appends an event to the log.
    private func appendEvent(
        _ kind: String, jobID: Int?, printer: String, state: Int?, message: String, reasons: [String] = [],
        impressions: Int? = nil, impressionsCompleted: Int? = nil, in db: Database
    ) throws {
        // Keywords have no spaces; none at all is null.
        let reasons = reasons.isEmpty ? nil : reasons.joined(separator: " ")
        try db.cachedStatement(
            sql: """
                INSERT INTO events (
                    job_id, printer, time, kind, state, message, reasons, impressions, impressions_completed
                ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                """
        ).execute(
            arguments: [
                jobID, printer, clock(), kind, state, message, reasons, impressions, impressionsCompleted,
            ])
    }
}

extension Job {
    /// Whether its printer has stopped in the middle of it, and not for good.
    fileprivate var hasStoppedPrinter: Bool { state == .processingStopped && !reasons.contains(.jobSuspended) }
}

// MARK: - Observers

extension Spool {
    /// The job of the given id; nil when there is none, or none any more.
    public func job(_ id: Int) async throws(SpoolError) -> Job? {
        try await read { db in try JobRecord.jobs(JobRecord.byID, [id], in: db).first }
    }

    /// Returns the jobs of a list in one transaction.
    public func jobs(
        _ filter: JobFilter = JobFilter(), in range: JobListRange = .all
    ) async throws(SpoolError) -> [Job] {
        try await read { [self] db in
            var pages = listing(filter, in: range)
            var jobs: [Job] = []
            while let page = try pages.next(1000, in: db) { jobs += page }
            return jobs
        }
    }

    /// Returns the jobs of a list page by page, so that a long list requires no more memory than one page.
    public func listing(_ filter: JobFilter = JobFilter(), in range: JobListRange = .all) -> JobListing {
        JobListing(filter, in: range, of: self)
    }

    /// How many jobs of the same printer come before a job (IPP `number-of-intervening-jobs`); 0 when it does not wait.
    ///
    /// Held jobs, and those that wait for a person's word, are not in its way.
    public func countWaitingBefore(_ id: Int) async throws(SpoolError) -> Int {
        try await read { db in try Int.fetchOne(db, sql: Self.waitingBefore, arguments: [id]) ?? 0 }
    }

    /// Counts the jobs before one, in indexes alone but for the few in hand.
    package static let waitingBefore = """
        SELECT
            (SELECT COUNT(*) FROM jobs
             WHERE \(JobCondition.isInProgress("jobs")) AND jobs.printer = mine.printer
                AND \(JobCondition.isNotSuspended("jobs")))
            + (SELECT COUNT(*) FROM jobs
               WHERE \(JobCondition.isPending("jobs")) AND jobs.printer = mine.printer
                AND jobs.priority > mine.priority)
            + (SELECT COUNT(*) FROM jobs
               WHERE \(JobCondition.isPending("jobs")) AND jobs.printer = mine.printer
                AND jobs.priority = mine.priority AND jobs.id < mine.id)
        FROM jobs AS mine WHERE mine.id = ?
            AND mine.state IN (\(JobState.pending.rawValue), \(JobState.pendingHeld.rawValue))
        """

    /// How many jobs have not ended (IPP `queued-job-count`): of a printer, of an owner, of both, or all there are.
    public func countQueuedJobs(printer: String? = nil, owner: String? = nil) async throws(SpoolError) -> Int {
        try await read { db in
            try Int.fetchOne(
                try db.cachedStatement(sql: Self.queuedJobs(ofPrinter: printer != nil, ofOwner: owner != nil)),
                arguments: StatementArguments([printer, owner].compactMap(\.self))) ?? 0
        }
    }

    /// Counts the jobs that have not ended, in an index alone unless both a printer and an owner are named.
    package static func queuedJobs(ofPrinter: Bool, ofOwner: Bool) -> String {
        "SELECT COUNT(*) FROM jobs WHERE \(JobCondition.isUnfinished())\(ofPrinter ? " AND printer = ?" : "")"
            + (ofOwner ? " AND owner = ?" : "")
    }

    /// A stream that wakes its reader after commits that changed something: once for all since it last looked.
    ///
    /// Begin the stream, then look, then wait for it: so nothing is missed. It ends when the spool is closed.
    public func changes() -> AsyncStream<Void> { observers.stream() }

    /// Has `wake` called after each commit because of which something else may be to print, as long as `body` runs.
    ///
    /// Nearly every commit is one; a submission that has others before it is not. It is called where commits are made, so
    /// it must be quick.
    public nonisolated(nonsending) func wake<Value>(
        _ wake: @escaping @Sendable () -> Void, during body: () async throws -> Value
    ) async rethrows -> Value {
        try await observers.wake(wake, during: body)
    }
}
