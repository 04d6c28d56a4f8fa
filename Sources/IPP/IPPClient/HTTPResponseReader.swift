// Reads an HTTP/1.1 response from bytes.

/// An incremental reader of one HTTP/1.1 response (RFC 9112).
///
/// Interim responses (status 1xx) are skipped. Trailer fields are ignored.
struct HTTPResponseReader {
    /// The status line and the header fields that clients require.
    struct Head: Equatable {
        var status = 0
        var reason = ""
        var contentType: String?
        var keepsOpen = true
    }

    enum Part: Equatable {
        case head(Head)
        case body(ArraySlice<UInt8>)
        case end
    }

    struct Malformed: Error {}

    private enum State {
        /// Reading the status line and the header fields.
        case head
        /// Reading the rest of a body with a known length, or of a chunk.
        case bytes(left: Int, isChunk: Bool)
        case chunkSize
        /// Reading the end of a chunk's last line.
        case chunkEnd
        case trailer
        /// Reading a body that ends with the connection.
        case untilClosed
        case ended
    }

    /// The maximum size of the status line and the header fields in bytes.
    private static let longestHead = 64 << 10
    /// The maximum length of a line that describes a chunk.
    private static let longestLine = 4096

    private var state = State.head
    /// The bytes that were received but not yet returned.
    private var rest: ArraySlice<UInt8> = []

    /// Whether the reader has received bytes after the end of the response.
    var hasExcess: Bool { !rest.isEmpty }

    /// Adds bytes that were received.
    mutating func append(_ bytes: ArraySlice<UInt8>) {
        if rest.isEmpty { rest = bytes } else { rest += bytes }
    }

    /// Returns the next part of the response; `nil` if more bytes are required.
    mutating func next() throws(Malformed) -> Part? {
        while true {
            switch state {
            case .head:
                guard let head = try readHead() else { return nil }
                if (100..<200).contains(head.status) { continue }
                return .head(head)
            case .bytes(let left, let isChunk):
                guard left > 0 else {
                    state = isChunk ? .chunkEnd : .ended
                    continue
                }
                guard !rest.isEmpty else { return nil }
                let piece = rest.prefix(left)
                rest = rest.dropFirst(piece.count)
                state = .bytes(left: left - piece.count, isChunk: isChunk)
                return .body(piece)
            case .chunkEnd:
                guard let line = try line(atMost: 2) else { return nil }
                guard line.isEmpty else { throw Malformed() }
                state = .chunkSize
            case .chunkSize:
                guard let line = try line(atMost: Self.longestLine) else { return nil }
                let digits = line.prefix { $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: " ") }
                guard let size = Self.number(digits, base: 16) else { throw Malformed() }
                state = size == 0 ? .trailer : .bytes(left: size, isChunk: true)
            case .trailer:
                guard let line = try line(atMost: Self.longestLine) else { return nil }
                if line.isEmpty { state = .ended }
            case .untilClosed:
                guard !rest.isEmpty else { return nil }
                defer { rest = [] }
                return .body(rest)
            case .ended:
                return .end
            }
        }
    }

    /// Ends the response because the server closed the connection.
    ///
    /// Returns whether the response is complete.
    func isComplete() -> Bool {
        switch state {
        case .untilClosed, .ended: true
        default: false
        }
    }

    /// Reads the status line and the header fields; returns `nil` if they are incomplete.
    private mutating func readHead() throws(Malformed) -> Head? {
        // A server that does not speak HTTP is recognized by its first bytes.
        let start = Array("HTTP/1.".utf8)
        guard zip(rest, start).allSatisfy({ $0 == $1 }) else { throw Malformed() }
        guard let end = endOfHead() else {
            guard rest.count <= Self.longestHead else { throw Malformed() }
            return nil
        }
        var lines = rest[..<end].split(separator: UInt8(ascii: "\n")).map { line in
            line.last == UInt8(ascii: "\r") ? line.dropLast() : line
        }.filter { !$0.isEmpty }[...]
        rest = rest[end...]
        guard let first = lines.popFirst() else { throw Malformed() }
        let words = first.split(separator: UInt8(ascii: " "), maxSplits: 2)
        guard words.count >= 2, words[0].count == 8, words[1].count == 3, let status = Self.number(words[1], base: 10)
        else { throw Malformed() }
        var head = Head(status: status, reason: words.count > 2 ? Self.text(words[2]) : "")
        head.keepsOpen = words[0].last == UInt8(ascii: "1")
        var length: Int?
        var isChunked = false
        for line in lines {
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { throw Malformed() }
            let value = Self.text(line[(colon + 1)...])
            switch Self.text(line[..<colon]).lowercased() {
            case "content-type": head.contentType = value
            case "content-length":
                guard let number = Self.number(Array(value.utf8)[...], base: 10), length ?? number == number else {
                    throw Malformed()
                }
                length = number
            case "transfer-encoding":
                guard value.lowercased() == "chunked" else { throw Malformed() }
                isChunked = true
            case "connection":
                switch value.lowercased() {
                case "close": head.keepsOpen = false
                case "keep-alive": head.keepsOpen = true
                default: break
                }
            default: break
            }
        }
        switch status {
        case 100..<200: state = .head
        case 204, 304: state = .ended
        default:
            if isChunked {
                state = .chunkSize
            } else if let length {
                state = .bytes(left: length, isChunk: false)
            } else {
                state = .untilClosed
                head.keepsOpen = false
            }
        }
        return head
    }

    /// The index after the empty line that ends the header fields; `nil` if the empty line is missing.
    private func endOfHead() -> Int? {
        var isEmptyLine = false
        for (index, byte) in zip(rest.indices, rest) {
            switch byte {
            case UInt8(ascii: "\n"):
                if isEmptyLine { return index + 1 }
                isEmptyLine = true
            case UInt8(ascii: "\r"): break
            default: isEmptyLine = false
            }
        }
        return nil
    }

    /// Reads a line, and returns it without its end; returns `nil` if the line is incomplete.
    private mutating func line(atMost longest: Int) throws(Malformed) -> ArraySlice<UInt8>? {
        guard let end = rest.firstIndex(of: UInt8(ascii: "\n")) else {
            guard rest.count < longest else { throw Malformed() }
            return nil
        }
        let line = rest[..<end]
        rest = rest[(end + 1)...]
        return line.last == UInt8(ascii: "\r") ? line.dropLast() : line
    }

    /// Parses a number that consists only of digits.
    private static func number(_ digits: ArraySlice<UInt8>, base: Int) -> Int? {
        guard !digits.isEmpty, digits.count <= 15 else { return nil }
        var number = 0
        for digit in digits {
            let value: Int
            switch digit {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): value = Int(digit - UInt8(ascii: "0"))
            case UInt8(ascii: "a")...UInt8(ascii: "f"): value = Int(digit - UInt8(ascii: "a")) + 10
            case UInt8(ascii: "A")...UInt8(ascii: "F"): value = Int(digit - UInt8(ascii: "A")) + 10
            default: return nil
            }
            guard value < base else { return nil }
            number = number * base + value
        }
        return number
    }

    /// Returns bytes as text, without spaces and tabs at both ends.
    private static func text(_ bytes: ArraySlice<UInt8>) -> String {
        func isSpace(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
        var bytes = bytes.drop(while: isSpace)
        while let last = bytes.last, isSpace(last) { bytes.removeLast() }
        return String(decoding: bytes, as: UTF8.self)
    }
}
