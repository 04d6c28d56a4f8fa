// Groups concurrent writes into shared transactions.

import Dispatch
import Synchronization

/// A queue that runs writes in order.
///
/// Writes that arrive during a transaction share the next transaction.
///
/// A commit costs one fsync of the write-ahead log, for any number of writes. If no other write is in the queue, a
/// write starts immediately, in a transaction that contains only this write. A write that throws an error is rolled
/// back and does not affect the other writes.
///
/// Transactions commit in the order in which they begin. If the store has several writers, a transaction begins while
/// the transaction before it commits, if that transaction contains only new jobs. Until it has its turn, the next
/// transaction only adds new jobs itself (`StoreSession.expect`), and accepts all writes that arrive.
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
        /// What schedulers must check after the write.
        var news: News
        /// The closure that resumes the caller of the write.
        var tell: @Sendable () -> Void
    }

    private struct Queue {
        var waiting: [Write] = []
        /// The writers of the store that run no transaction.
        var idle: Set<Int>
        /// The writer whose transaction excludes that another transaction begins; nil if a transaction can begin.
        var collecting: Int?
        /// The writer whose transaction has the turn: all earlier transactions have ended.
        var ending: Int?
        /// Whether the collecting transaction waits for its turn or for further writes.
        var isWaitingForTurn = false

        /// Removes the writer that must begin a transaction from the idle writers; nil if no transaction must begin.
        mutating func takeIdleWriter() -> Int? {
            guard !waiting.isEmpty, collecting == nil else { return nil }
            if idle.remove(0) != nil { return 0 }
            return ending == nil ? nil : idle.min().flatMap { idle.remove($0) }
        }

        mutating func takeWaiting() -> [Write] {
            defer { waiting = [] }
            return waiting
        }
    }

    private let database: any SpoolStore
    private let queue: Mutex<Queue>
    /// Wakes the transaction that waits for its turn.
    private let turn = DispatchSemaphore(value: 0)
    private let committed: @Sendable (News) -> Void

    /// Creates a committer.
    ///
    /// - Parameter committed: A closure that is called after each commit with changes.
    init(database: any SpoolStore, committed: @escaping @Sendable (News) -> Void) {
        self.database = database
        queue = Mutex(Queue(idle: Set(0..<database.writers)))
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
    ///   - news: A closure that returns what schedulers must check, given the return value of `body`.
    func write<Value: Sendable>(
        _ durability: Durability = .forced, expecting expected: ExpectedSubmission? = nil,
        undo: @escaping @Sendable () -> Void = {},
        news: @escaping @Sendable (Value) -> News = { _ in .all },
        _ body: @escaping @Sendable (any SpoolTransaction) throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            enqueue(
                Write(
                    durability: durability,
                    expected: expected,
                    run: { transaction in
                        let value = try body(transaction)
                        return Outcome(news: news(value)) { continuation.resume(returning: value) }
                    },
                    undo: undo,
                    fail: { continuation.resume(throwing: $0) }))
        }
    }

    /// The number of writes that wait for their transaction.
    var waiting: Int { queue.withLock { $0.waiting.count } }

    private func enqueue(_ write: Write) {
        change { $0.waiting.append(write) }
    }

    /// Changes the queue, and lets a transaction begin or continue if this is possible now.
    private func change(_ body: (inout Queue) -> Void) {
        let writer = queue.withLock { queue in
            body(&queue)
            if queue.isWaitingForTurn {
                queue.isWaitingForTurn = false
                turn.signal()
            }
            return queue.takeIdleWriter()
        }
        if let writer { drain(writer) }
    }

    /// Runs waiting writes with a writer of the store.
    private func drain(_ writer: Int) {
        database.startWriting(as: writer) { session in
            // A writer without a connection leaves the writes to the first writer.
            while session.isUsable || writer == 0, let batch = self.nextBatch(writer) {
                self.commit(batch, in: session, as: writer)
                self.database.tidy(session)
                // After a lost connection, the waiting writes need another session.
                guard session.isUsable else { break }
            }
            self.change { $0.idle.insert(writer) }
        }
    }

    private func nextBatch(_ writer: Int) -> [Write]? {
        queue.withLock { queue in
            guard !queue.waiting.isEmpty, queue.collecting == nil else { return nil }
            queue.collecting = writer
            return queue.takeWaiting()
        }
    }

    // MARK: - Turns

    /// Waits until all earlier transactions have ended.
    private func takeTurn(_ writer: Int) {
        while true {
            let hasTurn = queue.withLock { queue in
                if queue.ending == nil { queue.ending = writer }
                if queue.ending == writer { return true }
                queue.isWaitingForTurn = true
                return false
            }
            if hasTurn { return }
            turn.wait()
        }
    }

    /// Waits until all earlier transactions have ended, or until writes arrive that can share the transaction.
    ///
    /// - Parameter count: The smallest number of writes for which the transaction reads in advance once more.
    /// - Returns: The writes; nil when the transaction has its turn.
    private func writesBeforeTurn(
        _ writer: Int, _ durability: Durability, atLeast count: Int, in session: any StoreSession
    ) throws -> [Write]? {
        while true {
            var (writes, next): ([Write]?, Int?)
            let hasTurn = queue.withLock { queue in
                if queue.ending == writer { return true }
                if queue.ending == nil {
                    // Nothing in this transaction depends on an earlier transaction, so the next one can begin.
                    (queue.ending, queue.collecting) = (writer, nil)
                    next = queue.takeIdleWriter()
                    return true
                }
                let isDurable = durability == .forced || queue.waiting.allSatisfy { $0.durability == .ordered }
                if queue.waiting.count >= count, isDurable {
                    writes = queue.takeWaiting()
                } else {
                    queue.isWaitingForTurn = true
                }
                return false
            }
            if let next { drain(next) }
            if hasTurn || writes != nil { return writes }
            try session.sendAhead()
            turn.wait()
        }
    }

    /// Lets the next transaction begin and commit.
    private func endTurn(_ writer: Int) {
        change { queue in
            if queue.ending == writer { queue.ending = nil }
            if queue.collecting == writer { queue.collecting = nil }
        }
    }

    // MARK: - Transactions

    /// The maximum number of attempts for a write that conflicts with the writes of other hosts.
    private static let mostAttempts = 5

    private func commit(_ batch: [Write], in session: any StoreSession, as writer: Int) {
        var batch = batch
        do {
            let outcomes = try transaction(&batch, in: session, as: writer)
            endTurn(writer)
            for outcome in outcomes { outcome.tell() }
        } catch {
            recover(batch, from: error, in: session, as: writer)
            endTurn(writer)
        }
    }

    /// Runs the writes of a failed transaction again, each alone, or reports the error.
    private func recover(
        _ batch: [Write], from error: any Error, in session: any StoreSession, as writer: Int, attempt: Int = 1
    ) {
        if error is UnknownOutcome {
            // A repetition could run a write twice, and files may belong to a committed job.
            for write in batch { write.fail(error) }
            return
        }
        takeTurn(writer)
        for write in batch.reversed() { write.undo() }
        if batch.count == 1, attempt == Self.mostAttempts || !database.mayRepeat(error) { return batch[0].fail(error) }
        // Errors such as a full disk roll back the whole transaction, so each write runs again alone.
        for write in batch {
            var alone = [write]
            do {
                for outcome in try transaction(&alone, in: session, as: writer) { outcome.tell() }
            } catch {
                recover(alone, from: error, in: session, as: writer, attempt: batch.count == 1 ? attempt + 1 : 1)
            }
        }
    }

    /// Runs writes in one transaction, and adds the writes that share the transaction to the batch.
    ///
    /// - Returns: The results including failures.
    /// - Throws: The error that rolled back the whole transaction. A single write may have caused the error.
    private func transaction(
        _ batch: inout [Write], in session: any StoreSession, as writer: Int
    ) throws -> [Outcome] {
        let durability = batch.contains { $0.durability == .forced } ? Durability.forced : .ordered
        try session.begin(durability)
        session.beforeDependence { self.takeTurn(writer) }
        let changesBefore = session.changeCount
        var outcomes: [Outcome]
        do {
            outcomes = try run(batch, in: session)
            while let writes = try writesBeforeTurn(writer, durability, atLeast: batch.count, in: session) {
                batch += writes
                outcomes += try run(writes, in: session)
            }
            try session.commit()
        } catch {
            try session.rollback()
            throw error
        }
        // Observers are notified first, so that a resumed caller's next query takes this commit into account.
        if session.changeCount != changesBefore { committed(outcomes.reduce(.none) { $0.union($1.news) }) }
        return outcomes
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
            return Outcome(news: .none) { write.fail(error) }
        }
    }
}
