// A socket without a protocol, for misbehaving clients.

import Dispatch
import Glibc

/// A blocking client socket.
///
/// The socket waits at most 20 seconds for the server.
final class RawConnection: Sendable {
    let descriptor: Int32
    private let queue = DispatchQueue(label: "raw-connection")

    private init(descriptor: Int32) {
        self.descriptor = descriptor
        var timeout = timeval(tv_sec: 20, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
    }

    convenience init(port: Int) {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
        _ = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        self.init(descriptor: descriptor)
    }

    deinit { close(descriptor) }

    func send(_ text: String) { send(Array(text.utf8)) }

    func send(_ bytes: [UInt8]) {
        _ = Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }

    /// Closes the sending side.
    func finish() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// Returns the received text until `end` arrives, the server closes, or nothing arrives for 20 seconds.
    func receive(until end: String? = nil) async -> String {
        String(decoding: await receiveBytes(until: end), as: UTF8.self)
    }

    /// Returns the received bytes until `end` arrives, the server closes, or nothing arrives for 20 seconds.
    func receiveBytes(until end: String? = nil) async -> [UInt8] {
        await withCheckedContinuation { continuation in
            queue.async { [self] in
                var all: [UInt8] = []
                var buffer = [UInt8](repeating: 0, count: 65536)
                while case let count = recv(descriptor, &buffer, buffer.count, 0), count > 0 {
                    all += buffer[..<count]
                    if let end, String(decoding: all, as: UTF8.self).contains(end) { break }
                }
                continuation.resume(returning: all)
            }
        }
    }

    /// Returns whether the server closes the connection within 20 seconds.
    func isClosedByServer() async -> Bool {
        await withCheckedContinuation { continuation in
            queue.async { [self] in
                var byte: UInt8 = 0
                let count = recv(descriptor, &byte, 1, 0)
                continuation.resume(returning: count == 0 || (count < 0 && errno == ECONNRESET))
            }
        }
    }
}

/// Returns the header of an IPP POST with additional header lines.
func head(_ lines: String..., host: String = "localhost") -> String {
    (["POST /ipp/print HTTP/1.1", "Host: \(host)", "Content-Type: application/ipp"] + lines).joined(separator: "\r\n")
        + "\r\n\r\n"
}
