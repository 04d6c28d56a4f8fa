// Sends datagrams to a Unix socket of the service manager.

import CJournal
import Glibc

/// A connected datagram socket.
final class DatagramSocket: Sendable {
    let descriptor: Int32

    /// Connects to a path, or to an abstract address that begins with `@`.
    ///
    /// Returns nil if no process listens at the address, or if the address is too long.
    init?(to address: String) {
        var name = sockaddr_un()
        name.sun_family = sa_family_t(AF_UNIX)
        var bytes = Array(address.utf8)
        guard let first = bytes.first, first == UInt8(ascii: "/") || first == UInt8(ascii: "@"),
            bytes.count < MemoryLayout.size(ofValue: name.sun_path)
        else { return nil }
        // An abstract address begins with a zero byte, and has no zero byte at its end (unix(7)).
        if first == UInt8(ascii: "@") { bytes[0] = 0 } else { bytes.append(0) }
        withUnsafeMutableBytes(of: &name.sun_path) { $0.copyBytes(from: bytes) }
        let length = socklen_t((MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? 2) + bytes.count)
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        let code = withUnsafePointer(to: &name) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, length) }
        }
        guard code == 0 else {
            close(descriptor)
            return nil
        }
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    /// Sets the maximum time for which a send operation waits while the receiver's queue is full.
    ///
    /// The function also requests a larger send buffer.
    func setTimeout(seconds: Int) {
        var limit = timeval(tv_sec: seconds, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        // A large buffer, as in libsystemd. The kernel limits the value.
        var size: Int32 = 8 << 20
        setsockopt(descriptor, SOL_SOCKET, SO_SNDBUF, &size, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Sends a datagram.
    ///
    /// - Parameter waits: Whether to wait while the receiver's queue is full.
    /// - Returns: 0 or the system error number.
    func send(_ bytes: [UInt8], waits: Bool = true) -> Int32 {
        bytes.withUnsafeBytes { buffer in
            guard let start = buffer.baseAddress else { return 0 }
            return journal_send(descriptor, start, buffer.count, waits ? 0 : Int32(MSG_DONTWAIT))
        }
    }
}
