// Reads and writes accounting entries in SQLite.

import GRDB
package import PrintModel

extension SQLiteTransaction {
    package func accounting(_ query: AccountingQuery) throws -> [AccountingEntry] {
        let after = query.after ?? AccountingEntry.Place(endedAt: query.since ?? -.greatestFiniteMagnitude, jobID: 0)
        var arguments: StatementArguments = [after.endedAt, after.jobID, query.until ?? .greatestFiniteMagnitude]
        if let user = query.user { arguments += [user] }
        if let printer = query.printer { arguments += [printer] }
        let rows = try Row.fetchAll(
            try db.cachedStatement(sql: Self.accountingPage(query)), arguments: arguments + [query.limit])
        return rows.compactMap { try? Self.entry($0) }
    }

    package func hasAccounting(endedBefore time: UnixTime) throws -> Bool {
        try Bool.fetchOne(db, sql: Self.hasOldAccounting, arguments: [time]) ?? false
    }

    package func removeAccounting(endedBefore time: UnixTime) throws -> Int {
        try db.execute(sql: Self.removeOldAccounting, arguments: [time])
        return db.changesCount
    }

    package func record(_ entry: AccountingEntry) throws {
        try db.cachedStatement(
            sql: """
                INSERT OR REPLACE INTO accounting (
                    job_id, owner, printer, name, created_at, ended_at, state, copies, impressions, blanks, sheets, color,
                    media, bytes
                ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """
        ).execute(
            arguments: [
                entry.jobID, entry.user, entry.printer, entry.title, entry.submittedAt, entry.endedAt,
                entry.state.rawValue, max(1, entry.copies), entry.printed.impressions, entry.printed.blanks,
                entry.printed.sheets, entry.isColor, entry.media, entry.bytes,
            ])
    }

    private static func entry(_ row: Row) throws -> AccountingEntry? {
        guard let state = JobState(rawValue: try row.decode(forColumn: "state")) else { return nil }
        return AccountingEntry(
            jobID: try row.decode(forColumn: "job_id"), user: try row.decode(forColumn: "owner"),
            printer: try row.decode(forColumn: "printer"), title: try row.decode(forColumn: "name"),
            submittedAt: try row.decode(forColumn: "created_at"), endedAt: try row.decode(forColumn: "ended_at"),
            state: state, copies: try row.decode(forColumn: "copies"),
            printed: PrintedSides(
                impressions: try row.decode(forColumn: "impressions"), blanks: try row.decode(forColumn: "blanks"),
                sheets: try row.decode(forColumn: "sheets")),
            isColor: try row.decode(forColumn: "color"), media: try row.decode(forColumn: "media"),
            bytes: try row.decode(forColumn: "bytes"))
    }

    // MARK: - Statements

    /// Returns the query for the next accounting entries.
    static func accountingPage(_ query: AccountingQuery) -> String {
        """
        SELECT * FROM accounting WHERE (ended_at, job_id) > (?, ?) AND ended_at < ?\
        \(query.user == nil ? "" : " AND owner = ?")\(query.printer == nil ? "" : " AND printer = ?")
        ORDER BY ended_at, job_id LIMIT ?
        """
    }

    private static let hasOldAccounting = "SELECT EXISTS (SELECT 1 FROM accounting WHERE ended_at < ?)"

    /// The statement that removes the 100 oldest entries of jobs that ended before a given time.
    private static let removeOldAccounting = """
        DELETE FROM accounting WHERE job_id IN (
            SELECT job_id FROM accounting WHERE ended_at < ? ORDER BY ended_at, job_id LIMIT 100)
        """
}
