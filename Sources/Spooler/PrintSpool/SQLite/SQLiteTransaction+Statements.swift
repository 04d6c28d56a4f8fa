// Runs the operations of the store whose statements are those of SQLite.

import FoundationEssentials
import GRDB
package import PrintModel

extension SQLiteTransaction {
    // MARK: - Jobs

    package func job(_ id: Int) throws -> Job? {
        try jobs(SQLQuery("SELECT \(StoredJob.columns(.all)) FROM jobs WHERE id = $1", [id])).first
    }

    package func jobs(withIDs ids: [Int], _ parts: JobParts) throws -> [Job] {
        let sql = "SELECT \(StoredJob.columns(parts)) FROM jobs WHERE id \(Self.dialect.isIn("$1"))"
        let found = try jobs(SQLQuery(sql, [Self.dialect.list(ids)]), parts)
        let byID = Dictionary(uniqueKeysWithValues: found.map { ($0.id, $0) })
        return ids.compactMap { byID[$0] }
    }

    package func jobID(owner: String, submissionID: String) throws -> Int? {
        try integer("SELECT id FROM jobs WHERE owner = $1 AND submission_id = $2", [owner, submissionID])
    }

    package func insert(_ job: inout Job, incomingUntil: UnixTime?) throws {
        var values = try StoredTable.jobColumns.values(of: job)
        if job.id == 0 { values[0] = nil }
        values[values.count - 1] = incomingUntil
        try run(Self.insertJob, values)
        job.id = Int(db.lastInsertedRowID)
    }

    // The texts are made once. To make them again takes about 100,000 instructions per submission.
    private static let insertJob =
        "INSERT INTO jobs (\(StoredTable.jobColumns.names())) VALUES (\(StoredTable.jobColumns.placeholders()))"

    package func removeJobs(_ ids: [Int]) throws {
        for id in ids {
            try run("DELETE FROM events WHERE job_id = $1", [id])
            try run("DELETE FROM jobs WHERE id = $1", [id])
        }
    }

    package func admission(to printer: String) throws -> PrinterAdmission? {
        try rows("SELECT is_accepting, EXISTS (SELECT 1 FROM quotas) FROM printers WHERE name = $1", [printer]) {
            PrinterAdmission(isAccepting: try $0.bool(0), hasQuotas: try $0.bool(1))
        }.first
    }

    package func append(_ event: StoredEvent) throws {
        try run(Self.insertEvent, Self.eventColumns.values(of: event))
    }

    private static let eventColumns = StoredTable.eventColumns.dropFirst()
    private static let insertEvent =
        "INSERT INTO events (\(eventColumns.names())) VALUES (\(eventColumns.placeholders()))"

    // MARK: - Documents

    package func documentFiles(of jobID: Int) throws -> Set<String> {
        Set(
            try rows("SELECT file FROM documents WHERE job_id = $1 AND file IS NOT NULL", [jobID]) {
                try $0.string(0)
            })
    }

    package func documentFiles(ofEndedJobs ids: [Int]) throws -> [Int: Set<String>] {
        try rows(
            """
            SELECT jobs.id, documents.file FROM jobs LEFT JOIN documents ON documents.job_id = jobs.id
            WHERE jobs.id \(Self.dialect.isIn("$1")) AND \(Self.dialect.hasEnded("jobs"))
            """, [Self.dialect.list(ids)]
        ) { (try $0.int(0), try $0.optionalString(1)) }
        .reduce(into: [:]) { $0[$1.0, default: []].formUnion($1.1.map { [$0] } ?? []) }
    }

    package func insert(_ document: StoredDocument, bytes: Int, of jobID: Int) throws {
        try run(
            """
            INSERT INTO documents (\(StoredTable.documents.columnList(Self.dialect)))
            VALUES ($1, $2, $3, $4, $5, $6, $7)
            """, Self.values(of: document, bytes: bytes, jobID: jobID))
    }

    // Large documents are files.
    package func removeUnusedContents() throws -> Int { 0 }

    // MARK: - Sizes

    // The size of the whole spool is known at once. Usually it is far below the budget of one owner.
    package func mostAmounts(of owner: String) throws -> UserAmounts {
        UserAmounts(
            jobs: try countUnfinishedJobs(printer: nil, owner: owner),
            documentBytes: try databaseBytes() + (integer(Self.bytesInFiles) ?? 0))
    }

    package func usage() throws -> StoreUsage {
        StoreUsage(
            ended: try integer(Self.endedJobs) ?? 0,
            unfinished: try integer(Self.queuedJobs(ofPrinter: false, ofOwner: false)) ?? 0,
            databaseBytes: try databaseBytes(), fileBytes: try integer(Self.bytesInFiles) ?? 0)
    }

    private func databaseBytes() throws -> Int {
        try (integer("PRAGMA page_count") ?? 0) * (integer("PRAGMA page_size") ?? 0)
    }

    /// The query for the total size of the document files, which reads only an index.
    static let bytesInFiles = "SELECT SUM(bytes) FROM documents WHERE file IS NOT NULL"

    // MARK: - The store

    package func schemaVersion() throws -> String? { try String.fetchOne(db, sql: "PRAGMA user_version") }

    package func skipNumbers(throughJob id: Int, and skipped: Int) throws {
        let last = try integer("SELECT seq FROM sqlite_sequence WHERE name = 'jobs'") ?? 0
        try run("DELETE FROM sqlite_sequence WHERE name = 'jobs'", [])
        try run("INSERT INTO sqlite_sequence (name, seq) VALUES ('jobs', $1)", [max(last, id) + skipped])
        // At the next start, the numbers of events skip a range, as after a restart of the machine.
        try run("UPDATE event_log SET boot = 'restored'", [])
    }

    /// SQLite stores the last sequence number, even when the event has been removed.
    package static let lastEvent = "seq FROM sqlite_sequence WHERE name = 'events'"

    package static let purgedEvent = "purged_through FROM event_log"

    // MARK: - Scheduling

    package func nextJobs(
        ofPrinters printers: [String], unreachable: [String], order: QueueOrder, now: UnixTime, limit: Int?
    ) throws -> [Int] {
        var parameters: [(any SQLValue)?] = printers + [now]
        if !unreachable.isEmpty { parameters.append(try Self.dialect.list(unreachable)) }
        var sql = Self.nextJobs(order, printerCount: printers.count, hasUnreachable: !unreachable.isEmpty)
        if let limit {
            parameters.append(limit)
            sql += " LIMIT $\(parameters.count)"
        }
        return try integers(sql, parameters)
    }

    /// Returns the query for the next jobs.
    ///
    /// SQLite has a single writer, so no other transaction can claim the job between the query and the update, and no
    /// row is locked.
    ///
    /// The condition `retry_at > 9e99` selects damaged rows that contain text instead of a time, because SQLite sorts
    /// text after all numbers. A job in such a row must not wait forever.
    package static func nextJobs(_ order: QueueOrder, printerCount: Int, hasUnreachable: Bool = false) -> String {
        let placeholders = (0..<printerCount).map { "$\($0 + 1)" }.joined(separator: ", ")
        let isReady = "printers.name IN (\(placeholders)) AND printers.is_paused = 0"
        let next =
            switch order {
            case .perPrinter: "(\(heads) WHERE \(isReady)) AS next"
            case .fair: "(\(fairHeads) WHERE \(isReady)) AS next"
            case .strict: "(\(headOfAll)) AS next JOIN printers ON printers.name = next.printer AND \(isReady)"
            }
        let isReachable = hasUnreachable ? " AND next.printer NOT IN (\(dialect.texts("$\(printerCount + 2)")))" : ""
        return """
            SELECT next.id FROM \(next)
            WHERE (next.retry_at IS NULL OR next.retry_at <= $\(printerCount + 1)\(isReachable) OR next.retry_at > 9e99)
            ORDER BY next.priority DESC, next.id
            """
    }

    /// The query for the first job of each printer's queue, with one index lookup per printer.
    private static let heads = """
        SELECT jobs.id, jobs.printer, jobs.priority, jobs.retry_at
        FROM printers
        JOIN jobs ON jobs.id = (
            SELECT waiting.id FROM jobs AS waiting
            WHERE waiting.printer = printers.name AND \(SQLDialect.sqlite.isPending("waiting"))
            ORDER BY waiting.priority DESC, waiting.id
            LIMIT 1)
        """

    /// The query for the first job of each printer's queue in fair order (`FairQueue`).
    ///
    /// The query reads two index entries per owner, and does not read the other jobs of the owner.
    private static let fairHeads = """
        SELECT jobs.id, jobs.printer, jobs.priority, jobs.retry_at
        FROM printers
        JOIN jobs ON jobs.id = (
            WITH RECURSIVE owners (owner) AS (
                SELECT MIN(owner) FROM jobs WHERE \(SQLDialect.sqlite.isPending()) AND printer = printers.name
                UNION ALL
                SELECT (SELECT MIN(owner) FROM jobs
                        WHERE \(SQLDialect.sqlite.isPending()) AND printer = printers.name AND owner > owners.owner)
                FROM owners WHERE owner IS NOT NULL)
            SELECT first.id
            FROM owners
            JOIN jobs AS first ON first.id = (
                SELECT id FROM jobs
                WHERE \(SQLDialect.sqlite.isPending()) AND printer = printers.name AND owner = owners.owner
                ORDER BY priority DESC, id
                LIMIT 1)
            LEFT JOIN turns ON turns.printer = printers.name AND turns.owner = owners.owner
            ORDER BY turns.job_id IS NOT first.id, COALESCE(turns.number, 0), first.id
            LIMIT 1)
        """

    /// The query for the first waiting job of each owner at a printer.
    ///
    /// Like `fairHeads`, the query reads two index entries per owner.
    package static let firstJobsByOwner = """
        WITH RECURSIVE owners (owner) AS (
            SELECT MIN(owner) FROM jobs WHERE \(SQLDialect.sqlite.isPending()) AND printer = $1
            UNION ALL
            SELECT (SELECT MIN(owner) FROM jobs
                    WHERE \(SQLDialect.sqlite.isPending()) AND printer = $1 AND owner > owners.owner)
            FROM owners WHERE owner IS NOT NULL)
        SELECT first.owner, first.priority, first.id
        FROM owners
        JOIN jobs AS first ON first.id = (
            SELECT id FROM jobs
            WHERE \(SQLDialect.sqlite.isPending()) AND printer = $1 AND owner = owners.owner
            ORDER BY priority DESC, id
            LIMIT 1)
        """

    /// The query for the job at the head of the whole queue.
    private static let headOfAll = "\(heads) ORDER BY jobs.priority DESC, jobs.id LIMIT 1"

    /// The query for the oldest job in progress, or for the head of the whole queue if no job is in progress.
    ///
    /// The argument is the id of a job. If this job is not waiting, the query returns no row.
    package static let strictWay = """
        SELECT COALESCE(
            (SELECT MIN(id) FROM jobs
             WHERE \(SQLDialect.sqlite.isInProgress()) AND \(SQLDialect.sqlite.isNotSuspended())),
            (SELECT id FROM (\(headOfAll))))
        FROM jobs AS waiting WHERE waiting.id = $1 AND \(SQLDialect.sqlite.isPending("waiting"))
        """

    /// The query for jobs that are due.
    ///
    /// The query also finds jobs whose times are too far in the future after the clock was set back.
    package static let dueOrSetBack = """
        SELECT EXISTS (SELECT 1 FROM jobs WHERE held_until <= $1)
            OR EXISTS (SELECT 1 FROM jobs WHERE incoming_until <= $1)
            OR EXISTS (SELECT 1 FROM jobs WHERE retry_at > $2 AND retry_at < 9e99)
            OR EXISTS (SELECT 1 FROM jobs WHERE incoming_until > $3 AND incoming_until < 9e99)
        """

    /// The query for the next due time.
    package static let nextDue = """
        SELECT MIN(due) FROM (
            SELECT MIN(held_until) AS due FROM jobs WHERE held_until < 9e99
            UNION ALL SELECT MIN(incoming_until) FROM jobs WHERE incoming_until < 9e99
            UNION ALL SELECT MIN(retry_at) FROM jobs
                WHERE retry_at > $1 AND retry_at < 9e99 AND \(SQLDialect.sqlite.isPending())) AS dues
        """
}
