// Stores and returns accounting entries: the pages and sheets of ended jobs.

public import PrintModel

extension Spool {
    /// Returns the accounting entries of ended jobs, in the order in which the jobs ended.
    ///
    /// Entries are kept longer than jobs (see `purgeAccounting`).
    public func accounting(_ query: AccountingQuery = AccountingQuery()) async throws(SpoolError) -> [AccountingEntry] {
        try await read { snapshot in try snapshot.accounting(query) }
    }

    /// Removes the accounting entries of jobs that ended more than `keepSeconds` ago, 100 entries per transaction.
    public func purgeAccounting(keepSeconds: Double, now: UnixTime? = nil) async throws(SpoolError) {
        let now = now ?? clock()
        // Quotas count the pages of the current month and week.
        let counted = [Quota.Period.week, .month].compactMap { $0.bounds(at: now)?.lowerBound }.min() ?? now
        let wanted = now - keepSeconds
        let oldest = wanted > counted ? try await quotas().isEmpty ? wanted : counted : wanted
        guard try await read({ snapshot in try snapshot.hasAccounting(endedBefore: oldest) }) else { return }
        var removed = 1
        while removed > 0, !Task.isCancelled {
            removed = try await write(.ordered) { transaction in
                try transaction.removeQuotaCredits(before: min(oldest, counted))
                return try transaction.removeAccounting(endedBefore: oldest)
            }
        }
    }
}
