// Limits the share of the spool that one user may use.

import PrintModel
import Synchronization

/// The limits for each user.
///
/// The limits ensure that one user cannot prevent other users from printing.
public struct UserBudget: Hashable, Sendable {
    /// The maximum number of jobs of one owner that have not ended.
    public var jobs: Int
    /// The maximum size of one owner's documents in the spool, including documents of ended jobs, in bytes.
    public var documentBytes: Int
    /// The maximum number of jobs of one owner that wait for their documents (`job-incoming`).
    public var incomingJobs: Int

    /// Creates a budget.
    ///
    /// The defaults are far above normal use.
    public init(jobs: Int = 50_000, documentBytes: Int = 16 << 30, incomingJobs: Int = 100) {
        self.jobs = jobs
        self.documentBytes = documentBytes
        self.incomingJobs = incomingJobs
    }
}

/// A tracker that enforces the budgets of owners.
///
/// The time for counting jobs in the database grows with the number of jobs. Therefore the tracker keeps sums in
/// memory: the jobs and bytes that each owner has added since the program started. When a sum would exceed the budget,
/// the tracker replaces the sum by a count from the database.
final class BudgetTracker: Sendable {
    private struct Added {
        var jobs = 0
        var bytes = 0
    }

    var budget: UserBudget { currentBudget.withLock { $0 } }
    private let currentBudget: Mutex<UserBudget>
    private let added = Mutex<[String: Added]>([:])

    init(_ budget: UserBudget) { currentBudget = Mutex(budget) }

    /// Changes the limits for future jobs.
    func setBudget(_ budget: UserBudget) { currentBudget.withLock { $0 = budget } }

    /// Counts a new job, whose documents have `bytes` bytes in total, toward the limits of its owner.
    ///
    /// - Throws: `SpoolError` with `overBudget`.
    func admitJob(of owner: String, bytes: Int, in transaction: any SpoolTransaction) throws {
        try reserve(1, of: owner, \.jobs, most: budget.jobs) {
            try transaction.countUnfinishedJobs(printer: nil, owner: owner)
        } refusal: {
            "\(owner) has reached the limit of \(budget.jobs) unfinished jobs per user; wait until some jobs have been "
                + "printed, or cancel some jobs"
        }
        try admit(bytes: bytes, of: owner, in: transaction)
    }

    /// Counts additional documents, which have `bytes` bytes in total, toward the size limit of their owner.
    ///
    /// - Throws: `SpoolError` with `overBudget`.
    func admit(bytes: Int, of owner: String, in transaction: any SpoolTransaction) throws {
        guard bytes > 0 else { return }
        try reserve(bytes, of: owner, \.bytes, most: budget.documentBytes) {
            try transaction.documentBytes(of: owner)
        } refusal: {
            "the documents of \(owner) in the spool would exceed the limit of \(budget.documentBytes >> 20) MiB per "
                + "user; wait until some documents have been printed and removed"
        }
    }

    /// Checks that an owner may submit another job that waits for documents.
    ///
    /// - Throws: `SpoolError` with `overBudget`.
    func admitIncomingJob(of owner: String, in transaction: any SpoolTransaction) throws {
        let count = try transaction.countIncomingJobs(of: owner)
        guard count < budget.incomingJobs else {
            throw SpoolError.overBudget(
                "\(owner) already has \(budget.incomingJobs) jobs that are waiting for documents, the maximum per "
                    + "user; send the documents, or cancel some of these jobs")
        }
    }

    private func reserve(
        _ amount: Int, of owner: String, _ part: any WritableKeyPath<Added, Int> & Sendable, most: Int,
        count: () throws -> Int, refusal: () -> String
    ) throws {
        var sum = added.withLock { $0[owner]?[keyPath: part] ?? 0 }
        if sum + amount > most { sum = try count() }
        guard sum + amount <= most else {
            added.withLock { $0[owner, default: Added()][keyPath: part] = sum }
            throw SpoolError.overBudget(refusal())
        }
        added.withLock { added in
            if added.count > 10_000 { added.removeAll() }
            added[owner, default: Added()][keyPath: part] = sum + amount
        }
    }
}

/// A calculation of the maximum number of ended jobs per owner.
///
/// The maximum applies if the history has too many jobs.
enum HistoryShares {
    /// Returns the maximum number of jobs that each owner may keep, so that at most `most` jobs are kept in total.
    ///
    /// Owners with fewer jobs keep all their jobs. Owners with more jobs share the remaining number equally, so that
    /// one owner's jobs do not displace the jobs of other owners.
    static func share(of counts: [Int], most: Int) -> Int {
        var left = max(0, most)
        var owners = counts.count
        for count in counts.sorted() {
            let equal = owners == 0 ? 0 : left / owners
            if count > equal { return equal }
            left -= count
            owners -= 1
        }
        return .max
    }
}
