// Parses JSON5 (spec.json5.org).

/// A parser for one JSON5 document.
struct JSON5Parser {
    private let bytes: [UInt8]
    private var offset = 0
    private var depth = 0

    /// The maximum depth of nested objects and arrays.
    ///
    /// The limit prevents a stack overflow that a malicious file would cause.
    private static let deepest = 64

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Parses the whole document.
    mutating func parse() throws(JSON5Error) -> JSON5Node {
        // A byte order mark is white space.
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { offset = 3 }
        try skipSpace()
        let node = try value()
        try skipSpace()
        guard offset == bytes.count else { throw unexpected("the end of the file") }
        return node
    }

    private var byte: UInt8? { offset < bytes.count ? bytes[offset] : nil }

    private func unexpected(_ expected: String) -> JSON5Error {
        let found: String
        if offset < bytes.count {
            let rest = String(decoding: bytes[offset..<min(offset + 12, bytes.count)], as: UTF8.self)
            let first = rest.unicodeScalars.first.map { $0 == "\n" ? "the end of the line" : "'\($0)'" }
            found = first ?? "an invalid byte"
        } else {
            found = "the end of the file"
        }
        return error("expected \(expected), found \(found)")
    }

    private func error(_ cause: String) -> JSON5Error {
        JSON5Error(line: JSON5Document.line(at: offset, of: bytes), description: "invalid JSON5: \(cause)")
    }

    private mutating func value() throws(JSON5Error) -> JSON5Node {
        let start = offset
        let content: JSON5Node.Content
        switch byte {
        case UInt8(ascii: "{"): content = try object()
        case UInt8(ascii: "["): content = try array()
        case UInt8(ascii: "\""), UInt8(ascii: "'"): content = .string(try string())
        case let byte? where Self.beginsNumber(byte): content = .number(try number())
        case let byte? where Self.beginsName(byte):
            let name = word()
            switch name {
            case "null": content = .null
            case "true": content = .bool(true)
            case "false": content = .bool(false)
            case "Infinity": content = .number(.infinity)
            case "NaN": content = .number(.nan)
            default:
                offset = start
                throw error("'\(name.prefix(40))' is not a value; put text in quotes")
            }
        default: throw unexpected("a value")
        }
        return JSON5Node(content: content, range: start..<offset)
    }

    private mutating func object() throws(JSON5Error) -> JSON5Node.Content {
        try enter()
        var members: [JSON5Node.Member] = []
        while byte != UInt8(ascii: "}") {
            let start = offset
            let key: String
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "'"): key = try string()
            case let byte? where Self.beginsName(byte): key = word()
            default: throw unexpected(members.isEmpty ? "a setting or '}'" : "a setting, or '}' at the end")
            }
            let keyRange = start..<offset
            try skipSpace()
            guard byte == UInt8(ascii: ":") else { throw unexpected("':' after '\(key.prefix(40))'") }
            offset += 1
            try skipSpace()
            members.append(JSON5Node.Member(key: key, keyRange: keyRange, value: try value(), comma: nil))
            try skipSpace()
            if byte == UInt8(ascii: ",") {
                members[members.count - 1].comma = offset
                offset += 1
                try skipSpace()
            } else if byte != UInt8(ascii: "}") {
                throw unexpected("',' or '}' after the value of '\(key.prefix(40))'")
            }
        }
        leave()
        return .object(members)
    }

    private mutating func array() throws(JSON5Error) -> JSON5Node.Content {
        try enter()
        var elements: [JSON5Node] = []
        while byte != UInt8(ascii: "]") {
            elements.append(try value())
            try skipSpace()
            if byte == UInt8(ascii: ",") {
                offset += 1
                try skipSpace()
            } else if byte != UInt8(ascii: "]") {
                throw unexpected("',' or ']'")
            }
        }
        leave()
        return .array(elements)
    }

    /// Reads the opening bracket of an object or array.
    private mutating func enter() throws(JSON5Error) {
        depth += 1
        guard depth <= Self.deepest else { throw error("more than \(Self.deepest) nested brackets") }
        offset += 1
        try skipSpace()
    }

    /// Reads the closing bracket of an object or array.
    private mutating func leave() {
        depth -= 1
        offset += 1
    }

    // MARK: - White space

    private mutating func skipSpace() throws(JSON5Error) {
        while let byte {
            switch byte {
            case 0x09...0x0D, 0x20: offset += 1
            case UInt8(ascii: "/"): try skipComment()
            case 0xC2 where at(1) == 0xA0: offset += 2
            case 0xE2 where at(1) == 0x80 && (at(2) == 0xA8 || at(2) == 0xA9): offset += 3
            default: return
            }
        }
    }

    private func at(_ distance: Int) -> UInt8? {
        offset + distance < bytes.count ? bytes[offset + distance] : nil
    }

    private mutating func skipComment() throws(JSON5Error) {
        switch at(1) {
        case UInt8(ascii: "/"):
            while let byte, byte != UInt8(ascii: "\n"), byte != UInt8(ascii: "\r") { offset += 1 }
        case UInt8(ascii: "*"):
            let start = offset
            offset += 2
            while !(byte == UInt8(ascii: "*") && at(1) == UInt8(ascii: "/")) {
                guard byte != nil else {
                    offset = start
                    throw error("the comment has no end '*/'")
                }
                offset += 1
            }
            offset += 2
        default: throw unexpected("a value, a setting or a comment")
        }
    }

    // MARK: - Words, strings, numbers

    private static func beginsName(_ byte: UInt8) -> Bool {
        (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || byte == UInt8(ascii: "_")
            || byte == UInt8(ascii: "$") || byte >= 0x80
    }

    private static func beginsNumber(_ byte: UInt8) -> Bool {
        isDigit(byte) || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    private mutating func word() -> String {
        let start = offset
        while let byte, Self.beginsName(byte) || Self.isDigit(byte) { offset += 1 }
        return String(decoding: bytes[start..<offset], as: UTF8.self)
    }

    private mutating func number() throws(JSON5Error) -> Double {
        let start = offset
        var sign = 1.0
        if byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") {
            sign = byte == UInt8(ascii: "-") ? -1 : 1
            offset += 1
        }
        let body = offset
        while let byte {
            let isExponentSign =
                (byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-")) && offset > body
                && bytes[offset - 1] | 0x20 == UInt8(ascii: "e")
            guard
                Self.isDigit(byte) || byte < 0x80 && Self.beginsName(byte) || byte == UInt8(ascii: ".")
                    || isExponentSign
            else {
                break
            }
            offset += 1
        }
        let text = String(decoding: bytes[body..<offset], as: UTF8.self)
        let parsed: Double?
        switch text {
        case "Infinity": parsed = .infinity
        case "NaN": parsed = .nan
        case _ where text.hasPrefix("0x") || text.hasPrefix("0X"):
            parsed = UInt64(text.dropFirst(2), radix: 16).map { Double($0) }
        default:
            // Double's own syntax has no leading or trailing point.
            let parts = text.lowercased().split(separator: "e", maxSplits: 1, omittingEmptySubsequences: false)
            var mantissa = String(parts[0])
            if mantissa.hasPrefix(".") { mantissa = "0" + mantissa }
            if mantissa.hasSuffix(".") { mantissa += "0" }
            let hasDigit = parts[0].utf8.contains(where: Self.isDigit)
            let isPlain = parts[0].utf8.allSatisfy { Self.isDigit($0) || $0 == UInt8(ascii: ".") }
            parsed =
                hasDigit && isPlain
                ? Double(([mantissa] + parts.dropFirst().map(String.init)).joined(separator: "e")) : nil
        }
        guard let parsed else {
            let found = String(decoding: bytes[start..<offset].prefix(40), as: UTF8.self)
            offset = start
            throw error("'\(found)' is not a number")
        }
        return sign * parsed
    }

    private mutating func string() throws(JSON5Error) -> String {
        let start = offset
        let quote = bytes[offset]
        offset += 1
        var result: [UInt8] = []
        while let next = byte {
            switch next {
            case quote:
                offset += 1
                guard let text = String(validating: result, as: UTF8.self) else {
                    offset = start
                    throw error("the string is not valid UTF-8")
                }
                return text
            case UInt8(ascii: "\\"):
                offset += 1
                try escape(into: &result)
            case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
                offset = start
                throw error("the string has no closing quote on its line")
            default:
                result.append(next)
                offset += 1
            }
        }
        offset = start
        throw error("the string has no closing quote")
    }

    private mutating func escape(into result: inout [UInt8]) throws(JSON5Error) {
        guard let next = byte else { throw unexpected("a character after '\\'") }
        offset += 1
        switch next {
        case UInt8(ascii: "b"): result.append(0x08)
        case UInt8(ascii: "f"): result.append(0x0C)
        case UInt8(ascii: "n"): result.append(0x0A)
        case UInt8(ascii: "r"): result.append(0x0D)
        case UInt8(ascii: "t"): result.append(0x09)
        case UInt8(ascii: "v"): result.append(0x0B)
        case UInt8(ascii: "0") where !(byte.map(Self.isDigit) ?? false): result.append(0)
        case UInt8(ascii: "\n"): break
        case UInt8(ascii: "\r"): if byte == UInt8(ascii: "\n") { offset += 1 }
        case UInt8(ascii: "x"): append(try hex(2), to: &result)
        case UInt8(ascii: "u"):
            var scalar = try hex(4)
            if (0xD800..<0xDC00).contains(scalar), byte == UInt8(ascii: "\\"), at(1) == UInt8(ascii: "u") {
                offset += 2
                let low = try hex(4)
                scalar = 0x10000 + (scalar - 0xD800) << 10 + (low &- 0xDC00) & 0x3FF
            }
            append(scalar, to: &result)
        case UInt8(ascii: "1")...UInt8(ascii: "9"), UInt8(ascii: "0"):
            offset -= 1
            throw error("the escape sequence '\\\(Character(UnicodeScalar(next)))' does not exist")
        default: result.append(next)
        }
    }

    private mutating func hex(_ count: Int) throws(JSON5Error) -> UInt32 {
        let digits = bytes[offset..<min(offset + count, bytes.count)]
        guard digits.count == count, digits.allSatisfy({ Character(UnicodeScalar($0)).isHexDigit }),
            let value = UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
        else { throw unexpected("\(count) hexadecimal digits") }
        offset += count
        return value
    }

    private func append(_ scalar: UInt32, to result: inout [UInt8]) {
        result += Array(String(Character(UnicodeScalar(scalar) ?? "\u{FFFD}")).utf8)
    }
}
