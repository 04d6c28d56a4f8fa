// Runs the operations of the store whose statements are those of PostgreSQL.

import PostgresClient
package import PrintModel

extension PostgresTransaction {
    // MARK: - Jobs

    func job(_ id: Int) throws -> Job? {
        var found: PostgresRows?
        let selection = session.isWriting ? Self.lockedColumns : StoredJob.columns(.all)
        try session.query("SELECT \(selection) FROM jobs WHERE id = $1\(lock("UPDATE"))", [id]) { found = $0 }
        // The documents are read after the lock is granted, and in the same round trip.
        let documents = try rows(Self.documentsOfJobs(1), [id], Self.document)
        if session.isWriting, let row = found?.first { try noteLease(of: row) }
        var jobs = try (found?.first).map { [try StoredJob.job(in: $0, .all)] } ?? []
        Self.add(documents, to: &jobs)
        return jobs.first
    }

    /// The columns of a job that is locked: the columns of the job, and its lease.
    static let lockedColumns =
        (StoredJob.columnNames(.all) + ["lease_epoch", "lease_incarnation"]).map { "jobs.\($0)" }
        .joined(separator: ", ")

    /// The number of columns in `StoredJob.columns(.all)`.
    static let columnCount = StoredJob.columnNames(.all).count

    /// Notes the lease of a locked job for `isInProgress`.
    func noteLease(of row: PostgresRow) throws {
        session.jobLeases[try row.int(0)] = PostgresSession.JobLease(
            epoch: try row.optionalInt(Self.columnCount), incarnation: try row.optionalString(Self.columnCount + 1))
    }

    func jobs(withIDs ids: [Int], _ parts: JobParts) throws -> [Job] {
        guard !ids.isEmpty else { return [] }
        let list = Self.dialect.list(ids)
        let query = "SELECT \(StoredJob.columns(parts)) FROM jobs WHERE id \(Self.dialect.isIn("$1"))"
        var found: [Job]
        if parts.contains(.documents) {
            // One round trip reads jobs and documents.
            var jobs: PostgresRows?
            try session.query(query, [list]) { jobs = $0 }
            let documents = try rows(Self.documentsOfJobs(2), [list], Self.document)
            found = try jobs?.map { try StoredJob.job(in: $0, parts) } ?? []
            Self.add(documents, to: &found)
        } else {
            found = try rows(query, [list]) { try StoredJob.job(in: $0, parts) }
        }
        let byID = Dictionary(uniqueKeysWithValues: found.map { ($0.id, $0) })
        return ids.compactMap { byID[$0] }
    }

    func jobID(owner: String, submissionID: String) throws -> Int? {
        if let known = session.expectations?.jobID(owner: owner, submissionID: submissionID) { return known }
        return try integer("SELECT id FROM jobs WHERE owner = $1 AND submission_id = $2", [owner, submissionID])
    }

    func insert(_ job: inout Job, incomingUntil: UnixTime?) throws {
        if job.waitsForClock || incomingUntil != nil { session.waitForTurn() }
        let reserved = session.expectations?.takeID()
        job.id = try reserved ?? integer("SELECT nextval('jobs_id_seq')") ?? 0
        session.insertJob(
            try StoredTable.jobColumns.map { column in
                let isDeadline = column.name == "incoming_until"
                return (column.name, column.kind.element, isDeadline ? incomingUntil : try column.write(job))
            })
        session.expectations?.note(job)
    }

    func takeNewLease(ofJob id: Int) -> PrinterLease? { session.newLeases.removeValue(forKey: id) }

    func lock(_ strength: String) -> String { session.isWriting ? " FOR \(strength)" : "" }

    func removeJobs(_ ids: [Int]) throws {
        guard !ids.isEmpty else { return }
        // The transaction may contain events that are not stored yet.
        let removed = Set(ids)
        session.events.removeAll { $0.jobID.map(removed.contains) ?? false }
        try session.enqueue("DELETE FROM events WHERE job_id = ANY ($1::bigint[])", [Self.dialect.list(ids)])
        try session.enqueue("DELETE FROM jobs WHERE id = ANY ($1::bigint[])", [Self.dialect.list(ids)])
    }

    func admission(to printer: String) throws -> PrinterAdmission? {
        if let known = session.expectations?.admission(to: printer) { return known }
        // The printer cannot be removed until the end of the transaction.
        let query = "SELECT is_accepting, EXISTS (SELECT FROM quotas) FROM printers WHERE name = $1\(lock("KEY SHARE"))"
        return try rows(query, [printer]) {
            PrinterAdmission(isAccepting: try $0.bool(0), hasQuotas: try $0.bool(1))
        }.first
    }

    func lockQuotas() throws {
        _ = try session.query("SELECT pg_advisory_xact_lock($1)", [PostgresSchema.quotasKey])
    }

    // MARK: - Documents

    // No document is a file: the files of a job are copies.
    func documentFiles(of jobID: Int) throws -> Set<String> { [] }

    func documentFiles(ofEndedJobs ids: [Int]) throws -> [Int: Set<String>] {
        try session.query(
            "SELECT id FROM jobs WHERE id = ANY ($1::bigint[]) AND \(Self.dialect.hasEnded())", [Self.dialect.list(ids)]
        ).reduce(into: [:]) { $0[try $1.int(0)] = [] }
    }

    func insert(_ document: StoredDocument, bytes: Int, of jobID: Int) throws {
        guard document.file == nil else { throw SpoolError.notPossible("a spool in PostgreSQL has no document files") }
        let (table, values) = (StoredTable.documents, Self.values(of: document, bytes: bytes, jobID: jobID))
        let fields = values.indices.map { index in
            (table.column(index, Self.dialect), table.kinds[index].element, values[index])
        }
        try session.insertDocument(fields, contentBytes: document.content?.count ?? 0)
    }

    func removeUnusedContents() throws -> Int {
        // A host stores a content immediately before it accepts the job.
        try session.change(
            """
            DELETE FROM large_contents WHERE created_at < now() - interval '1 day'
            AND NOT EXISTS (SELECT FROM documents WHERE content_id = large_contents.id)
            """
        ).affectedRows
    }

    // MARK: - Sizes

    // PostgreSQL compresses documents, so the size of the database is no bound.
    func mostAmounts(of owner: String) throws -> UserAmounts {
        let row = try session.queryCommitted(Self.amounts, [owner])[0]
        return UserAmounts(jobs: try row.int(0), documentBytes: try row.int(1))
    }

    func usage() throws -> StoreUsage {
        let row = try session.query(
            """
            SELECT (SELECT COUNT(*) FROM jobs WHERE \(Self.dialect.hasEnded())),
                (SELECT COUNT(*) FROM jobs WHERE \(Self.dialect.isUnfinished())),
                pg_database_size(current_database())
            """)[0]
        return StoreUsage(
            ended: try row.int(0), unfinished: try row.int(1), databaseBytes: try row.int(2),
            fileBytes: 0)
    }

    /// The query for the number of an owner's unfinished jobs, and the total size of the owner's documents.
    private static let amounts = """
        SELECT (SELECT COUNT(*) FROM jobs WHERE \(dialect.isUnfinished()) AND owner = $1), (\(sumBytes))
        """

    // MARK: - Events

    func append(_ event: StoredEvent) throws { session.append(event) }

    /// The highest number of a stored event is the last entry of an index.
    static let lastEvent = """
        GREATEST((SELECT max(sequence) FROM events), (SELECT last FROM event_log), (SELECT through FROM purged_events))
        """

    static let purgedEvent = "through FROM purged_events"

    /// Numbers and inserts the events of a transaction, and notes the number of the transaction (`PostgresOutcome`),
    /// without waiting for the result.
    ///
    /// The statement is the last statement before the commit. The statement locks the event log until the commit.
    /// Therefore the sequence numbers have no gaps and are in the order of the commits.
    static func insert(
        _ events: [StoredEvent], notingCommit number: Int, of writer: String, on connection: PostgresConnection
    ) throws {
        var rows = PostgresInsertion(into: "events")
        for event in events {
            rows.append(
                try StoredTable.eventColumns.dropFirst().map { ($0.name, $0.kind.element, try $0.write(event)) })
        }
        try connection.enqueue(
            """
            WITH noted AS (\(PostgresOutcome.note)), log AS MATERIALIZED (SELECT lock_events() AS last)
            INSERT INTO events (\(rows.names), sequence)
            SELECT new.\(rows.names.replacing(", ", with: ", new.")), log.last + new.number
            FROM log, unnest(\(rows.placeholders(from: 3))) WITH ORDINALITY AS new (\(rows.names), number)
            """, [writer, number] + rows.parameters())
    }

    // MARK: - The store

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
}

extension StoredKind {
    fileprivate var element: PostgresArray.Element {
        switch self {
        case .integer, .reference: .bigint
        case .real: .double
        case .text: .text
        case .bytes: .bytea
        case .boolean: preconditionFailure("no array contains Boolean values")
        }
    }
}

// MARK: - Rows

extension PostgresRow: SQLRow {
    package func value(_ column: Int, _ kind: StoredKind) throws -> StoredValue {
        switch kind {
        case .integer, .reference: try optionalInt(column).map { .integer($0) } ?? .null
        case .real: try optionalDouble(column).map { .real($0) } ?? .null
        case .text: try optionalString(column).map { .text($0) } ?? .null
        case .boolean: try optionalBool(column).map { .integer($0 ? 1 : 0) } ?? .null
        case .bytes: try optionalBytes(column).map { .bytes($0) } ?? .null
        }
    }

    package func unreadable(_ error: any Error, _ parts: JobParts) -> UnreadableJob {
        let columns = StoredJob.columnNames(parts).enumerated().map { index, name in "\(name) = \(text(index))" }
        return UnreadableJob(
            id: (try? int(0)) ?? 0, reason: String("\(error)".prefix(200)),
            content: String(columns.joined(separator: ", ").prefix(16_000)))
    }

    /// Returns a value of any type as text, for the log.
    fileprivate func text(_ column: Int) -> String {
        if (try? isNull(column)) ?? true { return "NULL" }
        if let text = try? string(column) { return "\"\(text)\"" }
        if let number = try? int(column) { return "\(number)" }
        return (try? double(column)).map { "\($0)" } ?? "?"
    }
}
