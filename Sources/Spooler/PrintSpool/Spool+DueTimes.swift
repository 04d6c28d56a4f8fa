// Releases jobs at their due times.

public import PrintModel

extension Spool {
    /// Releases jobs whose hold time has passed, and aborts jobs whose documents did not arrive before the timeout, or
    /// whose password nobody entered in time.
    ///
    /// The deadline of a job with an upload in progress (`makeIncoming(for:)`) is extended. If one of the jobs cannot be
    /// changed, the function changes the other jobs.
    ///
    /// - Returns: The changed jobs.
    /// - Throws: The error of a job that cannot be changed.
    @discardableResult
    public func releaseDueJobs(now: UnixTime? = nil) async throws(SpoolError) -> [Job] {
        let now = now ?? clock()
        do throws(SpoolError) {
            let changed = try await write { [self] transaction in
                try shortenWaitsAfterClockSetBack(now: now, in: transaction)
                return try dueJobs(at: now, in: transaction).compactMap { try release($0, at: now, in: transaction) }
            }
            for job in changed where job.state.isTerminal { try await tidy(job.id) }
            if changed.contains(where: { $0.state.isTerminal && $0.hasSecrets }) { await overwriteLog() }
            return changed
        } catch {
            let due = try await read { [self] snapshot in try dueJobs(at: now, in: snapshot) }
            guard due.count > 1 else { throw error }
            for job in due {
                let changed = try? await write { [self] transaction in try release(job, at: now, in: transaction) }
                if let changed, changed.state.isTerminal { try await tidy(changed.id) }
            }
            throw error
        }
    }

    /// A job that must be released, or aborted because its documents are late.
    private struct DueJob: Sendable {
        var id: Int
        var isLate: Bool
    }

    private func dueJobs(at now: UnixTime, in snapshot: any SpoolSnapshot) throws -> [DueJob] {
        let late = try snapshot.jobsWithLateDocuments(now: now)
        let due = Set(try snapshot.jobsWithEndedHold(now: now)).subtracting(late)
        return late.map { DueJob(id: $0, isLate: true) } + due.sorted().map { DueJob(id: $0, isLate: false) }
    }

    /// Returns the changed job; nil if an upload of the job is in progress.
    private func release(_ due: DueJob, at now: UnixTime, in transaction: any SpoolTransaction) throws -> Job? {
        let job = try transaction.existingJob(due.id)
        guard due.isLate else {
            let event: JobStateMachine.Event = job.hasReleasePassword ? .passwordExpired : .releaseRequested
            return try apply(event, to: job, in: transaction).job
        }
        guard uploads.isUnderway(for: due.id) else {
            return try apply(.documentsTimedOut, to: job, in: transaction).job
        }
        try store(job, incomingUntil: now + incomingTimeout, in: transaction)
        return nil
    }

    /// Returns whether `releaseDueJobs` would change a job.
    ///
    /// Usually no job is due. This check avoids a write transaction, which would delay other writers.
    public func hasDueJobs(now: UnixTime? = nil) async throws(SpoolError) -> Bool {
        let now = now ?? clock()
        guard dueTimes.quietPeriod(at: now).quietPeriod == nil else { return false }
        return try await read { [self] snapshot in try isDue(at: now, in: snapshot) }
    }

    private func isDue(at now: UnixTime, in snapshot: any SpoolSnapshot) throws -> Bool {
        try snapshot.hasDueJobs(
            now: now, latestRetry: now + Self.longestRetry, latestIncoming: now + incomingTimeout)
    }

    /// Shortens the waiting times of jobs after the clock was set back.
    ///
    /// Otherwise the jobs would wait until the clock reaches the old time again.
    private func shortenWaitsAfterClockSetBack(now: UnixTime, in transaction: any SpoolTransaction) throws {
        dueTimes.beginChange()
        try transaction.shortenWaits(
            now: now, latestRetry: now + Self.longestRetry, latestIncoming: now + incomingTimeout)
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
        let (known, changes) = dueTimes.quietPeriod(at: now)
        if let known { return known.until }
        let (due, isQuiet) = try await read { [self] snapshot in
            let due = try snapshot.nextDueTime(after: now)
            return (due, try !isDue(at: now, in: snapshot))
        }
        if isQuiet { dueTimes.remember(DueTimes.QuietPeriod(from: now, until: due), after: changes) }
        return due
    }

    /// Ends the retry delay of a printer's jobs, because the printer responds again.
    ///
    /// - Returns: `true` if at least one job was waiting for a retry.
    @discardableResult
    public func tryAgain(printer: String) async throws(SpoolError) -> Bool {
        try await write { [self] transaction in
            let ids = try transaction.jobsWaitingForRetry(at: printer)
            for id in ids { try apply(.printerAnswered, to: transaction.existingJob(id), in: transaction) }
            return !ids.isEmpty
        }
    }
}
