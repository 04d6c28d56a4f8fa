// Selects ended jobs, and reads and writes accounting entries.

package import PrintModel

extension SQLTransaction {
    package func lastJob(endedBefore time: UnixTime) throws -> EndPosition? {
        try rows(
            """
            SELECT completed_at, id FROM jobs WHERE \(Self.dialect.hasEnded()) AND completed_at < $1
            ORDER BY completed_at DESC, id DESC LIMIT 1
            """, [time], Self.position
        ).first
    }

    package func hasEndedJobs(moreThan count: Int) throws -> Bool {
        try !rows(Self.endedAfterMany, [count]) { _ in true }.isEmpty
    }

    package func countEndedJobsByOwner() throws -> [(owner: String, count: Int)] {
        try rows(Self.endedByOwner) { row -> (owner: String, count: Int)? in
            guard let owner = try? row.string(0) else { return nil }
            return (owner: owner, count: try row.int(1))
        }.compactMap(\.self)
    }

    package func oldestEndedJobs(through end: EndPosition, limit: Int) throws -> [Int] {
        try integers(
            """
            SELECT id FROM jobs WHERE \(Self.dialect.hasEnded()) AND (completed_at, id) <= ($1, $2)
            ORDER BY completed_at, id LIMIT $3
            """, [end.endedAt, end.id, limit])
    }

    package func oldestEndedJobs(of owner: String, limit: Int) throws -> [Int] {
        try integers(
            """
            SELECT id FROM jobs WHERE \(Self.dialect.hasEnded()) AND owner = $1 ORDER BY completed_at, id LIMIT $2
            """, [owner, limit])
    }

    package func endedJobs(printer: String?, owner: String?, limit: Int) throws -> [Int] {
        let query = Self.ended(printer: printer, owner: owner, limit: limit)
        return try integers(query.sql, query.parameters)
    }

    package func endedJobsWithDocuments(before time: UnixTime, limit: Int) throws -> [Int] {
        try integers(
            """
            SELECT id FROM jobs
            WHERE \(Self.dialect.hasEnded()) AND completed_at <= $1 AND EXISTS (
                SELECT 1 FROM documents WHERE job_id = jobs.id AND (\(Self.dialect.isStored())))
            ORDER BY completed_at, id LIMIT $2
            """, [time, limit])
    }

    // MARK: - Accounting

    package func accounting(_ query: AccountingQuery) throws -> [AccountingEntry] {
        let after = query.after ?? AccountingEntry.Place(endedAt: query.since ?? -.greatestFiniteMagnitude, jobID: 0)
        var sql = SQLQuery("SELECT \(StoredTable.accountingColumns.names()) FROM accounting")
        sql.sql += " WHERE (ended_at, job_id) > (\(sql.bind(after.endedAt)), \(sql.bind(after.jobID)))"
        sql.sql += " AND ended_at < \(sql.bind(query.until ?? .greatestFiniteMagnitude))"
        if let user = query.user { sql.sql += " AND owner = \(sql.bind(user))" }
        if let printer = query.printer { sql.sql += " AND printer = \(sql.bind(printer))" }
        sql.sql += " ORDER BY ended_at, job_id LIMIT \(sql.bind(query.limit))"
        return try rows(sql.sql, sql.parameters) { row in
            // A damaged entry is omitted.
            var entry = AccountingEntry.blank
            return (try? StoredTable.accountingColumns.read(row, into: &entry)).map { entry }
        }.compactMap(\.self)
    }

    package func hasAccounting(endedBefore time: UnixTime) throws -> Bool {
        try boolean("SELECT EXISTS (SELECT 1 FROM accounting WHERE ended_at < $1)", [time]) ?? false
    }

    package func removeAccounting(endedBefore time: UnixTime) throws -> Int {
        try change(
            """
            DELETE FROM accounting WHERE job_id IN (
                SELECT job_id FROM accounting WHERE ended_at < $1 ORDER BY ended_at, job_id LIMIT 100)
            """, [time])
    }

    package func record(_ entry: AccountingEntry) throws {
        let columns = StoredTable.accountingColumns
        let settings = columns.dropFirst().map { "\($0.name) = excluded.\($0.name)" }.joined(separator: ", ")
        try run(
            """
            INSERT INTO accounting (\(columns.names())) VALUES (\(columns.placeholders()))
            ON CONFLICT (job_id) DO UPDATE SET \(settings)
            """, columns.values(of: entry))
    }

    // MARK: - Statements

    /// The query that returns a row if more than a given number of jobs have ended.
    ///
    /// The query sorts the ended jobs from the newest to the oldest, skips the given number of jobs, and returns the
    /// next job.
    static var endedAfterMany: String {
        """
        SELECT completed_at, id FROM jobs WHERE \(dialect.hasEnded())
        ORDER BY completed_at DESC, id DESC LIMIT 1 OFFSET $1
        """
    }

    /// The query for the number of ended jobs of each owner.
    static var endedByOwner: String {
        "SELECT owner, COUNT(*) FROM jobs WHERE \(dialect.hasEnded()) GROUP BY owner ORDER BY owner\(dialect.byteOrder)"
    }

    /// Returns the query for ended jobs, the newest job first.
    ///
    /// For both an owner and a printer, SQLite uses the index of owners.
    static func ended(printer: String?, owner: String?, limit: Int) -> SQLQuery {
        var query = SQLQuery("SELECT id FROM jobs WHERE \(dialect.hasEnded())")
        if let owner { query.sql += " AND owner = \(query.bind(owner))" }
        if let printer { query.sql += " AND \(owner == nil ? "" : dialect.noIndex)printer = \(query.bind(printer))" }
        query.sql += " ORDER BY completed_at DESC, id DESC LIMIT \(query.bind(limit))"
        return query
    }
}
