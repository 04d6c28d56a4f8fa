// Writes JSON for programs that read printq's output.

import IPP

/// A JSON value whose members keep their order (RFC 8259).
package indirect enum JSONText: Sendable, Hashable {
    case null
    /// A Boolean value.
    case bool(Bool)
    /// A whole number.
    case number(Int)
    /// A floating-point number. Infinity and NaN are written as null.
    case decimal(Double)
    case string(String)
    case array([JSONText])
    /// An object with its members in order.
    ///
    /// Each member name occurs only once.
    case object([(name: String, value: JSONText)])

    package static func strings(_ strings: [String]) -> JSONText { .array(strings.map { .string($0) }) }

    /// Returns whether two values have the same JSON text.
    package static func == (a: JSONText, b: JSONText) -> Bool { a.text == b.text }

    package func hash(into hasher: inout Hasher) { hasher.combine(text) }

    /// The JSON text of the value with an indentation of two spaces per level.
    ///
    /// The text has no newline at its end.
    package var text: String { text(indentation: "") }

    /// Returns the JSON text of the value for use inside another value.
    ///
    /// With this function, a caller can write the elements of a long array one after another.
    ///
    /// - Parameter indentation: The indentation of all lines except the first line.
    package func text(indentation: String) -> String {
        var output = ""
        write(to: &output, indentation: indentation)
        return output
    }

    /// The JSON text of the value on one line, without a newline at its end.
    package var compactText: String {
        var output = ""
        writeCompactly(to: &output)
        return output
    }

    private func writeCompactly(to output: inout String) {
        switch self {
        case .array(let elements):
            output += "["
            for (index, element) in elements.enumerated() {
                if index > 0 { output += "," }
                element.writeCompactly(to: &output)
            }
            output += "]"
        case .object(let members):
            output += "{"
            for (index, member) in members.enumerated() {
                if index > 0 { output += "," }
                Self.quote(member.name, to: &output)
                output += ":"
                member.value.writeCompactly(to: &output)
            }
            output += "}"
        default: write(to: &output, indentation: "")
        }
    }

    private func write(to output: inout String, indentation: String) {
        let inner = indentation + "  "
        switch self {
        case .null: output += "null"
        case .bool(let truth): output += truth ? "true" : "false"
        case .number(let number): output += "\(number)"
        case .decimal(let number): output += number.isFinite ? "\(number)" : "null"
        case .string(let string): Self.quote(string, to: &output)
        case .array(let elements):
            guard !elements.isEmpty else { return output += "[]" }
            output += "["
            for (index, element) in elements.enumerated() {
                output += (index == 0 ? "\n" : ",\n") + inner
                element.write(to: &output, indentation: inner)
            }
            output += "\n\(indentation)]"
        case .object(let members):
            guard !members.isEmpty else { return output += "{}" }
            output += "{"
            for (index, member) in members.enumerated() {
                output += (index == 0 ? "\n" : ",\n") + inner
                Self.quote(member.name, to: &output)
                output += ": "
                member.value.write(to: &output, indentation: inner)
            }
            output += "\n\(indentation)}"
        }
    }

    private static func quote(_ string: String, to output: inout String) {
        output += "\""
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"": output += "\\\""
            case "\\": output += "\\\\"
            case "\n": output += "\\n"
            case "\t": output += "\\t"
            case "\r": output += "\\r"
            case _ where scalar.value < 0x20 || scalar.value == 0x7F:
                let digits = String(scalar.value, radix: 16)
                output += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: output.unicodeScalars.append(scalar)
            }
        }
        output += "\""
    }
}
