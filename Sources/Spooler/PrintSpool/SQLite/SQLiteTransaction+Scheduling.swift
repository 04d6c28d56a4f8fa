// Selects the next jobs and the jobs that are due, in SQLite.

import GRDB
package import PrintModel

extension SQLiteTransaction {
    package func nextJobs(
        ofPrinters printers: [String], unreachable: [String], order: QueueOrder, now: UnixTime, limit: Int?
    ) throws -> [Int] {
        let sql =
            Self.nextJobs(order, printerCount: printers.count, hasUnreachable: !unreachable.isEmpty)
            + (limit == nil ? "" : " LIMIT ?")
        var arguments = StatementArguments(printers) + [now]
        if !unreachable.isEmpty { arguments += [try StoredJSON.text(of: unreachable)] }
        if let limit { arguments += [limit] }
        return try Int.fetchAll(try db.cachedStatement(sql: sql), arguments: arguments)
    }

    package func firstJobs(of printer: String) throws -> [FairQueue.Waiting] {
        try Row.fetchAll(
            try db.cachedStatement(sql: Self.firstJobsByOwner), arguments: ["printer": printer]
        ).map { FairQueue.Waiting(owner: $0[0], priority: $0[1], id: $0[2]) }
    }

    package func headOfQueue(of printer: String, limit: Int) throws -> [Int] {
        try Int.fetchAll(try db.cachedStatement(sql: Self.headOfQueue), arguments: [printer, limit])
    }

    package func jobInStrictWay(of id: Int) throws -> Int? {
        try Int.fetchOne(db, sql: Self.strictWay, arguments: [id])
    }

    package func recordTurn(of job: Job) throws {
        try db.cachedStatement(sql: Self.recordTurn)
            .execute(arguments: ["printer": job.printer, "owner": job.owner, "id": job.id])
    }

    package func waitingJobs(of printer: String) throws -> [FairQueue.Waiting] {
        try Row.fetchAll(try db.cachedStatement(sql: Self.waitingByOwner), arguments: [printer])
            .map { row in
                try UnreadableJob.found(in: row) {
                    FairQueue.Waiting(
                        owner: try row.decode(atIndex: 0), priority: try row.decode(atIndex: 1),
                        id: try row.decode(atIndex: 2))
                }
            }
    }

    package func turns(at printer: String) throws -> [FairQueue.Turn] {
        try Row.fetchAll(
            try db.cachedStatement(sql: "SELECT owner, number, job_id FROM turns WHERE printer = ?"),
            arguments: [printer]
        ).compactMap { row in
            // A missing turn only changes the order of the owners.
            guard let owner = String.fromDatabaseValue(row[0]), let number = Int.fromDatabaseValue(row[1]),
                let jobID = Int.fromDatabaseValue(row[2])
            else { return nil }
            return FairQueue.Turn(owner: owner, number: number, jobID: jobID)
        }
    }

    package func jobsInProgress() throws -> [Job] { try JobRecord.jobs(Self.jobsInProgress, in: db) }

    package func unfinishedJobs() throws -> [Job] {
        try JobRecord.jobs("SELECT \(StoredJob.columns) FROM jobs WHERE \(JobStateClause.isUnfinished())", in: db)
    }

    package func jobsWithLateDocuments(now: UnixTime) throws -> [Int] {
        try Int.fetchAll(
            try db.cachedStatement(sql: "SELECT id FROM jobs WHERE incoming_until <= ? ORDER BY incoming_until"),
            arguments: [now])
    }

    package func jobsWithEndedHold(now: UnixTime) throws -> [Int] {
        try Int.fetchAll(
            try db.cachedStatement(sql: "SELECT id FROM jobs WHERE held_until <= ? ORDER BY held_until"),
            arguments: [now])
    }

    package func jobsWaitingForRetry(at printer: String) throws -> [Int] {
        try Int.fetchAll(db, sql: Self.waitingForRetry, arguments: [printer])
    }

    package func hasDueJobs(now: UnixTime, latestRetry: UnixTime, latestIncoming: UnixTime) throws -> Bool {
        let arguments: StatementArguments = ["now": now, "latestRetry": latestRetry, "latestIncoming": latestIncoming]
        return try Bool.fetchOne(try db.cachedStatement(sql: Self.dueOrSetBack), arguments: arguments) ?? false
    }

    package func nextDueTime(after now: UnixTime) throws -> UnixTime? {
        try Double.fetchOne(try db.cachedStatement(sql: Self.nextDue), arguments: [now])
    }

    package func shortenWaits(now: UnixTime, latestRetry: UnixTime, latestIncoming: UnixTime) throws {
        try db.cachedStatement(sql: "UPDATE jobs SET retry_at = ? WHERE retry_at > ?")
            .execute(arguments: [now, latestRetry])
        try db.cachedStatement(sql: "UPDATE jobs SET incoming_until = ? WHERE incoming_until > ?")
            .execute(arguments: [latestIncoming, latestIncoming])
    }

    package func isPrinting(_ printer: String) throws -> Bool {
        try Bool.fetchOne(try db.cachedStatement(sql: Self.isPrinting), arguments: [printer]) ?? false
    }

    // MARK: - Statements

    private static let headOfQueue =
        "SELECT id FROM jobs WHERE printer = ? AND \(JobStateClause.isPending()) ORDER BY priority DESC, id LIMIT ?"

    /// Returns the query for the next jobs.
    ///
    /// SQLite has a single writer, so no other transaction can claim the job between the query and the update.
    ///
    /// The condition `retry_at > 9e99` selects damaged rows that contain text instead of a time, because SQLite sorts
    /// text after all numbers. A job in such a row must not wait forever.
    package static func nextJobs(_ order: QueueOrder, printerCount: Int, hasUnreachable: Bool = false) -> String {
        let isReady = "printers.name IN (\(databaseQuestionMarks(count: printerCount))) AND printers.is_paused = 0"
        let next =
            switch order {
            case .perPrinter: "(\(heads) WHERE \(isReady)) AS next"
            case .fair: "(\(fairHeads) WHERE \(isReady)) AS next"
            case .strict: "(\(headOfAll)) AS next JOIN printers ON printers.name = next.printer AND \(isReady)"
            }
        let isReachable = hasUnreachable ? " AND next.printer NOT IN (SELECT value FROM json_each(?))" : ""
        return """
            SELECT next.id FROM \(next)
            WHERE (next.retry_at IS NULL OR next.retry_at <= ?\(isReachable) OR next.retry_at > 9e99)
            ORDER BY next.priority DESC, next.id
            """
    }

    /// The query for the first job of each printer's queue, with one index lookup per printer.
    private static let heads = """
        SELECT jobs.id, jobs.printer, jobs.priority, jobs.retry_at
        FROM printers
        JOIN jobs ON jobs.id = (
            SELECT waiting.id FROM jobs AS waiting
            WHERE waiting.printer = printers.name AND \(JobStateClause.isPending("waiting"))
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
                SELECT MIN(owner) FROM jobs WHERE \(JobStateClause.isPending()) AND printer = printers.name
                UNION ALL
                SELECT (SELECT MIN(owner) FROM jobs
                        WHERE \(JobStateClause.isPending()) AND printer = printers.name AND owner > owners.owner)
                FROM owners WHERE owner IS NOT NULL)
            SELECT first.id
            FROM owners
            JOIN jobs AS first ON first.id = (
                SELECT id FROM jobs
                WHERE \(JobStateClause.isPending()) AND printer = printers.name AND owner = owners.owner
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
            SELECT MIN(owner) FROM jobs WHERE \(JobStateClause.isPending()) AND printer = :printer
            UNION ALL
            SELECT (SELECT MIN(owner) FROM jobs
                    WHERE \(JobStateClause.isPending()) AND printer = :printer AND owner > owners.owner)
            FROM owners WHERE owner IS NOT NULL)
        SELECT first.owner, first.priority, first.id
        FROM owners
        JOIN jobs AS first ON first.id = (
            SELECT id FROM jobs
            WHERE \(JobStateClause.isPending()) AND printer = :printer AND owner = owners.owner
            ORDER BY priority DESC, id
            LIMIT 1)
        """

    /// The statement that stores the newest turn of an owner at a printer.
    private static let recordTurn = """
        INSERT INTO turns (printer, owner, number, job_id)
        VALUES (:printer, :owner, (SELECT COALESCE(MAX(number), 0) + 1 FROM turns WHERE printer = :printer), :id)
        ON CONFLICT (printer, owner) DO UPDATE SET number = excluded.number, job_id = excluded.job_id
        """

    /// The query for the waiting jobs of a printer by owner, which reads only an index.
    private static let waitingByOwner = """
        SELECT owner, priority, id FROM jobs WHERE \(JobStateClause.isPending()) AND printer = ?
        ORDER BY owner, priority DESC, id
        """

    /// The query for the job at the head of the whole queue.
    private static let headOfAll = "\(heads) ORDER BY jobs.priority DESC, jobs.id LIMIT 1"

    /// The query for the oldest job in progress, or for the head of the whole queue if no job is in progress.
    ///
    /// The argument is the id of a job. If this job is not waiting, the query returns no row.
    private static let strictWay = """
        SELECT COALESCE(
            (SELECT MIN(id) FROM jobs
             WHERE \(JobStateClause.isInProgress()) AND \(JobStateClause.isNotSuspended())),
            (SELECT id FROM (\(headOfAll))))
        FROM jobs AS waiting WHERE waiting.id = ? AND \(JobStateClause.isPending("waiting"))
        """

    /// The query for jobs that are due.
    ///
    /// The query also finds jobs whose times are too far in the future after the clock was set back.
    private static let dueOrSetBack = """
        SELECT EXISTS (SELECT 1 FROM jobs WHERE held_until <= :now)
            OR EXISTS (SELECT 1 FROM jobs WHERE incoming_until <= :now)
            OR EXISTS (SELECT 1 FROM jobs WHERE retry_at > :latestRetry AND retry_at < 9e99)
            OR EXISTS (SELECT 1 FROM jobs WHERE incoming_until > :latestIncoming AND incoming_until < 9e99)
        """

    /// The query for the next due time.
    package static let nextDue = """
        SELECT MIN(due) FROM (
            SELECT MIN(held_until) AS due FROM jobs WHERE held_until < 9e99
            UNION ALL SELECT MIN(incoming_until) FROM jobs WHERE incoming_until < 9e99
            UNION ALL SELECT MIN(retry_at) FROM jobs
                WHERE retry_at > ? AND retry_at < 9e99 AND \(JobStateClause.isPending())) AS dues
        """

    /// The query for the jobs in progress.
    ///
    /// With `(state < 5) = 0`, SQLite finds the jobs with an index, without reading waiting jobs.
    package static let jobsInProgress =
        "SELECT \(StoredJob.columns) FROM jobs WHERE \(JobStateClause.isInProgress()) ORDER BY id"

    /// The query for a printer's jobs that wait for a retry.
    ///
    /// The `+` prevents SQLite from reading the printer's whole queue.
    package static let waitingForRetry =
        "SELECT id FROM jobs WHERE retry_at IS NOT NULL AND +\(JobStateClause.isPending()) AND +printer = ? ORDER BY retry_at"

    /// The query that determines whether a printer is printing.
    ///
    /// `(state < 5) = 0` prevents SQLite from reading all jobs that wait for the printer. With the `+`, SQLite does not
    /// use the condition on state 5 to simplify the first condition.
    package static let isPrinting = """
        SELECT EXISTS (SELECT 1 FROM jobs WHERE \(JobStateClause.isInProgress()) AND printer = ? AND +state = \(JobState.processing.rawValue))
        """
}
