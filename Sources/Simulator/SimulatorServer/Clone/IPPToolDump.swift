// Parses the output of `ipptool -tv`.

package import IPP

/// The attributes in the output of CUPS' `ipptool -tv`.
///
///     media-default (keyword) = iso_a4_210x297mm
///     media-size-supported (1setOf collection) = {x-dimension=21000 y-dimension=29700},{x-dimension=…}
///
/// The output is ambiguous: a text with a comma looks like two texts. Lines that cannot be parsed are ignored.
package struct IPPToolDump: Sendable {
    /// The printer's attributes, from the longest response in the output.
    package let attributes: AttributeGroup

    package init(_ text: String) {
        var answers: [[Attribute]] = [[]]
        for line in text.split(whereSeparator: \.isNewline) {
            // A response starts with its status. Attributes before it belong to the request.
            if line.drop(while: { $0 == " " }).hasPrefix("status-code = ") { answers.append([]) }
            if let attribute = Self.attribute(line) { answers[answers.count - 1].append(attribute) }
        }
        let most = answers.dropFirst().max { $0.count < $1.count } ?? answers[0]
        attributes = AttributeGroup(.printer, most)
    }

    private static func attribute(_ line: Substring) -> Attribute? {
        let line = line.drop { $0 == " " || $0 == "\t" }
        guard let open = line.firstRange(of: " ("), let close = line.firstRange(of: ") ="),
            open.upperBound <= close.lowerBound
        else { return nil }
        let name = line[..<open.lowerBound]
        guard !name.isEmpty, name.utf8.count <= 255, !name.contains(" ") else { return nil }
        var type = line[open.upperBound..<close.lowerBound]
        var words = line[close.upperBound...]
        if words.first == " " { words = words.dropFirst() }
        let isSet = type.hasPrefix("1setOf ")
        if isSet { type = type.dropFirst(7) }
        let texts = isSet || type == "collection" ? split(words, isOctets: type == "octetString") : [words]
        let values = texts.prefix(20_000).compactMap { value($0, type: String(type), of: String(name)) }
        return values.isEmpty ? nil : Attribute(String(name), Array(values))
    }

    private static func split(_ words: Substring, isOctets: Bool) -> [Substring] {
        var parts: [Substring] = []
        var (depth, start) = (0, words.startIndex)
        var index = words.startIndex
        while index < words.endIndex {
            switch words[index] {
            case "\\":
                words.formIndex(after: &index)
                if index == words.endIndex { continue }
            case "{": depth += 1
            case "}": depth -= 1
            case "," where depth <= 0:
                let next = words.index(after: index)
                // An octet string has the form 'type=…;name=…;'. A comma within a name does not end it.
                if !isOctets || words[start..<index].hasSuffix(";") {
                    parts.append(words[start..<index])
                    start = next
                }
            default: break
            }
            words.formIndex(after: &index)
        }
        parts.append(words[start...])
        return parts
    }

    private static func value(_ words: Substring, type: String, of name: String) -> Value? {
        let text = unescaped(words)
        switch type {
        case "integer": return Int32(text).map { .integer($0) }
        case "enum": return enumeration(text, of: name)
        case "boolean": return text == "true" ? .boolean(true) : text == "false" ? .boolean(false) : nil
        case "rangeOfInteger": return range(text).map { .range($0) }
        case "resolution": return resolution(text).map { .resolution($0) }
        case "collection":
            var rest = words
            return collection(&rest, depth: 0).map { .collection($0) }
        case "octetString": return .octetString(Array(text.utf8))
        case "textWithoutLanguage", "text": return .text(text)
        case "nameWithoutLanguage", "name": return .name(text)
        case "textWithLanguage": return .text(withoutLanguage(text))
        case "nameWithLanguage": return .name(withoutLanguage(text))
        case "keyword": return .keyword(text)
        case "uri": return .uri(text)
        case "uriScheme": return .uriScheme(text)
        case "charset": return .charset(text)
        case "naturalLanguage": return .naturalLanguage(text)
        case "mimeMediaType": return .mimeMediaType(text)
        case "no-value": return .outOfBand(.noValue)
        case "unknown": return .outOfBand(.unknown)
        default: return nil
        }
    }

    private static func withoutLanguage(_ text: String) -> String {
        guard text.hasSuffix("]"), let open = text.lastIndex(of: "[") else { return text }
        return String(text[..<open])
    }

    private static func unescaped(_ words: Substring) -> String {
        guard words.contains("\\") else { return String(words) }
        var text = ""
        var isEscaped = false
        for character in words {
            if character == "\\", !isEscaped {
                isEscaped = true
            } else {
                text.append(character)
                isEscaped = false
            }
        }
        return text
    }

    /// Returns the enum value for a name or number that `ipptool` prints; a keyword if the name is unknown.
    private static func enumeration(_ text: String, of name: String) -> Value {
        if let number = Int32(text) { return .enumeration(number) }
        if text.hasPrefix("0x"), let number = Int32(text.dropFirst(2), radix: 16) { return .enumeration(number) }
        if name == "operations-supported" {
            return operations[text].map { .enumeration($0) } ?? .keyword(text)
        }
        return enumerations[name]?[text].map { .enumeration($0) } ?? .keyword(text)
    }

    private static let operations = Dictionary(
        (1...0x4FFF).map { (Operation(rawValue: UInt16($0)).description, Int32($0)) },
        uniquingKeysWith: { first, _ in first })
    private static let enumerations: [String: [String: Int32]] = [
        "print-quality-supported": ["draft": 3, "normal": 4, "high": 5],
        "print-quality-default": ["draft": 3, "normal": 4, "high": 5],
        "finishings-supported": finishings, "finishings-default": finishings,
        "printer-state": ["idle": 3, "processing": 4, "stopped": 5],
    ]
    private static let finishings: [String: Int32] = [
        "none": 3, "staple": 4, "punch": 5, "cover": 6, "bind": 7, "fold": 10, "trim": 11, "trim-after-pages": 60,
        "trim-after-documents": 61, "trim-after-copies": 62, "trim-after-job": 63,
    ]

    /// The lower bound can be negative.
    private static func range(_ text: some StringProtocol) -> IntegerRange? {
        guard let dash = text.dropFirst().firstIndex(of: "-"), let lower = Int32(text[..<dash]),
            let upper = Int32(text[text.index(after: dash)...])
        else { return nil }
        return IntegerRange(lower: lower, upper: upper)
    }

    /// Parses a resolution such as `600dpi`, `600x1200dpi` or `118dpcm`.
    private static func resolution(_ text: String) -> Resolution? {
        let numbers = text.prefix { !$0.isLetter || $0 == "x" }.split(separator: "x").compactMap { Int32($0) }
        guard let across = numbers.first, let along = numbers.last, text.hasSuffix("dpi") || text.hasSuffix("dpcm")
        else {
            return nil
        }
        return Resolution(
            crossFeed: across, feed: along, units: text.hasSuffix("dpcm") ? .dotsPerCentimeter : .dotsPerInch)
    }

    /// Parses members in braces: `{name=value name={…} name=value,value}`.
    ///
    /// For a truncated collection, the function returns the members before the end.
    private static func collection(_ words: inout Substring, depth: Int) -> IPP.Collection? {
        guard depth < 8, words.first == "{" else { return nil }
        words.removeFirst()
        var members: [Attribute] = []
        while let first = words.first, first != "}" {
            if first == " " {
                words.removeFirst()
                continue
            }
            guard let equals = words.firstIndex(where: { $0 == "=" || $0 == "}" }), words[equals] == "=" else {
                return nil
            }
            let name = String(words[..<equals])
            words = words[words.index(after: equals)...]
            var values: [Value] = []
            repeat {
                if words.first == "," { words.removeFirst() }
                guard let value = member(&words, depth: depth) else { return nil }
                values.append(value)
            } while words.first == ","
            members.append(Attribute(name, values))
        }
        if words.first == "}" { words.removeFirst() }
        return IPP.Collection(members)
    }

    /// The output of `ipptool` does not contain the type of the value.
    private static func member(_ words: inout Substring, depth: Int) -> Value? {
        if words.first == "{" { return collection(&words, depth: depth + 1).map { .collection($0) } }
        var index = words.startIndex
        while index < words.endIndex, !" ,}".contains(words[index]) {
            if words[index] == "\\" { words.formIndex(after: &index) }
            if index < words.endIndex { words.formIndex(after: &index) }
        }
        let text = unescaped(words[..<index])
        words = words[index...]
        if let number = Int32(text) { return .integer(number) }
        if let range = range(text) { return .range(range) }
        return text == "true" || text == "false" ? .boolean(text == "true") : .keyword(text)
    }
}
