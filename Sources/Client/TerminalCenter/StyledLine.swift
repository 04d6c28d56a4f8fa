// Lines of text with styles, and their escape sequences.

import SpoolerClient

/// The appearance of a part of a line.
///
/// The terminal's theme defines the colors, so that the text is readable on light and dark backgrounds. Each color is
/// accompanied by a text or a mark with the same meaning.
package enum TerminalStyle: Hashable, Sendable {
    case plain
    /// The style of a title.
    case strong
    /// The style of secondary text.
    case faint
    /// The style of work in progress.
    case accent
    /// The style of a state that needs attention from a person.
    case attention
    case failure

    /// Returns the parameters of the SGR escape sequence for this style; empty if the style looks like plain text.
    func parameters(hasColors: Bool) -> String {
        switch self {
        case .plain: ""
        case .strong: "1"
        case .faint: hasColors ? "2" : ""
        case .accent: hasColors ? "94" : ""
        case .attention: hasColors ? "33" : "1"
        case .failure: hasColors ? "31" : "1"
        }
    }
}

package struct StyledLine: Hashable, Sendable {
    package struct Part: Hashable, Sendable {
        package var text: String
        package var style: TerminalStyle
    }

    /// The parts, from left to right.
    package private(set) var parts: [Part] = []
    /// Whether the whole line is highlighted as the selected line of a list.
    package var isSelected = false

    package init(_ text: String = "", _ style: TerminalStyle = .plain) { append(text, style) }

    /// The text of the line, without styles.
    package var text: String { parts.map(\.text).joined() }
    /// The width of the line in columns.
    package var columns: Int { parts.reduce(0) { $0 + $1.text.columns } }

    /// Appends text, with the character `·` in place of each control character.
    package mutating func append(_ text: String, _ style: TerminalStyle = .plain) {
        if !text.isEmpty { parts.append(Part(text: text.printable, style: style)) }
    }

    /// Appends text, padded with spaces to the given width in columns.
    ///
    /// Longer text is truncated.
    ///
    /// - Parameter isRight: Whether the text is aligned to the right.
    package mutating func append(_ text: String, _ style: TerminalStyle = .plain, width: Int, isRight: Bool = false) {
        let shown = text.printable.truncated(to: max(0, width))
        let padding = String(repeating: " ", count: max(0, width - shown.columns))
        append(isRight ? padding + shown : shown + padding, style)
    }

    /// Appends spaces until the line has a given number of columns.
    package mutating func pad(to column: Int) { append(String(repeating: " ", count: max(0, column - columns))) }

    /// Returns the line, truncated to the given number of columns.
    func truncated(to width: Int) -> StyledLine {
        guard columns > width else { return self }
        var line = StyledLine()
        line.isSelected = isSelected
        for part in parts {
            let room = width - line.columns
            if room <= 0 { break }
            line.append(part.text.truncated(to: room), part.style)
        }
        return line
    }

    /// Returns the bytes that draw the line on a terminal with the given width, without a line end.
    func drawn(width: Int, hasColors: Bool) -> String {
        var line = truncated(to: width)
        if isSelected { line.pad(to: width) }
        let reverse = isSelected ? "7" : ""
        let text = line.parts.map { part in
            let parameters = [reverse, part.style.parameters(hasColors: hasColors)].filter { !$0.isEmpty }
            return parameters.isEmpty ? part.text : "\u{1B}[\(parameters.joined(separator: ";"))m\(part.text)\u{1B}[0m"
        }
        // The line is erased first: after a character in the last column, some terminals would erase this character.
        return "\u{1B}[K" + text.joined()
    }
}

/// A copy of the terminal's content.
///
/// The program compares new lines with the copy, and writes only the changed lines to the terminal.
package struct TerminalDisplay: Sendable {
    private var shown: [String] = []
    private let hasColors: Bool

    /// Creates an empty copy of a terminal's content.
    package init(hasColors: Bool) { self.hasColors = hasColors }

    /// Discards the copy of the terminal's content, so that the next update draws all lines.
    package mutating func forget() { shown = [] }

    /// Returns the bytes that change the terminal's content to the given lines.
    ///
    /// A terminal that supports synchronized output shows all changed lines together.
    package mutating func update(_ lines: [StyledLine], columns: Int, rows: Int) -> [UInt8] {
        let new = (0..<rows).map { row in
            row < lines.count ? lines[row].drawn(width: columns, hasColors: hasColors) : "\u{1B}[K"
        }
        var output = shown.isEmpty ? "\u{1B}[0m\u{1B}[2J" : ""
        for (row, line) in new.enumerated() where !shown.indices.contains(row) || shown[row] != line {
            output += "\u{1B}[\(row + 1);1H\(line)"
        }
        shown = new
        return output.isEmpty ? [] : Array("\u{1B}[?2026h\(output)\u{1B}[?2026l".utf8)
    }
}
