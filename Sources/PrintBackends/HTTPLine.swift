// One connection over libcups' HTTP, on a thread that may block.

import CCups
import Dispatch
import IPPClient
import Synchronization

/// A connection that carries one request at a time; libcups speaks HTTP and TLS on it.
///
/// What libcups does, it does on the line's own queue, step by step (`HTTPLine+Request`). Whoever waits for a step waits no
/// longer than its deadline, and no longer than its task lives: then the socket is shut down, and the step ends by itself.
/// Only while a TLS handshake goes on libcups does not show its socket; such a step is left to end when it will.
///
/// `@unchecked Sendable`: `http` and `isNonsense` are touched on `queue` only, everything else that changes is in `state`.
final class HTTPLine: @unchecked Sendable {
    /// The connection; nil before it is opened and after it was closed.
    var http: OpaquePointer?
    /// Whether what the server said is no HTTP.
    var isNonsense = false
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
