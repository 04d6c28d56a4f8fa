// Selects ended jobs, and reads and writes accounting entries, in PostgreSQL.

import PostgresClient
import PrintModel

extension PostgresTransaction {
    func lastJob(endedBefore time: UnixTime) throws -> EndPosition? {
        try session.query(
            """
            SELECT completed_at, id FROM jobs WHERE \(PostgresCondition.hasEnded) AND completed_at < $1
            ORDER BY completed_at DESC, id DESC LIMIT 1
            """, [time]
        ).first.map { EndPosition(endedAt: try $0.double(0), id: try $0.int(1)) }
    }

    func hasEndedJobs(moreThan count: Int) throws -> Bool {
        try !session.query(
            """
            SELECT completed_at, id FROM jobs WHERE \(PostgresCondition.hasEnded)
            ORDER BY completed_at DESC, id DESC LIMIT 1 OFFSET $1
            """, [count]
        ).isEmpty
    }

    func countEndedJobsByOwner() throws -> [(owner: String, count: Int)] {
        try session.query(
            """
            SELECT owner, COUNT(*) FROM jobs WHERE \(PostgresCondition.hasEnded) GROUP BY owner
            ORDER BY owner COLLATE "C"
            """
        ).map { (owner: try $0.string(0), count: try $0.int(1)) }
    }

    func oldestEndedJobs(through end: EndPosition, limit: Int) throws -> [Int] {
        try integers(
            """
            SELECT id FROM jobs WHERE \(PostgresCondition.hasEnded) AND (completed_at, id) <= ($1, $2)
            ORDER BY completed_at, id LIMIT $3
            """, [end.endedAt, end.id, limit])
    }

    func oldestEndedJobs(of owner: String, limit: Int) throws -> [Int] {
        try integers(
            """
            SELECT id FROM jobs WHERE \(PostgresCondition.hasEnded) AND owner = $1
            ORDER BY completed_at, id LIMIT $2
            """, [owner, limit])
    }

    func endedJobs(printer: String?, owner: String?, limit: Int) throws -> [Int] {
        var query = PostgresQuery("SELECT id FROM jobs WHERE \(PostgresCondition.hasEnded)")
        if let printer { query.sql += " AND printer = \(query.bind(printer))" }
        if let owner { query.sql += " AND owner = \(query.bind(owner))" }
        query.sql += " ORDER BY completed_at DESC, id DESC LIMIT \(query.bind(limit))"
        return try integers(query.sql, query.parameters)
    }

    func endedJobsWithDocuments(before time: UnixTime, limit: Int) throws -> [Int] {
        try integers(
            """
            SELECT id FROM jobs
            WHERE \(PostgresCondition.hasEnded) AND completed_at <= $1 AND EXISTS (
                SELECT 1 FROM documents WHERE job_id = jobs.id AND (content_id IS NOT NULL OR content IS NOT NULL))
            ORDER BY completed_at, id LIMIT $2
            """, [time, limit])
    }

    // MARK: - Accounting

    func accounting(_ query: AccountingQuery) throws -> [AccountingEntry] {
        let after = query.after ?? AccountingEntry.Place(endedAt: query.since ?? -.greatestFiniteMagnitude, jobID: 0)
        var sql = PostgresQuery(
            """
            SELECT job_id, owner, printer, name, created_at, ended_at, state, copies, impressions, blanks, sheets,
                color, media, bytes
            FROM accounting
            """)
        let (time, job) = (sql.bind(after.endedAt), sql.bind(after.jobID))
        sql.sql += " WHERE (ended_at, job_id) > (\(time), \(job))"
        sql.sql += " AND ended_at < \(sql.bind(query.until ?? .greatestFiniteMagnitude))"
        if let user = query.user { sql.sql += " AND owner = \(sql.bind(user))" }
        if let printer = query.printer { sql.sql += " AND printer = \(sql.bind(printer))" }
        sql.sql += " ORDER BY ended_at, job_id LIMIT \(sql.bind(query.limit))"
        return try session.query(sql.sql, sql.parameters).compactMap(Self.entry)
    }

    func hasAccounting(endedBefore time: UnixTime) throws -> Bool {
        try boolean("SELECT EXISTS (SELECT 1 FROM accounting WHERE ended_at < $1)", [time]) ?? false
    }

    func removeAccounting(endedBefore time: UnixTime) throws -> Int {
        try session.change(
            """
            DELETE FROM accounting WHERE job_id IN (
                SELECT job_id FROM accounting WHERE ended_at < $1 ORDER BY ended_at, job_id LIMIT 100)
            """, [time]
        ).affectedRows
    }

    func record(_ entry: AccountingEntry) throws {
        try session.enqueue(
            """
            INSERT INTO accounting (
                job_id, owner, printer, name, created_at, ended_at, state, copies, impressions, blanks, sheets, color,
                media, bytes
            ) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
            ON CONFLICT (job_id) DO UPDATE SET
                owner = EXCLUDED.owner, printer = EXCLUDED.printer, name = EXCLUDED.name,
                created_at = EXCLUDED.created_at, ended_at = EXCLUDED.ended_at, state = EXCLUDED.state,
                copies = EXCLUDED.copies, impressions = EXCLUDED.impressions, blanks = EXCLUDED.blanks,
                sheets = EXCLUDED.sheets, color = EXCLUDED.color, media = EXCLUDED.media, bytes = EXCLUDED.bytes
            """,
            [
                entry.jobID, entry.user, entry.printer, entry.title, entry.submittedAt, entry.endedAt,
                entry.state.rawValue, max(1, entry.copies), entry.printed.impressions, entry.printed.blanks,
                entry.printed.sheets, entry.isColor, entry.media, entry.bytes,
            ])
    }

    private static func entry(_ row: PostgresRow) throws -> AccountingEntry? {
        guard let state = JobState(rawValue: try row.int(6)) else { return nil }
        return AccountingEntry(
            jobID: try row.int(0), user: try row.string(1), printer: try row.string(2), title: try row.string(3),
            submittedAt: try row.double(4), endedAt: try row.double(5), state: state, copies: try row.int(7),
            printed: PrintedSides(impressions: try row.int(8), blanks: try row.int(9), sheets: try row.int(10)),
            isColor: try row.optionalBool(11), media: try row.optionalString(12), bytes: try row.int(13))
    }
}
