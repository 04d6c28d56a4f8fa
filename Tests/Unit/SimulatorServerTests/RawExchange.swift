// Sends a request over a plain socket, and records the response and the end of the connection.

import Glibc

/// The data and the end of a connection.
struct RawExchange {
    /// The received bytes.
    var received: [UInt8] = []
    /// The error number with which the connection ended; 0 if the server closed the connection.
    var error: Int32 = 0

    /// Posts an IPP request to a port of this machine, and reads until the connection ends.
    ///
    /// - Parameter isLast: Whether to ask the server to close the connection after the response.
    static func post(_ body: [UInt8], port: Int, isLast: Bool = false) throws -> RawExchange {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { throw Failure(number: errno) }
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let isConnected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        guard isConnected else { throw Failure(number: errno) }
        let head =
            "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/ipp\r\nContent-Length: \(body.count)\r\n"
            + (isLast ? "Connection: close\r\n\r\n" : "\r\n")
        let request = Array(head.utf8) + body
        guard send(descriptor, request, request.count, Int32(MSG_NOSIGNAL)) == request.count else {
            throw Failure(number: errno)
        }
        var exchange = RawExchange()
        var bytes = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = recv(descriptor, &bytes, bytes.count, 0)
            if count > 0 { exchange.received += bytes.prefix(count) }
            if count < 0 { exchange.error = errno }
            if count <= 0 { return exchange }
        }
    }

    struct Failure: Error { var number: Int32 }
}
