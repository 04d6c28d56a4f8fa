// Reads and writes jobs in SQLite, and repairs damaged rows.

import GRDB
package import PrintModel

extension SQLiteTransaction {
    package func job(_ id: Int) throws -> Job? { try JobRecord.jobs(JobRecord.byID, [id], in: db).first }

    package func jobs(withIDs ids: [Int], _ parts: JobParts) throws -> [Job] {
        try JobRecord.jobs(withIDs: ids, parts, in: db)
    }

    package func existingJobs(_ ids: [Int]) throws -> Set<Int> { try JobRecord.existing(ids, in: db) }

    package func jobID(owner: String, submissionID: String) throws -> Int? {
        try Int.fetchOne(
            try db.cachedStatement(sql: "SELECT id FROM jobs WHERE owner = ? AND submission_id = ?"),
            arguments: [owner, submissionID])
    }

    package func insert(_ job: inout Job, incomingUntil: UnixTime?) throws {
        try JobRecord.insert(&job, incomingUntil: incomingUntil, in: db)
    }

    package func update(_ job: Job, keepsTicket: Bool, incomingUntil: UnixTime?) throws {
        try JobRecord.update(job, keepsTicket: keepsTicket, incomingUntil: incomingUntil, in: db)
    }

    // MARK: - The store

    package func identity() throws -> String? { try String.fetchOne(db, sql: "SELECT name FROM identity") }

    package func schemaVersion() throws -> String? {
        try String.fetchOne(db, sql: "PRAGMA user_version")
    }

    package func skipNumbers(throughJob id: Int, and skipped: Int) throws {
        let last = try Int.fetchOne(db, sql: "SELECT seq FROM sqlite_sequence WHERE name = 'jobs'") ?? 0
        try db.execute(sql: "DELETE FROM sqlite_sequence WHERE name = 'jobs'")
        try db.execute(
            sql: "INSERT INTO sqlite_sequence (name, seq) VALUES ('jobs', ?)", arguments: [max(last, id) + skipped])
        // At the next start, the numbers of events skip a range, as after a restart of the machine.
        try db.execute(sql: "UPDATE event_log SET boot = 'restored'")
    }

    // MARK: - Damaged rows

    package func repairJob(_ id: Int, now: UnixTime) throws -> RepairedJob? {
        // Another task may already have repaired the row.
        let found = try Row.fetchOne(db, sql: Self.wholeRow, arguments: [id])
        guard let found, let damaged = Self.unreadable(found) else { return nil }
        let repair = JobRepair(
            of: Int.fromDatabaseValue(found["state"]).flatMap(JobState.init(rawValue:)),
            reasons: String.fromDatabaseValue(found["reasons"]))
        try db.execute(
            sql: Self.setAside,
            arguments: [
                "id": id, "now": now, "state": repair.state.rawValue,
                "reasons": try StoredJSON.text(of: repair.reasons), "message": repair.message,
                "ticket": try StoredJSON.text(of: JobTicket()),
            ])
        guard let row = try Row.fetchOne(db, sql: Self.wholeRow, arguments: [id]) else { return nil }
        if let still = Self.unreadable(row) {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "\(still)")
        }
        let decoder = StoredJob.Decoder()
        let ticket = String.fromDatabaseValue(found["ticket"])
        return RepairedJob(
            job: try decoder.job(of: row), damaged: damaged.content,
            deletesDocuments: ticket?.contains(#""keepsDocuments":false"#) == true, hadEnded: repair.hadEnded)
    }

    private static let wholeRow = "SELECT \(StoredJob.columns), incoming_until FROM jobs WHERE id = ?"

    private static func unreadable(_ row: Row) -> UnreadableJob? {
        let decoder = StoredJob.Decoder()
        do {
            _ = try decoder.job(of: row)
            return nil
        } catch {
            return UnreadableJob(row, error)
        }
    }

    /// The statement that repairs a row.
    ///
    /// The statement keeps the valid columns that describe the job, and the time of the final state. `JobRepair`
    /// determines the state. The statement resets all other columns.
    private static let setAside = """
        UPDATE jobs SET
            uuid = CASE WHEN typeof(uuid) = 'text' THEN uuid
                ELSE printf('urn:uuid:00000000-0000-4000-8000-%012d', id) END,
            printer = CASE WHEN typeof(printer) = 'text' THEN printer ELSE 'unknown' END,
            owner = CASE WHEN typeof(owner) = 'text' THEN owner ELSE 'unknown' END,
            name = CASE WHEN typeof(name) = 'text' THEN name ELSE 'unknown' END,
            submission_id = CASE WHEN typeof(submission_id) = 'text' THEN submission_id END,
            state = :state, reasons = :reasons, message = :message, ticket = :ticket,
            priority = CASE WHEN typeof(priority) = 'integer' THEN priority ELSE 50 END,
            held_until = NULL, incoming_until = NULL, retry_at = NULL, attempts = 0,
            created_at = CASE WHEN typeof(created_at) = 'real' THEN created_at ELSE :now END,
            processing_at = CASE WHEN typeof(processing_at) = 'real' THEN processing_at END,
            completed_at = CASE WHEN typeof(completed_at) = 'real' THEN completed_at ELSE :now END,
            impressions = NULL, impressions_completed = 0, sheets = NULL, sheets_completed = 0,
            sheet_plan = NULL, warnings = NULL, earlier_impressions = 0, earlier_blanks = 0, earlier_sheets = 0,
            preparation_seconds = 0, resume_from = NULL, parent_id = CASE WHEN typeof(parent_id) = 'integer' THEN parent_id END,
            moved_from = CASE WHEN typeof(moved_from) = 'text' THEN moved_from END,
            remote_id = CASE WHEN typeof(remote_id) = 'integer' THEN remote_id END,
            remote_uuid = CASE WHEN typeof(remote_id) = 'integer' AND typeof(remote_uuid) = 'text' THEN remote_uuid END
        WHERE id = :id
        """
}

extension UnreadableJob {
    fileprivate init(_ row: Row, _ error: any Error) {
        self.init(
            id: Int.fromDatabaseValue(row["id"]) ?? 0, reason: String("\(error)".prefix(200)),
            content: String(row.map { "\($0) = \($1)" }.joined(separator: ", ").prefix(16_000)))
    }

    /// Calls `read`, and returns the result of the call.
    ///
    /// If `read` throws an error, throws an `UnreadableJob` for the row instead. The row must have the column `id`.
    static func found<Value>(in row: Row, _ read: () throws -> Value) throws -> Value {
        do { return try read() } catch { throw UnreadableJob(row, error) }
    }
}
