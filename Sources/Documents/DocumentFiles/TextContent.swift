// Recognizes markup, e-mail and scripts in the first bytes of a text.

package import PrintModel

/// The type of a text file, determined from the beginning of the text.
package struct TextContent {
    /// The beginning of the text as UTF-8, without the byte order mark.
    private let text: [UInt8]

    init(utf8: [UInt8]) { text = utf8 }

    /// Returns the proportion, from 0 to 1, of bytes that are control characters without a use in text.
    package static func controlShare(of bytes: [UInt8]) -> Double {
        let controls = bytes.count {
            $0 < 0x20 && !(0x07...0x0D).contains($0) && $0 != 0x1A && $0 != 0x1B || $0 == 0x7F
        }
        return Double(controls) / Double(max(bytes.count, 1))
    }

    /// The format of a markup document, determined from its root element: SVG, HTML, or XML of Office 2003; nil for
    /// other text.
    var markup: DocumentFormat? {
        switch rootName {
        case "svg": DocumentFormat(rawValue: "image/svg+xml")
        case "html", "!doctype html", "head", "body": DocumentFormat(rawValue: "text/html")
        case "worddocument": DocumentFormat(rawValue: "application/vnd.ms-wordml")
        // Other programs have workbooks too.
        case "workbook" where String(decoding: text.prefix(4096), as: UTF8.self).contains(Self.spreadsheet):
            DocumentFormat(rawValue: "application/vnd.ms-spreadsheetml")
        default: nil
        }
    }

    private static let spreadsheet = "urn:schemas-microsoft-com:office:spreadsheet"

    /// Returns the format of a markup document, determined from its first bytes; nil for other content.
    package static func markup(ofHead head: some Sequence<UInt8>) -> DocumentFormat? {
        let bytes = Array(head)
        return TextContent(utf8: bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes).markup
    }

    /// Whether the text begins with an XML declaration.
    var isXML: Bool { starts("<?xml") }
    /// Whether the text begins with a markup tag.
    var startsWithTag: Bool { text.first { !Self.isSpace($0) } == UInt8(ascii: "<") }
    /// Whether the text begins with an interpreter line such as `#!/bin/sh`.
    var isScript: Bool { starts("#!/") || starts("#! /") }
    /// Whether the text begins with the opening bracket of a JSON object or array.
    var startsWithBracket: Bool {
        let first = text.first { !Self.isSpace($0) }
        return first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
    }

    /// Whether the text begins with the header of an e-mail message (RFC 5322).
    ///
    /// The header must contain the field `From` and at least two other common fields.
    var isEmail: Bool {
        let known: Set<String> = [
            "from", "to", "date", "subject", "mime-version", "received", "message-id", "return-path", "content-type",
            "delivered-to",
        ]
        var found: Set<String> = []
        for (index, line) in text.split(separator: 0x0A, maxSplits: 200, omittingEmptySubsequences: false).enumerated()
        {
            let line = line.last == 0x0D ? line.dropLast() : line
            if line.isEmpty || index == 200 { break }
            if line.first == 0x20 || line.first == 0x09 { continue }
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex,
                line[..<colon].allSatisfy({ $0 > 0x20 && $0 < 0x7F })
            else {
                if index == 0, line.starts(with: "From ".utf8) { continue }  // mbox
                return false
            }
            let name = String(decoding: line[..<colon], as: UTF8.self).lowercased()
            if known.contains(name) { found.insert(name) }
        }
        return found.contains("from") && found.count >= 3
    }

    /// The name of the first markup element in lower case, without its namespace prefix.
    ///
    /// If the text contains an HTML document type declaration, the value is `!doctype html`.
    private var rootName: String? {
        var rest = text[...]
        for _ in 0..<50 {
            rest = rest.drop(while: Self.isSpace)
            guard rest.first == UInt8(ascii: "<") else { return nil }
            if rest.starts(with: "<?".utf8) {
                rest = Self.after("?>", in: rest)
            } else if rest.starts(with: "<!--".utf8) {
                rest = Self.after("-->", in: rest)
            } else if rest.dropFirst().first == UInt8(ascii: "!") {
                let words = String(decoding: rest.prefix(64), as: UTF8.self).lowercased()
                    .split { $0.isWhitespace || $0 == ">" }
                if words.first == "<!doctype", words.dropFirst().first == "html" { return "!doctype html" }
                rest = Self.afterDeclaration(rest)
            } else {
                let name = rest.dropFirst().prefix { !Self.isSpace($0) && $0 != 0x3E && $0 != 0x2F }.prefix(64)
                let local = name.split(separator: UInt8(ascii: ":")).last ?? []
                return String(decoding: local, as: UTF8.self).lowercased()
            }
        }
        return nil
    }

    private func starts(_ prefix: String) -> Bool { text.starts(with: prefix.utf8) }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

    private static func after(_ end: String, in bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let mark = Array(end.utf8)
        var rest = bytes
        while let start = rest.firstIndex(of: mark[0]) {
            rest = rest[start...]
            if rest.starts(with: mark) { return rest.dropFirst(mark.count) }
            rest = rest.dropFirst()
        }
        return []
    }

    /// Returns the bytes after a document type declaration.
    ///
    /// The declaration can contain other declarations in brackets.
    private static func afterDeclaration(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var depth = 0
        for index in bytes.indices {
            switch bytes[index] {
            case UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "]"): depth -= 1
            case UInt8(ascii: ">") where depth <= 0: return bytes[(index + 1)...]
            default: break
            }
        }
        return []
    }
}
