// Text as a terminal shows it.

/// A line of text on a terminal, without anything that a terminal would obey.
///
/// Names of printers and jobs come from anywhere: control characters become "?".
struct TerminalText {
    let text: String

    init(_ text: String) {
        self.text = String(text.map { $0.unicodeScalars.contains(where: Self.isControl) ? "?" : $0 })
    }

    /// How many columns it takes.
    var columns: Int { text.reduce(0) { $0 + Self.columns(of: $1) } }

    /// No more than so many columns, the last being an ellipsis where something is missing.
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

    /// In lines of no more than so many columns, broken between words.
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

    /// With spaces up to so many columns.
    func padded(to width: Int) -> String { text + String(repeating: " ", count: max(0, width - columns)) }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }

    /// Two for wide characters (Unicode East Asian Width W and F).
    private static func columns(of character: Character) -> Int {
        guard let scalar = character.unicodeScalars.first else { return 0 }
        return wide.contains { $0.contains(scalar.value) } ? 2 : 1
    }

    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF,
        0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F900...0x1FAFF, 0x20000...0x3FFFD,
    ]
}
