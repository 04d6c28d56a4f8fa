// The event log.

import FoundationEssentials
import GRDB
public import PrintModel

extension Spool {
    /// Returns the events after a sequence number, oldest first.
    ///
    /// 0 begins with the oldest stored event.
    ///
    /// If `jobID` is given, only the events of that job are returned.
    public func events(after sequence: Int, jobID: Int? = nil, limit: Int = 1000) async throws(SpoolError) -> [JobEvent]
    {
        try await read { db in try Self.fetchEvents(after: sequence, jobID: jobID, limit: limit, in: db) }
    }

    /// Returns the events after a sequence number, and the last sequence number before which events are missing, as of
    /// the same moment.
    ///
    /// Events are removed with their jobs: up to `purgedThrough`, some events are missing; after it, the log is
    /// complete. `purgedThrough` is 0 while the whole log is complete.
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

    /// Returns the sequence number of the newest event, including removed events; 0 when there was no event.
    public func latestEventSequence() async throws(SpoolError) -> Int {
        // SQLite keeps the last number although the row is removed.
        try await read { db in
            try Int.fetchOne(db, sql: "SELECT seq FROM sqlite_sequence WHERE name = 'events'") ?? 0
        }
    }

    /// The number of commits that have changed something since the spool was opened.
    ///
    /// A reader whose number has not changed has read everything.
    public var commitCount: Int { observers.wakeUps }

    /// Returns the newest events of a job, oldest first.
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

    /// The columns of an event.
    private static let eventColumns = """
        events.sequence, events.job_id, events.printer, events.time, events.kind, events.state, events.message,
            events.reasons, events.impressions, events.impressions_completed, jobs.name, jobs.owner,
            printers.is_accepting, CASE events.kind WHEN 'job-completed' THEN jobs.sheet_plan END
        FROM events LEFT JOIN jobs ON jobs.id = events.job_id LEFT JOIN printers ON printers.name = events.printer
        """

    /// Returns the query for events.
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

    /// Appends an event of a job to the log.
    func appendEvent(_ kind: String, of job: Job, message: String, in db: Database) throws {
        try appendEvent(
            kind, jobID: job.id, printer: job.printer, state: job.state.rawValue, message: message,
            reasons: job.reasons.map(\.rawValue), impressions: job.impressionsPerCopy,
            impressionsCompleted: job.printedImpressions, in: db)
    }

    /// Appends an event of a printer to the log.
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
    /// The `+` makes SQLite use the index of the jobs in progress: without it, SQLite infers that condition from the
    /// state and does not look it up in the index.
    package static let isPrinting = """
        SELECT EXISTS (SELECT 1 FROM jobs WHERE \(JobCondition.isInProgress()) AND printer = ? AND +state = \(JobState.processing.rawValue))
        """

    /// Appends the status that a printer reports while it prints a job to the log.
    ///
    /// The entry is only informative: a power loss may undo it.
    public func noteStatus(_ status: PrinterStatus, message: String, of printer: String) async throws(SpoolError) {
        try await write(.ordered) { [self] db in
            try appendEvent(
                "printer-state-changed", jobID: nil, printer: printer, state: status.state.rawValue, message: message,
                reasons: status.reasons, in: db)
        }
    }

    /// Appends an event of the printer to the log when the change of a job shows that the printer has stopped or
    /// resumed.
    func appendPrinterEvent(of job: Job, since before: Job, reasons: [String], in db: Database) throws {
        guard job.hasStoppedPrinter != before.hasStoppedPrinter else { return }
        let (state, message): (PrinterState, String) =
            job.hasStoppedPrinter
            ? (.stopped, job.message) : (job.state.isTerminal ? .idle : .processing, "Prints again")
        try appendEvent(
            "printer-state-changed", jobID: nil, printer: job.printer, state: state.rawValue, message: message,
            reasons: job.hasStoppedPrinter ? reasons : [], in: db)
    }

    /// Appends an event to the log.
    private func appendEvent(
        _ kind: String, jobID: Int?, printer: String, state: Int?, message: String, reasons: [String] = [],
        impressions: Int? = nil, impressionsCompleted: Int? = nil, in db: Database
    ) throws {
        // Keywords contain no spaces. An empty list is NULL.
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
    /// Whether the job's printer has stopped, and the job will continue.
    fileprivate var hasStoppedPrinter: Bool { state == .processingStopped && !reasons.contains(.jobSuspended) }
}

// MARK: - Observers

extension Spool {
    /// Returns the job with the given id; nil when the job does not exist or was removed.
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

    /// Returns the number of jobs of the same printer before a job (IPP `number-of-intervening-jobs`); 0 when the job
    /// does not wait.
    ///
    /// Held and suspended jobs are not counted, because they do not delay the job.
    public func countWaitingBefore(_ id: Int) async throws(SpoolError) -> Int {
        try await read { db in try Int.fetchOne(db, sql: Self.waitingBefore, arguments: [id]) ?? 0 }
    }

    /// Counts the jobs before a job, from indexes alone except for the few jobs in progress.
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

    /// Returns the number of unfinished jobs (IPP `queued-job-count`), optionally of one printer, one owner or both.
    public func countQueuedJobs(printer: String? = nil, owner: String? = nil) async throws(SpoolError) -> Int {
        try await read { db in
            try Int.fetchOne(
                try db.cachedStatement(sql: Self.queuedJobs(ofPrinter: printer != nil, ofOwner: owner != nil)),
                arguments: StatementArguments([printer, owner].compactMap(\.self))) ?? 0
        }
    }

    /// Returns the statement that counts unfinished jobs, from an index alone unless both a printer and an owner are
    /// given.
    package static func queuedJobs(ofPrinter: Bool, ofOwner: Bool) -> String {
        "SELECT COUNT(*) FROM jobs WHERE \(JobCondition.isUnfinished())\(ofPrinter ? " AND printer = ?" : "")"
            + (ofOwner ? " AND owner = ?" : "")
    }

    /// Returns a stream that wakes its reader after commits: once for all commits since the last wake-up.
    ///
    /// Create the stream, then read the spool, then wait for the stream. In this order no change is missed. The stream
    /// ends when the spool is closed.
    public func changes() -> AsyncStream<Void> { observers.stream() }

    /// Calls `wake` after each commit that may allow another job to print, as long as `body` runs.
    ///
    /// Nearly every commit does. A submission behind other jobs of its printer does not. The committing thread calls
    /// `wake`, so `wake` must return quickly.
    public nonisolated(nonsending) func wake<Value>(
        _ wake: @escaping @Sendable () -> Void, during body: () async throws -> Value
    ) async rethrows -> Value {
        try await observers.wake(wake, during: body)
    }
}
