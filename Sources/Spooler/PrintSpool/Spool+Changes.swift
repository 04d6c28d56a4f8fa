// Changes jobs with the state machine. One transaction stores the result and appends an event to the log.

import GRDB
public import PrintModel

extension Spool {
    /// Applies an event to a job with `JobStateMachine`.
    ///
    /// In the same transaction, stores the result and appends the event to the event log.
    ///
    /// A late or repeated event does not change the job, and is not logged. When the job ends, its prepared files are
    /// removed.
    ///
    /// - Returns: The changed job, and the action that the caller must take.
    /// - Throws: `noSuchJob`, or `notPossible` when the state of the job does not allow the request.
    @discardableResult
    public func change(
        _ id: Int, _ event: JobStateMachine.Event
    ) async throws(SpoolError) -> (job: Job, action: JobStateMachine.Action) {
        let (job, action, kept) = try await write(event.durability) { [self] db in
            let (job, action) = try apply(event, to: try JobRecord.job(id, in: db), in: db)
            return (job, action, action == .finish ? try Self.files(of: id, in: db) : nil)
        }
        if let kept { await store.tidyFolder(of: id, keeping: kept) }
        return (job, action)
    }

    /// Changes the printer, name, options or priority of a waiting job (IPP `Set-Job-Attributes`, CUPS
    /// `CUPS-Move-Job`).
    ///
    /// If a parameter is nil, the value does not change. A job that is moved to another printer keeps its id and its
    /// position in the queue. The job can start at the new printer without a retry delay. A suspended job can be moved
    /// too, and remains suspended.
    ///
    /// - Throws: `noSuchJob`, `noSuchPrinter`, or `notPossible` when the job is no longer waiting.
    @discardableResult
    public func update(
        _ id: Int, printer: String? = nil, name: String? = nil, ticket: JobTicket? = nil, priority: Int? = nil
    ) async throws(SpoolError) -> Job {
        try await write { [self] db in
            let before = try JobRecord.job(id, in: db)
            var job = before
            if let printer {
                guard try fetchPrinter(printer, in: db) != nil else { throw SpoolError.noSuchPrinter(printer) }
                job = try handle(.moveRequested(to: printer), by: job).job
            }
            if name != nil || ticket != nil || priority != nil {
                guard job.state == .pending || job.state == .pendingHeld else {
                    throw SpoolError.notPossible(
                        "job \(id) is \(job.state); only waiting jobs can be changed")
                }
            }
            if ticket != nil, job.hasUnknownOptions { throw SpoolError.notPossible(Self.unknownOptions(of: id)) }
            job.name = name ?? job.name
            job.ticket = ticket ?? job.ticket
            job.priority = min(max(priority ?? ticket?.priority ?? job.priority, 1), 100)
            guard job != before else { return job }
            // The page counts are only valid for the old options.
            if job.ticket != before.ticket { (job.impressions, job.sheets, job.sheetPlan) = (nil, nil, nil) }
            try store(job, since: before, in: db)
            let message = job.printer == before.printer ? "Changed" : "Moved from \(before.printer) to \(job.printer)"
            try appendEvent("job-config-changed", of: job, message: message, in: db)
            return job
        }
    }

    /// Applies an event to a loaded job, stores the result, and appends the event to the event log.
    @discardableResult
    func apply(
        _ event: JobStateMachine.Event, to job: Job, in db: Database
    ) throws -> (job: Job, action: JobStateMachine.Action) {
        let (changed, action) = try handle(event, by: job)
        guard changed != job else { return (job, action) }
        try store(changed, since: job, in: db)
        if !job.state.isTerminal, let entry = AccountingEntry(changed) { try Self.account(entry, in: db) }
        // A job whose document is damaged or too large for its converter cannot be reprinted, so its documents are not
        // kept.
        let isUseless =
            changed.ticket.keepsDocuments == false || changed.reasons.contains(.documentFormatError)
            || changed.reasons.contains(.documentUnprintableError)
        if action == .finish, isUseless { try forgetDocuments(of: changed.id, in: db) }
        try appendEvent(kind(of: changed, since: job), of: changed, message: words(event, changed), in: db)
        try appendPrinterEvent(of: changed, since: job, reasons: event.printerReasons, in: db)
        return (changed, action)
    }

    /// Stores the changeable fields of a job, and invalidates the cached due times if the job waits for a point in
    /// time.
    ///
    /// - Parameter before: The job before the event; nil if the state reasons of the job have not changed.
    func store(_ job: Job, since before: Job? = nil, incomingUntil: UnixTime? = nil, in db: Database) throws {
        if incomingUntil != nil || job.waitsForClock { dueTimes.beginChange() }
        try JobRecord.update(
            job, keepsTicket: (before ?? job).hasUnknownOptions, incomingUntil: incomingUntil, in: db)
    }

    /// Applies an event with the state machine, without storing the result.
    private func handle(
        _ event: JobStateMachine.Event, by job: Job
    ) throws(SpoolError) -> (job: Job, action: JobStateMachine.Action) {
        var machine = JobStateMachine(job: job)
        do throws(JobStateMachine.InvalidTransition) {
            let action = try machine.handle(event, at: clock())
            return (machine.job, action)
        } catch {
            throw SpoolError.notPossible(error.description, cause: error)
        }
    }

    /// Returns the message of an event for the event log.
    private func words(_ event: JobStateMachine.Event, _ job: Job) -> String {
        switch event {
        case .resumeRequested: "Continues with \(job.resumeWords ?? "page 1")"
        // A job that is prepared in advance keeps the message that explains why the job waits.
        case .prepared(_, _, let notice?, _, _) where job.state != .processing: notice
        default: job.message
        }
    }

    /// Returns the IPP keyword of the event (RFC 3995 §5.3.3.4.3).
    private func kind(of job: Job, since before: Job) -> String {
        if job.state.isTerminal && !before.state.isTerminal { return "job-completed" }
        return job.state != before.state || job.reasons != before.reasons ? "job-state-changed" : "job-progress"
    }
}

extension JobStateMachine.Event {
    /// The state reasons of the stopped printer (IPP keywords); empty if the event does not report a stopped printer.
    fileprivate var printerReasons: [String] {
        if case .printerStopped(_, let reasons) = self { reasons } else { [] }
    }
}

extension Job {
    /// Whether the job waits for a point in time: the end of a hold, or a retry.
    var waitsForClock: Bool { heldUntil != nil || retryAt != nil }
}

// MARK: - Unreadable jobs

/// The error for a row of `jobs` that cannot be decoded.
struct UnreadableJob: Error, CustomStringConvertible {
    /// The id of the job with the damaged row.
    var id: Int
    /// The reason why the row cannot be decoded.
    var reason: String
    /// The columns of the row as text, for the log.
    var content: String

    init(_ row: Row, _ error: any Error) {
        id = Int.fromDatabaseValue(row["id"]) ?? 0
        reason = String("\(error)".prefix(200))
        content = String(row.map { "\($0) = \($1)" }.joined(separator: ", ").prefix(16_000))
    }

    var description: String { "job \(id): \(reason)" }

    /// Calls `read`, and returns the result of the call.
    ///
    /// If `read` throws an error, throws an `UnreadableJob` for the row instead. The row must have the column `id`.
    static func found<Value>(in row: Row, _ read: () throws -> Value) throws -> Value {
        do { return try read() } catch { throw UnreadableJob(row, error) }
    }
}

extension Spool {
    /// Aborts the job that caused `UnreadableJob`, so that the caller can repeat its query.
    ///
    /// Rethrows any other error.
    ///
    /// The job's message explains the problem, and an event of the job contains the damaged row. Throws an error if the
    /// row is still unreadable after the repair.
    func setAside(after error: SpoolError) async throws(SpoolError) {
        guard let job = error.cause as? UnreadableJob else { throw error }
        try await write { [self] db in
            // Another task may already have repaired the row.
            let found = try Row.fetchOne(db, sql: Self.wholeRow, arguments: [job.id])
            guard let found, let damaged = Self.unreadable(found) else { return }
            let message = "The stored record of this job was damaged; submit the job again"
            try db.execute(
                sql: Self.setAside,
                arguments: [
                    "id": job.id, "now": clock(), "message": message, "ticket": try JobRecord.json(JobTicket()),
                ])
            guard let row = try Row.fetchOne(db, sql: Self.wholeRow, arguments: [job.id]) else {
                return
            }
            if let still = Self.unreadable(row) {
                throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "\(still)")
            }
            var decoder = JobRecord.Decoder()
            let readable = try decoder.job(row)
            try appendEvent(
                "job-config-changed", of: readable, message: "The damaged record was: \(damaged.content)", in: db)
            try appendEvent("job-completed", of: readable, message: message, in: db)
            // Documents that must not be kept are deleted if the damaged ticket still contains the option.
            let ticket = String.fromDatabaseValue(found["ticket"])
            if ticket?.contains(#""keepsDocuments":false"#) == true { try forgetDocuments(of: job.id, in: db) }
        }
    }

    private static let wholeRow = "SELECT \(JobRecord.columns), incoming_until FROM jobs WHERE id = ?"

    private static func unreadable(_ row: Row) -> UnreadableJob? {
        var decoder = JobRecord.Decoder()
        do {
            _ = try decoder.job(row)
            return nil
        } catch {
            return UnreadableJob(row, error)
        }
    }

    /// The statement that repairs a row.
    ///
    /// The statement keeps the valid columns that describe the job and its end, and resets all other columns. If the
    /// job has not ended, the statement aborts the job.
    private static let setAside = """
        UPDATE jobs SET
            uuid = CASE WHEN typeof(uuid) = 'text' THEN uuid
                ELSE printf('urn:uuid:00000000-0000-4000-8000-%012d', id) END,
            printer = CASE WHEN typeof(printer) = 'text' THEN printer ELSE 'unknown' END,
            owner = CASE WHEN typeof(owner) = 'text' THEN owner ELSE 'unknown' END,
            name = CASE WHEN typeof(name) = 'text' THEN name ELSE 'unknown' END,
            submission_id = CASE WHEN typeof(submission_id) = 'text' THEN submission_id END,
            state = CASE
                WHEN typeof(state) = 'integer'
                    AND state BETWEEN \(JobState.canceled.rawValue) AND \(JobState.completed.rawValue) THEN state
                ELSE \(JobState.aborted.rawValue) END,
            reasons = '["aborted-by-system"]', message = :message, ticket = :ticket,
            priority = CASE WHEN typeof(priority) = 'integer' THEN priority ELSE 50 END,
            held_until = NULL, incoming_until = NULL, retry_at = NULL, attempts = 0,
            created_at = CASE WHEN typeof(created_at) = 'real' THEN created_at ELSE :now END,
            processing_at = CASE WHEN typeof(processing_at) = 'real' THEN processing_at END,
            completed_at = CASE WHEN typeof(completed_at) = 'real' THEN completed_at ELSE :now END,
            impressions = NULL, impressions_completed = 0, sheets = NULL, sheets_completed = 0,
            sheet_plan = NULL, warnings = NULL, earlier_impressions = 0, earlier_blanks = 0, earlier_sheets = 0,
            resume_from = NULL, parent_id = CASE WHEN typeof(parent_id) = 'integer' THEN parent_id END,
            moved_from = CASE WHEN typeof(moved_from) = 'text' THEN moved_from END,
            remote_id = CASE WHEN typeof(remote_id) = 'integer' THEN remote_id END,
            remote_uuid = CASE WHEN typeof(remote_id) = 'integer' AND typeof(remote_uuid) = 'text' THEN remote_uuid END
        WHERE id = :id
        """
}

// MARK: - Options of a newer version

extension Spool {
    /// Returns the message for a job with unknown options.
    static func unknownOptions(of id: Int) -> String {
        "The job is held because the job has options that this version of printq does not support; "
            + "install the newer version, then run 'printq release \(id)'"
    }

    /// Holds a waiting job with options that this version does not support.
    ///
    /// The stored options do not change.
    func holdUnknown(_ job: Job, in db: Database) throws {
        guard job.state == .pending else { return }
        var held = job
        held.state = .pendingHeld
        held.reasons = [.jobHoldUntilSpecified, .unsupportedAttributesOrValues]
        held.message = Self.unknownOptions(of: job.id)
        held.retryAt = nil
        try store(held, since: job, in: db)
        try appendEvent("job-state-changed", of: held, message: held.message, in: db)
    }
}
