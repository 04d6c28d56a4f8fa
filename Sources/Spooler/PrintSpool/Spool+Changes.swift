// What happens to jobs: the rule, its result and the event log, in one transaction.

import GRDB
public import PrintModel

extension Spool {
    /// Lets an event happen to a job: asks the rule, stores what comes out and logs it, in one transaction.
    ///
    /// A late or repeated event changes and logs nothing. With the job's end goes what was only needed to print it.
    ///
    /// - Returns: The job as it is then, and what must be done about it.
    /// - Throws: `noSuchJob`, `notPossible` for a wish that the job's state does not allow.
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

    /// Changes what was asked for, while the job waits (IPP `Set-Job-Attributes`, CUPS `CUPS-Move-Job`); nil leaves a
    /// value as it is.
    ///
    /// A job that is moved to another printer keeps its number and its place in the order of arrival, and is tried there
    /// at once; one that waits for a person's word can be moved too, and goes on waiting for it.
    ///
    /// - Throws: `noSuchJob`, `noSuchPrinter`, `notPossible` when the job does not wait any more.
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
                        "job \(id) is \(job.state) and cannot be changed: only a waiting job can")
                }
            }
            if ticket != nil, job.hasUnknownOptions { throw SpoolError.notPossible(Self.unknownOptions(of: id)) }
            job.name = name ?? job.name
            job.ticket = ticket ?? job.ticket
            job.priority = min(max(priority ?? ticket?.priority ?? job.priority, 1), 100)
            guard job != before else { return job }
            // What was counted ahead of its turn was counted for other options.
            if job.ticket != before.ticket { (job.impressions, job.sheets, job.sheetPlan) = (nil, nil, nil) }
            try store(job, since: before, in: db)
            let message = job.printer == before.printer ? "Changed" : "Moved from \(before.printer) to \(job.printer)"
            try appendEvent("job-config-changed", of: job, message: message, in: db)
            return job
        }
    }

    /// Lets an event happen to a loaded job.
    @discardableResult
    func apply(
        _ event: JobStateMachine.Event, to job: Job, in db: Database
    ) throws -> (job: Job, action: JobStateMachine.Action) {
        let (changed, action) = try handle(event, by: job)
        guard changed != job else { return (job, action) }
        try store(changed, since: job, in: db)
        if !job.state.isTerminal, let entry = AccountingEntry(changed) { try Self.account(entry, in: db) }
        // A document that cannot be read cannot be printed again either.
        let isUseless = changed.ticket.keepsDocuments == false || changed.reasons.contains(.documentFormatError)
        if action == .finish, isUseless { try forgetDocuments(of: changed.id, in: db) }
        try appendEvent(kind(of: changed, since: job), of: changed, message: words(event, changed), in: db)
        try appendPrinterEvent(of: changed, since: job, reasons: event.printerReasons, in: db)
        return (changed, action)
    }

    /// Stores what may change of a job, and notes that it may wait for the clock.
    ///
    /// - Parameter before: the job as it was read; nil for one whose reasons have not changed since.
    func store(_ job: Job, since before: Job? = nil, incomingUntil: UnixTime? = nil, in db: Database) throws {
        if incomingUntil != nil || job.waitsForClock { dueTimes.beginChange() }
        try JobRecord.update(
            job, keepsTicket: (before ?? job).hasUnknownOptions, incomingUntil: incomingUntil, in: db)
    }

    /// Asks the rule.
    private func handle(
        _ event: JobStateMachine.Event, by job: Job
    ) throws(SpoolError) -> (job: Job, action: JobStateMachine.Action) {
        var machine = JobStateMachine(job: job)
        do throws(JobStateMachine.NotPossible) {
            let action = try machine.handle(event, at: clock())
            return (machine.job, action)
        } catch {
            throw SpoolError.notPossible(error.description, cause: error)
        }
    }

    /// What the log says of an event: the job's own words, or what a person decided.
    private func words(_ event: JobStateMachine.Event, _ job: Job) -> String {
        guard case .resumeRequested = event else { return job.message }
        return "To go on with \(job.resumeWords ?? "page 1")"
    }

    /// The registered name of what happened (RFC 3995 §5.3.3.4.3).
    private func kind(of job: Job, since before: Job) -> String {
        if job.state.isTerminal && !before.state.isTerminal { return "job-completed" }
        return job.state != before.state || job.reasons != before.reasons ? "job-state-changed" : "job-progress"
    }
}

extension JobStateMachine.Event {
    /// Why the printer has stopped, in its own keywords.
    fileprivate var printerReasons: [String] {
        if case .printerStopped(_, let reasons) = self { reasons } else { [] }
    }
}

extension Job {
    /// Whether there is a moment at which it is set free: held until then, or to be tried again.
    var waitsForClock: Bool { heldUntil != nil || retryAt != nil }
}

// MARK: - Jobs that are set aside

/// A row of `jobs` of which no job can be made.
struct UnreadableJob: Error, CustomStringConvertible {
    /// The job's number.
    var id: Int
    /// What cannot be read, in words.
    var reason: String
    /// The row as it is, for a human.
    var content: String

    init(_ row: Row, _ error: any Error) {
        id = Int.fromDatabaseValue(row["id"]) ?? 0
        reason = String("\(error)".prefix(200))
        content = String(row.map { "\($0) = \($1)" }.joined(separator: ", ").prefix(16_000))
    }

    var description: String { "job \(id): \(reason)" }

    /// What is read from a row of `jobs` that has the column `id`; whatever is thrown says that it cannot be read.
    static func found<Value>(in row: Row, _ read: () throws -> Value) throws -> Value {
        do { return try read() } catch { throw UnreadableJob(row, error) }
    }
}

extension Spool {
    /// Sets the job aside whose record cannot be read, so that what was asked can be asked again; throws any other
    /// error.
    ///
    /// The job is given up with words, and what its row held stands in its events. A row that cannot be made readable
    /// either is an error.
    func setAside(after error: SpoolError) async throws(SpoolError) {
        guard let job = error.cause as? UnreadableJob else { throw error }
        try await write { [self] db in
            // Another one may have done it meanwhile.
            let found = try Row.fetchOne(db, sql: Self.wholeRow, arguments: [job.id])
            guard let found, let damaged = Self.unreadable(found) else { return }
            let message = "The record of this job was damaged, so that it could not be printed; submit it again"
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
            // Whoever wanted nothing kept is heard as far as can be.
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

    /// Makes a row readable: what can be kept is kept, a job that had not ended is given up.
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
    /// What people are told of a job with unknown options.
    static func unknownOptions(of id: Int) -> String {
        "The job has options that this version of printq does not know, so it is held; install the newer version, "
            + "then run 'printq release \(id)'"
    }

    /// Holds a waiting job whose options are unknown here; its stored options stay as they are.
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
