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

    /// Returns the jobs that were in progress when the previous process ended, oldest first.
    ///
    /// Suspended jobs (`job-suspended`) are not included.
    public func jobsToRescue() async throws(SpoolError) -> [Job] {
        try await read { snapshot in
            try snapshot.jobsInProgress().filter { !$0.reasons.contains(.jobSuspended) }
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
