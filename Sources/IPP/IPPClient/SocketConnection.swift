// A connection to a server on a Unix socket.

import Dispatch
import Glibc
import Synchronization

enum SocketFailure: Error {
    case timedOut
    case canceled
    /// A failed system call, with its `errno`.
    case system(Int32)
}

/// A connected Unix socket.
///
/// The connection blocks the calling thread for a short time (`shortWait`), because most responses arrive within a few
/// milliseconds, and a program with one thread starts faster. A longer wait uses a separate thread.
final class SocketConnection: Sendable {
    private let descriptor: Int32
    private let isCanceled = Atomic(false)
    /// The object at the other end of the connection, such as a process, which must exist as long as the connection.
    private let peer: (any Sendable)?

    /// The time during which a wait blocks the calling thread, in milliseconds.
    private static let shortWait = 20
    /// The maximum number of bytes that one call receives.
    private static let receiveSize = 64 << 10

    /// Takes over a connected stream socket.
    ///
    /// - Parameter peer: The object at the other end, which must exist as long as the connection.
    init(descriptor: Int32, peer: any Sendable) { (self.descriptor, self.peer) = (descriptor, peer) }

    /// The call blocks the thread only while the queue of the server's listener is full.
    init(path: String, timeout: Duration) throws(SocketFailure) {
        peer = nil
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let isShort = withUnsafeMutableBytes(of: &address.sun_path) { field in
            field.copyBytes(from: path.utf8.prefix(field.count - 1))
            return path.utf8.count < field.count
        }
        guard isShort else { throw .system(ENAMETOOLONG) }
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw .system(errno) }
        // The timeout applies to connect(2); other calls do not block.
        var limit = timeval(tv_sec: Int(timeout.components.seconds), tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard result == 0 else {
            let code = errno
            throw code == EAGAIN ? .timedOut : .system(code)
        }
    }

    deinit { close(descriptor) }

    /// Whether the server has neither closed the connection nor sent bytes that no client has requested.
    var isIdle: Bool { !poll(for: POLLIN, milliseconds: 0) }

    /// Whether bytes, or the end of the connection, can be received.
    var hasInput: Bool { poll(for: POLLIN, milliseconds: 0) }

    func cancel() {
        isCanceled.store(true, ordering: .relaxed)
        shutdown(descriptor, Int32(SHUT_RDWR))
    }

    /// Sends bytes until the kernel has accepted all bytes, or until the server responds.
    ///
    /// - Returns: The number of sent bytes. The number is lower than the number of bytes if the server responded or
    ///   closed the connection.
    func send(_ bytes: [UInt8], within timeout: Duration) async throws(SocketFailure) -> Int {
        var sent = 0
        var deadline: ContinuousClock.Instant?
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress! + sent, bytes.count - sent, Self.sendFlags)
            }
            if count > 0 {
                sent += count
                continue
            }
            let code = errno
            if isCanceled.load(ordering: .relaxed) { throw .canceled }
            guard code == EAGAIN else {
                if code == EINTR { continue }
                // The response can already be in the queue of the socket.
                return sent
            }
            let end = deadline ?? .now + timeout
            deadline = end
            try await wait(for: POLLIN | POLLOUT, until: end)
            if hasInput { return sent }
        }
        return sent
    }

    /// Receives the next bytes; no bytes mean that the server has closed the connection.
    func receive(until deadline: ContinuousClock.Instant) async throws(SocketFailure) -> ArraySlice<UInt8> {
        while true {
            try await wait(for: POLLIN, until: deadline)
            var code: Int32 = 0
            let bytes = [UInt8](unsafeUninitializedCapacity: Self.receiveSize) { buffer, count in
                let received = recv(descriptor, buffer.baseAddress, Self.receiveSize, Int32(MSG_DONTWAIT))
                code = received < 0 ? errno : 0
                count = max(0, received)
            }
            if isCanceled.load(ordering: .relaxed) { throw .canceled }
            if code == 0 { return bytes[...] }
            guard code == EAGAIN || code == EINTR else { throw .system(code) }
        }
    }

    /// Calls a closure on a separate thread as soon as the server sends bytes or closes the connection.
    ///
    /// - Returns: An object that ends the observation.
    func whenInputArrives(_ body: @escaping @Sendable () -> Void) -> Wake? {
        guard let wake = Wake() else { return nil }
        DispatchQueue(label: "socket-watch").async { [self] in
            if wake.waitReadable(descriptor) { body() }
        }
        return wake
    }

    private static let sendFlags = Int32(MSG_NOSIGNAL | MSG_DONTWAIT)

    /// Waits for events of poll(2).
    private func wait(for events: Int32, until deadline: ContinuousClock.Instant) async throws(SocketFailure) {
        let milliseconds = max(0, Int((deadline - .now) / .milliseconds(1)) + 1)
        let short = min(milliseconds, Self.shortWait)
        var isReady = poll(for: events, milliseconds: short)
        if !isReady, milliseconds > short {
            isReady = await withCheckedContinuation { continuation in
                DispatchQueue(label: "socket-wait").async { [self] in
                    continuation.resume(returning: poll(for: events, milliseconds: milliseconds - short))
                }
            }
        }
        if isCanceled.load(ordering: .relaxed) { throw .canceled }
        if !isReady { throw .timedOut }
    }

    /// Waits for events of poll(2); returns false after the given time.
    private func poll(for events: Int32, milliseconds: Int) -> Bool {
        var wait = pollfd(fd: descriptor, events: Int16(events), revents: 0)
        let end = ContinuousClock.now + .milliseconds(milliseconds)
        var left = milliseconds
        while true {
            let count = Glibc.poll(&wait, 1, Int32(clamping: left))
            guard count < 0, errno == EINTR else { return count != 0 }
            left = max(0, Int((end - .now) / .milliseconds(1)))
        }
    }
}
