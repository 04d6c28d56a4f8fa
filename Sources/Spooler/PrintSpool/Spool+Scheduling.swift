// Selects the next jobs, and releases jobs that are due.

public import PrintModel

extension Spool {
    /// Starts the next job of the given printers, and returns this job.
    ///
    /// The result is nil if no job can start. `claimAll` describes the order and the parameters.
    public func claim(
        fromPrinters printers: some Sequence<String>, unreachable: Set<String> = [], order: QueueOrder = .perPrinter,
        under leases: [String: PrinterLease]? = nil, now: UnixTime? = nil
    ) async throws(SpoolError) -> Job? {
        try await claim(
            atMost: 1, fromPrinters: printers, unreachable: unreachable, order: order, under: leases, now: now
        ).first
    }

    /// Starts the next job of each of the given printers, and returns these jobs.
    ///
    /// The next job is the first job in the queue of one of the printers. In fair order, the owners of the jobs in each
    /// queue take turns (`FairQueue`). Among the first jobs of several printers, the
    /// job with the highest priority is next. Among jobs of equal priority, the oldest job is next.
    ///
    /// Jobs of one printer overtake each other only by `holdingBack`: a job that waits for a retry blocks all jobs that
    /// follow in the queue of the printer. Jobs of other printers continue, unless the order is strict. A paused printer has no next
    /// job, even if `printers` contains the printer.
    ///
    /// The caller checks the queue afterwards, so the scheduler is not woken.
    ///
    /// - Parameters:
    ///   - printers: The names of the printers that are ready.
    ///   - unreachable: The printers that do not respond. There, a job that waits for a retry waits until `tryAgain`.
    ///   - holdingBack: For printers with documents that are still being prepared, the owners of the documents. Jobs of
    ///     these owners do not start, and jobs of other owners overtake them. In strict order, no job overtakes another.
    ///   - order: The order of the queue. In strict order, only the first job of the whole queue can start. The caller
    ///     must ensure that only one job at a time is in progress.
    ///   - leases: In a shared spool, the leases that the caller knows, by printer. Jobs of other printers do not start.
    ///     If nil, all leases of this process are used.
    ///   - now: The current time. If nil, the spool's clock determines the time.
    /// - Returns: The started jobs, the most urgent job first. In a shared spool, a job can start only if this process
    ///   holds a valid lease of the printer. The job is then in progress under this lease.
    public func claimAll(
        fromPrinters printers: some Sequence<String>, unreachable: Set<String> = [],
        holdingBack: [String: Set<String>] = [:], order: QueueOrder = .perPrinter,
        under leases: [String: PrinterLease]? = nil, now: UnixTime? = nil
    ) async throws(SpoolError) -> [Job] {
        try await claim(
            atMost: order == .strict ? 1 : .max, fromPrinters: printers, unreachable: unreachable,
            holdingBack: order == .strict ? [:] : holdingBack, order: order, under: leases, now: now)
    }

    private func claim(
        atMost limit: Int, fromPrinters printers: some Sequence<String>, unreachable: Set<String>,
        holdingBack: [String: Set<String>] = [:], order: QueueOrder, under leases: [String: PrinterLease]?,
        now: UnixTime?
    ) async throws(SpoolError) -> [Job] {
        let leases = leases ?? self.leases
        let printers = Set(printers).filter { !isShared || isValid(leases[$0]) }.sorted()
        let now = now ?? clock()
        heldLeases.isStrict.store(order == .strict, ordering: .relaxed)
        guard !printers.isEmpty else { return [] }
        let unreachable = unreachable.intersection(printers).sorted()
        return try await write(JobStateMachine.Event.claimed.durability, news: { _ in .none }) { [self] transaction in
            if isShared, order == .strict {
                try transaction.lockQueue()
                // Another host may have started a job.
                guard try transaction.jobsInProgress().allSatisfy({ $0.reasons.contains(.jobSuspended) }) else {
                    return []
                }
            }
            var ready = printers
            var claimed: [Job] = []
            while claimed.count < limit, !ready.isEmpty {
                let free = ready.filter { holdingBack[$0] == nil }
                var jobs =
                    try free.isEmpty
                    ? []
                    : transaction.lockNextJobs(
                        ofPrinters: free, unreachable: unreachable, under: leases, order: order, now: now,
                        limit: limit == 1 ? 1 : nil)
                for printer in ready where holdingBack[printer] != nil && !unreachable.contains(printer) {
                    let owners = holdingBack[printer, default: []]
                    guard let job = try transaction.nextJob(of: printer, holdingBack: owners, order: order, now: now),
                        try leases[job.printer].map(transaction.confirm) ?? true
                    else { continue }
                    jobs.append(job)
                }
                var isHeld = false
                for job in jobs {
                    guard !job.hasUnknownOptions else {
                        try holdUnknown(job, in: transaction)
                        isHeld = true
                        continue
                    }
                    ready.removeAll { $0 == job.printer }
                    // The lease is stored together with the start of the job.
                    if let lease = leases[job.printer] { try transaction.setLease(lease, ofJob: job.id) }
                    let started = try apply(.claimed, to: job, in: transaction).job
                    guard started.state == .processing else { continue }
                    if order == .fair { try transaction.recordTurn(of: started) }
                    claimed.append(started)
                }
                // Behind a job that is now held, another job may be next.
                guard isHeld else { break }
            }
            return claimed
        }
    }

    private func isValid(_ lease: PrinterLease?) -> Bool { lease.map { state(of: $0) == .valid } ?? false }

    /// Returns the jobs that will start next if the given printers are ready.
    ///
    /// The most urgent job is first.
    ///
    /// The result has at most one job per printer. In strict order, the result has at most one job.
    ///
    /// - Parameters:
    ///   - holdingBack: The owners whose jobs do not start (`claimAll`), by printer.
    ///   - prepared: Jobs that are omitted. In the default order, the second job of a queue follows if the first job is
    ///     omitted.
    public func nextJobs(
        ofPrinters printers: some Sequence<String>, holdingBack: [String: Set<String>] = [:],
        order: QueueOrder = .perPrinter, besides prepared: Set<Int> = [], now: UnixTime? = nil
    ) async throws(SpoolError) -> [Job] {
        let all = Set(printers).sorted()
        let printers = all.filter { holdingBack[$0] == nil || order == .strict }
        let now = now ?? clock()
        guard !all.isEmpty else { return [] }
        return try await read { snapshot in
            let overtaking = try Set(all).subtracting(printers).sorted().compactMap { printer in
                try snapshot.nextJob(
                    of: printer, holdingBack: holdingBack[printer, default: []], order: order, now: now)
            }.filter { !prepared.contains($0.id) && !$0.hasUnknownOptions }
            guard !printers.isEmpty else { return overtaking }
            let heads = try snapshot.nextJobs(
                ofPrinters: printers, unreachable: [], order: order, now: now, limit: nil)
            var ids = heads.filter { !prepared.contains($0) }
            if order == .perPrinter, ids.count < heads.count {
                for printer in printers {
                    let waiting = try snapshot.headOfQueue(of: printer, limit: 2)
                    if waiting.count == 2, prepared.contains(waiting[0]), !prepared.contains(waiting[1]) {
                        ids.append(waiting[1])
                    }
                }
            }
            return try ids.map { try snapshot.existingJob($0) }
                .filter { !$0.hasUnknownOptions && $0.retryAt ?? now <= now } + overtaking
        }
    }

    /// Returns the job that must end before the given waiting job can start in strict order.
    ///
    /// The result is a job in progress, or the first job of the queue if no job is in progress. The result is nil if no
    /// other job must end first, or if the given job is not waiting.
    public func jobInStrictWay(of id: Int) async throws(SpoolError) -> Job? {
        try await read { snapshot in
            guard let blocker = try snapshot.jobInStrictWay(of: id), blocker != id else {
                return nil
            }
            return try snapshot.existingJob(blocker)
        }
    }

    /// Releases jobs whose hold time has passed, and aborts jobs whose documents did not arrive before the timeout.
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
        guard due.isLate else { return try apply(.releaseRequested, to: job, in: transaction).job }
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

    /// Returns the jobs that were in progress when the previous process ended, oldest first.
    ///
    /// Suspended jobs (`job-suspended`) are not included.
    public func jobsToRescue() async throws(SpoolError) -> [Job] {
        try await read { snapshot in
            try snapshot.jobsInProgress().filter { !$0.reasons.contains(.jobSuspended) }
        }
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

// MARK: - Preparing documents in advance

extension Spool {
    /// Applies an event to a waiting job if its state, printer, options and start page have not changed.
    ///
    /// The caller checks the queue afterwards, so the scheduler is not woken.
    ///
    /// - Parameter job: The job in the state that the caller last read.
    /// - Returns: The job after the event; nil when the job has changed and the event was not applied.
    @discardableResult
    public func change(_ job: Job, ifStillWaiting event: JobStateMachine.Event) async throws(SpoolError) -> Job? {
        let changed: Job? = try await write(event.durability, news: { _ in .none }) { [self] transaction in
            let current = try transaction.existingJob(job.id)
            guard current.isWaiting(as: job) else { return nil }
            return try apply(event, to: current, in: transaction).job
        }
        if let changed, changed.state.isTerminal { try await tidy(changed.id) }
        return changed
    }

    /// Stores the working time that the attempts to prepare a waiting or started job have used, in seconds.
    ///
    /// After a restart, the next attempt continues with this time.
    ///
    /// - Parameter lease: In a shared spool, the lease under which a started job is in progress.
    public func notePreparation(
        of job: Job, seconds: Double, under lease: PrinterLease? = nil
    ) async throws(SpoolError) {
        try await write(.ordered, news: { _ in .none }) { [self] transaction in
            var current = try transaction.existingJob(job.id)
            guard current.state == .pending || current.state == .processing, current.remote == nil,
                current.printer == job.printer, current.ticket == job.ticket
            else { return }
            if current.state == .processing, isShared {
                guard let lease, try transaction.isInProgress(current, under: lease) else { return }
            }
            current.preparationSeconds = seconds
            try store(current, in: transaction)
        }
    }

    /// Removes the prepared files of a job.
    ///
    /// The files can be created again.
    ///
    /// If the job has ended or was removed, also removes all other files of the job except its documents. A preparation
    /// may have created these files after the job ended.
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

extension SpoolSnapshot {
    /// Returns the next job of a printer at which the jobs of some owners do not start; nil if no other job can start.
    ///
    /// - Parameter owners: The owners whose jobs do not start.
    fileprivate func nextJob(
        of printer: String, holdingBack owners: Set<String>, order: QueueOrder, now: UnixTime
    ) throws -> Job? {
        let queue = FairQueue(
            waiting: try firstJobs(of: printer), inProgress: [], turns: order == .fair ? try turns(at: printer) : [])
        guard let id = queue.next(besides: owners, order: order), try self.printer(named: printer)?.isPaused == false
        else { return nil }
        // Another host may have changed the job before it was locked.
        let job = try existingJob(id)
        return job.state == .pending && job.printer == printer && job.retryAt ?? now <= now ? job : nil
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
