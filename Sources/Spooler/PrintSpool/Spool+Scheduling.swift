// Who prints next, and what the clock sets free.

import GRDB
public import PrintModel

extension Spool {
    /// Takes up the next job of the given printers, or none: of all the jobs at the head of their printer's queue the
    /// one with the highest priority, and of those the oldest.
    ///
    /// Jobs of one printer never overtake each other: one that waits for its next try holds back those behind it. Other
    /// printers' jobs go on, unless the order is strict. A paused printer has no next job, whatever the caller believes.
    ///
    /// - Parameters:
    ///   - fromPrinters: The printers that are ready.
    ///   - order: In strict order only the head of the whole queue can be taken up. That one job at a time is in hand
    ///     is the caller's affair.
    ///   - now: What time it is; nil asks the spool's clock.
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

    /// The jobs that would be taken up next if the given printers were ready, the most urgent first: at most one of
    /// each printer, and one in all when the order is strict.
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

    /// The job that a waiting one must let end first when the queue prints in strict order: one in hand, else the head
    /// of the queue; nil when it is the head itself, or does not wait.
    public func jobInStrictWay(of id: Int) async throws(SpoolError) -> Job? {
        try await read { db in
            guard let blocker = try Int.fetchOne(db, sql: Self.strictWay, arguments: [id]), blocker != id else {
                return nil
            }
            return try JobRecord.job(blocker, in: db)
        }
    }

    /// Finds the next jobs.
    ///
    /// SQLite has one writer, so nobody else can take one in between; elsewhere this would end with
    /// `FOR UPDATE SKIP LOCKED`. A time above 9e99 is none: text is above every number, and must not wait for ever.
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

    /// The jobs at the head of their printer's queue; one look at an index each.
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

    /// Of the jobs in hand the oldest, else the head of the whole queue; nothing for a job that does not wait.
    private static let strictWay = """
        SELECT COALESCE(
            (SELECT MIN(id) FROM jobs
             WHERE \(JobCondition.isInProgress()) AND \(JobCondition.isNotSuspended())),
            (SELECT id FROM (\(headOfAll))))
        FROM jobs AS waiting WHERE waiting.id = ? AND \(JobCondition.isPending("waiting"))
        """

    /// Does what is due: releases jobs that were held until now, gives up those whose documents did not come.
    ///
    /// A job with a document on its way in (`makeIncoming(for:)`) gets more time.
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

    /// Whether `releaseDueJobs` has something to do: most of the time nothing is due, and writing would hold others up.
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

    /// Finds what the clock has set free, and what waits for longer than anything does unless the clock was set back.
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

    /// No next try is put off for longer, in seconds.
    private static let longestRetry = 3600.0

    /// When the clock next sets something free: a held job, a job to be tried again, one whose documents do not come.
    ///
    /// Nil when nothing waits for the clock. Give the `now` that `claim` was asked with: a job whose next try was due
    /// then, but whose printer was not ready, waits for its printer and not for the clock.
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

    /// Finds when something is next due.
    package static let nextDue = """
        SELECT MIN(due) FROM (
            SELECT MIN(held_until) AS due FROM jobs WHERE held_until < 9e99
            UNION ALL SELECT MIN(incoming_until) FROM jobs WHERE incoming_until < 9e99
            UNION ALL SELECT MIN(retry_at) FROM jobs
                WHERE retry_at > ? AND retry_at < 9e99 AND \(JobCondition.isPending())) AS dues
        """

    /// The jobs that were in hand when the last process ended, oldest first.
    ///
    /// Those that wait for a person's word (`job-suspended`) are not among them.
    public func jobsToRescue() async throws(SpoolError) -> [Job] {
        try await read { db in
            try JobRecord.jobs(Self.jobsInProgress, in: db).filter { !$0.reasons.contains(.jobSuspended) }
        }
    }

    /// Finds the jobs in progress.
    package static let jobsInProgress =
        "SELECT \(JobRecord.columns) FROM jobs WHERE \(JobCondition.isInProgress()) ORDER BY id"

    /// Has the jobs of a printer that wait for their next try be tried at once: the printer answers again.
    ///
    /// - Returns: Whether there was any.
    @discardableResult
    public func tryAgain(printer: String) async throws(SpoolError) -> Bool {
        try await write { [self] db in
            let ids = try Int.fetchAll(db, sql: Self.waitingForNextTry, arguments: [printer])
            for id in ids { try apply(.printerAnswered, to: JobRecord.job(id, in: db), in: db) }
            return !ids.isEmpty
        }
    }

    /// Finds the jobs of a printer that wait for their next try; the `+` keeps SQLite from walking the printer's whole
    /// queue instead of the few that were tried.
    package static let waitingForNextTry =
        "SELECT id FROM jobs WHERE retry_at IS NOT NULL AND +\(JobCondition.isPending()) AND +printer = ? ORDER BY retry_at"
}

// MARK: - Preparing documents ahead

extension Spool {
    /// Lets an event happen to a waiting job, if it still is what somebody began to work on: waiting, on that printer,
    /// with those options.
    ///
    /// - Parameter job: The job as it was then.
    /// - Returns: The job as it is after the event; nil when it is not what it was, and nothing happened.
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

    /// Removes what was made ready for the printer of a job, which can be made again.
    ///
    /// Of a job that has ended, or is gone, everything goes that it does not keep: the work on it may have brought back
    /// what was removed at its end.
    public func removePrepared(of jobID: Int) async {
        do throws(SpoolError) {
            if let job = try await self.job(jobID), !job.state.isTerminal {
                await store.removePrepared(of: jobID)
            } else {
                try await tidy(jobID)
            }
        } catch {
            // The sweep finds it within the hour.
        }
    }
}

extension Job {
    /// Whether the job waits, to be printed on the printer and in the way that it was to be at an earlier moment.
    package func isWaiting(as earlier: Job) -> Bool {
        state == .pending && id == earlier.id && printer == earlier.printer && ticket == earlier.ticket
            && resumeFrom == earlier.resumeFrom
    }
}

extension DocumentStore {
    /// Removes the PDF for the printer, and the pixels that were made of it.
    fileprivate func removePrepared(of jobID: Int) async {
        let path = folder(of: jobID)
        await files.perform {
            for name in files.names(in: path) where name.hasPrefix("prepared.") || name.hasPrefix("prepared-") {
                files.remove(path + "/" + name)
            }
        }
    }
}
