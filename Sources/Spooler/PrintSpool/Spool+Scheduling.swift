// Selects the next jobs, and releases jobs that are due.

import GRDB
public import PrintModel

extension Spool {
    /// Starts the next job of the given printers, and returns this job.
    ///
    /// The result is nil if no job can start.
    ///
    /// Among the first jobs of all printers' queues, the next job has the highest priority. Among jobs of equal
    /// priority, the oldest job is next.
    ///
    /// Jobs of one printer never overtake each other: a job that waits for a retry blocks all later jobs of the
    /// printer. Jobs of other printers continue, unless the order is strict. A paused printer has no next job, even if
    /// `printers` contains the printer.
    ///
    /// - Parameters:
    ///   - printers: The names of the printers that are ready.
    ///   - order: In strict order, only the head of the whole queue can start. The caller must ensure that only one job
    ///     at a time is in progress.
    ///   - now: The current time. If nil, the spool's clock determines the time.
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

    /// Returns the jobs that will start next if the given printers are ready.
    ///
    /// The most urgent job is first.
    ///
    /// The result has at most one job per printer. In strict order, the result has at most one job.
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

    /// Returns the job that must end before a waiting job in strict order.
    ///
    /// The result is a job in progress, or the head of the queue if no job is in progress. The result is nil if the
    /// given job is the head of the queue or is not waiting.
    public func jobInStrictWay(of id: Int) async throws(SpoolError) -> Job? {
        try await read { db in
            guard let blocker = try Int.fetchOne(db, sql: Self.strictWay, arguments: [id]), blocker != id else {
                return nil
            }
            return try JobRecord.job(blocker, in: db)
        }
    }

    /// Returns the query for the next jobs.
    ///
    /// SQLite has a single writer, so no other transaction can claim the job between the query and the update. Another
    /// database would require `FOR UPDATE SKIP LOCKED`.
    ///
    /// The condition `retry_at > 9e99` selects damaged rows that contain text instead of a time, because SQLite sorts
    /// text after all numbers. Such a job must not wait forever.
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

    /// The query for the first job of each printer's queue, with one index lookup per printer.
    private static let heads = """
        SELECT jobs.id, jobs.printer, jobs.priority, jobs.retry_at
        FROM printers
        JOIN jobs ON jobs.id = (
            SELECT waiting.id FROM jobs AS waiting
            WHERE waiting.printer = printers.name AND \(JobCondition.isPending("waiting"))
            ORDER BY waiting.priority DESC, waiting.id
            LIMIT 1)
        """

    /// The query for the job at the head of the whole queue.
    private static let headOfAll = "\(heads) ORDER BY jobs.priority DESC, jobs.id LIMIT 1"

    /// The query for the oldest job in progress, or for the head of the whole queue if no job is in progress.
    ///
    /// The query returns no row for a job that is not waiting.
    private static let strictWay = """
        SELECT COALESCE(
            (SELECT MIN(id) FROM jobs
             WHERE \(JobCondition.isInProgress()) AND \(JobCondition.isNotSuspended())),
            (SELECT id FROM (\(headOfAll))))
        FROM jobs AS waiting WHERE waiting.id = ? AND \(JobCondition.isPending("waiting"))
        """

    /// Releases jobs whose hold time has passed, and aborts jobs whose documents did not arrive before the timeout.
    ///
    /// The deadline of a job with an upload in progress (`makeIncoming(for:)`) is extended.
    ///
    /// - Returns: The changed jobs.
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

    /// Returns whether `releaseDueJobs` would change a job.
    ///
    /// Usually no job is due. This check avoids a write transaction, which would delay other writers.
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

    /// The query for jobs that are due.
    ///
    /// The query also finds jobs whose times are too far in the future after the clock was set back.
    private static let dueOrSetBack = """
        SELECT EXISTS (SELECT 1 FROM jobs WHERE held_until <= :now)
            OR EXISTS (SELECT 1 FROM jobs WHERE incoming_until <= :now)
            OR EXISTS (SELECT 1 FROM jobs WHERE retry_at > :latestRetry AND retry_at < 9e99)
            OR EXISTS (SELECT 1 FROM jobs WHERE incoming_until > :latestIncoming AND incoming_until < 9e99)
        """

    /// Shortens the waiting times of jobs after the clock was set back.
    ///
    /// Otherwise the jobs would wait until the clock reaches the old time again.
    private func shortenWaitsAfterClockSetBack(now: UnixTime, in db: Database) throws {
        dueTimes.beginChange()
        try db.cachedStatement(sql: "UPDATE jobs SET retry_at = ? WHERE retry_at > ?")
            .execute(arguments: [now, now + Self.longestRetry])
        try db.cachedStatement(sql: "UPDATE jobs SET incoming_until = ? WHERE incoming_until > ?")
            .execute(arguments: [now + incomingTimeout, now + incomingTimeout])
    }

    /// The longest delay before a retry, in seconds.
    private static let longestRetry = 3600.0

    /// Returns the next time at which a job becomes due.
    ///
    /// A job is due at the end of a hold, at a retry, or at the timeout for missing documents.
    ///
    /// The result is nil if no job waits for a point in time.
    ///
    /// - Parameter now: The time that was passed to `claim`. If a job was due at this time but was not claimed, the job
    ///   waits for its printer. The result ignores this job.
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

    /// The query for the next due time.
    package static let nextDue = """
        SELECT MIN(due) FROM (
            SELECT MIN(held_until) AS due FROM jobs WHERE held_until < 9e99
            UNION ALL SELECT MIN(incoming_until) FROM jobs WHERE incoming_until < 9e99
            UNION ALL SELECT MIN(retry_at) FROM jobs
                WHERE retry_at > ? AND retry_at < 9e99 AND \(JobCondition.isPending())) AS dues
        """

    /// Returns the jobs that were in progress when the previous process ended, oldest first.
    ///
    /// Suspended jobs (`job-suspended`) are not included.
    public func jobsToRescue() async throws(SpoolError) -> [Job] {
        try await read { db in
            try JobRecord.jobs(Self.jobsInProgress, in: db).filter { !$0.reasons.contains(.jobSuspended) }
        }
    }

    /// The query for the jobs in progress.
    ///
    /// With `(state < 5) = 0`, SQLite finds the jobs with an index, without reading waiting jobs.
    package static let jobsInProgress =
        "SELECT \(JobRecord.columns) FROM jobs WHERE \(JobCondition.isInProgress()) ORDER BY id"

    /// Ends the retry delay of a printer's jobs, because the printer responds again.
    ///
    /// - Returns: `true` if at least one job was waiting for a retry.
    @discardableResult
    public func tryAgain(printer: String) async throws(SpoolError) -> Bool {
        try await write { [self] db in
            let ids = try Int.fetchAll(db, sql: Self.waitingForNextTry, arguments: [printer])
            for id in ids { try apply(.printerAnswered, to: JobRecord.job(id, in: db), in: db) }
            return !ids.isEmpty
        }
    }

    /// The query for a printer's jobs that wait for a retry.
    ///
    /// The `+` prevents SQLite from reading the printer's whole queue.
    package static let waitingForNextTry =
        "SELECT id FROM jobs WHERE retry_at IS NOT NULL AND +\(JobCondition.isPending()) AND +printer = ? ORDER BY retry_at"
}

// MARK: - Preparing documents in advance

extension Spool {
    /// Applies an event to a waiting job if its state, printer, options and start page have not changed.
    ///
    /// - Parameter job: The job as the caller last read it.
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

    /// Removes the prepared files of a job.
    ///
    /// The files can be created again.
    ///
    /// If the job has ended or was removed, also removes all other files except documents. The preparation may have
    /// created these files after the end of the job.
    public func removePrepared(of jobID: Int) async {
        do throws(SpoolError) {
            if let job = try await self.job(jobID), !job.state.isTerminal {
                await store.removePrepared(of: jobID)
            } else {
                try await tidy(jobID)
            }
        } catch {
            // After an error, the hourly sweep removes the files.
        }
    }
}

extension Job {
    /// Returns whether the job is waiting and has the same printer, options and start page as `earlier`.
    package func isWaiting(as earlier: Job) -> Bool {
        state == .pending && id == earlier.id && printer == earlier.printer && ticket == earlier.ticket
            && resumeFrom == earlier.resumeFrom
    }
}

extension DocumentStore {
    /// Removes a prepared PDF, and the raster files that were rendered from this PDF.
    fileprivate func removePrepared(of jobID: Int) async {
        let path = folder(of: jobID)
        await files.perform {
            for name in files.names(in: path) where name.hasPrefix("prepared.") || name.hasPrefix("prepared-") {
                files.remove(path + "/" + name)
            }
        }
    }
}
