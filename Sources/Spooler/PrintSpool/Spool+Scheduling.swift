// Which job prints next, and which jobs become due.

import GRDB
public import PrintModel

extension Spool {
    /// Claims the next job of the given printers.
    ///
    /// Of the jobs at the head of their printers' queues, this is the job with the highest priority, and of several
    /// such jobs the oldest. It is nil when no job can be claimed.
    ///
    /// Jobs of one printer never overtake each other: a postponed job delays the jobs behind it. The jobs of other
    /// printers continue, unless the order is strict. A paused printer has no next job, even if the caller passes it.
    ///
    /// - Parameters:
    ///   - fromPrinters: The printers that are ready.
    ///   - order: In strict order, only the head of the whole queue can be claimed. The caller ensures that only one
    ///     job is in progress.
    ///   - now: The wall-clock time; nil uses the spool's clock.
    public func claim(
        fromPrinters printers: some Sequence<String>, order: QueueOrder = .perPrinter, now: UnixTime? = nil
    ) async throws(SpoolError) -> Job? {
        let printers = Set(printers).sorted()
        let now = now ?? clock()
        guard !printers.isEmpty else { return nil }
        return try await write(JobStateMachine.Event.claimed.durability) { [self] db in
            let statement = try db.cachedStatement(
                sql: Self.nextJobs(order, printerCount: printers.count) + " LIMIT 1")
            while let id = try Int.fetchOne(statement, arguments: StatementArguments(printers) + [now]) {
                let job = try JobRecord.job(id, in: db)
                guard !job.hasUnknownOptions else {
                    try holdUnknown(job, in: db)
                    continue
                }
                let claimed = try apply(.claimed, to: job, in: db).job
                return claimed.state == .processing ? claimed : nil
            }
            return nil
        }
    }

    /// Returns the jobs that would be claimed next if the given printers were ready, the highest priority first.
    ///
    /// There is at most one job for each printer, and one job in all when the order is strict.
    public func nextJobs(
        ofPrinters printers: some Sequence<String>, order: QueueOrder = .perPrinter, now: UnixTime? = nil
    ) async throws(SpoolError) -> [Job] {
        let printers = Set(printers).sorted()
        let now = now ?? clock()
        guard !printers.isEmpty else { return [] }
        return try await read { db in
            let statement = try db.cachedStatement(sql: Self.nextJobs(order, printerCount: printers.count))
            let ids = try Int.fetchAll(statement, arguments: StatementArguments(printers) + [now])
            return try ids.map { try JobRecord.job($0, in: db) }.filter { !$0.hasUnknownOptions }
        }
    }

    /// Returns the job that must end before a waiting job can start in strict order: a job in progress, or else the
    /// head of the queue.
    ///
    /// Returns nil for the head of the queue, and for a job that does not wait.
    public func jobInStrictWay(of id: Int) async throws(SpoolError) -> Job? {
        try await read { db in
            guard let blocker = try Int.fetchOne(db, sql: Self.strictWay, arguments: [id]), blocker != id else {
                return nil
            }
            return try JobRecord.job(blocker, in: db)
        }
    }

    /// Returns the statement that finds the next jobs.
    ///
    /// SQLite has a single writer, so no other claim can run at the same time. Other databases require `FOR UPDATE SKIP
    /// LOCKED` here. Times above 9e99 are ignored: a damaged row may contain text, which SQLite sorts above every
    /// number, and must not block the queue.
    package static func nextJobs(_ order: QueueOrder, printerCount: Int) -> String {
        """
        SELECT next.id
        FROM (\(order == .strict ? headOfAll : heads)) AS next
        JOIN printers ON printers.name = next.printer
        WHERE printers.name IN (\(databaseQuestionMarks(count: printerCount))) AND printers.is_paused = 0
            AND (next.retry_at IS NULL OR next.retry_at <= ? OR next.retry_at > 9e99)
        ORDER BY next.priority DESC, next.id
        """
    }

    /// The jobs at the head of their printers' queues.
    ///
    /// Each one costs one index lookup.
    private static let heads = """
        SELECT jobs.id, jobs.printer, jobs.priority, jobs.retry_at
        FROM printers
        JOIN jobs ON jobs.id = (
            SELECT waiting.id FROM jobs AS waiting
            WHERE waiting.printer = printers.name AND \(JobCondition.isPending("waiting"))
            ORDER BY waiting.priority DESC, waiting.id
            LIMIT 1)
        """

    /// The job at the head of the whole queue.
    private static let headOfAll = "\(heads) ORDER BY jobs.priority DESC, jobs.id LIMIT 1"

    /// The oldest job in progress, or else the head of the whole queue; no row for a job that does not wait.
    private static let strictWay = """
        SELECT COALESCE(
            (SELECT MIN(id) FROM jobs
             WHERE \(JobCondition.isInProgress()) AND \(JobCondition.isNotSuspended())),
            (SELECT id FROM (\(headOfAll))))
        FROM jobs AS waiting WHERE waiting.id = ? AND \(JobCondition.isPending("waiting"))
        """

    /// Releases jobs whose hold has ended, and aborts jobs whose documents did not arrive in time.
    ///
    /// A job with an upload in progress (`makeIncoming(for:)`) gets more time.
    ///
    /// - Returns: The jobs that changed.
    @discardableResult
    public func releaseDueJobs(now: UnixTime? = nil) async throws(SpoolError) -> [Job] {
        let now = now ?? clock()
        let changed = try await write { [self] db in
            try shortenWaitsAfterClockSetBack(now: now, in: db)
            let late = try Int.fetchAll(
                try db.cachedStatement(sql: "SELECT id FROM jobs WHERE incoming_until <= ? ORDER BY incoming_until"),
                arguments: [now])
            let due = try Int.fetchAll(
                try db.cachedStatement(sql: "SELECT id FROM jobs WHERE held_until <= ? ORDER BY held_until"),
                arguments: [now])
            var changed: [Job] = []
            for id in late {
                let job = try JobRecord.job(id, in: db)
                if uploads.isUnderway(for: id) {
                    try store(job, incomingUntil: now + incomingTimeout, in: db)
                } else {
                    changed.append(try apply(.documentsTimedOut, to: job, in: db).job)
                }
            }
            for id in Set(due).subtracting(late).sorted() {
                changed.append(try apply(.releaseRequested, to: JobRecord.job(id, in: db), in: db).job)
            }
            return changed
        }
        for job in changed where job.state.isTerminal { try await tidy(job.id) }
        return changed
    }

    /// Returns whether `releaseDueJobs` has work to do.
    ///
    /// Most of the time nothing is due, and an unnecessary write would delay other writes.
    public func hasDueJobs(now: UnixTime? = nil) async throws(SpoolError) -> Bool {
        let now = now ?? clock()
        guard dueTimes.calm(at: now).calm == nil else { return false }
        return try await read { [self] db in try isDue(at: now, in: db) }
    }

    private func isDue(at now: UnixTime, in db: Database) throws -> Bool {
        let arguments: StatementArguments = [
            "now": now, "latestRetry": now + Self.longestRetry, "latestIncoming": now + incomingTimeout,
        ]
        return try Bool.fetchOne(try db.cachedStatement(sql: Self.dueOrSetBack), arguments: arguments) ?? false
    }

    /// Finds jobs that are due, and jobs that wait longer than the longest possible wait because the clock was set
    /// back.
    private static let dueOrSetBack = """
        SELECT EXISTS (SELECT 1 FROM jobs WHERE held_until <= :now)
            OR EXISTS (SELECT 1 FROM jobs WHERE incoming_until <= :now)
            OR EXISTS (SELECT 1 FROM jobs WHERE retry_at > :latestRetry AND retry_at < 9e99)
            OR EXISTS (SELECT 1 FROM jobs WHERE incoming_until > :latestIncoming AND incoming_until < 9e99)
        """

    /// Shortens waits that are longer than the longest possible wait, because the clock was set back.
    private func shortenWaitsAfterClockSetBack(now: UnixTime, in db: Database) throws {
        dueTimes.beginChange()
        try db.cachedStatement(sql: "UPDATE jobs SET retry_at = ? WHERE retry_at > ?")
            .execute(arguments: [now, now + Self.longestRetry])
        try db.cachedStatement(sql: "UPDATE jobs SET incoming_until = ? WHERE incoming_until > ?")
            .execute(arguments: [now + incomingTimeout, now + incomingTimeout])
    }

    /// The longest time until a job's next attempt, in seconds.
    private static let longestRetry = 3600.0

    /// Returns when the next job becomes due: the end of a hold, the next attempt, or the timeout of a document; nil
    /// when no job waits for the clock.
    ///
    /// Pass the `now` that was passed to `claim`. A job whose next attempt was due at that time, but whose printer was
    /// not ready, waits for its printer and not for the clock.
    public func nextDueTime(after now: UnixTime? = nil) async throws(SpoolError) -> UnixTime? {
        let now = now ?? clock()
        let (known, changes) = dueTimes.calm(at: now)
        if let known { return known.until }
        let (due, isCalm) = try await read { [self] db in
            let due = try Double.fetchOne(try db.cachedStatement(sql: Self.nextDue), arguments: [now])
            return (due, try !isDue(at: now, in: db))
        }
        if isCalm { dueTimes.remember(DueTimes.QuietPeriod(from: now, until: due), after: changes) }
        return due
    }

    /// Finds the next due time.
    package static let nextDue = """
        SELECT MIN(due) FROM (
            SELECT MIN(held_until) AS due FROM jobs WHERE held_until < 9e99
            UNION ALL SELECT MIN(incoming_until) FROM jobs WHERE incoming_until < 9e99
            UNION ALL SELECT MIN(retry_at) FROM jobs
                WHERE retry_at > ? AND retry_at < 9e99 AND \(JobCondition.isPending())) AS dues
        """

    /// Returns the jobs that were in progress when the last process ended, oldest first.
    ///
    /// Suspended jobs (`job-suspended`) are not included.
    public func jobsToRescue() async throws(SpoolError) -> [Job] {
        try await read { db in
            try JobRecord.jobs(Self.jobsInProgress, in: db).filter { !$0.reasons.contains(.jobSuspended) }
        }
    }

    /// Finds the jobs in progress.
    package static let jobsInProgress =
        "SELECT \(JobRecord.columns) FROM jobs WHERE \(JobCondition.isInProgress()) ORDER BY id"

    /// Makes the postponed jobs of a printer due now, because the printer answers again.
    ///
    /// - Returns: Whether there were such jobs.
    @discardableResult
    public func tryAgain(printer: String) async throws(SpoolError) -> Bool {
        try await write { [self] db in
            let ids = try Int.fetchAll(db, sql: Self.waitingForNextTry, arguments: [printer])
            for id in ids { try apply(.printerAnswered, to: JobRecord.job(id, in: db), in: db) }
            return !ids.isEmpty
        }
    }

    /// Finds the postponed jobs of a printer.
    ///
    /// The `+` keeps SQLite from reading the whole queue of the printer instead of the few postponed jobs.
    package static let waitingForNextTry =
        "SELECT id FROM jobs WHERE retry_at IS NOT NULL AND +\(JobCondition.isPending()) AND +printer = ? ORDER BY retry_at"
}

// MARK: - Preparing documents ahead

extension Spool {
    /// Applies an event to a job that still waits, for the same printer and with the same options as before.
    ///
    /// - Parameter job: The job as it was before.
    /// - Returns: The job after the event; nil when the job has changed and the event was not applied.
    @discardableResult
    public func change(_ job: Job, ifStillWaiting event: JobStateMachine.Event) async throws(SpoolError) -> Job? {
        let changed: Job? = try await write { [self] db in
            let current = try JobRecord.job(job.id, in: db)
            guard current.isWaiting(as: job) else { return nil }
            return try apply(event, to: current, in: db).job
        }
        if let changed, changed.state.isTerminal { try await tidy(changed.id) }
        return changed
    }

    /// Removes the prepared document of a job.
    ///
    /// It can be prepared again.
    ///
    /// For a job that has ended or was removed, this function removes all files that the job does not keep. A
    /// preparation in progress may have created files after the job's end.
    public func removePrepared(of jobID: Int) async {
        do throws(SpoolError) {
            if let job = try await self.job(jobID), !job.state.isTerminal {
                await store.removePrepared(of: jobID)
            } else {
                try await tidy(jobID)
            }
        } catch {
            // The hourly sweep removes the files.
        }
    }
}

extension Job {
    /// Returns whether the job waits, for the same printer and with the same options as before.
    package func isWaiting(as earlier: Job) -> Bool {
        state == .pending && id == earlier.id && printer == earlier.printer && ticket == earlier.ticket
            && resumeFrom == earlier.resumeFrom
    }
}

extension DocumentStore {
    /// Removes the prepared PDF and the files that were rendered from it.
    fileprivate func removePrepared(of jobID: Int) async {
        let path = folder(of: jobID)
        await files.perform {
            for name in files.names(in: path) where name.hasPrefix("prepared.") || name.hasPrefix("prepared-") {
                files.remove(path + "/" + name)
            }
        }
    }
}
