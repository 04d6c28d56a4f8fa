// Defines the rows of a text page.

import PrintGraphics

/// A row of a text page.
enum TextRow {
    /// Characters of the regular font in UTF-8, each with the width of one cell.
    case plain(ArraySlice<UInt8>)
    /// Characters at positions on the grid of character cells.
    case cells([TextSegment])
    /// A line in a script that requires shaping. `x` is the distance of the line from the left edge of the row, in
    /// points.
    case shaped(TextLine, x: Double)
}

/// Adjacent characters on the grid that have the same style and width class.
struct TextSegment: Hashable {
    var text: String
    /// The index of the segment's first cell in the row.
    var start: Int
    /// The number of cells in the segment.
    var cells: Int
    var width: CharacterWidth
    var isBold: Bool
    var isUnderlined: Bool

    /// Groups adjacent characters into segments.
    static func segments(of cells: ArraySlice<TextCell>) -> [TextSegment] {
        var segments: [TextSegment] = []
        var column = 0
        for cell in cells {
            if let last = segments.last,
                cell.width == .zero
                    || last.width == cell.width && last.isBold == cell.isBold && last.isUnderlined == cell.isUnderlined
            {
                segments[segments.count - 1].text.unicodeScalars.append(cell.scalar)
                segments[segments.count - 1].cells += cell.width.cells
            } else {
                segments.append(
                    TextSegment(
                        text: String(cell.scalar), start: column, cells: max(cell.width.cells, 1), width: cell.width,
                        isBold: cell.isBold, isUnderlined: cell.isUnderlined))
                column += cell.width == .zero ? 1 : 0
            }
            column += cell.width.cells
        }
        return segments
    }
}

/// A line breaker, which divides text lines into rows.
struct TextRows {
    /// The text in UTF-8.
    let text: [UInt8]
    /// The number of cells in a row.
    let cells: Int
    /// The width of a row in points.
    let width: Double
    let font: Font
    let tabWidth: Int
    /// Whether a long line continues in the next row.
    ///
    /// If false, a long line is truncated.
    let wraps: Bool

    /// The maximum number of bytes that are read at a time from a long line.
    private static let longestPart = 16_384

    /// Calls a closure with each row of a line.
    func forEach(in line: Range<Int>, _ body: (TextRow) throws -> Void) rethrows {
        var rest = line
        repeat {
            let part = text.withUnsafeBufferPointer { Self.part(of: $0, in: rest) }
            try forEach(inPart: part, body)
            rest = part.upperBound..<line.upperBound
        } while !rest.isEmpty && wraps
    }

    private func forEach(inPart part: Range<Int>, _ body: (TextRow) throws -> Void) rethrows {
        let isASCII = text.withUnsafeBufferPointer { bytes in
            part.allSatisfy { bytes[$0] >= 0x20 && bytes[$0] < 0x7F }
        }
        if isASCII { return try forEach(plain: text[part], body) }
        let parsed = TextCells(text[part], tabWidth: tabWidth)
        if parsed.cells.allSatisfy(\.isPlain) {
            return try forEach(plain: ArraySlice(parsed.cells.map { UInt8($0.scalar.value) }), body)
        }
        if parsed.needsShaping { return try forEach(shaped: parsed.cells, body) }
        var rest = parsed.cells[...]
        repeat {
            let row = rest.prefix(Self.count(of: rest, fitting: cells))
            if row.allSatisfy(\.isRegular) {
                // The rows of a page in the regular font are laid out together, which is much faster.
                var string = String.UnicodeScalarView()
                string.append(contentsOf: row.lazy.map(\.scalar))
                try body(.plain(ArraySlice(String(string).utf8)))
            } else {
                try body(.cells(TextSegment.segments(of: row)))
            }
            rest = rest.dropFirst(row.count)
            if !rest.isEmpty { rest = rest.drop { $0.scalar == " " } }
        } while !rest.isEmpty && wraps
    }

    private func forEach(plain bytes: ArraySlice<UInt8>, _ body: (TextRow) throws -> Void) rethrows {
        guard bytes.count > cells else { return try body(.plain(bytes)) }
        var rest = bytes
        repeat {
            var count = min(cells, rest.count)
            if wraps, count < rest.count, rest[rest.startIndex + count] != 0x20 {
                let row = rest.prefix(count)
                if let space = row.lastIndex(of: 0x20), (space - row.startIndex) * 2 >= count {
                    count = space - row.startIndex + 1
                }
            }
            try body(.plain(rest.prefix(count)))
            rest = rest.dropFirst(count)
            // Spaces at which a line is broken are not printed.
            if !rest.isEmpty { rest = rest.drop { $0 == 0x20 } }
        } while !rest.isEmpty && wraps
    }

    private func forEach(shaped cells: [TextCell], _ body: (TextRow) throws -> Void) rethrows {
        var string = String.UnicodeScalarView()
        string.append(contentsOf: cells.lazy.map(\.scalar))
        let style = ParagraphStyle(lineBreakMode: wraps ? .byWordWrapping : .byClipping)
        let setter = Framesetter(String(string), font: font, style: style)
        let frame = setter.frame(in: Rect(x: 0, y: 0, width: width, height: 1e6))
        for line in frame.lines { try body(.shaped(line, x: line.origin.x)) }
    }

    /// Returns the number of characters in the next row, which ends after a space if possible.
    private static func count(of cells: ArraySlice<TextCell>, fitting limit: Int) -> Int {
        var width = 0
        var end = cells.startIndex
        while end < cells.endIndex, width + cells[end].width.cells <= limit {
            width += cells[end].width.cells
            end += 1
        }
        // Two cells do not fit into a row of one cell.
        if end == cells.startIndex { end += 1 }
        guard end < cells.endIndex, cells[end].scalar != " ", cells[end].width != .wide || isClosing(cells[end]) else {
            return end - cells.startIndex
        }
        let earliest = cells.startIndex + (end - cells.startIndex) / 2
        var index = end
        while index > earliest {
            let before = cells[index - 1]
            if before.scalar == " " || before.width == .wide && index < end { return index - cells.startIndex }
            index -= 1
        }
        return end - cells.startIndex
    }

    /// Returns whether a character must not begin a row (JIS X 4051).
    private static func isClosing(_ cell: TextCell) -> Bool {
        "、。，．・：；？！）］｝」』】〉》ー々".unicodeScalars.contains(cell.scalar)
    }

    /// Returns the part of a long line that is read next, as a range of bytes.
    ///
    /// The part begins at the start of the given range and ends at a character boundary.
    private static func part(of bytes: UnsafeBufferPointer<UInt8>, in range: Range<Int>) -> Range<Int> {
        guard range.count > longestPart else { return range }
        var end = range.lowerBound + longestPart
        while bytes[end] & 0xC0 == 0x80, end > range.lowerBound + 1 { end -= 1 }
        return range.lowerBound..<end
    }
}
