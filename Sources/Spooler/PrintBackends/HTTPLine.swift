// One connection over libcups' HTTP, on a thread that may block.

import CCups
import IPPClient
import Synchronization

/// A connection that carries one request at a time; libcups speaks HTTP and TLS on it.
///
/// What libcups does, it does on the line's own thread, step by step (`HTTPLine+Request`). Whoever waits for a step waits no
/// longer than its deadline, and no longer than its task lives: then the socket is shut down, and the step ends by itself.
/// Only while a TLS handshake goes on libcups does not show its socket; such a step is left to end when it will.
///
/// `@unchecked Sendable`: `http` and `isNonsense` are touched on `thread` only, everything else that changes is in `state`.
final class HTTPLine: @unchecked Sendable {
    /// The connection; nil before it is opened and after it was closed.
    var http: OpaquePointer?
    /// Whether what the server said is no HTTP.
    var isNonsense = false
    let server: LibcupsTransport.Server
    /// What libcups asks whether to go on waiting.
    let patience = LibcupsWait()

    private let thread: BlockingThread
    private let state = Mutex(State())
    private let count: HTTPLineCount

    private struct State {
        /// What the alarm does, and the number that it was set with.
        var late: (number: Int, act: @Sendable () -> Void)?
        var alarm: DeadlineTimer.Alarm?
        var lastNumber = 0
        var isIdle = false
        var isClosed = false
        /// Ends the look at a resting line for a word of the server, which can only be that it goes.
        var endGuard: (@Sendable () -> Void)?
    }

    /// A line to a server, not connected yet.
    ///
    /// - Parameter count: where the line is counted until its last step has ended.
    init(to server: LibcupsTransport.Server, in count: HTTPLineCount = HTTPLineCount()) {
        self.server = server
        self.count = count
        count.add(1)
        thread = BlockingThread()
    }

    deinit {
        count.add(-1)
        clearAlarm()
        state.withLock { $0.endGuard?() }
        if let http { httpClose(http) }
    }

    // MARK: - Steps

    /// Does a step on the line's thread, and waits for it until the deadline at most.
    ///
    /// A step that comes too late, or whose task is cancelled, is broken off, and the line is of no more use.
    func perform<Value: Sendable>(
        within seconds: Double, orElse late: IPPClientError, _ step: @escaping @Sendable (HTTPLine) -> Value
    ) async throws(IPPClientError) -> Value {
        let race = Race<Value, IPPClientError>()
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                race.begin(continuation)
                setAlarm(in: seconds) { [weak self] in
                    if race.end(.failure(late)) { self?.breakOff() }
                }
                let isBegun = thread.async { [self] in
                    let value = step(self)
                    clearAlarm()
                    _ = race.end(.success(value))
                }
                if !isBegun {
                    clearAlarm()
                    _ = race.end(.failure(.noThread(server.address)))
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
            state.endGuard?()
            state.endGuard = nil
        }
        clearAlarm()
        patience.end()
        // Without a thread the line is closed with its last owner.
        _ = thread.async { [self] in
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
        let (number, before) = state.withLock { state -> (Int, DeadlineTimer.Alarm?) in
            state.lastNumber += 1
            state.late = state.isClosed ? nil : (state.lastNumber, act)
            defer { state.alarm = nil }
            return (state.lastNumber, state.alarm)
        }
        if let before { DeadlineTimer.shared.cancel(before) }
        let alarm = DeadlineTimer.shared.ring(in: seconds) { [weak self] in self?.ring(number) }
        let isOver = state.withLock { state in
            if state.late?.number == number { state.alarm = alarm }
            return state.late?.number != number
        }
        if isOver { DeadlineTimer.shared.cancel(alarm) }
    }

    private func clearAlarm() {
        let alarm = state.withLock { state -> DeadlineTimer.Alarm? in
            state.late = nil
            defer { state.alarm = nil }
            return state.alarm
        }
        if let alarm { DeadlineTimer.shared.cancel(alarm) }
    }

    private func ring(_ number: Int) {
        let late = state.withLock { state -> (@Sendable () -> Void)? in
            // An alarm that was set for an earlier step may ring late.
            guard let late = state.late, late.number == number else { return nil }
            (state.late, state.alarm) = (nil, nil)
            return late.act
        }
        late?()
    }
}

/// How many lines to a server there are, those included that were given up while a step goes on: the look-up of a name and a
/// handshake of TLS cannot be broken off.
final class HTTPLineCount: Sendable {
    private let count = Mutex(0)

    var value: Int { count.withLock { $0 } }

    func add(_ number: Int) { count.withLock { $0 += number } }
}

extension IPPClientError {
    /// The system gives no more threads.
    fileprivate static func noThread(_ address: IPPAddress) -> IPPClientError {
        IPPClientError(
            .unreachable, "the system has no thread for a connection to \(address); raise TasksMax or 'ulimit -u'",
            mayHaveBeenReceived: false)
    }
}
