// Groups concurrent writes into shared transactions.

import Synchronization

/// A queue that runs writes in order.
///
/// Writes that arrive during a transaction share the next transaction.
///
/// A commit costs one fsync of the write-ahead log, for any number of writes. If no other write is in the queue, a
/// write starts immediately, in a transaction that contains only this write. A write that throws an error is rolled
/// back and does not affect the other writes.
final class GroupCommitter: Sendable {
    /// A write with its body and its callbacks.
    private struct Write: Sendable {
        var durability: Durability
        /// The submission that the body makes; nil for other writes.
        var expected: ExpectedSubmission?
        /// The closure that runs the body of the write.
        var run: @Sendable (any SpoolTransaction) throws -> Outcome
        /// The closure that reverts the changes that the body made outside the database.
        var undo: @Sendable () -> Void
        var fail: @Sendable (any Error) -> Void
    }

    /// The result of a write.
    private struct Outcome {
        /// Whether the scheduler must check the queue of jobs after the write.
        var isNews: Bool
        /// The closure that resumes the caller of the write.
        var tell: @Sendable () -> Void
    }

    private struct Queue {
        var waiting: [Write] = []
        var isDraining = false
    }

    private let database: any SpoolStore
    private let queue = Mutex(Queue())
    private let committed: @Sendable (_ isNews: Bool) -> Void

    /// Creates a committer.
    ///
    /// - Parameter committed: A closure that is called after each commit with changes. The argument is true if the
    ///   scheduler must check the queue.
    init(database: any SpoolStore, committed: @escaping @Sendable (_ isNews: Bool) -> Void) {
        self.database = database
        self.committed = committed
    }

    /// Runs `body` in a transaction, and returns when the transaction has the given durability.
    ///
    /// The body may run several times. When a shared transaction fails, each write runs again alone. A write that
    /// conflicts with the write of another host also runs again. If it is unknown whether the transaction was committed
    /// (`UnknownOutcome`), no write runs again, and `undo` is not called. A client can then repeat a submission with
    /// the same submission id.
    ///
    /// - Parameters:
    ///   - expected: The submission that the body makes; nil for other writes.
    ///   - undo: A closure that is called each time the changes of the body are rolled back, before any other write
    ///     runs.
    ///   - isNews: A closure that returns whether the scheduler must check the queue, given the return value of `body`.
    func write<Value: Sendable>(
        _ durability: Durability = .forced, expecting expected: ExpectedSubmission? = nil,
        undo: @escaping @Sendable () -> Void = {},
        isNews: @escaping @Sendable (Value) -> Bool = { _ in true },
        _ body: @escaping @Sendable (any SpoolTransaction) throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            enqueue(
                Write(
                    durability: durability,
                    expected: expected,
                    run: { transaction in
                        let value = try body(transaction)
                        return Outcome(isNews: isNews(value)) { continuation.resume(returning: value) }
                    },
                    undo: undo,
                    fail: { continuation.resume(throwing: $0) }))
        }
    }

    /// The number of writes that wait for their transaction.
    var waiting: Int { queue.withLock { $0.waiting.count } }

    private func enqueue(_ write: Write) {
        let mustStart = queue.withLock { queue in
            queue.waiting.append(write)
            defer { queue.isDraining = true }
            return !queue.isDraining
        }
        if mustStart { drain() }
    }

    /// Runs all waiting writes.
    private func drain() {
        database.startWriting { session in
            while let batch = self.nextBatch() {
                self.commit(batch, in: session)
                self.database.tidy(session)
                // After a lost connection, the waiting writes need another session.
                guard session.isUsable else { return self.drain() }
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

    /// The maximum number of attempts for a write that conflicts with the writes of other hosts.
    private static let mostAttempts = 5

    private func commit(_ batch: [Write], in session: any StoreSession, attempt: Int = 1) {
        let outcomes: [Outcome]
        let isChanged: Bool
        do {
            (outcomes, isChanged) = try transaction(batch, in: session)
        } catch let error as UnknownOutcome {
            // A repetition could run a write twice, and files may belong to a committed job.
            for write in batch { write.fail(error) }
            return
        } catch {
            for write in batch.reversed() { write.undo() }
            if batch.count == 1 {
                if attempt < Self.mostAttempts, database.mayRepeat(error) {
                    return commit(batch, in: session, attempt: attempt + 1)
                }
                batch[0].fail(error)
            } else {
                // Errors such as a full disk roll back the whole transaction, so each write runs again alone.
                for write in batch { commit([write], in: session) }
            }
            return
        }
        // Observers are notified first, so that a resumed caller's next query takes this commit into account.
        if isChanged { committed(outcomes.contains(where: \.isNews)) }
        for outcome in outcomes { outcome.tell() }
    }

    /// Runs writes in one transaction.
    ///
    /// - Returns: The results including failures, and whether any data was changed.
    /// - Throws: The error that rolled back the whole transaction. A single write may have caused the error.
    private func transaction(
        _ batch: [Write], in session: any StoreSession
    ) throws -> (outcomes: [Outcome], isChanged: Bool) {
        try session.begin(batch.contains { $0.durability == .forced } ? .forced : .ordered)
        let changesBefore = session.changeCount
        do {
            let outcomes = try run(batch, in: session)
            try session.commit()
            return (outcomes, session.changeCount != changesBefore)
        } catch {
            try session.rollback()
            throw error
        }
    }

    /// Runs writes, and announces the submissions among them to the session.
    private func run(_ writes: [Write], in session: any StoreSession) throws -> [Outcome] {
        var outcomes: [Outcome] = []
        for index in writes.indices {
            if writes[index].expected != nil, index == 0 || writes[index - 1].expected == nil {
                try session.expect(writes[index...].prefix { $0.expected != nil }.compactMap(\.expected))
            }
            outcomes.append(try run(writes[index], in: session))
        }
        return outcomes
    }

    /// Runs one write.
    ///
    /// If the write fails before a change of data, the failure affects no other write.
    ///
    /// A savepoint for each write would isolate every failure, but would take about 10 percent of the time of a
    /// submission. Writes validate their input before they change data. Therefore almost all refused writes fail before
    /// any change.
    private func run(_ write: Write, in session: any StoreSession) throws -> Outcome {
        let changesBefore = session.changeCount
        do {
            return try write.run(session.transaction)
        } catch {
            guard session.isInTransaction, session.changeCount == changesBefore else { throw error }
            write.undo()
            return Outcome(isNews: false) { write.fail(error) }
        }
    }
}
