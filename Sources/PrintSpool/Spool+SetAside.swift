// A job whose record is damaged must not hold up the others.

import GRDB
import PrintModel

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
            state = CASE WHEN typeof(state) = 'integer' AND state BETWEEN 7 AND 9 THEN state ELSE 8 END,
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
