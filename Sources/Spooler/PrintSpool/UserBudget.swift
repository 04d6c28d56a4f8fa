// How much of the spool one user may take.

import GRDB
import PrintModel
import Synchronization

/// How much of the spool one user may take, so that others can print too.
public struct UserBudget: Hashable, Sendable {
    /// Jobs of one owner that have not ended.
    public var jobs: Int
    /// Bytes of the documents of one owner that the spool keeps, those of ended jobs included.
    public var documentBytes: Int
    /// Jobs of one owner that wait for their documents (`job-incoming`).
    public var incomingJobs: Int

    /// A budget; the defaults are far above what a person prints.
    public init(jobs: Int = 50_000, documentBytes: Int = 16 << 30, incomingJobs: Int = 100) {
        self.jobs = jobs
        self.documentBytes = documentBytes
        self.incomingJobs = incomingJobs
    }
}

/// Keeps owners within their budgets.
///
/// Counting takes as long as there are jobs. So what an owner adds is added up in memory, and counted in the database only
/// when that sum reaches the budget; it begins at 0 when the program starts.
final class BudgetTracker: Sendable {
    private struct Added {
        var jobs = 0
        var bytes = 0
    }

    let budget: UserBudget
    private let added = Mutex<[String: Added]>([:])

    init(_ budget: UserBudget) { self.budget = budget }

    /// Makes room in the books for a job with documents of so many bytes, or refuses it.
    ///
    /// - Throws: `SpoolError` with `overBudget`.
    func admitJob(of owner: String, bytes: Int, in db: Database) throws {
        try reserve(1, of: owner, \.jobs, most: budget.jobs) {
            try Int.fetchOne(try db.cachedStatement(sql: Self.countJobs), arguments: [owner]) ?? 0
        } refusal: {
            "\(owner) has \(budget.jobs) jobs that have not ended, which is the most for one user; wait until some have "
                + "been printed, or cancel some"
        }
        try admit(bytes: bytes, of: owner, in: db)
    }

    /// Makes room in the books for documents of so many bytes, or refuses them.
    ///
    /// - Throws: `SpoolError` with `overBudget`.
    func admit(bytes: Int, of owner: String, in db: Database) throws {
        guard bytes > 0 else { return }
        try reserve(bytes, of: owner, \.bytes, most: budget.documentBytes) {
            try Int.fetchOne(try db.cachedStatement(sql: Self.sumBytes), arguments: ["owner": owner]) ?? 0
        } refusal: {
            "the documents of \(owner) would take more than \(budget.documentBytes >> 20) MiB of the spool, which is the "
                + "most for one user; wait until some have been printed and removed"
        }
    }

    /// Refuses a job whose documents are to follow when its owner has too many such jobs.
    ///
    /// - Throws: `SpoolError` with `overBudget`.
    func admitIncomingJob(of owner: String, in db: Database) throws {
        let count = try Int.fetchOne(try db.cachedStatement(sql: Self.countIncoming), arguments: [owner]) ?? 0
        guard count < budget.incomingJobs else {
            throw SpoolError.overBudget(
                "\(budget.incomingJobs) jobs of \(owner) wait for their documents, which is the most for one user; send "
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

    /// Counts somebody's jobs that have not ended.
    package static let countJobs = Spool.queuedJobs(ofPrinter: false, ofOwner: true)

    /// Adds up the documents of somebody's jobs.
    package static let sumBytes = """
        SELECT COALESCE(SUM(documents.bytes), 0) FROM (
            SELECT id FROM jobs WHERE \(JobCondition.isUnfinished()) AND owner = :owner
            UNION ALL SELECT id FROM jobs WHERE \(JobCondition.hasEnded()) AND owner = :owner) AS mine
        CROSS JOIN documents ON documents.job_id = mine.id
        WHERE documents.file IS NOT NULL OR documents.content IS NOT NULL
        """

    /// Counts somebody's jobs that wait for documents; few do, so all of them are looked at.
    package static let countIncoming = "SELECT COUNT(*) FROM jobs WHERE incoming_until IS NOT NULL AND +owner = ?"
}

/// How many ended jobs each owner may keep when there are too many in all.
enum HistoryShares {
    /// Returns the most jobs that an owner may keep, so that no more than `most` are kept in all.
    ///
    /// Owners with few jobs keep them all; those with many share what is left, so that nobody pushes the jobs of others out
    /// of the history.
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
