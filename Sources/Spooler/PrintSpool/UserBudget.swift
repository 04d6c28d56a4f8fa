// The limits for each user of the spool.

import GRDB
import PrintModel
import Synchronization

/// The limits for each user of the spool, so that other users can print too.
public struct UserBudget: Hashable, Sendable {
    /// The maximum number of unfinished jobs of one owner.
    public var jobs: Int
    /// The maximum size of the documents of one owner in the spool, including ended jobs, in bytes.
    public var documentBytes: Int
    /// The maximum number of jobs of one owner that wait for their documents (`job-incoming`).
    public var incomingJobs: Int

    /// Creates limits.
    ///
    /// The defaults are far above the usage of a person.
    public init(jobs: Int = 50_000, documentBytes: Int = 16 << 30, incomingJobs: Int = 100) {
        self.jobs = jobs
        self.documentBytes = documentBytes
        self.incomingJobs = incomingJobs
    }
}

/// The check of the limits for each owner.
///
/// Counting jobs takes longer the more jobs exist. Therefore the additions of each owner are summed in memory, starting
/// at 0, and the database is only read when the sum reaches the limit.
final class BudgetTracker: Sendable {
    private struct Added {
        var jobs = 0
        var bytes = 0
    }

    let budget: UserBudget
    private let added = Mutex<[String: Added]>([:])

    init(_ budget: UserBudget) { self.budget = budget }

    /// Reserves the budget for a job with documents of the given size.
    ///
    /// - Throws: `SpoolError` with `overBudget`.
    func admitJob(of owner: String, bytes: Int, in db: Database) throws {
        try reserve(1, of: owner, \.jobs, most: budget.jobs) {
            try Int.fetchOne(try db.cachedStatement(sql: Self.countJobs), arguments: [owner]) ?? 0
        } refusal: {
            "\(owner) has \(budget.jobs) jobs that have not ended, the limit for one user; wait until some have "
                + "been printed, or cancel some"
        }
        try admit(bytes: bytes, of: owner, in: db)
    }

    /// Reserves the budget for documents of the given size.
    ///
    /// - Throws: `SpoolError` with `overBudget`.
    func admit(bytes: Int, of owner: String, in db: Database) throws {
        guard bytes > 0 else { return }
        try reserve(bytes, of: owner, \.bytes, most: budget.documentBytes) {
            try Int.fetchOne(try db.cachedStatement(sql: Self.sumBytes), arguments: ["owner": owner]) ?? 0
        } refusal: {
            "the documents of \(owner) would take more than \(budget.documentBytes >> 20) MiB of the spool, the "
                + "limit for one user; wait until some have been printed and removed"
        }
    }

    /// Rejects a job whose documents follow if its owner has too many such jobs.
    ///
    /// - Throws: `SpoolError` with `overBudget`.
    func admitIncomingJob(of owner: String, in db: Database) throws {
        let count = try Int.fetchOne(try db.cachedStatement(sql: Self.countIncoming), arguments: [owner]) ?? 0
        guard count < budget.incomingJobs else {
            throw SpoolError.overBudget(
                "\(budget.incomingJobs) jobs of \(owner) wait for their documents, the limit for one user; send "
                    + "the documents, or cancel some")
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

    /// Counts the unfinished jobs of an owner.
    package static let countJobs = Spool.queuedJobs(ofPrinter: false, ofOwner: true)

    /// Adds up the sizes of an owner's documents.
    package static let sumBytes = """
        SELECT COALESCE(SUM(documents.bytes), 0) FROM (
            SELECT id FROM jobs WHERE \(JobCondition.isUnfinished()) AND owner = :owner
            UNION ALL SELECT id FROM jobs WHERE \(JobCondition.hasEnded()) AND owner = :owner) AS mine
        CROSS JOIN documents ON documents.job_id = mine.id
        WHERE documents.file IS NOT NULL OR documents.content IS NOT NULL
        """

    /// Counts the jobs of an owner that wait for documents.
    ///
    /// All such jobs are read, because they are few.
    package static let countIncoming = "SELECT COUNT(*) FROM jobs WHERE incoming_until IS NOT NULL AND +owner = ?"
}

/// The number of ended jobs that each owner may keep when there are too many in all.
enum HistoryShares {
    /// Returns the maximum number of jobs of each owner, so that at most `most` jobs are kept in all.
    ///
    /// Owners with few jobs keep all of them. Owners with many jobs share the rest equally, so that no owner displaces
    /// the jobs of others.
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
