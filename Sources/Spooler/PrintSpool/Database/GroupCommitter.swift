// Group commit: concurrent writes share one transaction.

import GRDB
import Synchronization

/// The queue of writes.
///
/// All writes that arrive during a transaction share the next transaction.
///
/// A commit costs one fsync of the write-ahead log, for any number of writes. A single write does not wait: it gets a
/// separate transaction. A write that throws is rolled back and does not affect the other writes.
final class GroupCommitter: Sendable {
    /// The state that a write must reach before its caller is notified.
    enum Durability: Sendable {
        /// The write is on disk.
        case forced
        /// The write is committed and survives the end of this process.
        ///
        /// A power loss may undo the write until a later write is flushed. It never undoes the write without all later
        /// writes.
        case ordered
    }

    /// A write: its body, and the callback to its caller.
    private struct Write: Sendable {
        var durability: Durability
        /// Runs the body, and returns the callback and whether the scheduler must check the queue.
        var run: @Sendable (Database) throws -> Outcome
        /// Undoes the effects of the body outside the database.
        var undo: @Sendable () -> Void
        var fail: @Sendable (any Error) -> Void
    }

    /// The result of a write.
    private struct Outcome {
        /// Whether the scheduler must check the queue.
        var isNews: Bool
        /// Notifies the caller.
        var tell: @Sendable () -> Void
    }

    private struct Queue {
        var waiting: [Write] = []
        var isDraining = false
        /// Whether the connection flushes its commits; nil when that is not known.
        var isForcing: Bool?
    }

    private let database: any SpoolDatabase
    private let queue = Mutex(Queue())
    private let committed: @Sendable (_ isNews: Bool) -> Void

    /// `committed` is called after each commit that changed something.
    ///
    /// Its argument tells whether the scheduler must check the queue.
    init(database: any SpoolDatabase, committed: @escaping @Sendable (_ isNews: Bool) -> Void) {
        self.database = database
        self.committed = committed
    }

    /// Runs `body` in a transaction and returns when the transaction has the given durability.
    ///
    /// The body may run twice: a second time, alone, when a shared transaction was rolled back. `undo` is called after
    /// each rollback, before any other write. `isNews` returns whether the scheduler must check the queue because of
    /// the body.
    func write<Value: Sendable>(
        _ durability: Durability = .forced, undo: @escaping @Sendable () -> Void = {},
        isNews: @escaping @Sendable (Value) -> Bool = { _ in true },
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            enqueue(
                Write(
                    durability: durability,
                    run: { db in
                        let value = try body(db)
                        return Outcome(isNews: isNews(value)) { continuation.resume(returning: value) }
                    },
                    undo: undo,
                    fail: { continuation.resume(throwing: $0) }))
        }
    }

    private func enqueue(_ write: Write) {
        let mustStart = queue.withLock { queue in
            queue.waiting.append(write)
            defer { queue.isDraining = true }
            return !queue.isDraining
        }
        guard mustStart else { return }
        database.startWriting { db in
            while let batch = self.nextBatch() {
                self.commit(batch, in: db)
                self.database.tidy(db)
            }
        }
    }

    private func nextBatch() -> [Write]? {
        queue.withLock { queue in
            guard !queue.waiting.isEmpty else {
                queue.isDraining = false
                return nil
            }
            defer { queue.waiting = [] }
            return queue.waiting
        }
    }

    private func commit(_ batch: [Write], in db: Database) {
        let outcomes: [Outcome]
        let isChanged: Bool
        do {
            (outcomes, isChanged) = try transaction(batch, in: db)
        } catch {
            for write in batch.reversed() { write.undo() }
            if batch.count == 1 {
                batch[0].fail(error)
            } else {
                // An error such as a full disk ends the whole transaction. Each write then runs in a separate
                // transaction.
                for write in batch { commit([write], in: db) }
            }
            return
        }
        // This call comes first, because a notified caller may ask for the commit.
        if isChanged { committed(outcomes.contains(where: \.isNews)) }
        for outcome in outcomes { outcome.tell() }
    }

    /// Runs writes in one transaction.
    ///
    /// Returns the result of each write, including failures, and whether anything was changed.
    ///
    /// - Throws: The error of a transaction in which no write was committed. Its cause may be a single write.
    private func transaction(
        _ batch: [Write], in db: Database
    ) throws -> (outcomes: [Outcome], isChanged: Bool) {
        try force(batch.contains { $0.durability == .forced }, in: db)
        // A closed database throws here. Nothing else may be requested from it before.
        try db.cachedStatement(sql: "BEGIN IMMEDIATE TRANSACTION").execute()
        let changesBefore = db.totalChangesCount
        do {
            let outcomes = try batch.map { try run($0, in: db) }
            try db.cachedStatement(sql: "COMMIT TRANSACTION").execute()
            return (outcomes, db.totalChangesCount != changesBefore)
        } catch {
            if db.isInsideTransaction { try db.rollback() }
            throw error
        }
    }

    /// Runs one write.
    ///
    /// A failure affects only this write, as long as the write has changed nothing.
    ///
    /// A savepoint for each write would have the same effect, at the cost of a tenth of a submission's time. Writes
    /// read before they change anything, so nearly all rejected writes end here.
    private func run(_ write: Write, in db: Database) throws -> Outcome {
        let changesBefore = db.totalChangesCount
        do {
            return try write.run(db)
        } catch {
            guard db.isInsideTransaction, db.totalChangesCount == changesBefore else { throw error }
            write.undo()
            return Outcome(isNews: false) { write.fail(error) }
        }
    }

    /// Sets whether the next commits are flushed: `FULL` flushes, `NORMAL` only keeps the order of commits.
    private func force(_ mustForce: Bool, in db: Database) throws {
        guard queue.withLock({ $0.isForcing }) != mustForce else { return }
        queue.withLock { $0.isForcing = nil }
        try db.execute(sql: "PRAGMA synchronous = \(mustForce ? "FULL" : "NORMAL")")
        queue.withLock { $0.isForcing = mustForce }
    }
}
