// Writes a printer file as readable JSON5 with comments.

import FoundationEssentials

enum FileValue: Hashable, Sendable, ExpressibleByStringLiteral, ExpressibleByBooleanLiteral {
    case text(String)
    /// A number in hundredths: 250 stands for 2.5.
    case hundredths(Int)
    case bool(Bool)
    case list([FileValue])
    case object([Member])

    struct Member: Hashable, Sendable {
        var key: String
        var value: FileValue
    }

    init(stringLiteral value: String) { self = .text(value) }
    init(booleanLiteral value: Bool) { self = .bool(value) }

    static func whole(_ number: Int) -> FileValue { .hundredths(number * 100) }
    static func texts(_ texts: [String]) -> FileValue { .list(texts.map { .text($0) }) }

    /// Returns an object without the members that are nil.
    static func object(_ members: KeyValuePairs<String, FileValue?>) -> FileValue {
        .object(members.compactMap { key, value in value.map { Member(key: key, value: $0) } })
    }

    var line: String {
        switch self {
        case .text(let text): return Self.quoted(text)
        case .hundredths(let number):
            let (whole, rest) = abs(number).quotientAndRemainder(dividingBy: 100)
            let digits = rest == 0 ? "" : rest % 10 == 0 ? ".\(rest / 10)" : ".\(rest < 10 ? "0" : "")\(rest)"
            return "\(number < 0 ? "-" : "")\(whole)\(digits)"
        case .bool(let truth): return "\(truth)"
        case .list(let values): return "[\(values.map(\.line).joined(separator: ", "))]"
        case .object(let members):
            return "{ \(members.map { "\($0.key): \($0.value.line)" }.joined(separator: ", ")) }"
        }
    }

    /// A long list has one line per element.
    var lines: String {
        guard line.count > 90, case .list(let values) = self else { return line }
        return "[\n\(values.map { "        \($0.line),\n" }.joined())    ]"
    }

    private static func quoted(_ text: String) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        let data = (try? encoder.encode(text)) ?? Data("\"\"".utf8)
        return String(decoding: data, as: UTF8.self)
    }
}

struct PrinterFileText {
    private(set) var text = ""

    init(about lines: [String]) {
        for line in lines { text += "// \(Self.sanitized(line))\n" }
        text += "{\n"
    }

    mutating func add(_ key: String, _ value: FileValue?, note: String? = nil) {
        if let note { text += "    // \(Self.sanitized(note))\n" }
        if let value { text += "    \(key): \(value.lines),\n" }
    }

    mutating func gap() { text += "\n" }

    func finished(_ comments: [String]) -> String {
        var end = text
        if !comments.isEmpty { end += "\n    // Features of the printer that are not simulated:\n" }
        for comment in comments { end += "    // - \(Self.sanitized(comment))\n" }
        return end + "}\n"
    }

    /// Returns the text as a single line of limited length, so that text from a printer cannot end a comment.
    static func sanitized(_ text: String, to longest: Int = 300) -> String {
        let line = text.unicodeScalars.prefix(longest).map { scalar in
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned: Unicode.Scalar(" ")
            default: scalar
            }
        }
        return String(String.UnicodeScalarView(line)) + (text.unicodeScalars.count > longest ? " …" : "")
    }
}
