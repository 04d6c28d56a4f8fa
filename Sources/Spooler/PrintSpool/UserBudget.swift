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
/// The time for counting jobs in the database grows with the number of jobs. Therefore the tracker keeps an upper bound
/// of what each owner has in the spool: the count from the database, and what the owner has added since this count.
/// When a bound would exceed the budget, the tracker counts again. In a shared spool, the tracker also counts again
/// after a second, because the owner may have added jobs on other hosts.
final class BudgetTracker: Sendable {
    /// An upper bound of the owner's jobs or bytes in the spool.
    private struct Bound: Sendable {
        var amount: Int
        /// The time at which the bound must be replaced by a new count; nil if no other host can add jobs.
        var expiry: ContinuousClock.Instant?
    }

    private struct Bounds: Sendable {
        var jobs: Bound?
        var bytes: Bound?
    }

    var budget: UserBudget { currentBudget.withLock { $0 } }
    private let currentBudget: Mutex<UserBudget>
    private let bounds = Mutex<[String: Bounds]>([:])
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
        // The size of the whole spool is known at once. Usually it is far below the budget of one owner.
        try reserve(bytes, of: owner, \.bytes, most: budget.documentBytes, bound: transaction.mostDocumentBytes) {
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

    /// Adds an amount to the bound of an owner.
    ///
    /// - Parameters:
    ///   - bound: A function that returns an upper bound faster than `count`; the result is nil if there is none.
    ///   - count: A function that returns the amount in the database.
    private func reserve(
        _ amount: Int, of owner: String, _ part: any WritableKeyPath<Bounds, Bound?> & Sendable, most: Int,
        bound: () throws -> Int? = { nil }, count: () throws -> Int, refusal: () -> String
    ) throws {
        let start = now()
        let known = bounds.withLock { $0[owner]?[keyPath: part] }
        var new: Bound
        if let known, known.expiry.map({ start < $0 }) ?? true {
            new = known
        } else {
            new = try read { () throws in try bound() ?? count() }
        }
        if new.amount + amount > most { new = try read(count) }
        let isAdmitted = new.amount + amount <= most
        if isAdmitted { new.amount += amount }
        bounds.withLock { [new] bounds in
            if bounds.count >= Self.mostOwners, bounds[owner] == nil { bounds.removeAll() }
            bounds[owner, default: Bounds()][keyPath: part] = new
        }
        guard isAdmitted else { throw SpoolError.overBudget(refusal()) }
    }

    /// Returns the amount that a function reads from the database.
    ///
    /// A slow count is repeated less often, so that counting takes at most a twentieth of the time.
    private func read(_ count: () throws -> Int) rethrows -> Bound {
        let start = now()
        let amount = try count()
        let end = now()
        return Bound(amount: amount, expiry: isShared ? end + max(Self.lifetime, (end - start) * 20) : nil)
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
