// What the first bytes of a connection say. No socket.

/// How a client begins.
enum Opening: Equatable {
    /// Too little has come to tell.
    case unclear
    /// With a TLS handshake.
    case tls
    /// With a request that asks for TLS, of so many bytes.
    case upgrade(Int)
    /// With HTTP, or with what HTTP will refuse.
    case plain

    /// The longest header of a request that asks for TLS.
    static let longest = 8192

    /// What the bytes say that have come so far.
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

    /// How many bytes the header has, its empty line included; nil when it has no end yet.
    private static func headerEnd(_ bytes: some Collection<UInt8>) -> Int? {
        let end = Array("\r\n\r\n".utf8)
        var matched = 0
        for (index, byte) in bytes.prefix(longest).enumerated() {
            matched = byte == end[matched] ? matched + 1 : byte == end[0] ? 1 : 0
            if matched == end.count { return index + 1 }
        }
        return nil
    }

    /// A request's header without what asked for TLS: an HTTP parser that sees it waits for another protocol.
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
