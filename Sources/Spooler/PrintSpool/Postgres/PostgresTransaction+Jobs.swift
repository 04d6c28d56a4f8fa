// Reads and writes jobs in PostgreSQL, and repairs damaged rows.

import PostgresClient
import PrintModel

extension PostgresTransaction {
    func job(_ id: Int) throws -> Job? {
        var found: PostgresRows?
        let selection = session.isWriting ? Self.lockedColumns : StoredJob.columns
        let lock = session.isWriting ? " FOR UPDATE" : ""
        try session.query("SELECT \(selection) FROM jobs WHERE id = $1\(lock)", [id]) { found = $0 }
        // The documents are read after the lock is granted, and in the same round trip.
        let documents = try session.query(
            "SELECT job_id, number, name, format, bytes FROM documents WHERE job_id = $1 ORDER BY number", [id])
        if session.isWriting, let row = found?.first { try noteLease(of: row) }
        return try Self.jobs(found.map(Array.init) ?? [], documents: documents).first
    }

    /// The columns of a job that is locked: the columns of the job, and its lease.
    static let lockedColumns =
        (StoredJob.columnNames(.all) + ["lease_epoch", "lease_incarnation"]).map { "jobs.\($0)" }
        .joined(separator: ", ")

    /// The number of columns in `StoredJob.columns`.
    static let columnCount = StoredJob.columnNames(.all).count

    /// Notes the lease of a locked job for `isInProgress`.
    func noteLease(of row: PostgresRow) throws {
        session.jobLeases[try row.int(0)] = PostgresSession.JobLease(
            epoch: try row.optionalInt(Self.columnCount), incarnation: try row.optionalString(Self.columnCount + 1))
    }

    func jobs(withIDs ids: [Int], _ parts: JobParts) throws -> [Job] {
        guard !ids.isEmpty else { return [] }
        let list = Self.array(ids)
        let query = "SELECT \(StoredJob.columns(parts)) FROM jobs WHERE id = ANY ($1::bigint[])"
        let jobs: [Job]
        if parts.contains(.documents) {
            var found: PostgresRows?
            try session.query(query, [list]) { found = $0 }
            let documents = try session.query(Self.documentsOfJobs, [list])
            jobs = try Self.jobs(found.map(Array.init) ?? [], documents: documents, parts)
        } else {
            jobs = try Self.jobs(Array(session.query(query, [list])), documents: nil, parts)
        }
        let byID = Dictionary(uniqueKeysWithValues: jobs.map { ($0.id, $0) })
        return ids.compactMap { byID[$0] }
    }

    func existingJobs(_ ids: [Int]) throws -> Set<Int> {
        Set(try integers("SELECT id FROM jobs WHERE id = ANY ($1::bigint[])", [Self.array(ids)]))
    }

    func jobID(owner: String, submissionID: String) throws -> Int? {
        if let known = session.expectations?.jobID(owner: owner, submissionID: submissionID) { return known }
        return try integer("SELECT id FROM jobs WHERE owner = $1 AND submission_id = $2", [owner, submissionID])
    }

    /// Runs a query that selects `StoredJob.columns(parts)`, and returns the jobs in the order of the query.
    func jobs(_ query: PostgresQuery, _ parts: JobParts = .all) throws -> [Job] {
        let rows = Array(try session.query(query.sql, query.parameters))
        guard !rows.isEmpty, parts.contains(.documents) else { return try Self.jobs(rows, documents: nil, parts) }
        let ids = try rows.map { try $0.int(0) }
        return try Self.jobs(rows, documents: session.query(Self.documentsOfJobs, [Self.array(ids)]), parts)
    }

    static func jobs(
        _ rows: [PostgresRow], documents: PostgresRows?, _ parts: JobParts = .all
    ) throws -> [Job] {
        let decoder = StoredJob.Decoder(parts)
        var jobs = try rows.map { try decoder.job(of: $0) }
        guard let documents else { return jobs }
        var byJob: [Int: [JobDocument]] = [:]
        for row in documents {
            byJob[try row.int(0), default: []].append(
                JobDocument(
                    number: try row.int(1), name: try row.optionalString(2),
                    format: DocumentFormat(rawValue: try row.string(3)), bytes: try row.int(4)))
        }
        for index in jobs.indices { jobs[index].documents = byJob[jobs[index].id] ?? [] }
        return jobs
    }

    private static let documentsOfJobs = """
        SELECT job_id, number, name, format, bytes FROM documents WHERE job_id = ANY ($1::bigint[])
        ORDER BY job_id, number
        """

    // MARK: - Writing

    func insert(_ job: inout Job, incomingUntil: UnixTime?) throws {
        if job.waitsForClock || incomingUntil != nil { session.waitForTurn() }
        let reserved = session.expectations?.takeID()
        job.id = try reserved ?? integer("SELECT nextval('jobs_id_seq')") ?? 0
        session.insertJob(
            try Self.fields(of: job) + [
                ("id", .bigint, job.id), ("uuid", .text, job.uuid), ("owner", .text, job.owner),
                ("submission_id", .text, job.submissionID), ("created_at", .double, job.createdAt),
                ("parent_id", .bigint, job.parentID), ("ticket", .text, StoredTicket.text(of: job.ticket)),
                ("incoming_until", .double, incomingUntil),
            ])
        session.expectations?.note(job)
    }

    func update(_ job: Job, keepsTicket: Bool, incomingUntil: UnixTime?) throws {
        var fields = try Self.fields(of: job)
        if !keepsTicket { fields.append(("ticket", .text, try StoredTicket.text(of: job.ticket))) }
        var settings = fields.enumerated().map { "\($1.column) = $\($0 + 1)" }
        var values = fields.map(\.value)
        if job.reasons.contains(.jobIncoming) {
            values.append(incomingUntil)
            settings.append("incoming_until = COALESCE($\(values.count), incoming_until)")
        } else {
            settings.append("incoming_until = NULL")
        }
        if let lease = session.newLeases.removeValue(forKey: job.id) {
            values += [lease.epoch, lease.incarnation]
            settings.append("lease_epoch = $\(values.count - 1), lease_incarnation = $\(values.count)")
        }
        values.append(job.id)
        try session.enqueue(
            "UPDATE jobs SET \(settings.joined(separator: ", ")) WHERE id = $\(values.count)", values)
    }

    /// Returns the changeable columns of a job with their values, except the ticket.
    private static func fields(of job: Job) throws -> [PostgresInsertion.Field] {
        [
            ("printer", .text, job.printer), ("name", .text, job.name), ("state", .bigint, job.state.rawValue),
            ("reasons", .text, try StoredJSON.text(of: job.reasons)), ("message", .text, job.message),
            ("priority", .bigint, job.priority), ("held_until", .double, job.heldUntil),
            ("retry_at", .double, job.retryAt), ("attempts", .bigint, job.attempts),
            ("processing_at", .double, job.processingAt), ("completed_at", .double, job.completedAt),
            ("impressions", .bigint, job.impressions), ("impressions_completed", .bigint, job.impressionsCompleted),
            ("sheets", .bigint, job.sheets), ("sheets_completed", .bigint, job.sheetsCompleted),
            ("remote_id", .bigint, job.remote?.id), ("remote_uuid", .text, job.remote?.uuid),
            ("resume_from", .bigint, job.resumeFrom), ("moved_from", .text, job.movedFrom),
            ("sheet_plan", .text, try job.sheetPlan.map { try StoredJSON.text(of: $0) }),
            ("warnings", .text, job.warnings.isEmpty ? nil : try StoredJSON.text(of: job.warnings)),
            ("earlier_impressions", .bigint, job.printedBefore.impressions),
            ("earlier_blanks", .bigint, job.printedBefore.blanks),
            ("earlier_sheets", .bigint, job.printedBefore.sheets),
            ("preparation_seconds", .double, job.preparationSeconds),
        ]
    }

    func removeJobs(_ ids: [Int]) throws {
        guard !ids.isEmpty else { return }
        // The transaction may contain events that are not stored yet.
        let removed = Set(ids)
        session.events.removeAll { $0.jobID.map(removed.contains) ?? false }
        try session.enqueue("DELETE FROM events WHERE job_id = ANY ($1::bigint[])", [Self.array(ids)])
        try session.enqueue("DELETE FROM jobs WHERE id = ANY ($1::bigint[])", [Self.array(ids)])
    }

    // MARK: - The store

    func identity() throws -> String? { try session.query("SELECT name FROM identity").first?.string(0) }

    func schemaVersion() throws -> String? {
        try session.query("SELECT max(schema)::text FROM schema_changes").first?.optionalString(0)
    }

    func skipNumbers(throughJob id: Int, and skipped: Int) throws {
        _ = try session.change(
            """
            SELECT setval(pg_get_serial_sequence('jobs', 'id'), GREATEST(last, $1) + $2)
            FROM (SELECT CASE WHEN is_called THEN last_value ELSE 0 END AS last FROM jobs_id_seq) AS numbers
            """, [id, skipped])
        // At the next connection, the numbers of events skip a range.
        try session.enqueue("UPDATE event_log SET server = 'restored'")
    }

    // MARK: - Damaged rows

    func repairJob(_ id: Int, now: UnixTime) throws -> RepairedJob? {
        let query = "SELECT \(StoredJob.columns), incoming_until FROM jobs WHERE id = $1 FOR UPDATE"
        // Another task may already have repaired the row.
        guard let found = try session.query(query, [id]).first, let damaged = Self.unreadable(found) else { return nil }
        let repair = JobRepair(
            of: try found.optionalInt(Self.column("state")).flatMap(JobState.init(rawValue:)),
            reasons: try found.optionalString(Self.column("reasons")))
        _ = try session.change(
            Self.setAside,
            [
                id, now, repair.message, StoredJSON.text(of: JobTicket()), repair.state.rawValue,
                StoredJSON.text(of: repair.reasons),
            ])
        guard let row = try session.query(query, [id]).first else { return nil }
        if let still = Self.unreadable(row) { throw DamagedValue("\(still)") }
        let decoder = StoredJob.Decoder()
        let ticket = try found.optionalString(Self.column("ticket"))
        return RepairedJob(
            job: try decoder.job(of: row), damaged: damaged.content,
            deletesDocuments: ticket?.contains(#""keepsDocuments":false"#) == true, hadEnded: repair.hadEnded)
    }

    private static func column(_ name: String) -> Int { StoredJob.columnNames(.all).firstIndex(of: name) ?? 0 }

    private static func unreadable(_ row: PostgresRow) -> UnreadableJob? {
        let decoder = StoredJob.Decoder()
        do {
            _ = try decoder.job(of: row)
            return nil
        } catch {
            return UnreadableJob(row, .all, error)
        }
    }

    /// The statement that repairs a row.
    ///
    /// PostgreSQL checks the types of all columns, so only JSON text can be damaged. The statement resets the JSON
    /// columns and the progress of the job. `JobRepair` determines the state.
    private static let setAside = """
        UPDATE jobs SET
            state = $5, reasons = $6, message = $3, ticket = $4, held_until = NULL, incoming_until = NULL,
            retry_at = NULL, attempts = 0, completed_at = COALESCE(completed_at, $2), impressions = NULL,
            impressions_completed = 0, sheets = NULL, sheets_completed = 0, sheet_plan = NULL, warnings = NULL,
            earlier_impressions = 0, earlier_blanks = 0, earlier_sheets = 0, preparation_seconds = 0,
            resume_from = NULL
        WHERE id = $1
        """
}

// MARK: - Decoding

extension StoredJob.Decoder {
    /// Returns the job that a row contains, without the job's documents.
    ///
    /// - Throws: `UnreadableJob` when the row cannot be decoded.
    func job(of row: PostgresRow) throws -> Job {
        var fields = PostgresFields(row: row)
        do { return try job(&fields) } catch { throw UnreadableJob(row, parts, error) }
    }
}

extension UnreadableJob {
    fileprivate init(_ row: PostgresRow, _ parts: JobParts, _ error: any Error) {
        let columns = StoredJob.columnNames(parts).enumerated().map { index, name in
            "\(name) = \(row.text(index))"
        }
        self.init(
            id: (try? row.int(0)) ?? 0, reason: String("\(error)".prefix(200)),
            content: String(columns.joined(separator: ", ").prefix(16_000)))
    }
}

extension PostgresRow {
    /// Returns a value of any type as text, for the log.
    fileprivate func text(_ column: Int) -> String {
        if (try? isNull(column)) ?? true { return "NULL" }
        if let text = try? string(column) { return "\"\(text)\"" }
        if let number = try? int(column) { return "\(number)" }
        return (try? double(column)).map { "\($0)" } ?? "?"
    }
}

/// A reader of the columns of a row, in order.
private struct PostgresFields: StoredFields {
    let row: PostgresRow
    private var index = 0

    init(row: PostgresRow) { self.row = row }

    mutating func next() throws -> Int { try row.int(advance()) }
    mutating func next() throws -> Int? { try row.optionalInt(advance()) }
    mutating func next() throws -> Double { try row.double(advance()) }
    mutating func next() throws -> Double? { try row.optionalDouble(advance()) }
    mutating func next() throws -> String { try row.string(advance()) }
    mutating func next() throws -> String? { try row.optionalString(advance()) }

    private mutating func advance() -> Int {
        defer { index += 1 }
        return index
    }
}
