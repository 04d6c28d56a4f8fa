// A job as a row of the table `jobs`.

import FoundationEssentials
import GRDB
import PrintModel

/// A job as a row of the table `jobs`, with its documents from the table `documents`.
enum JobRecord {
    /// Stores a new job, without its documents, and gives it its id.
    static func insert(_ job: inout Job, incomingUntil: UnixTime?, in db: Database) throws {
        var arguments = try arguments(of: job)
        arguments += [
            "uuid": job.uuid, "owner": job.owner, "submissionID": job.submissionID, "createdAt": job.createdAt,
            "incomingUntil": incomingUntil, "parentID": job.parentID,
        ]
        try db.cachedStatement(
            sql: """
                INSERT INTO jobs (
                    uuid, printer, owner, name, submission_id, state, reasons, message, ticket, priority, held_until,
                    incoming_until, retry_at, attempts, created_at, processing_at, completed_at, impressions,
                    impressions_completed, sheets, sheets_completed, remote_id, remote_uuid, resume_from, parent_id,
                    moved_from
                ) VALUES (
                    :uuid, :printer, :owner, :name, :submissionID, :state, :reasons, :message, :ticket, :priority,
                    :heldUntil, :incomingUntil, :retryAt, :attempts, :createdAt, :processingAt, :completedAt,
                    :impressions, :impressionsCompleted, :sheets, :sheetsCompleted, :remoteID, :remoteUUID,
                    :resumeFrom, :parentID, :movedFrom)
                """
        ).execute(arguments: arguments)
        job.id = Int(db.lastInsertedRowID)
    }

    /// Stores what may change of a job.
    ///
    /// `incomingUntil` is the new deadline for its documents; nil leaves that of a job whose documents are still coming.
    static func update(_ job: Job, incomingUntil: UnixTime? = nil, in db: Database) throws {
        var arguments = try arguments(of: job)
        arguments += [
            "id": job.id, "isIncoming": job.reasons.contains(.jobIncoming), "incomingUntil": incomingUntil,
        ]
        try db.cachedStatement(
            sql: """
                UPDATE jobs SET
                    printer = :printer, name = :name, state = :state, reasons = :reasons, message = :message,
                    ticket = :ticket, priority = :priority, held_until = :heldUntil,
                    incoming_until = CASE WHEN :isIncoming THEN COALESCE(:incomingUntil, incoming_until) END,
                    retry_at = :retryAt, attempts = :attempts, processing_at = :processingAt,
                    completed_at = :completedAt, impressions = :impressions,
                    impressions_completed = :impressionsCompleted, sheets = :sheets,
                    sheets_completed = :sheetsCompleted, remote_id = :remoteID, remote_uuid = :remoteUUID,
                    resume_from = :resumeFrom, moved_from = :movedFrom
                WHERE id = :id
                """
        ).execute(arguments: arguments)
    }

    /// The job of the given id, with its documents.
    ///
    /// - Throws: `noSuchJob`.
    static func job(_ id: Int, in db: Database) throws -> Job {
        let statement = try db.cachedStatement(sql: "SELECT * FROM jobs WHERE id = ?")
        guard
            var job = try Row.fetchOne(statement, arguments: [id]).map({ row in
                var decoder = Decoder(); return try decoder.job(row)
            })
        else {
            throw SpoolError.noSuchJob(id)
        }
        job.documents = try documents(of: [id], in: db)[id] ?? []
        return job
    }

    /// The jobs that a query for rows of `jobs` finds, in its order, with their documents.
    static func jobs(_ sql: String, _ arguments: StatementArguments = [], in db: Database) throws -> [Job] {
        var decoder = Decoder()
        var jobs: [Job] = []
        let rows = try Row.fetchCursor(db, sql: sql, arguments: arguments)
        while let row = try rows.next() { jobs.append(try decoder.job(row)) }
        let documents = try documents(of: jobs.map(\.id), in: db)
        for index in jobs.indices { jobs[index].documents = documents[jobs[index].id] ?? [] }
        return jobs
    }

    /// The jobs of the given ids, in that order; those that are gone are left out.
    static func jobs(withIDs ids: some Sequence<Int>, in db: Database) throws -> [Job] {
        let ids = Array(ids)
        let found = try jobs(
            "SELECT * FROM jobs WHERE id IN (\(databaseQuestionMarks(count: ids.count)))", StatementArguments(ids),
            in: db)
        let byID = Dictionary(uniqueKeysWithValues: found.map { ($0.id, $0) })
        return ids.compactMap { byID[$0] }
    }

    /// Those of the given numbers that jobs have; asked for those alone, since there may be a million others.
    static func existing(_ ids: [Int], in db: Database) throws -> Set<Int> {
        var found: Set<Int> = []
        for start in stride(from: 0, to: ids.count, by: 1000) {
            let some = ids[start..<min(start + 1000, ids.count)]
            let sql = "SELECT id FROM jobs WHERE id IN (\(databaseQuestionMarks(count: some.count)))"
            found.formUnion(try Int.fetchAll(db, sql: sql, arguments: StatementArguments(some)))
        }
        return found
    }

    /// The documents of jobs, without their bytes.
    private static func documents(of jobIDs: [Int], in db: Database) throws -> [Int: [JobDocument]] {
        var documents: [Int: [JobDocument]] = [:]
        // A statement takes a bounded number of values.
        for start in stride(from: 0, to: jobIDs.count, by: 1000) {
            let ids = jobIDs[start..<min(start + 1000, jobIDs.count)]
            let rows = try Row.fetchCursor(
                try db.cachedStatement(
                    sql: """
                        SELECT job_id, number, name, format, bytes FROM documents
                        WHERE job_id IN (\(databaseQuestionMarks(count: ids.count))) ORDER BY job_id, number
                        """), arguments: StatementArguments(ids))
            while let row = try rows.next() {
                documents[row[0], default: []].append(
                    JobDocument(number: row[1], name: row[2], format: DocumentFormat(rawValue: row[3]), bytes: row[4]))
            }
        }
        return documents
    }

    private static func arguments(of job: Job) throws -> StatementArguments {
        [
            "printer": job.printer, "name": job.name, "state": job.state.rawValue,
            "reasons": try json(job.reasons), "message": job.message, "ticket": try json(job.ticket),
            "priority": job.priority, "heldUntil": job.heldUntil, "retryAt": job.retryAt, "attempts": job.attempts,
            "processingAt": job.processingAt, "completedAt": job.completedAt, "impressions": job.impressions,
            "impressionsCompleted": job.impressionsCompleted, "sheets": job.sheets,
            "sheetsCompleted": job.sheetsCompleted, "remoteID": job.remote?.id, "remoteUUID": job.remote?.uuid,
            "resumeFrom": job.resumeFrom, "movedFrom": job.movedFrom,
        ]
    }

    private static let encoder: JSONEncoder = {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return encoder
    }()

    static func json(_ value: some Encodable) throws -> String {
        String(decoding: try encoder.encode(value), as: UTF8.self)
    }
}

// MARK: - From row to job

extension JobRecord {
    /// Makes jobs of rows; a text that many jobs share is decoded once.
    struct Decoder {
        private var tickets: [String: JobTicket] = [:]
        private var reasons: [String: [JobStateReason]] = [:]

        /// The job in a row.
        ///
        /// - Throws: `UnreadableJob` when no job can be made of it.
        mutating func job(_ row: Row) throws -> Job {
            try UnreadableJob.found(in: row) { try read(row) }
        }

        private mutating func read(_ row: Row) throws -> Job {
            guard let state = JobState(rawValue: try row.decode(forColumn: "state")) else {
                throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "a job of an unknown state")
            }
            // `decode` and not a subscript: what is no number is an error and no trap.
            var job = Job(
                id: try row.decode(forColumn: "id"), uuid: try row.decode(forColumn: "uuid"),
                printer: try row.decode(forColumn: "printer"), owner: try row.decode(forColumn: "owner"),
                name: try row.decode(forColumn: "name"), state: state,
                reasons: try Self.decoded(row.decode(forColumn: "reasons"), &reasons),
                message: try row.decode(forColumn: "message"),
                ticket: try Self.decoded(row.decode(forColumn: "ticket"), &tickets),
                priority: try row.decode(forColumn: "priority"), heldUntil: try row.decode(forColumn: "held_until"),
                createdAt: try row.decode(forColumn: "created_at"),
                submissionID: try row.decode(forColumn: "submission_id"))
            job.processingAt = try row.decode(forColumn: "processing_at")
            job.completedAt = try row.decode(forColumn: "completed_at")
            job.impressions = try row.decode(forColumn: "impressions")
            job.impressionsCompleted = try row.decode(forColumn: "impressions_completed")
            job.sheets = try row.decode(forColumn: "sheets")
            job.sheetsCompleted = try row.decode(forColumn: "sheets_completed")
            let remoteID = try row.decode(Int?.self, forColumn: "remote_id")
            let remoteUUID = try row.decode(String?.self, forColumn: "remote_uuid")
            job.remote = remoteID.map { RemoteJob(id: $0, uuid: remoteUUID) }
            job.attempts = try row.decode(forColumn: "attempts")
            job.retryAt = try row.decode(forColumn: "retry_at")
            job.resumeFrom = try row.decode(forColumn: "resume_from")
            job.parentID = try row.decode(forColumn: "parent_id")
            job.movedFrom = try row.decode(forColumn: "moved_from")
            return job
        }

        private static func decoded<Value: Decodable>(_ text: String, _ known: inout [String: Value]) throws -> Value {
            if let value = known[text] { return value }
            do {
                let value = try JSONDecoder().decode(Value.self, from: Data(text.utf8))
                known[text] = value
                return value
            } catch {
                throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "a job's ticket or reasons: \(error)")
            }
        }
    }
}
