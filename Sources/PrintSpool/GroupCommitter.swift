// Writes that arrive together share one commit.

import GRDB
import Synchronization

/// Runs writes in order, all that queued up while the last transaction ran in one transaction.
///
/// A commit costs one fsync of the write-ahead log, however many writes it holds. A single write waits for nothing:
/// it has a transaction to itself. A write that throws is rolled back alone.
final class GroupCommitter: Sendable {
    /// One write: its body, and the one who waits for it.
    private struct Write: Sendable {
        /// Runs the body, and returns how to say that it is committed.
        var run: @Sendable (Database) throws -> @Sendable () -> Void
        var fail: @Sendable (any Error) -> Void
    }

    private struct Queue {
        var waiting: [Write] = []
        var isDraining = false
    }

    private let database: any SpoolDatabase
    private let queue = Mutex(Queue())
    private let committed: @Sendable () -> Void

    /// `committed` is called after each commit that changed something.
    init(database: any SpoolDatabase, committed: @escaping @Sendable () -> Void) {
        self.database = database
        self.committed = committed
    }

    /// Runs `body` in a transaction and returns when that is on the disk.
    ///
    /// The body may run twice: again, alone, when a transaction that it shared could not be committed.
    func write<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            enqueue(
                Write(
                    run: { db in
                        let value = try body(db)
                        return { continuation.resume(returning: value) }
                    },
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
            while let batch = self.nextBatch() { self.commit(batch, in: db) }
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
        var answers: [@Sendable () -> Void] = []
        var isChanged = false
        do {
            try db.inTransaction(.immediate) {
                let changesBefore = db.totalChangesCount
                for write in batch { answers.append(try run(write, in: db)) }
                isChanged = db.totalChangesCount != changesBefore
                return .commit
            }
        } catch {
            if batch.count == 1 {
                batch[0].fail(error)
            } else {
                // A full disk and the like end the whole transaction: each write then stands for itself.
                for write in batch { commit([write], in: db) }
            }
            return
        }
        for answer in answers { answer() }
        if isChanged { committed() }
    }

    /// Runs one write in a savepoint, so that its failure is its own.
    private func run(_ write: Write, in db: Database) throws -> @Sendable () -> Void {
        var answer: @Sendable () -> Void = {}
        do {
            try db.inSavepoint {
                answer = try write.run(db)
                return .commit
            }
        } catch  where db.isInsideTransaction {
            answer = { write.fail(error) }
        }
        return answer
    }
}
