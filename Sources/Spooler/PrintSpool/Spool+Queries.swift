// Lists and counts jobs.

public import PrintModel

extension Spool {
    /// Returns the job with the given id; nil if the job does not exist.
    public func job(_ id: Int) async throws(SpoolError) -> Job? {
        try await read { snapshot in try snapshot.job(id) }
    }

    /// Returns the jobs with the given ids, in the order of the ids, without missing jobs.
    package func jobs(withIDs ids: [Int]) async throws(SpoolError) -> [Job] {
        try await read { snapshot in try snapshot.jobs(withIDs: ids, .all) }
    }

    /// Returns all jobs that match a filter, in the order of the list.
    public func jobs(
        _ filter: JobFilter = JobFilter(), in range: JobListRange = .all
    ) async throws(SpoolError) -> [Job] {
        try await read { [self] snapshot in
            var pages = listing(filter, in: range)
            var jobs: [Job] = []
            while let page = try pages.next(1000, in: snapshot) { jobs += page }
            return jobs
        }
    }

    /// Returns the jobs that match a filter, as a list that is read page by page.
    ///
    /// The memory use depends only on the number of unfinished jobs, with eight bytes for each unfinished job.
    public func listing(_ filter: JobFilter = JobFilter(), in range: JobListRange = .all) -> JobListing {
        JobListing(filter, in: range, of: self)
    }

    /// Returns the number of jobs that are ahead of a job at the same printer (IPP `number-of-intervening-jobs`); 0 if
    /// the job is not waiting.
    ///
    /// Held and suspended jobs are not counted.
    public func countWaitingBefore(_ id: Int) async throws(SpoolError) -> Int {
        try await read { snapshot in try snapshot.countWaiting(before: id) }
    }

    /// Returns the queue of a printer in which the owners take turns.
    public func fairQueue(of printer: String) async throws(SpoolError) -> FairQueue {
        try await read { snapshot in try snapshot.fairQueue(of: printer) }
    }

    /// Returns the number of jobs that have not ended (IPP `queued-job-count`).
    ///
    /// If `printer` or `owner` is not nil, only the jobs of this printer or owner are counted.
    public func countQueuedJobs(printer: String? = nil, owner: String? = nil) async throws(SpoolError) -> Int {
        try await read { snapshot in try snapshot.countUnfinishedJobs(printer: printer, owner: owner) }
    }

    /// Counts the jobs that match a filter.
    ///
    /// The states and job numbers of the filter are ignored.
    ///
    /// - Parameter troubledPrinters: The names of the printers that need attention.
    public func countJobs(_ filter: JobFilter, troubledPrinters: Set<String>) async throws(SpoolError) -> JobCounts {
        var filter = filter
        (filter.isHeld, filter.troubledPrinters) = (nil, nil)
        let plain = filter
        return try await read { snapshot in
            var counts = JobCounts()
            for group in try snapshot.countUnfinishedJobs(plain) {
                counts.queuedByPrinter[group.printer, default: 0] += group.count
                guard group.state != .pendingHeld else {
                    counts.held += group.count
                    continue
                }
                counts.active += group.count
                if group.state == .processingStopped || group.isRetrying || troubledPrinters.contains(group.printer) {
                    counts.attention += group.count
                }
            }
            counts.ended = try snapshot.countEndedJobs(plain)
            return counts
        }
    }

    /// Returns, for each given job, the number of jobs that the same printer prints before that job.
    ///
    /// The result contains only waiting and held jobs. Except in fair order, the query counts each job of the queue at most once for all
    /// given jobs together.
    public func countWaitingBefore(
        _ jobs: [Job], order: QueueOrder = .perPrinter
    ) async throws(SpoolError) -> [Int: Int] {
        let waiting = jobs.filter { $0.state == .pending || $0.state == .pendingHeld }
        guard !waiting.isEmpty else { return [:] }
        return try await read { snapshot in
            var counts: [Int: Int] = [:]
            for (printer, group) in Dictionary(grouping: waiting, by: \.printer) {
                if order == .fair {
                    let queue = try snapshot.fairQueue(of: printer)
                    for job in group { counts[job.id] = queue.jobsAhead(of: job).count }
                    continue
                }
                let ordered = group.sorted { ($0.priority, -$0.id) > ($1.priority, -$1.id) }
                var previous: Job?
                var count = 0
                for job in ordered {
                    if let previous {
                        count += try snapshot.countWaiting(of: printer, from: previous, to: job)
                    } else {
                        count = try snapshot.countWaiting(before: job.id)
                    }
                    counts[job.id] = count
                    previous = job
                }
            }
            return counts
        }
    }
}

extension SpoolSnapshot {
    fileprivate func fairQueue(of printer: String) throws -> FairQueue {
        let owners = try jobsInProgress().filter {
            $0.printer == printer && !$0.reasons.contains(.jobSuspended)
        }.map(\.owner)
        return FairQueue(
            waiting: try waitingJobs(of: printer), inProgress: owners, turns: try turns(at: printer))
    }
}
