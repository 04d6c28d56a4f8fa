// Runs work on the connections of a pool.

import AsyncPrimitives

/// A queue of work for one or several connections of a pool.
///
/// Work starts in the order of its arrival. A lane with one connection never runs two pieces of work at the same time.
///
/// A caller that combines several writes in one transaction keeps a separate queue of writes, and adds one piece of
/// work for each transaction. When this work starts, the work takes all writes from the caller's queue.
///
/// `@unchecked Sendable`: threads access mutable state only while they hold the lock of the core.
public final class PostgresLane: @unchecked Sendable {
    private struct Work {
        var number: UInt64
        var deadline: ContinuousClock.Instant
        var limit: Duration
        var run: @Sendable (PostgresConnection) -> Void
        var fail: @Sendable (any Error) -> Void
    }

    /// The next step of a thread.
    private enum Step {
        case run(Work)
        case connect
        case check
        case end
    }

    private let core: PoolCore
    private let connections: Int
    private let isKeptConnected: Bool
    /// The condition variable for threads that have an open connection and are waiting for work.
    private let work: ThreadCondition
    /// The condition variable for threads that have no connection.
    ///
    /// A thread is woken when more work is waiting than the threads with an idle connection can accept.
    private let demand: ThreadCondition
    private var waiting: [UInt64: Work] = [:]
    /// The number of the next work to run, and the number of the next new work; canceled work leaves gaps in the
    /// numbers.
    private var (first, next): (UInt64, UInt64) = (0, 0)
    /// The number of open connections.
    private var openCount = 0
    /// The number of threads that have an open connection and are waiting for work.
    private var idleCount = 0

    /// The interval at which an unused connection is checked.
    private static let checkInterval = Duration.seconds(1)

    init(_ core: PoolCore, connections: Int, isKeptConnected: Bool) {
        self.core = core
        self.connections = connections
        self.isKeptConnected = isKeptConnected
        work = ThreadCondition(core.lock)
        demand = ThreadCondition(core.lock)
    }

    /// Starts the threads; returns false if the system has no more threads.
    func start() -> Bool {
        (0..<connections).allSatisfy { _ in core.startThread { self.serve() } }
    }

    // MARK: - Work

    /// Runs `body` with a connection, and returns the result of `body`.
    ///
    /// A transaction that `body` leaves open is rolled back.
    ///
    /// - Parameter limit: The maximum time to wait for a connection.
    /// - Throws: The errors of `PostgresPool.withConnection`.
    public func perform<Value: Sendable>(
        within limit: Duration = .seconds(10), _ body: @escaping @Sendable (PostgresConnection) throws -> Value
    ) async throws -> Value {
        let number = reserve()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                add(
                    number, within: limit,
                    run: { connection in continuation.resume(with: Result { try body(connection) }) },
                    fail: { continuation.resume(throwing: $0) })
                // If the task was canceled before this point, the cancellation handler found no work.
                if Task.isCancelled { cancel(number) }
            }
        } onCancel: {
            cancel(number)
        }
    }

    /// Adds work that runs on the thread of a connection, and returns immediately.
    ///
    /// Either `run` or `fail` is called, exactly once.
    ///
    /// - Parameters:
    ///   - limit: The maximum time to wait for a connection.
    ///   - run: A function that uses the connection. A transaction that the function leaves open is rolled back.
    ///   - fail: A function that is called with the error if no connection was available. The function must not block.
    public func enqueue(
        within limit: Duration = .seconds(10), run: @escaping @Sendable (PostgresConnection) -> Void,
        fail: @escaping @Sendable (any Error) -> Void
    ) {
        add(reserve(), within: limit, run: run, fail: fail)
    }

    /// Reserves and returns the number of a new piece of work.
    private func reserve() -> UInt64 {
        core.lock.locked {
            defer { next += 1 }
            return next
        }
    }

    private func add(
        _ number: UInt64, within limit: Duration, run: @escaping @Sendable (PostgresConnection) -> Void,
        fail: @escaping @Sendable (any Error) -> Void
    ) {
        let deadline = ContinuousClock.now + limit
        let isAccepted = core.lock.locked {
            guard !core.isClosed else { return false }
            insert(Work(number: number, deadline: deadline, limit: limit, run: run, fail: fail))
            return true
        }
        if !isAccepted { fail(PoolCore.closedError) }
    }

    /// Adds work and wakes a thread; the caller must hold the lock.
    private func insert(_ new: Work) {
        waiting[new.number] = new
        // A number is reserved before its work arrives, so the next work may have a lower number.
        first = min(first, new.number)
        work.wakeOne()
        if waiting.count > idleCount { demand.wakeOne() }
        core.noteDeadline(new.deadline)
    }

    private func cancel(_ number: UInt64) {
        let work = core.lock.locked { waiting.removeValue(forKey: number) }
        work?.fail(CancellationError())
    }

    // MARK: - Called by the core with the lock held

    /// Wakes all threads of the lane.
    func wakeAll() {
        work.wakeAll()
        demand.wakeAll()
    }

    /// The earliest deadline of waiting work; nil if no work is waiting.
    var earliestDeadline: ContinuousClock.Instant? { waiting.values.map(\.deadline).min() }

    /// Removes all waiting work whose deadline has passed, and returns functions that report the errors to the callers.
    func takeExpired(at now: ContinuousClock.Instant) -> [@Sendable () -> Void] {
        let expired = waiting.values.filter { $0.deadline <= now }.sorted { $0.number < $1.number }
        return expired.map { work in
            waiting[work.number] = nil
            let error = core.expiry(after: work.limit, isConnected: openCount > 0)
            return { work.fail(error) }
        }
    }

    /// Removes all waiting work, and returns functions that report `error` to the callers.
    func takeAll(error: PostgresError) -> [@Sendable () -> Void] {
        defer { waiting = [:] }
        return waiting.values.sorted { $0.number < $1.number }.map { work in { work.fail(error) } }
    }

    // MARK: - The threads

    private func serve() {
        var connection: PostgresConnection?
        while true {
            switch step(connection != nil) {
            case .run(let work):
                guard let open = connection, open.isAlive() else {
                    putBack(work)
                    drop(&connection)
                    continue
                }
                work.run(open)
                open.rollback()
                if !open.isOpen { drop(&connection) }
            case .connect:
                connection = core.connect(reportsStatus: isKeptConnected)
                if connection != nil { core.lock.locked { openCount += 1 } }
            case .check:
                if let open = connection, !open.isAlive() { drop(&connection) }
            case .end:
                connection?.close()
                return
            }
        }
    }

    /// Waits until the calling thread must perform a step, and returns this step.
    private func step(_ isConnected: Bool) -> Step {
        core.lock.locked {
            let check = ContinuousClock.now + Self.checkInterval
            while true {
                if core.isClosed { return .end }
                let now = ContinuousClock.now
                if isConnected {
                    if let work = takeFirst() { return .run(work) }
                    if isKeptConnected, now >= check { return .check }
                    idleCount += 1
                    work.wait(until: isKeptConnected ? check : nil)
                    idleCount -= 1
                } else if isKeptConnected || !waiting.isEmpty {
                    if core.mayConnect(at: now) { return .connect }
                    demand.wait(until: core.nextAttempt)
                } else {
                    demand.wait(until: nil)
                }
            }
        }
    }

    private func takeFirst() -> Work? {
        guard !waiting.isEmpty else { return nil }
        while first < next {
            defer { first += 1 }
            if let work = waiting.removeValue(forKey: first) { return work }
        }
        return nil
    }

    private func putBack(_ work: Work) {
        let isClosed = core.lock.locked {
            if core.isClosed { return true }
            insert(work)
            return false
        }
        if isClosed { work.fail(PoolCore.closedError) }
    }

    private func drop(_ connection: inout PostgresConnection?) {
        guard let dropped = connection else { return }
        connection = nil
        core.lock.locked { openCount -= 1 }
        if isKeptConnected { core.report(lost: dropped.reasonOfClosing) }
    }
}
