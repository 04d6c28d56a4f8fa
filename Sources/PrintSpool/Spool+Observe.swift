// Looking at the queue.

import GRDB
public import PrintModel

extension Spool {
    /// The job of the given id; nil when there is none, or none any more.
    public func job(_ id: Int) async throws(SpoolError) -> Job? {
        try await read { db in try JobRecord.jobs("SELECT * FROM jobs WHERE id = ?", [id], in: db).first }
    }

    /// The jobs that a filter lets through, in the order it says.
    public func jobs(_ filter: JobFilter = JobFilter()) async throws(SpoolError) -> [Job] {
        try await read { db in try JobRecord.jobs(Self.sql(for: filter), Self.arguments(for: filter), in: db) }
    }

    /// The query for a filter.
    package static func sql(for filter: JobFilter) -> String {
        var (condition, order) =
            switch filter.which {
            case .notCompleted: ("state < 7", "(state < 5), priority DESC, id")
            case .completed: ("state >= 7", "completed_at DESC, id DESC")
            case .all:
                (
                    "1 = 1",
                    """
                    (state >= 7), (state < 5), CASE WHEN state < 7 THEN priority ELSE completed_at END DESC,
                    CASE WHEN state < 7 THEN id ELSE -id END
                    """
                )
            }
        if filter.printer != nil { condition += " AND printer = ?" }
        if filter.owner != nil { condition += " AND owner = ?" }
        if let ids = filter.ids {
            condition += " AND id IN (\(ids.map(String.init).joined(separator: ", ")))"
        }
        if filter.limit != nil || filter.offset > 0 { order += " LIMIT ? OFFSET ?" }
        return "SELECT * FROM jobs WHERE \(condition) ORDER BY \(order)"
    }

    private static func arguments(for filter: JobFilter) -> StatementArguments {
        var arguments = StatementArguments()
        if let printer = filter.printer { arguments += [printer] }
        if let owner = filter.owner { arguments += [owner] }
        if filter.limit != nil || filter.offset > 0 {
            arguments += [max(0, filter.limit ?? .max), max(0, filter.offset)]
        }
        return arguments
    }

    /// How many jobs of the same printer come before a job (IPP `number-of-intervening-jobs`); 0 when it does not wait.
    ///
    /// Held jobs, and those that wait for a person's word, are not in its way.
    public func countWaitingBefore(_ id: Int) async throws(SpoolError) -> Int {
        try await read { db in
            try Int.fetchOne(
                db,
                sql: """
                    SELECT COUNT(*) FROM jobs JOIN jobs AS mine ON mine.id = ?
                    WHERE jobs.state < 7 AND jobs.printer = mine.printer AND mine.state IN (3, 4) AND (
                        jobs.state IN (5, 6) AND jobs.reasons NOT LIKE '%"job-suspended"%'
                        OR jobs.state = 3 AND (
                            jobs.priority > mine.priority OR jobs.priority = mine.priority AND jobs.id < mine.id))
                    """,
                arguments: [id]) ?? 0
        }
    }

    /// How many jobs of a printer have not ended (IPP `queued-job-count`).
    public func queuedJobCount(printer: String) async throws(SpoolError) -> Int {
        try await queuedJobCounts()[printer] ?? 0
    }

    /// How many jobs have not ended, by printer; printers without any are left out.
    public func queuedJobCounts() async throws(SpoolError) -> [String: Int] {
        try await read { db in
            let rows = try Row.fetchAll(
                db, sql: "SELECT printer, COUNT(*) FROM jobs WHERE state < 7 GROUP BY printer")
            return Dictionary(uniqueKeysWithValues: rows.map { ($0[0], $0[1]) })
        }
    }

    /// A stream that wakes its reader after commits that changed something: once for all since it last looked.
    ///
    /// Begin the stream, then look, then wait for it: so nothing is missed. It ends when the spool is closed.
    public func changes() -> AsyncStream<Void> { observers.stream() }
}
