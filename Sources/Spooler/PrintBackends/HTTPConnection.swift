// Sends HTTP requests over a connection with libcups on a separate thread.

import AsyncPrimitives
import CCups
import IPPClient
import Synchronization

/// A connection that carries one HTTP request at a time, with or without TLS.
///
/// All calls of libcups functions run on the connection's thread, in separate steps (`HTTPConnection+Request`). The caller of
/// a step waits until the step ends, the deadline passes, or the caller's task is canceled. At the deadline and after
/// cancellation, the socket is shut down, which ends the step. During a TLS handshake libcups does not expose its
/// socket. Therefore a handshake cannot be interrupted.
///
/// `@unchecked Sendable`: `http` and `isNonsense` are accessed only on `thread`. All other mutable state is in `state`.
final class HTTPConnection: @unchecked Sendable {
    /// The connection of libcups; nil before the connection is opened and after the connection is closed.
    var http: OpaquePointer?
    /// Whether the server sent data that is not HTTP.
    var isNonsense = false
    let server: LibcupsTransport.Server
    /// The timeout callback, which determines whether libcups continues to wait.
    let libcupsWait = LibcupsWait()

    private let thread: BlockingThreads
    private let state = Mutex(State())
    private let count: HTTPConnectionCount

    private struct State {
        /// The action for the current deadline, and the number of this deadline.
        var late: (number: Int, act: @Sendable () -> Void)?
        var deadline: DeadlineTimer.Deadline?
        var lastNumber = 0
        var isIdle = false
        var isClosed = false
        /// The closure that stops monitoring the socket of an idle connection.
        ///
        /// If the socket becomes readable while the connection is idle, the server has closed the connection.
        var endGuard: (@Sendable () -> Void)?
    }

    /// Creates a connection to a server, without connecting yet.
    ///
    /// - Parameter count: The counter of open connections. The counter includes this connection until this object is
    ///   deinitialized.
    init(to server: LibcupsTransport.Server, in count: HTTPConnectionCount = HTTPConnectionCount()) {
        self.server = server
        self.count = count
        count.add(1)
        thread = BlockingThreads()
    }

    deinit {
        count.add(-1)
        clearAlarm()
        state.withLock { $0.endGuard?() }
        if let http { httpClose(http) }
    }

    // MARK: - Steps

    /// Performs a step on the connection's thread, and waits until the step ends or the deadline passes.
    ///
    /// If the deadline passes or the task is canceled, the step is interrupted and the connection is closed.
    func perform<Value: Sendable>(
        within seconds: Double, orElse late: IPPClientError, _ step: @escaping @Sendable (HTTPConnection) -> Value
    ) async throws(IPPClientError) -> Value {
        let firstResult = FirstResult<Value, IPPClientError>()
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                firstResult.begin(continuation)
                setAlarm(in: seconds) { [weak self] in
                    if firstResult.end(.failure(late)) { self?.breakOff() }
                }
                let isBegun = thread.async { [self] in
                    let value = step(self)
                    clearAlarm()
                    _ = firstResult.end(.success(value))
                }
                if !isBegun {
                    clearAlarm()
                    _ = firstResult.end(.failure(.noThread(server.address)))
                }
            }
        } onCancel: {
            if firstResult.end(.failure(.canceled(sent: true))) { breakOff() }
        }
        return try result.get()
    }

    /// Closes the connection.
    ///
    /// If a step is running, the function interrupts the step first.
    func close() {
        state.withLock { state in
            state.isClosed = true
            state.endGuard?()
            state.endGuard = nil
        }
        clearAlarm()
        libcupsWait.end()
        // If no thread can be started, `deinit` closes the connection.
        _ = thread.async { [self] in
            if let http { httpClose(http) }
            http = nil
            libcupsWait.forgetSocket()
        }
        // A closed connection is not used again.
        thread.finish()
    }

    /// Interrupts the current step and closes the connection.
    private func breakOff() {
        libcupsWait.end()
        close()
    }

    // MARK: - Between requests

    /// Keeps the connection open for the next request.
    ///
    /// Closes the connection after `seconds` without a request, or when the server closes the connection.
    func rest(for seconds: Double) {
        let closing: @Sendable () -> Void = { [weak self] in
            guard let self, takeUp() else { return }
            close()
        }
        state.withLock { $0.isIdle = true }
        setAlarm(in: seconds, closing)
        let endGuard = libcupsWait.guardSocket(then: closing)
        let isOver = state.withLock { state in
            if state.isIdle { state.endGuard = endGuard }
            return !state.isIdle
        }
        if isOver { endGuard?() }
    }

    /// Reserves the idle connection for a request.
    ///
    /// Returns `false` if the connection has been closed.
    func takeUp() -> Bool {
        let isTaken = state.withLock { state in
            defer { state.isIdle = false }
            state.endGuard?()
            state.endGuard = nil
            return state.isIdle && !state.isClosed
        }
        if isTaken { clearAlarm() }
        return isTaken
    }

    // MARK: - The deadline

    private func setAlarm(in seconds: Double, _ act: @escaping @Sendable () -> Void) {
        let (number, before) = state.withLock { state -> (Int, DeadlineTimer.Deadline?) in
            state.lastNumber += 1
            state.late = state.isClosed ? nil : (state.lastNumber, act)
            defer { state.deadline = nil }
            return (state.lastNumber, state.deadline)
        }
        if let before { DeadlineTimer.shared.cancel(before) }
        let deadline = DeadlineTimer.shared.schedule(after: seconds) { [weak self] in self?.expire(number) }
        let isOver = state.withLock { state in
            if state.late?.number == number { state.deadline = deadline }
            return state.late?.number != number
        }
        if isOver { DeadlineTimer.shared.cancel(deadline) }
    }

    private func clearAlarm() {
        let deadline = state.withLock { state -> DeadlineTimer.Deadline? in
            state.late = nil
            defer { state.deadline = nil }
            return state.deadline
        }
        if let deadline { DeadlineTimer.shared.cancel(deadline) }
    }

    private func expire(_ number: Int) {
        let late = state.withLock { state -> (@Sendable () -> Void)? in
            // A deadline of an earlier step may fire late.
            guard let late = state.late, late.number == number else { return nil }
            (state.late, state.deadline) = (nil, nil)
            return late.act
        }
        late?()
    }
}

/// A counter of the connections to a server.
///
/// The count includes abandoned connections whose last step is still running, because a host name lookup and a TLS
/// handshake cannot be interrupted.
final class HTTPConnectionCount: Sendable {
    private let count = Mutex(0)

    var value: Int { count.withLock { $0 } }

    func add(_ number: Int) { count.withLock { $0 += number } }
}

extension IPPClientError {
    /// Returns the error of a connection whose thread cannot be started.
    fileprivate static func noThread(_ address: IPPAddress) -> IPPClientError {
        IPPClientError(
            .unreachable, "cannot start a thread for the connection to \(address); raise TasksMax or 'ulimit -u'",
            mayHaveBeenReceived: false)
    }
}
