// A pool of connections to a PostgreSQL server.

import Glibc

/// A pool of connections to a server.
///
/// Each connection has a dedicated thread, so that no blocking call runs on Swift's cooperative threads.
///
///     let pool = try PostgresPool(to: address)
///     let count = try await pool.withConnection { try $0.query("SELECT count(*) FROM jobs")[0].int(0) }
///     try await pool.writes.perform { connection in
///         try connection.transaction { try connection.execute("UPDATE jobs SET …") }
///     }
///     await pool.close()
///
/// The pool connects again after a connection was lost, with backoff. Work that waits for a connection fails at its
/// deadline with the error of the last attempt to connect. The pool never repeats work that was started.
///
/// The pool refuses a server whose timeline is lower than the highest known timeline. Such a server is a former primary
/// that was started again after a standby had replaced it.
public final class PostgresPool: Sendable {
    /// The state of the pool's connection for writes.
    public struct Status: Sendable {
        /// Whether the connection for writes is open.
        public var isConnected: Bool
        /// The error that closed the connection, or the error of the last attempt to connect; nil while the connection
        /// is open.
        public var error: (any Error)?
    }

    /// The queue of work for one connection, which runs the work in the order of its arrival.
    ///
    /// The pool keeps this connection open even if no work is waiting.
    public let writes: PostgresLane
    /// The queue of work for the connections of `withConnection`, which are opened at the first use.
    public let reads: PostgresLane
    private let core: PoolCore

    /// Creates a pool and starts to connect.
    ///
    /// - Parameters:
    ///   - connections: The number of connections for `withConnection`; `writes` has one additional connection.
    ///   - minimumTimeline: The highest timeline of the servers of an earlier pool; 0 if unknown.
    ///   - onConnect: A function that checks and prepares each new connection, on the thread of the connection. If the
    ///     function throws an error, the connection is closed, and the next server of the address is tried.
    ///   - onChange: A function that is called when `status` changes. The function must not block.
    /// - Throws: `other` when the system has no more threads or files.
    public init(
        to address: PostgresAddress, connections: Int = 4, options: PostgresOptions = PostgresOptions(),
        minimumTimeline: Int = 0, onConnect: @escaping @Sendable (PostgresConnection) throws -> Void = { _ in },
        onChange: @escaping @Sendable (Status) -> Void = { _ in }
    ) throws(PostgresError) {
        let core = try PoolCore(
            address: address, options: options, timeline: minimumTimeline, onConnect: onConnect, onChange: onChange)
        self.core = core
        writes = PostgresLane(core, connections: 1, isKeptConnected: true)
        reads = PostgresLane(core, connections: max(1, connections), isKeptConnected: false)
        core.lock.locked { core.lanes = [writes, reads] }
        guard writes.start(), reads.start(), core.startTimer() else { throw closeWithoutThreads() }
    }

    /// Adds a queue of work with separate connections, which are opened at the first use.
    ///
    /// Long work in one queue does not delay the work in other queues.
    ///
    /// - Throws: `other` when the system has no more threads.
    public func addLane(connections: Int) throws(PostgresError) -> PostgresLane {
        let lane = PostgresLane(core, connections: connections, isKeptConnected: false)
        core.lock.locked { core.lanes.append(lane) }
        guard lane.start() else { throw closeWithoutThreads() }
        return lane
    }

    /// Closes the pool, and returns the error for a thread that could not start.
    private func closeWithoutThreads() -> PostgresError {
        core.close()
        return PostgresError(.other, "cannot create a pool of connections: the system has no more threads")
    }

    deinit { core.close() }

    /// The current state of the connection for writes.
    public var status: Status { core.lock.locked { core.status } }

    /// The highest timeline of the servers to which the pool has connected; 0 if unknown.
    public var timeline: Int { core.lock.locked { core.timeline } }

    /// Runs `body` with one of the connections, on the thread of the connection.
    ///
    /// A transaction that `body` leaves open is rolled back.
    ///
    /// - Parameter limit: The maximum time to wait for a connection.
    /// - Throws: The errors of `body`; the error of the last attempt to connect; `timeout` when all connections are in
    ///   use; `closed`; `CancellationError` when the task was canceled before `body` started.
    public func withConnection<Value: Sendable>(
        within limit: Duration = .seconds(10), _ body: @escaping @Sendable (PostgresConnection) throws -> Value
    ) async throws -> Value {
        try await reads.perform(within: limit, body)
    }

    /// Rejects waiting work, and calls a function after running work has ended and all connections are closed.
    public func close(whenEnded: @escaping @Sendable () -> Void) {
        core.close()
        core.whenEnded(whenEnded)
    }

    /// Rejects waiting work, waits for running work, closes all connections, and ends all threads.
    public func close() async {
        await withCheckedContinuation { continuation in close { continuation.resume() } }
    }
}
