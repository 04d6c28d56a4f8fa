// Controls how long libcups waits on a connection, and interrupts its waiting.

import CCups
import Dispatch
import Glibc
import Synchronization

/// The timeout callback of libcups for a connection, and the functions that interrupt a wait immediately.
final class LibcupsWait: Sendable {
    private struct State {
        var isOver = false
        var isGlancing = false
        /// A duplicate of the connection's socket descriptor.
        ///
        /// The duplicate stays valid after libcups closes the original descriptor.
        var socket: Int32?
        /// The header that libcups is reading.
        var header: Header?
        var lastHeader = 0
        var isHeaderTooLong = false
    }

    /// A header that libcups is reading.
    private struct Header {
        var number: Int
        /// The received bytes of the connection before the header.
        var start: Int
        /// The received bytes at the last check.
        var last: Int
        /// The seconds until the next check.
        var pause = LibcupsWait.headerInterval
    }

    private let state = Mutex(State())
    /// The cancel flag that libcups reads during connecting.
    ///
    /// A value other than 0 cancels the connection attempt.
    nonisolated(unsafe) let cancel: UnsafeMutablePointer<Int32>

    init() {
        cancel = .allocate(capacity: 1)
        cancel.initialize(to: 0)
    }

    deinit {
        if let socket = state.withLock({ $0.socket }) { Glibc.close(socket) }
        cancel.deallocate()
    }

    /// The default interval between timeout callbacks, in seconds.
    static let interval = 0.25
    /// The interval between timeout callbacks while libcups waits for a response, in seconds.
    static let answerInterval = 5.0
    /// The interval between timeout callbacks during a TLS handshake, in seconds.
    ///
    /// With a shorter interval, libcups never calls the callback.
    static let handshakeInterval = 10.0

    /// Whether the wait was canceled.
    var isOver: Bool { state.withLock { $0.isOver } }

    /// Cancels the current wait and all later waits.
    func end() {
        state.withLock { state in
            state.isOver = true
            cancel.pointee = 1
            if let socket = state.socket { shutdown(socket, Int32(SHUT_RDWR)) }
        }
    }

    /// Stores a duplicate of the connection's socket.
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

    /// Runs an action when the server sends data or closes the connection.
    ///
    /// - Returns: A closure that stops monitoring the socket; nil if there is no socket.
    func guardSocket(then act: @escaping @Sendable () -> Void) -> (@Sendable () -> Void)? {
        // A separate descriptor, which stays open until the dispatch source is canceled.
        guard let own = state.withLock({ $0.socket.map { fcntl($0, F_DUPFD_CLOEXEC, 0) } }), own >= 0 else {
            return nil
        }
        nonisolated(unsafe) let source = DispatchSource.makeReadSource(fileDescriptor: own, queue: .global())
        source.setEventHandler(handler: act)
        source.setCancelHandler { Glibc.close(own) }
        source.resume()
        return { source.cancel() }
    }

    /// Runs a read operation without waiting for further data.
    func polling<Value>(_ look: () -> Value) -> Value {
        state.withLock { $0.isGlancing = true }
        defer { state.withLock { $0.isGlancing = false } }
        return look()
    }

    // MARK: - Headers

    /// The maximum size of the header of a response, in bytes.
    static let headerLimit = 256 << 10
    /// The seconds between two checks of a header that arrives.
    private static let headerInterval = 0.05
    /// The seconds between two checks of a header that does not arrive.
    private static let longestHeaderInterval = 1.0

    /// Whether a server has sent a header of more than `headerLimit` bytes.
    var isHeaderTooLong: Bool { state.withLock { $0.isHeaderTooLong } }

    /// Reads a header of which data has arrived.
    ///
    /// If the header exceeds `headerLimit`, the socket is shut down.
    ///
    /// libcups joins the values of some fields, such as `WWW-Authenticate`, without a limit, and calls no callback while
    /// data arrives. Therefore a timer compares the numbers of the kernel. For Unix sockets, whose servers run on this
    /// machine, the kernel does not count bytes, and there is no limit.
    func readingHeader<Value>(_ read: () -> Value) -> Value {
        let number: Int? = state.withLock { state in
            guard let start = state.socket.flatMap(Self.readBytes) else { return nil }
            state.lastHeader += 1
            state.header = Header(number: state.lastHeader, start: start, last: start)
            return state.lastHeader
        }
        guard let number else { return read() }
        let deadline = DeadlineTimer.shared.schedule(after: Self.headerInterval) { [weak self] in
            self?.checkHeader(number)
        }
        defer {
            state.withLock { $0.header = nil }
            DeadlineTimer.shared.cancel(deadline)
        }
        return read()
    }

    private func checkHeader(_ number: Int) {
        let pause: Double? = state.withLock { state in
            guard var header = state.header, header.number == number, let socket = state.socket,
                let count = Self.readBytes(of: socket)
            else { return nil }
            guard count - header.start <= Self.headerLimit else {
                state.isHeaderTooLong = true
                // The close resets the connection. Otherwise the server would wait minutes for a window update.
                var reset = linger(l_onoff: 1, l_linger: 0)
                setsockopt(socket, SOL_SOCKET, SO_LINGER, &reset, socklen_t(MemoryLayout<linger>.size))
                shutdown(socket, Int32(SHUT_RDWR))
                return nil
            }
            header.pause =
                count == header.last ? min(header.pause * 2, Self.longestHeaderInterval) : Self.headerInterval
            header.last = count
            state.header = header
            return header.pause
        }
        guard let pause else { return }
        DeadlineTimer.shared.schedule(after: pause) { [weak self] in self?.checkHeader(number) }
    }

    /// Returns the number of bytes that this process has read from a TCP socket; nil for other sockets.
    private static func readBytes(of socket: Int32) -> Int? {
        // `tcpi_bytes_received` of <linux/tcp.h> (Linux 4.1), which the header of glibc does not declare.
        let offset = 128
        var info = [UInt8](repeating: 0, count: 256)
        var length = socklen_t(info.count)
        guard getsockopt(socket, Int32(IPPROTO_TCP), TCP_INFO, &info, &length) == 0,
            Int(length) >= offset + MemoryLayout<UInt64>.size
        else { return nil }
        let received = info.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: UInt64.self) }
        // The unread bytes can belong to the body. Bytes that arrive between both calls do not count.
        var unread: Int32 = 0
        guard ioctl(socket, UInt(FIONREAD), &unread) == 0 else { return nil }
        return Int(received) - Int(unread)
    }

    /// Returns whether libcups must continue to wait for data on a connection.
    func goesOn(_ http: OpaquePointer?) -> Bool {
        let (isOver, isGlancing) = state.withLock { ($0.isOver, $0.isGlancing) }
        // A response whose status line has arrived is read to its end.
        let mayWait = !isGlancing || httpGetStatus(http).rawValue >= HTTP_STATUS_OK.rawValue
        if !isOver && mayWait { return true }
        // GnuTLS receives this error from the interrupted read. EAGAIN means that no data is available and that the
        // connection is still usable.
        errno = isOver ? ETIMEDOUT : EAGAIN
        return false
    }

    /// Sets the timeout callback of a connection, and the interval between calls in seconds.
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
