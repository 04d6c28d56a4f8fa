// One connection over libcups' HTTP, on a thread that may block.

import CCups
import Dispatch
import Glibc
import IPPClient
import Synchronization

/// A connection that carries one request at a time; libcups speaks HTTP and TLS on it.
///
/// What libcups does, it does on the line's own queue, step by step (`HTTPLine+Request`). Whoever waits for a step waits no
/// longer than its deadline, and no longer than its task lives: then the socket is shut down, and the step ends by itself.
/// Only while a TLS handshake goes on libcups does not show its socket; such a step is left to end when it will.
///
/// `@unchecked Sendable`: `http` is touched on `queue` only, everything else that changes is in `state`.
final class HTTPLine: @unchecked Sendable {
    /// The connection; nil before it is opened and after it was closed.
    var http: OpaquePointer?
    let server: CUPSTransport.Server
    /// What libcups asks whether to go on waiting.
    let patience = Patience()

    private let queue = DispatchQueue(label: "http-line")
    private let alarm: any DispatchSourceTimer
    private let state = Mutex(State())

    private struct State {
        /// What the alarm does, and when, in nanoseconds of the uptime clock.
        var late: (at: UInt64, act: @Sendable () -> Void)?
        var isIdle = false
        var isClosed = false
        /// Ends the look at a resting line for a word of the server, which can only be that it goes.
        var endGuard: (@Sendable () -> Void)?
    }

    init(to server: CUPSTransport.Server) {
        self.server = server
        alarm = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "http-line-alarm"))
        alarm.setEventHandler { [weak self] in self?.ring() }
        alarm.resume()
    }

    deinit {
        alarm.cancel()
        state.withLock { $0.endGuard?() }
        if let http { httpClose(http) }
    }

    // MARK: - Steps

    /// Does a step on the line's queue, and waits for it until the deadline at most.
    ///
    /// A step that comes too late, or whose task is cancelled, is broken off, and the line is of no more use.
    func perform<Value: Sendable>(
        within seconds: Double, orElse late: IPPClientError, _ step: @escaping @Sendable (HTTPLine) -> Value
    ) async throws(IPPClientError) -> Value {
        let race = Race<Value>()
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                race.begin(continuation)
                setAlarm(in: seconds) { [weak self] in
                    if race.end(.failure(late)) { self?.breakOff() }
                }
                queue.async { [self] in
                    let value = step(self)
                    clearAlarm()
                    _ = race.end(.success(value))
                }
            }
        } onCancel: {
            if race.end(.failure(.canceled(sent: true))) { breakOff() }
        }
        return try result.get()
    }

    /// Closes the line, after the step that is being done.
    func close() {
        state.withLock { state in
            state.isClosed = true
            state.late = nil
            state.endGuard?()
            state.endGuard = nil
        }
        patience.end()
        queue.async { [self] in
            if let http { httpClose(http) }
            http = nil
            patience.forgetSocket()
        }
    }

    /// Ends what the line is doing.
    private func breakOff() {
        patience.end()
        close()
    }

    // MARK: - Between requests

    /// Keeps the line for the next request, and closes it when there is none for so many seconds, or when the server does.
    func rest(for seconds: Double) {
        let closing: @Sendable () -> Void = { [weak self] in
            guard let self, takeUp() else { return }
            close()
        }
        state.withLock { $0.isIdle = true }
        setAlarm(in: seconds, closing)
        let endGuard = patience.guardSocket(then: closing)
        let isOver = state.withLock { state in
            if state.isIdle { state.endGuard = endGuard }
            return !state.isIdle
        }
        if isOver { endGuard?() }
    }

    /// Takes a resting line for a request; `false` when it has been closed meanwhile.
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

    // MARK: - The alarm

    private func setAlarm(in seconds: Double, _ act: @escaping @Sendable () -> Void) {
        let time = DispatchTime.now() + seconds
        state.withLock { $0.late = $0.isClosed ? nil : (time.uptimeNanoseconds, act) }
        alarm.schedule(deadline: time)
    }

    private func clearAlarm() { state.withLock { $0.late = nil } }

    private func ring() {
        let late = state.withLock { state -> (@Sendable () -> Void)? in
            // An alarm that was set for an earlier step may ring late.
            guard let late = state.late, DispatchTime.now().uptimeNanoseconds >= late.at else { return nil }
            state.late = nil
            return late.act
        }
        late?()
    }
}

/// What libcups asks now and then whether to go on waiting, and what can end its waiting at once.
final class Patience: Sendable {
    private struct State {
        var isOver = false
        var isGlancing = false
        /// A second descriptor of the connection's socket, so that it can be shut down whatever libcups does with its own.
        var socket: Int32?
    }

    private let state = Mutex(State())
    /// libcups looks at this while it connects: not 0 means that it shall not go on.
    nonisolated(unsafe) let cancel: UnsafeMutablePointer<Int32>

    init() {
        cancel = .allocate(capacity: 1)
        cancel.initialize(to: 0)
    }

    deinit {
        if let socket = state.withLock({ $0.socket }) { Glibc.close(socket) }
        cancel.deallocate()
    }

    /// How often libcups asks, in seconds of silence.
    static let interval = 0.25
    /// How often it asks during a handshake: it does not ask at all when that is less.
    static let handshakeInterval = 10.0

    /// Whether the wait has been given up.
    var isOver: Bool { state.withLock { $0.isOver } }

    /// Ends all waiting, now and from now on.
    func end() {
        state.withLock { state in
            state.isOver = true
            cancel.pointee = 1
            if let socket = state.socket { shutdown(socket, Int32(SHUT_RDWR)) }
        }
    }

    /// Takes note of the connection's socket.
    func note(socket: Int32) {
        state.withLock { state in
            if let old = state.socket { Glibc.close(old) }
            state.socket = fcntl(socket, F_DUPFD_CLOEXEC, 0)
            if state.isOver, let socket = state.socket { shutdown(socket, Int32(SHUT_RDWR)) }
        }
    }

    func forgetSocket() {
        state.withLock { state in
            if let socket = state.socket { Glibc.close(socket) }
            state.socket = nil
        }
    }

    /// Does something when the server says a word or closes the connection, until it is told that nobody cares any more.
    func guardSocket(then act: @escaping @Sendable () -> Void) -> (@Sendable () -> Void)? {
        // A descriptor of its own, which stays open until nobody looks at it any more.
        guard let own = state.withLock({ $0.socket.map { fcntl($0, F_DUPFD_CLOEXEC, 0) } }), own >= 0 else {
            return nil
        }
        nonisolated(unsafe) let source = DispatchSource.makeReadSource(fileDescriptor: own, queue: .global())
        source.setEventHandler(handler: act)
        source.setCancelHandler { Glibc.close(own) }
        source.resume()
        return { source.cancel() }
    }

    /// Does something that shall not wait for what has not come yet.
    func glancing<Value>(_ look: () -> Value) -> Value {
        state.withLock { $0.isGlancing = true }
        defer { state.withLock { $0.isGlancing = false } }
        return look()
    }

    /// Whether libcups shall go on waiting on a connection.
    func goesOn(_ http: OpaquePointer?) -> Bool {
        let (isOver, isGlancing) = state.withLock { ($0.isOver, $0.isGlancing) }
        // An answer whose first line is there is read to its end.
        let mayWait = !isGlancing || httpGetStatus(http).rawValue >= HTTP_STATUS_OK.rawValue
        if !isOver && mayWait { return true }
        // What GnuTLS is told by the read that ends now: that nothing is broken, only nothing is there.
        errno = isOver ? ETIMEDOUT : EAGAIN
        return false
    }

    /// Has libcups ask this object, every so many seconds of silence.
    func watch(_ http: OpaquePointer, every seconds: Double) {
        let context = Unmanaged.passUnretained(self).toOpaque()
        httpSetTimeout(
            http, seconds,
            { http, context in
                guard let context else { return 0 }
                return Unmanaged<Patience>.fromOpaque(context).takeUnretainedValue().goesOn(http) ? 1 : 0
            }, context)
    }
}

/// Which of several ends comes first; the others are for nothing.
private final class Race<Value: Sendable>: Sendable {
    private enum State {
        case waiting
        case running(CheckedContinuation<Result<Value, IPPClientError>, Never>)
        case over(Result<Value, IPPClientError>?)
    }

    private let state = Mutex(State.waiting)

    func begin(_ continuation: CheckedContinuation<Result<Value, IPPClientError>, Never>) {
        let early = state.withLock { state -> Result<Value, IPPClientError>? in
            if case .over(let result?) = state {
                state = .over(nil)
                return result
            }
            state = .running(continuation)
            return nil
        }
        if let early { continuation.resume(returning: early) }
    }

    /// Ends the race with a result; `false` when it was over already.
    func end(_ result: Result<Value, IPPClientError>) -> Bool {
        let (isFirst, waiting) = state.withLock {
            state -> (Bool, CheckedContinuation<Result<Value, IPPClientError>, Never>?) in
            switch state {
            case .waiting:
                state = .over(result)
                return (true, nil)
            case .running(let continuation):
                state = .over(nil)
                return (true, continuation)
            case .over: return (false, nil)
            }
        }
        waiting?.resume(returning: result)
        return isFirst
    }
}
