// Reads the query of an address.

/// The query of a request (`application/x-www-form-urlencoded`).
package struct QueryText: Sendable {
    private let values: [String: String]

    /// Parses a query such as `show=all&q=energy+report`.
    ///
    /// - Throws: `Problem` with status 400 if the query is malformed or a parameter occurs twice.
    package init(_ text: String) throws(Problem) {
        var values: [String: String] = [:]
        for part in text.utf8.split(separator: UInt8(ascii: "&")) {
            let equals = part.firstIndex(of: UInt8(ascii: "=")) ?? part.endIndex
            let name = try Self.decoded(part[..<equals])
            let value = equals < part.endIndex ? try Self.decoded(part[part.index(after: equals)...]) : ""
            guard values.updateValue(value, forKey: name) == nil else {
                throw .malformed("the query contains the parameter '\(name)' twice")
            }
        }
        self.values = values
    }

    /// Returns the value of a query parameter; nil if the parameter is missing or empty.
    package subscript(name: String) -> String? { values[name].flatMap { $0.isEmpty ? nil : $0 } }

    /// Returns the number in a query parameter, or `other` if the parameter is missing or empty.
    ///
    /// - Throws: `Problem` with status 422 if the value is not a number in the range.
    package func number(_ name: String, in range: ClosedRange<Int>, default other: Int) throws(Problem) -> Int {
        guard let text = self[name] else { return other }
        guard let number = Int(text), range.contains(number) else {
            throw .wrong(name, "'\(name)' must be a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    private static func decoded(_ text: Substring.UTF8View) throws(Problem) -> String {
        var bytes: [UInt8] = []
        var rest = text[...]
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "+"): bytes.append(UInt8(ascii: " "))
            case UInt8(ascii: "%"):
                guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit) else {
                    throw .malformed("the query contains a malformed percent-encoding")
                }
                bytes.append(high << 4 | low)
            default: bytes.append(byte)
            }
        }
        guard let string = String(validating: bytes, as: UTF8.self), !bytes.contains(0) else {
            throw .malformed("the query is not UTF-8")
        }
        return string
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
