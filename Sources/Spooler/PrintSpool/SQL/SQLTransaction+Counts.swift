// Counts jobs and documents.

package import PrintModel

extension SQLTransaction {
    package func countWaiting(before id: Int) throws -> Int { try integer(Self.waitingBefore, [id]) ?? 0 }

    package func countWaiting(of printer: String, from first: Job, to second: Job) throws -> Int {
        try integer(Self.waitingBetween, [printer, first.priority, first.id, second.priority, second.id]) ?? 0
    }

    package func countUnfinishedJobs(printer: String?, owner: String?) throws -> Int {
        let sql = Self.queuedJobs(ofPrinter: printer != nil, ofOwner: owner != nil)
        return try integer(sql, [printer, owner].compactMap(\.self)) ?? 0
    }

    package func countUnfinishedJobs(fromAddress address: String) throws -> Int {
        try integer(
            "SELECT COUNT(*) FROM jobs WHERE \(Self.dialect.isUnfinished()) AND owner LIKE $1", ["%@\(address)"]) ?? 0
    }

    package func countUnfinishedJobs(_ filter: JobFilter) throws -> [JobGroup] {
        let query = try Self.countsOfUnfinished(filter)
        return try rows(query.sql, query.parameters) { row -> JobGroup? in
            // A damaged row is not counted until the row is read and repaired.
            guard let printer = try? row.string(0) else { return nil }
            return JobGroup(
                printer: printer, state: (try? row.int(1)).flatMap(JobState.init(rawValue:)),
                isRetrying: try row.bool(2), count: try row.int(3))
        }.compactMap(\.self)
    }

    package func countEndedJobs(_ filter: JobFilter) throws -> Int {
        var query = SQLQuery("SELECT COUNT(*) FROM jobs WHERE \(Self.dialect.hasEnded())")
        query.sql += try filter.conditions(in: &query, Self.dialect)
        return try integer(query.sql, query.parameters) ?? 0
    }

    package func countUnfinishedJobs() throws -> [JobCount] {
        try rows(Self.unfinishedJobCounts) { row -> JobCount? in
            guard let printer = try? row.string(0), let oldest = try? row.double(3),
                let state = (try? row.int(1)).flatMap(JobState.init(rawValue:))
            else { return nil }
            return JobCount(printer: printer, state: state, jobs: try row.int(2), oldest: oldest)
        }.compactMap(\.self)
    }

    package func oldestWaitingJob() throws -> Int? {
        try integer(
            """
            SELECT id FROM jobs WHERE \(Self.dialect.isUnfinished())
            AND state IN (\(JobState.pending.rawValue), \(JobState.processingStopped.rawValue))
            ORDER BY created_at, id LIMIT 1
            """)
    }

    /// Reads every job that waits for documents, regardless of the owner, because these jobs are few.
    package func countIncomingJobs(of owner: String) throws -> Int {
        let isOwn = "\(Self.dialect.noIndex)owner = $1"
        return try integer("SELECT COUNT(*) FROM jobs WHERE incoming_until IS NOT NULL AND \(isOwn)", [owner]) ?? 0
    }

    package func documentBytes(of owner: String) throws -> Int { try integer(Self.sumBytes, [owner]) ?? 0 }

    // MARK: - Statements

    /// The query for the number of jobs ahead of a job.
    ///
    /// The query reads only indexes, except for the few jobs in progress.
    static var waitingBefore: String {
        """
        SELECT
            (SELECT COUNT(*) FROM jobs
             WHERE \(dialect.isInProgress("jobs")) AND jobs.printer = mine.printer
                AND \(dialect.isNotSuspended("jobs")))
            + (SELECT COUNT(*) FROM jobs
               WHERE \(dialect.isPending("jobs")) AND jobs.printer = mine.printer AND jobs.priority > mine.priority)
            + (SELECT COUNT(*) FROM jobs
               WHERE \(dialect.isPending("jobs")) AND jobs.printer = mine.printer AND jobs.priority = mine.priority
                AND jobs.id < mine.id)
        FROM jobs AS mine WHERE mine.id = $1
            AND mine.state IN (\(JobState.pending.rawValue), \(JobState.pendingHeld.rawValue))
        """
    }

    /// The query for the number of waiting jobs between two positions of a printer's queue.
    ///
    /// If the job at the first position is waiting, this job is counted. The job at the second position is not counted.
    /// Each subquery reads only a range of the index. A query with a single condition would read the whole queue of the
    /// printer.
    private static var waitingBetween: String {
        let (first, second) = (dialect.integer("$3"), dialect.integer("$5"))
        return """
            SELECT
                (SELECT COUNT(*) FROM jobs
                 WHERE \(dialect.isPending()) AND printer = $1 AND priority = $2 AND id >= \(first)
                    AND id < CASE WHEN $2 = $4 THEN \(second) ELSE 9223372036854775807 END)
                + (SELECT COUNT(*) FROM jobs
                   WHERE \(dialect.isPending()) AND printer = $1 AND priority < $2 AND priority > $4)
                + (SELECT COUNT(*) FROM jobs
                   WHERE $2 > $4 AND \(dialect.isPending()) AND printer = $1 AND priority = $4 AND id < \(second))
            """
    }

    /// Returns the query that counts jobs that have not ended.
    ///
    /// The query reads only an index, unless both a printer and an owner are given.
    static func queuedJobs(ofPrinter: Bool, ofOwner: Bool) -> String {
        "SELECT COUNT(*) FROM jobs WHERE \(dialect.isUnfinished())\(ofPrinter ? " AND printer = $1" : "")"
            + (ofOwner ? " AND owner = \(ofPrinter ? "$2" : "$1")" : "")
    }

    /// Returns the query that counts the jobs that have not ended and match a filter.
    ///
    /// The jobs are grouped by printer, by state, and by whether they wait for a retry.
    static func countsOfUnfinished(_ filter: JobFilter) throws -> SQLQuery {
        var query = SQLQuery(
            "SELECT printer, state, retry_at IS NOT NULL, COUNT(*) FROM jobs WHERE \(dialect.isUnfinished())")
        query.sql += try filter.conditions(in: &query, dialect) + " GROUP BY 1, 2, 3"
        return query
    }

    /// The query for the number of jobs that have not ended, for each printer and state.
    static var unfinishedJobCounts: String {
        """
        SELECT printer, state, COUNT(*), MIN(created_at) FROM jobs WHERE \(dialect.isUnfinished())
        GROUP BY printer, state ORDER BY printer\(dialect.byteOrder), state
        """
    }

    /// The query for the total size of an owner's documents.
    ///
    /// SQLite has no statistics, so `CROSS JOIN` sets the order of its loops.
    static var sumBytes: String {
        """
        SELECT \(dialect.integer("COALESCE(SUM(documents.bytes), 0)")) FROM (
            SELECT id FROM jobs WHERE \(dialect.isUnfinished()) AND owner = $1
            UNION ALL SELECT id FROM jobs WHERE \(dialect.hasEnded()) AND owner = $1) AS mine
        \(dialect == .sqlite ? "CROSS JOIN" : "JOIN") documents ON documents.job_id = mine.id
        WHERE \(dialect.isStored("documents"))
        """
    }

    /// The query for the number of ended jobs, which reads only an index.
    static var endedJobs: String { "SELECT COUNT(*) FROM jobs WHERE \(dialect.hasEnded())" }
}
