// Classifies the first bytes of a connection. Uses no socket.

enum Opening: Equatable {
    /// An unknown protocol.
    ///
    /// More bytes are required to determine the protocol.
    case unclear
    /// The client begins with a handshake.
    case tls
    /// A plain HTTP request that asks for an upgrade to TLS (RFC 2817).
    ///
    /// The associated value is the length of the request in bytes.
    case upgrade(Int)
    /// Plain HTTP, or data that the HTTP parser will reject.
    case plain

    /// The maximum length of the header of an upgrade request, in bytes.
    static let longest = 8192

    /// Determines the protocol from the bytes that have arrived so far.
    init(_ bytes: some Collection<UInt8>) {
        guard let first = bytes.first else {
            self = .unclear
            return
        }
        let method = "OPTIONS ".utf8
        if first == 0x16 {
            self = .tls
        } else if !method.starts(with: bytes.prefix(method.count)) {
            self = .plain
        } else if let end = Self.headerEnd(bytes) {
            self = Self.wantsTLS(String(decoding: bytes.prefix(end), as: UTF8.self)) ? .upgrade(end) : .plain
        } else {
            self = bytes.count < Self.longest ? .unclear : .plain
        }
    }

    /// Returns the length of the header in bytes, including its final empty line, or `nil` if the header is incomplete.
    private static func headerEnd(_ bytes: some Collection<UInt8>) -> Int? {
        let end = Array("\r\n\r\n".utf8)
        var matched = 0
        for (index, byte) in bytes.prefix(longest).enumerated() {
            matched = byte == end[matched] ? matched + 1 : byte == end[0] ? 1 : 0
            if matched == end.count { return index + 1 }
        }
        return nil
    }

    /// Returns a request's header without the fields `Upgrade` and `Connection`.
    ///
    /// With these fields, an HTTP parser would expect another protocol after the request.
    static func withoutUpgrade(_ header: String) -> String {
        header.split(separator: "\r\n", omittingEmptySubsequences: false).filter { line in
            !["upgrade:", "connection:"].contains { line.lowercased().hasPrefix($0) }
        }.joined(separator: "\r\n")
    }

    private static func wantsTLS(_ header: String) -> Bool {
        var (isConnection, isTLS) = (false, false)
        for line in header.split(whereSeparator: \.isNewline).dropFirst() {
            let parts = line.lowercased().split(separator: ":", maxSplits: 1)
            guard parts.count == 2 else { continue }
            if parts[0] == "connection" { isConnection = isConnection || parts[1].contains("upgrade") }
            if parts[0] == "upgrade" { isTLS = isTLS || parts[1].contains("tls/") }
        }
        return isConnection && isTLS
    }
}
