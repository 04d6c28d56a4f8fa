// Interprets the characters of a line: tabs, overstrikes, escape sequences and control characters.

/// A character on the grid of a text page.
struct TextCell: Hashable {
    var scalar: Unicode.Scalar
    var width: CharacterWidth
    var isBold = false
    var isUnderlined = false

    var isPlain: Bool { scalar.value < 0x7F && !isBold && !isUnderlined }

    /// Whether the character is a Latin, Greek, Cyrillic or box-drawing character in the regular style.
    ///
    /// The regular font always contains these characters, each with the width of one cell.
    var isRegular: Bool {
        guard !isBold, !isUnderlined, width == .narrow else { return false }
        return switch scalar.value {
        case 0x20...0x017F, 0x0391...0x03A1, 0x03A3...0x03CE, 0x0400...0x045F, 0x2013...0x2014, 0x2018...0x201E,
            0x2022, 0x2026, 0x20AC, 0x2500...0x259F:
            true
        default: false
        }
    }
}

/// The characters of a line of text, on a grid of cells, as on a terminal or a line printer.
///
/// As in the output of nroff, a character that is printed twice at the same position is bold. A character that is
/// printed over `_` is underlined. Escape sequences (ECMA-48) select bold and underlined text; other sequences have no
/// effect. Other control characters are shown in caret notation: `^A`.
struct TextCells {
    /// The characters of the line, from left to right.
    private(set) var cells: [TextCell] = []
    private let tabWidth: Int
    private var cursor = 0
    private var column = 0
    private var isBold = false
    private var isUnderlined = false

    /// Reads a whole line or a part of a line, in UTF-8.
    init(_ bytes: ArraySlice<UInt8>, tabWidth: Int) {
        self.tabWidth = tabWidth
        cells.reserveCapacity(bytes.count)
        let text = String(decoding: bytes, as: UTF8.self).unicodeScalars
        var index = text.startIndex
        while index < text.endIndex {
            let scalar = text[index]
            text.formIndex(after: &index)
            switch scalar.value {
            case 0x20...0x7E: put(scalar, .narrow)
            case 0x08: back()
            case 0x09: for _ in 0..<(tabWidth - column % tabWidth) { put(" ", .narrow) }
            case 0x1B: escape(text, &index)
            case 0..<0x20, 0x7F:
                put("^", .narrow)
                put(Unicode.Scalar(UInt8(scalar.value) ^ 0x40), .narrow)
            case 0x80...0x9F: put("\u{FFFD}", .narrow)
            case 0xFFFE, 0xFFFF, 0xFEFF: break
            default: put(scalar, CharacterWidth(scalar))
            }
        }
    }

    /// Whether the line contains characters of a script that requires shaping, such as Arabic, Hebrew or Devanagari.
    var needsShaping: Bool { cells.contains { $0.width == .shaped } }

    private mutating func put(_ scalar: Unicode.Scalar, _ width: CharacterWidth) {
        var cell = TextCell(scalar: scalar, width: width, isBold: isBold, isUnderlined: isUnderlined)
        if cursor < cells.count {
            let before = cells[cursor]
            cell.isBold = before.isBold || isBold
            cell.isUnderlined = before.isUnderlined || isUnderlined
            if before.scalar == scalar, scalar != " " {
                cell.isBold = scalar != "_" || cell.isBold
            } else if scalar == "_" {
                cell.scalar = before.scalar
                cell.width = before.width
                cell.isUnderlined = true
            } else if before.scalar == "_" {
                cell.isUnderlined = true
            }
            cells[cursor] = cell
        } else {
            cells.append(cell)
        }
        column += cell.width.cells
        cursor += 1
    }

    private mutating func back() {
        guard cursor > 0 else { return }
        cursor -= 1
        column = max(0, column - cells[cursor].width.cells)
    }

    /// Skips an escape sequence after its ESC character, and applies the styles that the sequence selects.
    private mutating func escape(
        _ text: String.UnicodeScalarView, _ index: inout String.UnicodeScalarView.Index
    ) {
        guard index < text.endIndex else { return }
        let kind = text[index]
        text.formIndex(after: &index)
        switch kind {
        case "[":
            var parameters = ""
            while index < text.endIndex, (0x20...0x3F).contains(text[index].value) {
                parameters.unicodeScalars.append(text[index])
                text.formIndex(after: &index)
            }
            guard index < text.endIndex else { return }
            if text[index] == "m" { select(parameters) }
            text.formIndex(after: &index)
        case "]":  // a command for the terminal, such as a link, which ends with BEL or ESC \
            while index < text.endIndex, text[index].value != 0x07, text[index].value != 0x1B {
                text.formIndex(after: &index)
            }
            if index < text.endIndex {
                let isEscape = text[index].value == 0x1B
                text.formIndex(after: &index)
                if isEscape, index < text.endIndex { text.formIndex(after: &index) }
            }
        case "(", ")":
            if index < text.endIndex { text.formIndex(after: &index) }
        default: break
        }
    }

    /// Applies a list of text styles (SGR, ECMA-48 §8.3.117).
    private mutating func select(_ parameters: String) {
        for parameter in parameters.split(separator: ";", omittingEmptySubsequences: false) {
            switch parameter {
            case "", "0": (isBold, isUnderlined) = (false, false)
            case "1": isBold = true
            case "4": isUnderlined = true
            case "22": isBold = false
            case "24": isUnderlined = false
            // The rest selects a color.
            case "38", "48": return
            default: break
            }
        }
    }
}
