// Writes that arrive together share one commit.

import GRDB
import Synchronization

/// Runs writes in order, all that queued up while the last transaction ran in one transaction.
///
/// A commit costs one fsync of the write-ahead log, however many writes it holds. A single write waits for nothing:
/// it has a transaction to itself. A write that throws leaves nothing behind, and harms none of the others.
final class GroupCommitter: Sendable {
    /// How far a write has come when its caller is told so.
    enum Durability: Sendable {
        /// It is on the disk.
        case forced
        /// It is committed, and outlives this process; a power cut may take it back as long as nothing later was
        /// forced onto the disk, and never without all that came after it.
        case ordered
    }

    /// One write: its body, and the one who waits for it.
    private struct Write: Sendable {
        var durability: Durability
        /// Runs the body, and returns how to say that it is committed, and whether it is news to those who print.
        var run: @Sendable (Database) throws -> Outcome
        /// Takes back what the body did beside the database.
        var undo: @Sendable () -> Void
        var fail: @Sendable (any Error) -> Void
    }

    /// What came of a write.
    private struct Outcome {
        /// Whether the queue has to be looked at because of it.
        var isNews: Bool
        /// Tells the one who waits for it.
        var tell: @Sendable () -> Void
    }

    private struct Queue {
        var waiting: [Write] = []
        var isDraining = false
        /// Whether the connection forces commits onto the disk; nil when that is not known.
        var isForcing: Bool?
    }

    private let database: any SpoolDatabase
    private let queue = Mutex(Queue())
    private let committed: @Sendable (_ isNews: Bool) -> Void

    /// `committed` is called after each commit that changed something, and told whether that is news to those who print.
    init(database: any SpoolDatabase, committed: @escaping @Sendable (_ isNews: Bool) -> Void) {
        self.database = database
        self.committed = committed
    }

    /// Runs `body` in a transaction and returns when that is as durable as it is said to be.
    ///
    /// The body may run twice: again, alone, when a transaction that it shared was given up. Whenever what it did in the
    /// database is taken back, `undo` is called, before anything else is written. `isNews` says whether the queue has to be
    /// looked at because of what the body did.
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
                // A full disk and the like end the whole transaction: each write then stands for itself.
                for write in batch { commit([write], in: db) }
            }
            return
        }
        // First this: what whoever is told asks next must know of the commit.
        if isChanged { committed(outcomes.contains(where: \.isNews)) }
        for outcome in outcomes { outcome.tell() }
    }

    /// Runs writes in one transaction; returns what came of each, failures included, and whether anything was changed.
    ///
    /// - Throws: when none of them is committed, for a reason that need not be everyone's.
    private func transaction(
        _ batch: [Write], in db: Database
    ) throws -> (outcomes: [Outcome], isChanged: Bool) {
        try force(batch.contains { $0.durability == .forced }, in: db)
        // Of a database that has been closed nothing else may be asked before this throws.
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

    /// Runs one write, whose failure is its own as long as it has changed nothing.
    ///
    /// A savepoint for each would say the same, for a tenth of the time that a submission takes. Writes look before they
    /// change anything, so nearly all of those that are refused end here.
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

    /// Says whether the next commits are forced onto the disk: `FULL` does, `NORMAL` only keeps them in order.
    private func force(_ mustForce: Bool, in db: Database) throws {
        guard queue.withLock({ $0.isForcing }) != mustForce else { return }
        queue.withLock { $0.isForcing = nil }
        try db.execute(sql: "PRAGMA synchronous = \(mustForce ? "FULL" : "NORMAL")")
        queue.withLock { $0.isForcing = mustForce }
    }
}
