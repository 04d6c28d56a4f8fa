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
        let oldest = (now ?? clock()) - keepSeconds
        guard try await read({ snapshot in try snapshot.hasAccounting(endedBefore: oldest) }) else { return }
        var removed = 1
        while removed > 0, !Task.isCancelled {
            removed = try await write(.ordered) { transaction in
                try transaction.removeAccounting(endedBefore: oldest)
            }
        }
    }
}
