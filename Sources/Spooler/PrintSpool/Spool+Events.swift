// Reads and writes the event log, and reports changes.

import FoundationEssentials
import GRDB
public import PrintModel

extension Spool {
    /// Returns the events after the given sequence number, oldest first; 0 starts with the oldest stored event.
    ///
    /// If `jobID` is not nil, returns only the events of this job.
    public func events(after sequence: Int, jobID: Int? = nil, limit: Int = 1000) async throws(SpoolError) -> [JobEvent]
    {
        try await read { db in try Self.fetchEvents(after: sequence, jobID: jobID, limit: limit, in: db) }
    }

    /// Returns the events after the given sequence number, and the highest purged sequence number, from the same
    /// snapshot.
    ///
    /// Events are removed together with their jobs. Some events up to the number `purgedThrough` may be missing from
    /// the result. No later event is missing. `purgedThrough` is 0 when no event was removed.
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

    /// Returns the sequence number of the newest event, or 0 if the log has never contained an event.
    public func latestEventSequence() async throws(SpoolError) -> Int {
        // SQLite stores the last sequence number, even when the event has been removed.
        try await read { db in
            try Int.fetchOne(db, sql: "SELECT seq FROM sqlite_sequence WHERE name = 'events'") ?? 0
        }
    }

    /// The number of commits that changed data since the spool was opened.
    ///
    /// A reader can compare this number with an earlier number to detect new data.
    public var commitCount: Int { observers.wakeUps }

    /// Returns the newest events of a job, oldest first.
    public func newestEvents(ofJob jobID: Int, limit: Int = 1000) async throws(SpoolError) -> [JobEvent] {
        try await read { db in
            let statement = try db.cachedStatement(sql: Self.newestEventsOfJob)
            return try Row.fetchAll(statement, arguments: [jobID, max(0, limit)]).reversed().map(Self.event)
        }
    }

    // MARK: - Queries

    /// The query for the newest events of a job.
    package static let newestEventsOfJob = """
        SELECT \(eventColumns) WHERE events.job_id = ? ORDER BY events.sequence DESC LIMIT ?
        """

    /// The columns and tables of a query for events.
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

    /// Appends an event of a job to the event log.
    func appendEvent(_ kind: String, of job: Job, message: String, in db: Database) throws {
        try appendEvent(
            kind, jobID: job.id, printer: job.printer, state: job.state.rawValue, message: message,
            reasons: job.reasons.map(\.rawValue), impressions: job.impressionsPerCopy,
            impressionsCompleted: job.printedImpressions, in: db)
    }

    /// Appends an event of a printer to the event log.
    func appendEvent(_ kind: String, at printer: ConfiguredPrinter, message: String, in db: Database) throws {
        let isPrinting =
            try Bool.fetchOne(
                try db.cachedStatement(sql: Self.isPrinting), arguments: [printer.name]) ?? false
        let state: PrinterState = printer.isPaused ? .stopped : isPrinting ? .processing : .idle
        try appendEvent(
            kind, jobID: nil, printer: printer.name, state: state.rawValue, message: message,
            reasons: printer.isPaused ? ["paused"] : [], in: db)
    }

    /// The query that determines whether a printer is printing.
    ///
    /// `(state < 5) = 0` prevents SQLite from reading all jobs that wait for the printer. With the `+`, SQLite does not
    /// use the condition on state 5 to simplify the first condition.
    package static let isPrinting = """
        SELECT EXISTS (SELECT 1 FROM jobs WHERE \(JobCondition.isInProgress()) AND printer = ? AND +state = \(JobState.processing.rawValue))
        """

    /// Appends the status of a printer to the event log while a job of this spool is in progress.
    ///
    /// A power failure may lose the event, because the event is only informative.
    public func noteStatus(_ status: PrinterStatus, message: String, of printer: String) async throws(SpoolError) {
        try await write(.ordered) { [self] db in
            try appendEvent(
                "printer-state-changed", jobID: nil, printer: printer, state: status.state.rawValue, message: message,
                reasons: status.reasons, in: db)
        }
    }

    /// Appends a printer event to the event log if the state of a job shows that the printer has stopped or is ready
    /// again.
    func appendPrinterEvent(of job: Job, since before: Job, reasons: [String], in db: Database) throws {
        guard job.hasStoppedPrinter != before.hasStoppedPrinter else { return }
        let (state, message): (PrinterState, String) =
            job.hasStoppedPrinter
            ? (.stopped, job.message) : (job.state.isTerminal ? .idle : .processing, "Continues")
        try appendEvent(
            "printer-state-changed", jobID: nil, printer: job.printer, state: state.rawValue, message: message,
            reasons: job.hasStoppedPrinter ? reasons : [], in: db)
    }

    /// Appends an event to the event log.
    private func appendEvent(
        _ kind: String, jobID: Int?, printer: String, state: Int?, message: String, reasons: [String] = [],
        impressions: Int? = nil, impressionsCompleted: Int? = nil, in db: Database
    ) throws {
        // Keywords have no spaces. An empty list is stored as NULL.
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
    /// Whether the printer has stopped during the job and can continue the job later.
    fileprivate var hasStoppedPrinter: Bool { state == .processingStopped && !reasons.contains(.jobSuspended) }
}

// MARK: - Observers

extension Spool {
    /// Returns a stream of commits with changes.
    ///
    /// All commits with changes since the last element was read are combined into one element.
    ///
    /// To observe every change, first create the stream, then query the spool, then wait for the stream. The stream
    /// ends when the spool is closed.
    public func changes() -> AsyncStream<Void> { observers.stream() }

    /// Runs `body`.
    ///
    /// Until `body` returns, calls `wake` after each commit that may make another job printable.
    ///
    /// Almost every commit may make another job printable. The exception is a commit that only adds a job behind other
    /// jobs. `wake` is called on the thread that commits, and must therefore be fast.
    public nonisolated(nonsending) func wake<Value>(
        _ wake: @escaping @Sendable () -> Void, during body: () async throws -> Value
    ) async rethrows -> Value {
        try await observers.wake(wake, during: body)
    }
}
