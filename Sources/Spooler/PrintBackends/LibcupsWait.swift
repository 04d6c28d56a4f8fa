// How long libcups waits on a connection, and how its waiting is ended.

import CCups
import Dispatch
import Glibc
import Synchronization

/// What libcups asks now and then whether to go on waiting, and what can end its waiting at once.
final class LibcupsWait: Sendable {
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
    /// How often it asks while it waits for an answer.
    static let answerInterval = 5.0
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
                return Unmanaged<LibcupsWait>.fromOpaque(context).takeUnretainedValue().goesOn(http) ? 1 : 0
            }, context)
    }
}
