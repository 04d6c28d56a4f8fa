// Reads and writes jobs as rows of the table `jobs`.

import FoundationEssentials
import GRDB
import PrintModel

/// A job as a row of the table `jobs`, with its documents from the table `documents`.
enum JobRecord {
    /// The query for the job with a given id.
    static let byID = "SELECT \(StoredJob.columns) FROM jobs WHERE id = ?"

    /// Inserts a new job without documents, and sets the id of the job unless the job has a reserved id.
    static func insert(_ job: inout Job, incomingUntil: UnixTime?, in db: Database) throws {
        var arguments = try arguments(of: job)
        arguments += [
            "ticket": try StoredTicket.text(of: job.ticket), "uuid": job.uuid, "owner": job.owner,
            "submissionID": job.submissionID, "createdAt": job.createdAt, "incomingUntil": incomingUntil,
            "parentID": job.parentID, "id": job.id == 0 ? nil : job.id,
        ]
        try db.cachedStatement(
            sql: """
                INSERT INTO jobs (
                    id, uuid, printer, owner, name, submission_id, state, reasons, message, ticket, priority,
                    held_until, incoming_until, retry_at, attempts, created_at, processing_at, completed_at, impressions,
                    impressions_completed, sheets, sheets_completed, remote_id, remote_uuid, resume_from, parent_id,
                    moved_from, sheet_plan, warnings, earlier_impressions, earlier_blanks, earlier_sheets,
                    preparation_seconds
                ) VALUES (
                    :id, :uuid, :printer, :owner, :name, :submissionID, :state, :reasons, :message, :ticket, :priority,
                    :heldUntil, :incomingUntil, :retryAt, :attempts, :createdAt, :processingAt, :completedAt,
                    :impressions, :impressionsCompleted, :sheets, :sheetsCompleted, :remoteID, :remoteUUID,
                    :resumeFrom, :parentID, :movedFrom, :sheetPlan, :warnings, :earlierImpressions, :earlierBlanks,
                    :earlierSheets, :preparationSeconds)
                """
        ).execute(arguments: arguments)
        job.id = Int(db.lastInsertedRowID)
    }

    /// Updates the changeable columns of a job.
    ///
    /// - Parameters:
    ///   - keepsTicket: Whether to keep the stored ticket, because the ticket has not changed, or has options that this
    ///     version does not support.
    ///   - incomingUntil: The new deadline for the job's documents; nil keeps the deadline of a job that still waits
    ///     for documents.
    static func update(
        _ job: Job, keepsTicket: Bool, incomingUntil: UnixTime? = nil, in db: Database
    ) throws {
        var arguments = try arguments(of: job)
        arguments += [
            "id": job.id, "isIncoming": job.reasons.contains(.jobIncoming), "incomingUntil": incomingUntil,
            "ticket": keepsTicket ? nil : try StoredTicket.text(of: job.ticket),
        ]
        try db.cachedStatement(
            sql: """
                UPDATE jobs SET
                    printer = :printer, name = :name, state = :state, reasons = :reasons, message = :message,
                    ticket = COALESCE(:ticket, ticket), priority = :priority, held_until = :heldUntil,
                    incoming_until = CASE WHEN :isIncoming THEN COALESCE(:incomingUntil, incoming_until) END,
                    retry_at = :retryAt, attempts = :attempts, processing_at = :processingAt,
                    completed_at = :completedAt, impressions = :impressions,
                    impressions_completed = :impressionsCompleted, sheets = :sheets,
                    sheets_completed = :sheetsCompleted, remote_id = :remoteID, remote_uuid = :remoteUUID,
                    resume_from = :resumeFrom, moved_from = :movedFrom, sheet_plan = :sheetPlan, warnings = :warnings,
                    earlier_impressions = :earlierImpressions, earlier_blanks = :earlierBlanks,
                    earlier_sheets = :earlierSheets, preparation_seconds = :preparationSeconds
                WHERE id = :id
                """
        ).execute(arguments: arguments)
    }

    /// Runs a query that selects `StoredJob.columns(parts)` from the table `jobs`.
    ///
    /// Returns the jobs in the order of the query.
    ///
    /// The compiled statement is cached. Therefore the text of the query must not depend on the number of arguments.
    static func jobs(
        _ sql: String, _ arguments: StatementArguments = [], _ parts: JobParts = .all, in db: Database
    ) throws -> [Job] {
        let decoder = StoredJob.Decoder(parts)
        var jobs: [Job] = []
        let rows = try Row.fetchCursor(try db.cachedStatement(sql: sql), arguments: arguments)
        while let row = try rows.next() { jobs.append(try decoder.job(of: row)) }
        guard parts.contains(.documents) else { return jobs }
        let documents = try documents(of: jobs.map(\.id), in: db)
        for index in jobs.indices { jobs[index].documents = documents[jobs[index].id] ?? [] }
        return jobs
    }

    /// Returns the jobs with the given ids, in the order of the ids.
    ///
    /// Missing jobs are omitted.
    static func jobs(withIDs ids: some Sequence<Int>, _ parts: JobParts, in db: Database) throws -> [Job] {
        let ids = Array(ids)
        let found = try jobs(
            "SELECT \(StoredJob.columns(parts)) FROM jobs WHERE id IN (SELECT value FROM json_each(?))", [list(ids)],
            parts, in: db)
        let byID = Dictionary(uniqueKeysWithValues: found.map { ($0.id, $0) })
        return ids.compactMap { byID[$0] }
    }

    /// Returns the given ids that belong to existing jobs.
    ///
    /// The query reads only the given ids, because the table can contain a million other jobs.
    static func existing(_ ids: [Int], in db: Database) throws -> Set<Int> {
        let sql = "SELECT id FROM jobs WHERE id IN (SELECT value FROM json_each(?))"
        return try Int.fetchSet(try db.cachedStatement(sql: sql), arguments: [list(ids)])
    }

    /// Returns ids as a JSON array for `json_each`.
    ///
    /// A list of `?` would require a separate cached statement for each number of ids.
    static func list(_ ids: some Sequence<Int>) -> String { "[\(ids.map(String.init).joined(separator: ","))]" }

    /// Returns the documents of the given jobs, without the contents of the documents; the keys are job ids.
    private static func documents(of jobIDs: [Int], in db: Database) throws -> [Int: [JobDocument]] {
        guard !jobIDs.isEmpty else { return [:] }
        let which = jobIDs.count == 1 ? "= ?" : "IN (SELECT value FROM json_each(?))"
        let sql =
            "SELECT job_id, number, name, format, bytes FROM documents WHERE job_id \(which) ORDER BY job_id, number"
        let rows = try Row.fetchCursor(
            try db.cachedStatement(sql: sql), arguments: jobIDs.count == 1 ? [jobIDs[0]] : [list(jobIDs)])
        var documents: [Int: [JobDocument]] = [:]
        while let row = try rows.next() {
            // A damaged document is listed without its damaged fields.
            guard let jobID = Int.fromDatabaseValue(row[0]), let number = Int.fromDatabaseValue(row[1]) else {
                continue
            }
            documents[jobID, default: []].append(
                JobDocument(
                    number: number, name: String.fromDatabaseValue(row[2]),
                    format: String.fromDatabaseValue(row[3]).map(DocumentFormat.init) ?? .octetStream,
                    bytes: Int.fromDatabaseValue(row[4]) ?? 0))
        }
        return documents
    }

    private static func arguments(of job: Job) throws -> StatementArguments {
        [
            "printer": job.printer, "name": job.name, "state": job.state.rawValue,
            "reasons": job.reasons.isEmpty ? "[]" : try StoredJSON.text(of: job.reasons), "message": job.message,
            "priority": job.priority, "heldUntil": job.heldUntil, "retryAt": job.retryAt, "attempts": job.attempts,
            "processingAt": job.processingAt, "completedAt": job.completedAt, "impressions": job.impressions,
            "impressionsCompleted": job.impressionsCompleted, "sheets": job.sheets,
            "sheetsCompleted": job.sheetsCompleted, "remoteID": job.remote?.id, "remoteUUID": job.remote?.uuid,
            "resumeFrom": job.resumeFrom, "movedFrom": job.movedFrom,
            "sheetPlan": try job.sheetPlan.map { try StoredJSON.text(of: $0) },
            "warnings": job.warnings.isEmpty ? nil : try StoredJSON.text(of: job.warnings),
            "earlierImpressions": job.printedBefore.impressions,
            "earlierBlanks": job.printedBefore.blanks, "earlierSheets": job.printedBefore.sheets,
            "preparationSeconds": job.preparationSeconds,
        ]
    }
}

// MARK: - Decoding

extension StoredJob.Decoder {
    /// Returns the job that a row contains, without the job's documents.
    ///
    /// - Throws: `UnreadableJob` when the row cannot be decoded.
    func job(of row: Row) throws -> Job {
        try UnreadableJob.found(in: row) {
            var fields = JobRecord.Fields(row: row)
            return try job(&fields)
        }
    }
}

extension JobRecord {
    /// A reader of the columns of a row, in order.
    fileprivate struct Fields: StoredFields {
        let row: Row
        var index = 0

        mutating func next() throws -> Int { try value() }
        mutating func next() throws -> Int? { try optionalValue() }
        mutating func next() throws -> Double { try value() }
        mutating func next() throws -> Double? { try optionalValue() }
        mutating func next() throws -> String { try value() }
        mutating func next() throws -> String? { try optionalValue() }

        /// Returns the value of the next column.
        ///
        /// Throws an error for text in a numeric column. In contrast, GRDB's `StatementColumnConvertible` converts the
        /// text to a number.
        private mutating func value<Value: DatabaseValueConvertible>() throws -> Value {
            defer { index += 1 }
            return try row.decode(atIndex: index)
        }

        private mutating func optionalValue<Value: DatabaseValueConvertible>() throws -> Value? {
            defer { index += 1 }
            return try row.decode(atIndex: index)
        }
    }
}
