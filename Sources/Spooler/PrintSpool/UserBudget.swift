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
    /// The maximum number of jobs that have not ended from one address of the network, under any name, without
    /// credentials.
    public var guestJobs = 100

    /// Creates a budget.
    ///
    /// The defaults are far above normal use.
    public init(jobs: Int = 50_000, documentBytes: Int = 16 << 30, incomingJobs: Int = 100) {
        self.jobs = jobs
        self.documentBytes = documentBytes
        self.incomingJobs = incomingJobs
    }
}

/// What an owner has in the spool.
package struct UserAmounts: Hashable, Sendable {
    /// The number of jobs that have not ended.
    var jobs = 0
    /// The size of the documents in bytes.
    var documentBytes = 0

    static func + (one: Self, other: Self) -> Self {
        Self(jobs: one.jobs + other.jobs, documentBytes: one.documentBytes + other.documentBytes)
    }
}

/// A tracker that enforces the budgets of owners.
///
/// The time for counting jobs in the database grows with the number of jobs. Therefore the tracker keeps an upper bound
/// of what each owner has in the spool: the amounts from the database, and what the owner has added since. When a bound
/// would exceed the budget, the tracker counts exactly. In a shared spool, the tracker also reads the amounts again
/// after a second, because the owner may have added jobs on other hosts.
final class BudgetTracker: Sendable {
    /// An upper bound of what an owner has in the spool.
    private struct Bound: Sendable {
        /// The amounts from the database.
        var read: UserAmounts
        /// What the owner has added since.
        var added = UserAmounts()
        /// What the owner added before, since the amounts were read the last time but one.
        ///
        /// The amounts from the database may not contain it yet.
        var addedBefore = UserAmounts()
        /// The time at which the amounts must be read again; nil if no other host can add jobs.
        var expiry: ContinuousClock.Instant?

        var amounts: UserAmounts { read + added + addedBefore }
    }

    var budget: UserBudget { currentBudget.withLock { $0 } }
    private let currentBudget: Mutex<UserBudget>
    private let bounds = Mutex<[String: Bound]>([:])
    /// Whether other hosts can add jobs.
    private let isShared: Bool
    private let now: @Sendable () -> ContinuousClock.Instant

    /// The time after which jobs of other hosts count toward the limits.
    static let lifetime = Duration.seconds(1)
    /// The maximum number of owners in the cache.
    private static let mostOwners = 10_000

    init(_ budget: UserBudget, isShared: Bool, now: @escaping @Sendable () -> ContinuousClock.Instant) {
        currentBudget = Mutex(budget)
        (self.isShared, self.now) = (isShared, now)
    }

    /// Changes the limits for future jobs.
    func setBudget(_ budget: UserBudget) { currentBudget.withLock { $0 = budget } }

    /// Counts a new job, whose documents have `bytes` bytes in total, toward the limits of its owner.
    ///
    /// - Throws: `SpoolError` with `overBudget`.
    func admitJob(of owner: String, bytes: Int, in transaction: any SpoolTransaction) throws {
        try admit(UserAmounts(jobs: 1, documentBytes: bytes), of: owner, in: transaction)
    }

    /// Counts additional documents, which have `bytes` bytes in total, toward the size limit of their owner.
    ///
    /// - Throws: `SpoolError` with `overBudget`.
    func admit(bytes: Int, of owner: String, in transaction: any SpoolTransaction) throws {
        try admit(UserAmounts(documentBytes: bytes), of: owner, in: transaction)
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

    private func admit(_ new: UserAmounts, of owner: String, in transaction: any SpoolTransaction) throws {
        if new.jobs > 0, let address = GuestName.address(in: owner) {
            guard try transaction.countUnfinishedJobs(fromAddress: address) + new.jobs <= budget.guestJobs else {
                throw SpoolError.overBudget(
                    "\(address) has reached the limit of \(budget.guestJobs) unfinished jobs without credentials; wait "
                        + "until some jobs have been printed, or cancel some jobs")
            }
        }
        let known = try bound(of: owner, in: transaction)
        let (budget, wanted) = (budget, known + new)
        if new.jobs > 0, wanted.jobs > budget.jobs {
            let jobs = try transaction.countUnfinishedJobs(printer: nil, owner: owner)
            guard jobs + new.jobs <= budget.jobs else {
                throw SpoolError.overBudget(
                    "\(owner) has reached the limit of \(budget.jobs) unfinished jobs per user; wait until some jobs "
                        + "have been printed, or cancel some jobs")
            }
            correct(owner) { $0.jobs = jobs }
        }
        if new.documentBytes > 0, wanted.documentBytes > budget.documentBytes {
            let bytes = try transaction.documentBytes(of: owner)
            guard bytes + new.documentBytes <= budget.documentBytes else {
                throw SpoolError.overBudget(
                    "the documents of \(owner) in the spool would exceed the limit of "
                        + "\(budget.documentBytes >> 20) MiB per user; wait until some documents have been printed and "
                        + "removed")
            }
            correct(owner) { $0.documentBytes = bytes }
        }
        bounds.withLock { bounds in
            guard var bound = bounds.removeValue(forKey: owner) else { return }
            bound.added = bound.added + new
            bounds[owner] = bound
        }
    }

    /// Returns the bound of an owner, and reads the amounts of the owner if they are unknown or have expired.
    private func bound(of owner: String, in transaction: any SpoolTransaction) throws -> UserAmounts {
        let start = now()
        let known = bounds.withLock { $0[owner] }
        if let known, known.expiry.map({ start < $0 }) ?? true { return known.amounts }
        let amounts = try transaction.mostAmounts(of: owner)
        let end = now()
        // Slow reads are repeated less often, so that they take at most a twentieth of the time.
        let expiry = isShared ? end + max(Self.lifetime, (end - start) * 20) : nil
        return bounds.withLock { bounds in
            let earlier = bounds[owner]?.added ?? UserAmounts()
            if bounds.count >= Self.mostOwners, bounds[owner] == nil { bounds.removeAll() }
            let bound = Bound(read: amounts, addedBefore: earlier, expiry: expiry)
            bounds[owner] = bound
            return bound.amounts
        }
    }

    /// Replaces an upper bound by an exact count, which contains all jobs and documents that were added earlier.
    private func correct(_ owner: String, _ change: (inout UserAmounts) -> Void) {
        bounds.withLock { bounds in
            guard var bound = bounds[owner] else { return }
            var exact = bound.amounts
            change(&exact)
            (bound.read, bound.added, bound.addedBefore) = (exact, UserAmounts(), UserAmounts())
            bounds[owner] = bound
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
