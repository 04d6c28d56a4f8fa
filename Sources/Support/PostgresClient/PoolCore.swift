// The state that the threads of a pool share.

import AsyncPrimitives
import Glibc

/// The state that the threads of a pool share: the backoff, the timeline, and whether the pool is closed.
///
/// `@unchecked Sendable`: threads access mutable state only while they hold the lock.
final class PoolCore: @unchecked Sendable {
    let lock = ThreadLock()
    private let address: PostgresAddress
    private let options: PostgresOptions
    private let onConnect: @Sendable (PostgresConnection) throws -> Void
    private let onChange: @Sendable (PostgresPool.Status) -> Void
    private let timer: ThreadCondition
    /// Two connected sockets; the first socket becomes readable when the pool is closed.
    private let interruption: [Int32]

    var lanes: [PostgresLane] = []
    private(set) var isClosed = false
    private(set) var timeline: Int
    private(set) var status = PostgresPool.Status(isConnected: false, error: nil)
    private(set) var nextAttempt = ContinuousClock.now
    /// The number of failed connection attempts since the last successful attempt.
    private var failures = 0
    private var lastError: (any Error)?
    /// Whether a thread is trying to connect after a failed attempt; other threads wait for the result of this attempt.
    private var isProbing = false
    /// The time at which the timer's thread wakes; nil if the thread waits without a time limit.
    private var timerEnd: ContinuousClock.Instant?
    private var threads = 0
    private var endWaiters: [@Sendable () -> Void] = []

    private static let firstPause = Duration.milliseconds(50)
    private static let longestPause = Duration.seconds(2)
    static let closedError = PostgresError(.closed, "the pool of connections to PostgreSQL is closed")

    init(
        address: PostgresAddress, options: PostgresOptions, timeline: Int,
        onConnect: @escaping @Sendable (PostgresConnection) throws -> Void,
        onChange: @escaping @Sendable (PostgresPool.Status) -> Void
    ) throws(PostgresError) {
        var ends: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
            throw PostgresError(
                .other, "cannot create a pool of connections: \(String(cString: strerror(errno)))")
        }
        interruption = ends
        timer = ThreadCondition(lock)
        (self.address, self.options, self.timeline) = (address, options, timeline)
        (self.onConnect, self.onChange) = (onConnect, onChange)
    }

    deinit { for end in interruption { Glibc.close(end) } }

    // MARK: - Threads

    /// Starts a thread of the pool.
    ///
    /// The pool ends after all of its threads have ended.
    ///
    /// - Returns: `false` if the system cannot create a thread.
    func startThread(_ body: @escaping @Sendable () -> Void) -> Bool {
        lock.locked { threads += 1 }
        let code = DedicatedThread.start {
            body()
            self.endThread()
        }
        if code != 0 { endThread() }
        return code == 0
    }

    private func endThread() {
        let waiters = lock.locked {
            threads -= 1
            guard threads == 0 else { return [@Sendable () -> Void]() }
            // The lanes refer to the core.
            lanes = []
            defer { endWaiters = [] }
            return endWaiters
        }
        for waiter in waiters { waiter() }
    }

    /// Ends all threads and rejects waiting work, without waiting.
    func close() {
        let rejections = lock.locked {
            guard !isClosed else { return [@Sendable () -> Void]() }
            isClosed = true
            for lane in lanes { lane.wakeAll() }
            timer.wakeAll()
            return lanes.flatMap { $0.takeAll(error: Self.closedError) }
        }
        shutdown(interruption[1], Int32(SHUT_RDWR))
        for reject in rejections { reject() }
    }

    /// Calls a function when all threads have ended.
    func whenEnded(_ body: @escaping @Sendable () -> Void) {
        let isOver = lock.locked {
            if threads > 0 { endWaiters.append(body) }
            return threads == 0
        }
        if isOver { body() }
    }

    // MARK: - Deadlines

    /// Starts the thread that rejects work at its deadline.
    func startTimer() -> Bool { startThread { self.rejectExpired() } }

    /// Wakes the timer's thread if a deadline is earlier than the time at which this thread would wake.
    ///
    /// The caller must hold the lock.
    func noteDeadline(_ deadline: ContinuousClock.Instant) {
        if let timerEnd, timerEnd <= deadline { return }
        timerEnd = deadline
        timer.wakeOne()
    }

    private func rejectExpired() {
        while let rejections = nextExpired() {
            for reject in rejections { reject() }
        }
    }

    /// Waits until the deadline of some waiting work has passed, and returns functions that reject the expired work.
    ///
    /// Returns nil when the pool is closed.
    private func nextExpired() -> [@Sendable () -> Void]? {
        lock.locked {
            while !isClosed {
                let expired = lanes.flatMap { $0.takeExpired(at: ContinuousClock.now) }
                if !expired.isEmpty { return expired }
                timerEnd = lanes.compactMap(\.earliestDeadline).min()
                timer.wait(until: timerEnd)
            }
            return nil
        }
    }

    /// Returns the error for work whose deadline passed before a connection was available.
    ///
    /// The caller must hold the lock.
    func expiry(after limit: Duration, isConnected: Bool) -> any Error {
        if isConnected {
            return PostgresError(.timeout, "no connection to PostgreSQL was free within \(limit)")
        }
        return lastError ?? PostgresError(.unreachable, "cannot connect to PostgreSQL within \(limit)")
    }

    // MARK: - Connecting

    /// Returns whether the calling thread is allowed to connect now.
    ///
    /// The caller must hold the lock. If the result is true, the caller must then call `connect`.
    func mayConnect(at now: ContinuousClock.Instant) -> Bool {
        guard failures > 0 else { return true }
        guard !isProbing, now >= nextAttempt else { return false }
        isProbing = true
        // The other threads wait for the result of this attempt, which wakes them.
        nextAttempt = now + Self.longestPause
        return true
    }

    /// Connects to a server of the address and checks the server; returns nil if no server can be used.
    ///
    /// - Parameter reportsStatus: Whether the result becomes the status of the pool.
    func connect(reportsStatus: Bool) -> PostgresConnection? {
        let result = Result {
            try PostgresConnection.connect(
                to: address, options: options, interruption: interruption[0], check: admit)
        }
        let now = ContinuousClock.now
        lock.locked {
            isProbing = false
            let wasFailing = failures > 0
            switch result {
            case .success:
                (failures, lastError, nextAttempt) = (0, nil, now)
            case .failure(let error):
                failures += 1
                lastError = error
                nextAttempt = now + min(Self.longestPause, Self.firstPause * (1 << min(failures - 1, 10)))
            }
            if wasFailing || failures > 0 { for lane in lanes { lane.wakeAll() } }
        }
        switch result {
        case .success(let connection):
            if reportsStatus { report(PostgresPool.Status(isConnected: true, error: nil)) }
            return connection
        case .failure(let error):
            if reportsStatus { report(PostgresPool.Status(isConnected: false, error: error)) }
            return nil
        }
    }

    /// Checks the timeline of a server, and then calls `onConnect`.
    private func admit(_ connection: PostgresConnection) throws {
        // The name of a segment of the log begins with the timeline. A standby has no current segment.
        let rows = try connection.query(
            "SELECT CASE WHEN NOT pg_is_in_recovery() THEN pg_walfile_name(pg_current_wal_lsn()) END")
        if let name = try rows[0].optionalString(0), let found = Int(name.prefix(8), radix: 16) {
            let highest = lock.locked {
                timeline = max(timeline, found)
                return timeline
            }
            guard found >= highest else {
                throw PostgresError(
                    .staleServer,
                    """
                    refused the PostgreSQL server \(connection.serverName), because it has the timeline \(found) and \
                    another server has the timeline \(highest); stop this server, which was replaced by a standby
                    """)
            }
        }
        try onConnect(connection)
    }

    // MARK: - Status

    /// Reports that the connection for writes was lost.
    func report(lost error: PostgresError?) { report(PostgresPool.Status(isConnected: false, error: error)) }

    private func report(_ new: PostgresPool.Status) {
        let isChanged = lock.locked {
            defer { status = new }
            return status.isConnected != new.isConnected || status.text != new.text
        }
        if isChanged { onChange(new) }
    }
}

extension PostgresPool.Status {
    /// The message of the error, which is used to compare errors.
    fileprivate var text: String? { error.map { "\($0)" } }
}
