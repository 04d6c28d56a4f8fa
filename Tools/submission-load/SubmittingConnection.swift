// Sends requests and receives responses over one connection.

import Glibc
import IPP

/// A connection for one request at a time.
struct SubmittingConnection {
    let descriptor: Int32
    private let host: String
    private let port: UInt16
    private var received: [UInt8] = []
    private var sentAt = ContinuousClock.now
    /// The time from the last request to the last byte of its response.
    private(set) var wait = Duration.zero
    /// Whether the server closed the connection without a complete response.
    private(set) var isHungUp = false

    /// Connects to an IPv4 address.
    init(_ host: String, _ port: UInt16) throws(LoadError) {
        (self.host, self.port) = (host, port)
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var one: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        guard inet_pton(AF_INET, host, &address.sin_addr) == 1 else {
            throw LoadError("'\(host)' is not an IPv4 address")
        }
        let status = withUnsafePointer(to: &address) { [descriptor] pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard status == 0 else { throw LoadError("cannot connect to \(host):\(port)") }
    }

    /// Returns a new connection that replaces this closed connection.
    func again() throws(LoadError) -> SubmittingConnection {
        close(descriptor)
        return try SubmittingConnection(host, port)
    }

    /// Sends a request; the previous response must be complete.
    mutating func send(_ request: [UInt8]) throws(LoadError) {
        sentAt = .now
        var sent = 0
        while sent < request.count {
            let count = request.withUnsafeBytes { write(descriptor, $0.baseAddress! + sent, $0.count - sent) }
            guard count > 0 else { throw LoadError("the server does not accept more data") }
            sent += count
        }
    }

    /// Reads available data; returns the response when it is complete.
    mutating func receive() throws(LoadError) -> Answer? {
        var piece = [UInt8](repeating: 0, count: 16 << 10)
        let count = read(descriptor, &piece, piece.count)
        guard count > 0 else {
            isHungUp = true
            return nil
        }
        received += piece[..<count]
        guard let answer = try Answer(received) else { return nil }
        wait = sentAt.duration(to: .now)
        received = []
        return answer
    }
}

/// An HTTP response that contains an IPP response.
struct Answer {
    private let body: [UInt8]
    /// Whether the server closes the connection after the response.
    let isLast: Bool

    /// Parses a response; returns nil if it is not complete yet.
    init?(_ bytes: [UInt8]) throws(LoadError) {
        guard let end = bytes.indices.dropFirst(3).first(where: { bytes[($0 - 3)...$0] == [13, 10, 13, 10] }) else {
            return nil
        }
        let head = String(decoding: bytes[..<end], as: UTF8.self).lowercased()
        guard head.hasPrefix("http/1.1 200") else { throw LoadError("the server returned '\(head.prefix(40))'") }
        isLast = head.contains("connection: close")
        let rest = bytes[(end + 1)...]
        if let field = head.split(separator: "\r\n").first(where: { $0.hasPrefix("content-length:") }) {
            guard let length = Int(field.dropFirst(15).filter { $0 != " " }), rest.count >= length else { return nil }
            body = Array(rest)
        } else {
            guard let whole = Self.unchunked(rest) else { return nil }
            body = whole
        }
    }

    /// Decodes chunked data (RFC 9112 §7.1); returns nil if the last chunk is missing.
    private static func unchunked(_ bytes: ArraySlice<UInt8>) -> [UInt8]? {
        var (data, rest) = ([UInt8](), bytes)
        while let end = rest.firstIndex(of: 10) {
            let line = String(decoding: rest[..<end].prefix { $0 != 13 && $0 != UInt8(ascii: ";") }, as: UTF8.self)
            guard let size = Int(line, radix: 16), rest.endIndex - end > size + 2 else { return nil }
            if size == 0 { return data }
            data += rest[(end + 1)...].prefix(size)
            rest = rest[(end + 1 + size + 2)...]
        }
        return nil
    }

    /// Whether the printer is busy with another job.
    ///
    /// Only the beginning of the response is read (RFC 8010 §3.1).
    var isBusy: Bool { body.count > 8 && UInt16(body[2]) << 8 | UInt16(body[3]) == Status.serverErrorBusy.rawValue }

    /// Checks that the response is successful; returns 0.
    func noted() throws(LoadError) -> Int {
        guard body.count > 8, body[2] == 0 else { throw LoadError("the printer rejected the request") }
        return 0
    }

    /// Returns the number of the accepted job.
    func jobID() throws(LoadError) -> Int {
        guard let (message, _) = try? Message.decode(body) else { throw LoadError("the answer is not IPP") }
        guard message.status.rawValue <= 0xFF, let id = message[.job]?.integer("job-id") else {
            throw LoadError("a job was rejected: \(message.status)")
        }
        return Int(id)
    }
}
