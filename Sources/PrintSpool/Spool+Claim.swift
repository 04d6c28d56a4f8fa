// Who prints next, and what the clock sets free.

import GRDB
public import PrintModel

extension Spool {
    /// Takes up the next job of the given printers, or none: of all the jobs at the head of their printer's queue the
    /// one with the highest priority, and of those the oldest.
    ///
    /// Jobs of one printer never overtake each other: one that waits for its next try holds back those behind it. Other
    /// printers' jobs go on. A paused printer has no next job, whatever the caller believes.
    ///
    /// - Parameters:
    ///   - fromPrinters: The printers that are ready.
    ///   - now: What time it is; nil asks the spool's clock.
    public func claim(fromPrinters printers: some Sequence<String>, now: UnixTime? = nil) async throws(SpoolError)
        -> Job?
    {
        let printers = Set(printers)
        let now = now ?? clock()
        guard !printers.isEmpty else { return nil }
        return try await write(JobStateMachine.Event.claimed.durability) { [self] db in
            var arguments = StatementArguments(printers)
            arguments += [now]
            let id = try Int.fetchOne(
                try db.cachedStatement(sql: Self.nextJob(printerCount: printers.count)), arguments: arguments)
            let job = try id.map { try apply(.claimed, to: try JobRecord.job($0, in: db), in: db).job }
            return job?.state == .processing ? job : nil
        }
    }

    /// Finds the next job.
    ///
    /// SQLite has one writer, so nobody else can take it in between; elsewhere this would end with
    /// `FOR UPDATE SKIP LOCKED`.
    package static func nextJob(printerCount: Int) -> String {
        """
        SELECT head.id
        FROM printers
        JOIN jobs AS head ON head.id = (
            SELECT id FROM jobs
            WHERE jobs.printer = printers.name AND state = 3
            ORDER BY priority DESC, id
            LIMIT 1)
        WHERE printers.name IN (\(databaseQuestionMarks(count: printerCount))) AND printers.is_paused = 0
            AND (head.retry_at IS NULL OR head.retry_at <= ?)
        ORDER BY head.priority DESC, head.id
        LIMIT 1
        """
    }

    /// Does what is due: releases jobs that were held until now, gives up those whose documents did not come.
    ///
    /// A job with a document on its way in (`makeIncoming(for:)`) gets more time.
    ///
    /// - Returns: The jobs that changed.
    @discardableResult
    public func releaseDueJobs(now: UnixTime? = nil) async throws(SpoolError) -> [Job] {
        let now = now ?? clock()
        return try await write { [self] db in
            try heedClockSetBack(now: now, in: db)
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
                    try JobRecord.update(job, incomingUntil: now + incomingTimeout, in: db)
                } else {
                    changed.append(try apply(.documentsTimedOut, to: job, in: db).job)
                }
            }
            for id in due where !late.contains(id) {
                changed.append(try apply(.releaseRequested, to: JobRecord.job(id, in: db), in: db).job)
            }
            return changed
        }
    }

    /// Brings moments that no longer can be meant nearer: a clock that was set back must not keep a queue waiting for as
    /// long.
    private func heedClockSetBack(now: UnixTime, in db: Database) throws {
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
        return try await read { db in
            try Double.fetchOne(
                db,
                sql: """
                    SELECT MIN(due) FROM (
                        SELECT MIN(held_until) AS due FROM jobs WHERE held_until IS NOT NULL
                        UNION ALL SELECT MIN(incoming_until) FROM jobs WHERE incoming_until IS NOT NULL
                        UNION ALL SELECT MIN(retry_at) FROM jobs WHERE retry_at > ? AND state = 3) AS dues
                    """,
                arguments: [now])
        }
    }

    /// The jobs that were in hand when the last process ended, oldest first.
    ///
    /// Those that wait for a person's word (`job-suspended`) are not among them.
    public func jobsToRescue() async throws(SpoolError) -> [Job] {
        try await read { db in
            try JobRecord.jobs(Self.inHand, in: db).filter { !$0.reasons.contains(.jobSuspended) }
        }
    }

    /// Finds the jobs in hand; `(state < 5) = 0` leads SQLite to them without a look at those that wait.
    package static let inHand = "SELECT * FROM jobs WHERE state < 7 AND (state < 5) = 0 ORDER BY id"
}
