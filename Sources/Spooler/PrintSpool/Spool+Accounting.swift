// Stores and returns accounting entries: the pages and sheets of ended jobs.

import GRDB
public import PrintModel

extension Spool {
    /// Returns the accounting entries of ended jobs, in the order in which the jobs ended.
    ///
    /// Entries are kept longer than jobs (see `purgeAccounting`).
    public func accounting(_ query: AccountingQuery = AccountingQuery()) async throws(SpoolError) -> [AccountingEntry] {
        try await read { db in
            let after =
                query.after ?? AccountingEntry.Place(endedAt: query.since ?? -.greatestFiniteMagnitude, jobID: 0)
            var arguments: StatementArguments = [after.endedAt, after.jobID, query.until ?? .greatestFiniteMagnitude]
            if let user = query.user { arguments += [user] }
            if let printer = query.printer { arguments += [printer] }
            let rows = try Row.fetchAll(
                try db.cachedStatement(sql: Self.accountingPage(query)), arguments: arguments + [query.limit])
            return rows.compactMap { try? Self.entry($0) }
        }
    }

    /// Removes the accounting entries of jobs that ended more than `keepSeconds` ago, 100 entries per transaction.
    public func purgeAccounting(keepSeconds: Double, now: UnixTime? = nil) async throws(SpoolError) {
        let oldest = (now ?? clock()) - keepSeconds
        guard try await read({ db in try Bool.fetchOne(db, sql: Self.hasOldAccounting, arguments: [oldest]) ?? false })
        else { return }
        var removed = 1
        while removed > 0, !Task.isCancelled {
            removed = try await write(.ordered) { db in
                try db.execute(sql: Self.removeOldAccounting, arguments: [oldest])
                return db.changesCount
            }
        }
    }

    /// Stores the accounting entry of a job, in the transaction that ends the job.
    static func account(_ entry: AccountingEntry, in db: Database) throws {
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

    /// Returns the entry of a row, or nil when the row has an unknown state.
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
