// Removes documents and jobs of the history.

public import PrintModel

extension Spool {
    /// Returns whether a job still has all its documents and can therefore be reprinted; `false` for a job without
    /// documents.
    public func keepsDocuments(of jobID: Int) async throws(SpoolError) -> Bool {
        try await jobsWithDocuments(among: [jobID]).contains(jobID)
    }

    /// Returns the given jobs that still have all their documents.
    package func jobsWithDocuments(among ids: [Int]) async throws(SpoolError) -> Set<Int> {
        try await read { snapshot in try snapshot.jobsWithAllDocuments(ids) }
    }

    /// Deletes the documents of all jobs that ended more than `keepSeconds` ago, and keeps the jobs in the history.
    ///
    /// Each transaction deletes the documents of at most 100 jobs, so that submissions wait only briefly.
    ///
    /// - Returns: The number of jobs whose documents were deleted.
    @discardableResult
    public func dropDocuments(keepSeconds: Double, now: UnixTime? = nil) async throws(SpoolError) -> Int {
        let oldest = (now ?? clock()) - keepSeconds
        var count = 0
        while !Task.isCancelled {
            let ids = try await read { snapshot in
                try snapshot.endedJobsWithDocuments(before: oldest, limit: Self.dropStep)
            }
            guard !ids.isEmpty else { break }
            try await write { [self] transaction in
                for id in ids { try forgetDocuments(of: id, in: transaction) }
            }
            await store.removeFolders(of: ids)
            count += ids.count
        }
        return count
    }

    /// The number of jobs whose documents are deleted in one transaction.
    private static let dropStep = 100

    /// Deletes the contents and the file names of a job's documents from the database.
    ///
    /// The files are removed after the commit. Between the commit and the removal, the files are orphaned.
    func forgetDocuments(of jobID: Int, in transaction: any SpoolTransaction) throws {
        try transaction.deleteDocuments(of: jobID)
        forgottenDocuments.add(1, ordering: .relaxed)
    }

    /// Waits until the files of jobs that have ended or were removed are removed from the disk.
    ///
    /// Requests do not wait for this. If the process exits earlier, `sweep` removes the files.
    public func finishRemovals() async { await store.removals.finish() }

    /// Removes the prepared files of an ended job.
    func tidy(_ jobID: Int) async throws(SpoolError) {
        let kept = try await read { snapshot in try snapshot.documentFiles(of: jobID) }
        await store.tidyFolder(of: jobID, keeping: kept)
    }
}

// MARK: - Purging

extension Spool {
    /// Removes old ended jobs with their documents and events.
    ///
    /// Removes the jobs that ended more than `keepSeconds` ago. When more than `keepJobs` ended jobs remain, also
    /// removes the oldest jobs of the owners with the most jobs (`HistoryShares`). Therefore the jobs of one owner do
    /// not displace the jobs of other owners. Old printer events are removed too. Each transaction removes at most 100
    /// jobs, so that submissions wait only briefly.
    ///
    /// - Returns: The ids of the removed jobs, which are never used again.
    @discardableResult
    public func purge(
        keepJobs: Int = 1000, keepSeconds: Double = 7 * 86400, now: UnixTime? = nil
    ) async throws(SpoolError) -> [Int] {
        let oldest = (now ?? clock()) - keepSeconds
        var removed: [Int] = []
        if let end = try await read({ snapshot in try snapshot.lastJob(endedBefore: oldest) }) {
            removed += try await removeInSteps { transaction, most in
                try transaction.oldestEndedJobs(through: end, limit: most)
            }
        }
        if try await read({ snapshot in try snapshot.hasEndedJobs(moreThan: max(0, keepJobs)) }) {
            let excess = try await read { snapshot in try Self.excess(keepJobs: keepJobs, in: snapshot) }
            for (owner, count) in excess {
                removed += try await removeInSteps(atMost: count) { transaction, most in
                    try transaction.oldestEndedJobs(of: owner, limit: most)
                }
            }
        }
        var removedEvents = 1
        while removedEvents > 0 {
            removedEvents = try await write(.ordered) { transaction in
                try transaction.removePrinterEvents(before: oldest)
            }
        }
        return removed.sorted()
    }

    /// Removes all ended jobs, or only the ended jobs of one printer or owner (IPP `Purge-Jobs`, RFC 8011 §4.2.9).
    ///
    /// The accounting entries of the jobs are kept.
    public func forgetEndedJobs(printer: String? = nil, owner: String? = nil) async throws(SpoolError) {
        while !Task.isCancelled {
            let ids = try await write(.forced) { transaction in
                let ids = try transaction.endedJobs(printer: printer, owner: owner, limit: Self.purgeStep)
                try transaction.removeJobs(ids)
                return ids
            }
            guard !ids.isEmpty else { return }
            store.removeFoldersLater(of: ids)
        }
    }

    /// Removes an ended job without documents; does nothing for any other job.
    public func forgetEmptyJob(_ id: Int) async throws(SpoolError) {
        let isRemoved = try await write(.forced) { transaction in
            let job = try transaction.existingJob(id)
            guard job.state.isTerminal, job.documents.isEmpty else { return false }
            try transaction.removeJobs([id])
            return true
        }
        if isRemoved { store.removeFoldersLater(of: [id]) }
    }

    /// The maximum number of jobs that one transaction removes.
    private static let purgeStep = 100

    /// Removes the jobs that `select` returns, at most `count` jobs in total.
    ///
    /// The function calls `select` repeatedly until `select` returns no jobs. Each call, and the removal of the
    /// returned jobs, is a separate transaction.
    ///
    /// - Parameter select: A closure that returns the next jobs to remove. Its second argument is the maximum number of
    ///   jobs.
    private func removeInSteps(
        atMost count: Int = .max, _ select: @escaping @Sendable (any SpoolTransaction, Int) throws -> [Int]
    ) async throws(SpoolError) -> [Int] {
        var removed: [Int] = []
        while !Task.isCancelled, removed.count < count {
            let most = min(count - removed.count, Self.purgeStep)
            // Force the commit onto the disk before the files are removed. Otherwise a power cut could restore rows
            // whose files were removed.
            let ids = try await write(.forced) { transaction in
                let ids = try select(transaction, most)
                try transaction.removeJobs(ids)
                return ids
            }
            guard !ids.isEmpty else { break }
            await store.removeFolders(of: ids)
            removed += ids
        }
        return removed
    }

    /// Returns the owners who have more ended jobs than the maximum per owner (`HistoryShares`), each with the number
    /// of excess jobs.
    private static func excess(keepJobs: Int, in snapshot: any SpoolSnapshot) throws -> [(owner: String, count: Int)] {
        let counts = try snapshot.countEndedJobsByOwner()
        let share = HistoryShares.share(of: counts.map(\.count), most: keepJobs)
        return counts.filter { $0.count > share }.map { ($0.owner, $0.count - share) }
    }
}
