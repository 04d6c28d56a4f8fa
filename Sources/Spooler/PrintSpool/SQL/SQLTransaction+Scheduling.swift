// Selects the jobs that are due and the jobs in progress.

package import PrintModel

extension SQLTransaction {
    package func firstJobs(of printer: String) throws -> [FairQueue.Waiting] {
        try rows(Self.firstJobsByOwner, [printer], Self.waiting)
    }

    package func headOfQueue(of printer: String, limit: Int) throws -> [Int] {
        try integers(Self.headOfQueue, [printer, limit])
    }

    package func jobInStrictWay(of id: Int) throws -> Int? { try integer(Self.strictWay, [id]) }

    package func recordTurn(of job: Job) throws {
        try run(
            """
            INSERT INTO turns (printer, owner, number, job_id)
            VALUES ($1, $2, (SELECT COALESCE(MAX(number), 0) + 1 FROM turns WHERE printer = $1), $3)
            ON CONFLICT (printer, owner) DO UPDATE SET number = excluded.number, job_id = excluded.job_id
            """, [job.printer, job.owner, job.id])
    }

    package func waitingJobs(of printer: String) throws -> [FairQueue.Waiting] {
        try rows(Self.waitingByOwner, [printer], Self.waiting)
    }

    private static func waiting(_ row: Row) throws -> FairQueue.Waiting {
        try row.job {
            FairQueue.Waiting(owner: try row.string(0), priority: try row.int(1), id: try row.int(2))
        }
    }

    package func turns(at printer: String) throws -> [FairQueue.Turn] {
        try rows("SELECT owner, number, job_id FROM turns WHERE printer = $1", [printer]) { row -> FairQueue.Turn? in
            // A missing turn only changes the order of the owners.
            guard let owner = try? row.string(0), let number = try? row.int(1), let jobID = try? row.int(2)
            else { return nil }
            return FairQueue.Turn(owner: owner, number: number, jobID: jobID)
        }.compactMap(\.self)
    }

    package func jobsInProgress() throws -> [Job] { try jobs(SQLQuery(Self.jobsInProgress)) }

    package func unfinishedJobs() throws -> [Job] {
        try jobs(SQLQuery("SELECT \(StoredJob.columns(.all)) FROM jobs WHERE \(Self.dialect.isUnfinished())"))
    }

    package func jobsWithLateDocuments(now: UnixTime) throws -> [Int] {
        try integers("SELECT id FROM jobs WHERE incoming_until <= $1 ORDER BY incoming_until", [now])
    }

    package func jobsWithEndedHold(now: UnixTime) throws -> [Int] {
        try integers("SELECT id FROM jobs WHERE held_until <= $1 ORDER BY held_until", [now])
    }

    package func jobsWaitingForRetry(at printer: String) throws -> [Int] {
        try integers(Self.waitingForRetry, [printer])
    }

    package func hasDueJobs(now: UnixTime, latestRetry: UnixTime, latestIncoming: UnixTime) throws -> Bool {
        try boolean(Self.dueOrSetBack, [now, latestRetry, latestIncoming]) ?? false
    }

    package func nextDueTime(after now: UnixTime) throws -> UnixTime? {
        try rows(Self.nextDue, [now]) { try $0.optionalDouble(0) }.first.flatMap(\.self)
    }

    package func shortenWaits(now: UnixTime, latestRetry: UnixTime, latestIncoming: UnixTime) throws {
        // The number of changed rows decides whether observers are notified.
        _ = try change("UPDATE jobs SET retry_at = $1 WHERE retry_at > $2", [now, latestRetry])
        _ = try change("UPDATE jobs SET incoming_until = $1 WHERE incoming_until > $1", [latestIncoming])
    }

    package func isPrinting(_ printer: String) throws -> Bool { try boolean(Self.isPrinting, [printer]) ?? false }

    // MARK: - Statements

    /// The query for the first waiting jobs of a printer.
    static var headOfQueue: String {
        "SELECT id FROM jobs WHERE printer = $1 AND \(dialect.isPending()) ORDER BY priority DESC, id LIMIT $2"
    }

    /// The query for the waiting jobs of a printer by owner, which reads only an index.
    static var waitingByOwner: String {
        """
        SELECT owner, priority, id FROM jobs WHERE \(dialect.isPending()) AND printer = $1
        ORDER BY owner, priority DESC, id
        """
    }

    static var jobsInProgress: String {
        "SELECT \(StoredJob.columns(.all)) FROM jobs WHERE \(dialect.isInProgress()) ORDER BY id"
    }

    /// The query for a printer's jobs that wait for a retry.
    ///
    /// The `+` prevents SQLite from reading the printer's whole queue.
    static var waitingForRetry: String {
        """
        SELECT id FROM jobs WHERE retry_at IS NOT NULL AND \(dialect.noIndex)\(dialect.isPending())
            AND \(dialect.noIndex)printer = $1 ORDER BY retry_at
        """
    }

    /// The query that determines whether a printer is printing.
    ///
    /// `(state < 5) = 0` prevents SQLite from reading all jobs that wait for the printer. With the `+`, SQLite does not
    /// use the condition on state 5 to simplify the first condition.
    static var isPrinting: String {
        """
        SELECT EXISTS (
            SELECT 1 FROM jobs WHERE \(dialect.isInProgress()) AND printer = $1
                AND \(dialect.noIndex)state = \(JobState.processing.rawValue))
        """
    }
}
