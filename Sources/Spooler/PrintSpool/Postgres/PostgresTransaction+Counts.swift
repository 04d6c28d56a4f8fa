// Counts jobs and documents in PostgreSQL.

import PostgresClient
import PrintModel

extension PostgresTransaction {
    func countWaiting(before id: Int) throws -> Int { try integer(Self.waitingBefore, [id]) ?? 0 }

    func countWaiting(of printer: String, from first: Job, to second: Job) throws -> Int {
        try integer(Self.waitingBetween, [printer, first.priority, first.id, second.priority, second.id]) ?? 0
    }

    func countUnfinishedJobs(printer: String?, owner: String?) throws -> Int {
        var query = PostgresQuery("SELECT COUNT(*) FROM jobs WHERE \(PostgresCondition.isUnfinished)")
        if let printer { query.sql += " AND printer = \(query.bind(printer))" }
        if let owner { query.sql += " AND owner = \(query.bind(owner))" }
        return try integer(query.sql, query.parameters) ?? 0
    }

    func countUnfinishedJobs(_ filter: JobFilter) throws -> [JobGroup] {
        var query = PostgresQuery(
            "SELECT printer, state, retry_at IS NOT NULL, COUNT(*) FROM jobs WHERE \(PostgresCondition.isUnfinished)")
        query.sql += filter.conditions(in: &query) + " GROUP BY 1, 2, 3"
        return try session.query(query.sql, query.parameters).map { row in
            JobGroup(
                printer: try row.string(0), state: JobState(rawValue: try row.int(1)), isRetrying: try row.bool(2),
                count: try row.int(3))
        }
    }

    func countEndedJobs(_ filter: JobFilter) throws -> Int {
        var query = PostgresQuery("SELECT COUNT(*) FROM jobs WHERE \(PostgresCondition.hasEnded)")
        query.sql += filter.conditions(in: &query)
        return try integer(query.sql, query.parameters) ?? 0
    }

    func countUnfinishedJobs() throws -> [JobCount] {
        try session.query(
            """
            SELECT printer, state, COUNT(*), MIN(created_at) FROM jobs WHERE \(PostgresCondition.isUnfinished)
            GROUP BY printer, state ORDER BY printer COLLATE "C", state
            """
        ).compactMap { row in
            guard let state = JobState(rawValue: try row.int(1)) else { return nil }
            return JobCount(printer: try row.string(0), state: state, jobs: try row.int(2), oldest: try row.double(3))
        }
    }

    func oldestWaitingJob() throws -> Int? {
        try integer(
            """
            SELECT id FROM jobs WHERE \(PostgresCondition.isUnfinished)
            AND state IN (\(JobState.pending.rawValue), \(JobState.processingStopped.rawValue))
            ORDER BY created_at, id LIMIT 1
            """)
    }

    func countIncomingJobs(of owner: String) throws -> Int {
        try integer("SELECT COUNT(*) FROM jobs WHERE incoming_until IS NOT NULL AND owner = $1", [owner]) ?? 0
    }

    func documentBytes(of owner: String) throws -> Int { try integer(Self.sumBytes, [owner]) ?? 0 }

    // PostgreSQL compresses documents, so the size of the database is no bound.
    func mostAmounts(of owner: String) throws -> UserAmounts {
        let row = try session.queryCommitted(Self.amounts, [owner])[0]
        return UserAmounts(jobs: try row.int(0), documentBytes: try row.int(1))
    }

    func usage() throws -> StoreUsage {
        let row = try session.query(
            """
            SELECT (SELECT COUNT(*) FROM jobs WHERE \(PostgresCondition.hasEnded)),
                (SELECT COUNT(*) FROM jobs WHERE \(PostgresCondition.isUnfinished)),
                pg_database_size(current_database())
            """)[0]
        return StoreUsage(
            ended: try row.int(0), unfinished: try row.int(1), databaseBytes: try row.int(2),
            fileBytes: 0)
    }

    // MARK: - Statements

    /// The query for the number of jobs ahead of a job.
    static let waitingBefore = """
        SELECT
            (SELECT COUNT(*) FROM jobs
             WHERE \(PostgresCondition.isInProgress) AND printer = mine.printer AND \(PostgresCondition.isNotSuspended))
            + (SELECT COUNT(*) FROM jobs
               WHERE \(PostgresCondition.isPending) AND printer = mine.printer AND priority > mine.priority)
            + (SELECT COUNT(*) FROM jobs
               WHERE \(PostgresCondition.isPending) AND printer = mine.printer AND priority = mine.priority
                AND id < mine.id)
        FROM jobs AS mine WHERE mine.id = $1
            AND mine.state IN (\(JobState.pending.rawValue), \(JobState.pendingHeld.rawValue))
        """

    /// The query for the number of waiting jobs between two positions of a printer's queue.
    private static let waitingBetween = """
        SELECT
            (SELECT COUNT(*) FROM jobs
             WHERE \(PostgresCondition.isPending) AND printer = $1 AND priority = $2 AND id >= $3::bigint
                AND id < CASE WHEN $2 = $4 THEN $5::bigint ELSE 9223372036854775807 END)
            + (SELECT COUNT(*) FROM jobs
               WHERE \(PostgresCondition.isPending) AND printer = $1 AND priority < $2 AND priority > $4)
            + (SELECT COUNT(*) FROM jobs
               WHERE $2 > $4 AND \(PostgresCondition.isPending) AND printer = $1 AND priority = $4 AND id < $5::bigint)
        """

    /// The query for the number of an owner's unfinished jobs, and the total size of the owner's documents.
    private static let amounts = """
        SELECT (SELECT COUNT(*) FROM jobs WHERE \(PostgresCondition.isUnfinished) AND owner = $1), (\(sumBytes))
        """

    /// The query for the total size of an owner's documents.
    private static let sumBytes = """
        SELECT COALESCE(SUM(documents.bytes), 0)::bigint FROM (
            SELECT id FROM jobs WHERE \(PostgresCondition.isUnfinished) AND owner = $1
            UNION ALL SELECT id FROM jobs WHERE \(PostgresCondition.hasEnded) AND owner = $1) AS mine
        JOIN documents ON documents.job_id = mine.id
        WHERE documents.content_id IS NOT NULL OR documents.content IS NOT NULL
        """
}
