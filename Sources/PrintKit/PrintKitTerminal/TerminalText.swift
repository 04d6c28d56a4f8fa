// Text for display on a terminal.

/// A line of text without control characters.
///
/// The names of printers and jobs come from untrusted sources, so control characters are replaced by "?".
struct TerminalText {
    let text: String

    init(_ text: String) {
        self.text = String(text.map { $0.unicodeScalars.contains(where: Self.isControl) ? "?" : $0 })
    }

    /// The width of the text in columns.
    var columns: Int { text.reduce(0) { $0 + Self.columns(of: $1) } }

    /// Returns the beginning of the text that fits into a width.
    ///
    /// If text is omitted, the last column is an ellipsis.
    func cut(to width: Int) -> TerminalText {
        guard columns > width else { return self }
        var (kept, room) = ("", width - 1)
        for character in text {
            room -= Self.columns(of: character)
            guard room >= 0 else { break }
            kept.append(character)
        }
        return TerminalText(kept + "…")
    }

    /// Returns the text as lines of at most the given width.
    ///
    /// The lines are broken between words.
    func wrapped(to width: Int) -> [TerminalText] {
        var lines: [String] = []
        for word in text.split(separator: " ") {
            if let last = lines.last, TerminalText("\(last) \(word)").columns <= width {
                lines[lines.count - 1] = "\(last) \(word)"
            } else {
                lines.append(String(word))
            }
        }
        return lines.map { TerminalText($0).cut(to: width) }
    }

    func padded(to width: Int) -> String { text + String(repeating: " ", count: max(0, width - columns)) }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }

    /// Returns the width of a character in columns: 2 for wide characters (Unicode East Asian Width W and F), otherwise
    /// 1.
    private static func columns(of character: Character) -> Int {
        guard let scalar = character.unicodeScalars.first else { return 0 }
        return wide.contains { $0.contains(scalar.value) } ? 2 : 1
    }

    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF,
        0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F900...0x1FAFF, 0x20000...0x3FFFD,
    ]
}
