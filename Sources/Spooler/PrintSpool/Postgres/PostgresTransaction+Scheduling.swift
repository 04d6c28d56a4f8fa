// Chooses the next jobs, and finds due times, with the statements that only PostgreSQL runs.

import PostgresClient
import PrintModel

extension PostgresTransaction {
    func nextJobs(
        ofPrinters printers: [String], unreachable: [String], order: QueueOrder, now: UnixTime, limit: Int?
    ) throws -> [Int] {
        let lists = try [printers, unreachable].map { try StoredJSON.text(of: $0.map(\.withoutZeroBytes)) }
        return try integers(Self.nextJobs(order), [lists[0], now, limit, lists[1]])
    }

    func headOfQueue(of printer: String, limit: Int) throws -> [Int] {
        if limit == 1, let known = session.expectations?.headOfQueue(of: printer) {
            return known.map { [$0] } ?? []
        }
        return try integers(Self.headOfQueue, [printer, limit])
    }

    func lockNextJobs(
        ofPrinters printers: [String], unreachable: [String], under leases: [String: PrinterLease], order: QueueOrder,
        now: UnixTime, limit: Int?
    ) throws -> [Job] {
        let lists = try [printers, unreachable].map { try StoredJSON.text(of: $0.map(\.withoutZeroBytes)) }
        var values: [(any PostgresParameter)?] = [lists[0], now, limit, lists[1]]
        if !leases.isEmpty {
            let leases = printers.compactMap { leases[$0] }
            values.append(try PostgresArray(leases.map(\.printer), of: .text))
            values.append(try PostgresArray(leases.map(\.incarnation), of: .text))
            values.append(try PostgresArray(leases.map(\.epoch), of: .bigint))
        }
        var jobs: [Job] = []
        for row in try session.query(Self.lockNextJobs(order, isGuarded: !leases.isEmpty), values) {
            if try jobs.last?.id != row.int(0) {
                try noteLease(of: row)
                jobs.append(try StoredJob.job(in: row, .all))
            }
            guard try !row.isNull(Self.columnCount + 2) else { continue }
            jobs[jobs.count - 1].documents.append(
                JobDocument(
                    number: try row.int(Self.columnCount + 2), name: try row.optionalString(Self.columnCount + 3),
                    format: DocumentFormat(rawValue: try row.string(Self.columnCount + 4)),
                    bytes: try row.int(Self.columnCount + 5)))
        }
        return jobs
    }

    /// Returns the query for the next jobs.
    ///
    /// The query does not lock jobs and does not skip locked jobs. Otherwise the second job of a queue would overtake
    /// a job that another transaction is changing.
    static func nextJobs(_ order: QueueOrder) -> String {
        let isReady = "printers.name IN (SELECT json_array_elements_text($1::json)) AND NOT printers.is_paused"
        let next =
            switch order {
            case .perPrinter: "(\(heads) WHERE \(isReady)) AS next"
            case .fair: "(\(fairHeads) WHERE \(isReady)) AS next"
            case .strict: "(\(headOfAll)) AS next JOIN printers ON printers.name = next.printer AND \(isReady)"
            }
        return """
            SELECT next.id FROM \(next)
            WHERE (next.retry_at IS NULL
                OR next.retry_at <= $2 AND next.printer NOT IN (SELECT json_array_elements_text($4::json)))
            ORDER BY next.priority DESC, next.id LIMIT $3
            """
    }

    /// Returns the statement that locks and reads the next jobs with their documents, one row for each document.
    ///
    /// The server checks the state of a job and its printer again after it has waited for the lock. The sum prevents
    /// that PostgreSQL finds the jobs by an index of all waiting jobs, which it prefers while it has no statistics.
    ///
    /// - Parameter isGuarded: Whether the lease of a job's printer must be valid for `PrinterLease.margin`. The lock of
    ///   the lease prevents that another process takes the lease before the commit.
    static func lockNextJobs(_ order: QueueOrder, isGuarded: Bool) -> String {
        let lease = """
            JOIN leases ON leases.printer = jobs.printer
                AND leases.lease_until > clock_timestamp() + make_interval(secs => \(PostgresHosts.margin))
            JOIN unnest($5::text[], $6::text[], $7::bigint[]) AS held (printer, incarnation, epoch)
                ON (held.printer, held.incarnation, held.epoch) = (leases.printer, leases.incarnation, leases.epoch)
            """
        return """
            SELECT \(lockedColumns), documents.number, documents.name, documents.format, documents.bytes
            FROM jobs \(isGuarded ? lease : "") LEFT JOIN documents ON documents.job_id = jobs.id
            WHERE jobs.id = ANY (ARRAY(\(nextJobs(order)))) AND jobs.state + 0 = \(JobState.pending.rawValue)
            ORDER BY jobs.priority DESC, jobs.id, documents.number
            FOR UPDATE OF jobs\(isGuarded ? " FOR SHARE OF leases" : "")
            """
    }

    /// The query for the first job of each printer's queue, with one index lookup per printer.
    private static let heads = """
        SELECT head.id, head.printer, head.priority, head.retry_at
        FROM printers CROSS JOIN LATERAL (
            SELECT id, printer, priority, retry_at FROM jobs
            WHERE printer = printers.name AND \(dialect.isPending())
            ORDER BY priority DESC, id LIMIT 1) AS head
        """

    /// The query for the first job of each printer's queue in fair order (`FairQueue`).
    ///
    /// The query reads two index entries per owner, and does not read the other jobs of the owner.
    private static let fairHeads = """
        SELECT head.id, head.printer, head.priority, head.retry_at
        FROM printers CROSS JOIN LATERAL (
            WITH RECURSIVE owners (owner) AS (
                (SELECT owner FROM jobs WHERE printer = printers.name AND \(dialect.isPending())
                 ORDER BY owner LIMIT 1)
                UNION ALL
                SELECT following.owner
                FROM owners CROSS JOIN LATERAL (
                    SELECT owner FROM jobs
                    WHERE printer = printers.name AND \(dialect.isPending()) AND owner > owners.owner
                    ORDER BY owner LIMIT 1) AS following)
            SELECT first.id, first.printer, first.priority, first.retry_at
            FROM owners CROSS JOIN LATERAL (
                SELECT id, printer, priority, retry_at FROM jobs
                WHERE printer = printers.name AND owner = owners.owner AND \(dialect.isPending())
                ORDER BY priority DESC, id LIMIT 1) AS first
            LEFT JOIN turns ON turns.printer = printers.name AND turns.owner = owners.owner
            ORDER BY turns.job_id IS DISTINCT FROM first.id, COALESCE(turns.number, 0), first.id LIMIT 1) AS head
        """

    /// The query for the first waiting job of each owner at a printer.
    static let firstJobsByOwner = """
        WITH RECURSIVE owners (owner) AS (
            (SELECT owner FROM jobs WHERE printer = $1 AND \(dialect.isPending()) ORDER BY owner LIMIT 1)
            UNION ALL
            SELECT following.owner
            FROM owners CROSS JOIN LATERAL (
                SELECT owner FROM jobs
                WHERE printer = $1 AND \(dialect.isPending()) AND owner > owners.owner
                ORDER BY owner LIMIT 1) AS following)
        SELECT first.owner, first.priority, first.id
        FROM owners CROSS JOIN LATERAL (
            SELECT owner, priority, id FROM jobs
            WHERE printer = $1 AND owner = owners.owner AND \(dialect.isPending())
            ORDER BY priority DESC, id LIMIT 1) AS first
        """

    /// The query for the job at the head of the whole queue.
    private static let headOfAll = "\(heads) ORDER BY head.priority DESC, head.id LIMIT 1"

    /// The query for the oldest job in progress, or for the head of the whole queue if no job is in progress.
    ///
    /// The argument is the id of a job. If this job is not waiting, the query returns no row.
    static let strictWay = """
        SELECT COALESCE(
            (SELECT MIN(id) FROM jobs
             WHERE \(dialect.isInProgress()) AND \(dialect.isNotSuspended())),
            (SELECT id FROM (\(headOfAll)) AS first))
        FROM jobs AS waiting WHERE waiting.id = $1 AND \(dialect.isPending("waiting"))
        """

    /// The query for jobs that are due, or whose times are too far in the future after the clock was set back.
    ///
    /// MIN and MAX always use an index. With EXISTS, the plan of a prepared statement reads all jobs of the history.
    static let dueOrSetBack = """
        SELECT COALESCE((SELECT MIN(held_until) FROM jobs WHERE held_until IS NOT NULL) <= $1, false)
            OR COALESCE((SELECT MIN(incoming_until) FROM jobs WHERE incoming_until IS NOT NULL) <= $1, false)
            OR COALESCE((SELECT MAX(retry_at) FROM jobs WHERE retry_at IS NOT NULL) > $2, false)
            OR COALESCE((SELECT MAX(incoming_until) FROM jobs WHERE incoming_until IS NOT NULL) > $3, false)
        """

    /// The query for the next due time.
    static let nextDue = """
        SELECT MIN(due) FROM (
            SELECT MIN(held_until) AS due FROM jobs WHERE held_until IS NOT NULL
            UNION ALL SELECT MIN(incoming_until) FROM jobs WHERE incoming_until IS NOT NULL
            UNION ALL SELECT MIN(retry_at) FROM jobs WHERE retry_at > $1 AND \(dialect.isPending())) AS dues
        """
}
