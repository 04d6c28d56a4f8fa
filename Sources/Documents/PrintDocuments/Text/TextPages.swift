// Draws the rows of a text on pages.

import FoundationEssentials
import PrintGraphics

/// The pages of a text, which are filled row by row and drawn in order.
///
/// Without a graphics context, the pages are only counted.
struct TextPages {
    /// The maximum number of pages of a document.
    static let limit = 20_000

    private let grid: TextGrid
    private let context: PDFContext?
    private let header: PageHeader?
    private let total: Int
    /// The number of cells that the line number in front of a row occupies.
    private let gutter: Int
    /// The number of pages started so far.
    private(set) var count = 0
    /// Whether all rows so far use the regular font, whose characters have a known height.
    private(set) var isPlain = true
    private var column = 0
    private var row = 0
    private var isOpen = false
    /// The plain text of the rows in the current column, with a line for each row.
    private var plain: [UInt8] = []
    private var others: [(row: Int, content: TextRow)] = []

    /// Creates the pages of a text.
    ///
    /// - Parameters:
    ///   - context: The graphics context of the PDF; nil to count pages only.
    ///   - header: The header of each page; nil for no header.
    ///   - total: The total number of pages, which the header shows.
    init(grid: TextGrid, context: PDFContext?, header: PageHeader?, total: Int, gutter: Int) {
        (self.grid, self.context, self.header, self.total, self.gutter) = (grid, context, header, total, gutter)
    }

    /// Whether the number of pages exceeds the maximum.
    var isFull: Bool { count > Self.limit }

    /// Adds a row of text.
    ///
    /// - Parameter label: The line number in front of the row.
    mutating func add(_ content: TextRow, label: String = "") {
        if isOpen, row == grid.rows { endColumn() }
        openIfNeeded()
        if context != nil {
            if row > 0 { plain.append(0x0A) }
            // Framesetters drop an empty last line, and an empty line has no attributes: a space has both.
            let start = plain.count
            plain.append(contentsOf: label.utf8)
            switch content {
            case .plain(let bytes): plain.append(contentsOf: bytes)
            case .cells, .shaped:
                others.append((row, content))
                isPlain = false
            }
            if plain.count == start { plain.append(0x20) }
        }
        row += 1
    }

    /// Ends the current page, so the next row starts a new page.
    mutating func endPage() {
        openIfNeeded()
        drawColumn()
        (isOpen, column, row) = (false, 0, 0)
    }

    /// Ends the last page.
    ///
    /// A text without rows has one empty page.
    mutating func finish() { if isOpen || count == 0 { endPage() } }

    private mutating func openIfNeeded() {
        guard !isOpen else { return }
        (isOpen, column, row) = (true, 0, 0)
        count += 1
        guard let context, !isFull else { return }
        context.beginPage(bounds: Rect(origin: .zero, size: grid.pageSize))
        if let header {
            let top = Rect(
                x: grid.area.minX, y: grid.area.minY - PageHeader.height, width: grid.area.width,
                height: PageHeader.height)
            header.draw(on: context, in: top, page: count, of: total)
        }
    }

    private mutating func endColumn() {
        drawColumn()
        column += 1
        row = 0
        if column == grid.columns { isOpen = false }
    }

    private mutating func drawColumn() {
        defer {
            plain.removeAll(keepingCapacity: true)
            others.removeAll(keepingCapacity: true)
        }
        guard let context, !isFull, row > 0 else { return }
        let left = grid.left(ofColumn: column)
        context.withSavedState { context in
            context.translate(x: left, y: grid.area.minY)
            context.scale(x: grid.stretch, y: 1)
            let style = ParagraphStyle(alignment: .left, lineBreakMode: .byClipping)
            let setter = Framesetter(String(decoding: plain, as: UTF8.self), font: grid.font, style: style)
            let frame = setter.frame(in: Rect(x: 0, y: 0, width: 1e5, height: 1e6))
            for (row, line) in frame.lines.enumerated() where !line.range.isEmpty {
                line.draw(at: Point(x: 0, y: Double(row) * grid.pitch + grid.baseline))
            }
        }
        for (row, content) in others {
            let origin = Point(
                x: left + Double(gutter) * grid.cell, y: grid.area.minY + Double(row) * grid.pitch + grid.baseline)
            draw(content, at: origin, on: context)
        }
    }

    private func draw(_ content: TextRow, at origin: Point, on context: PDFContext) {
        switch content {
        case .plain: break
        case .shaped(let line, let x): line.draw(at: Point(x: origin.x + x, y: origin.y))
        case .cells(let segments): for segment in segments { draw(segment, at: origin, on: context) }
        }
    }

    /// Draws a text segment, scaled horizontally to the width of the segment's cells.
    private func draw(_ segment: TextSegment, at origin: Point, on context: PDFContext) {
        let x = origin.x + Double(segment.start) * grid.cell
        let width = Double(segment.cells) * grid.cell
        if segment.isUnderlined {
            context.lineWidth = max(grid.font.underlineThickness, 0.4)
            let y = origin.y - grid.font.underlinePosition
            context.strokeLine(from: Point(x: x, y: y), to: Point(x: x + width, y: y))
        }
        guard segment.text.unicodeScalars.contains(where: { $0 != " " }) else { return }
        var text = AttributedString(segment.text)
        text.font = segment.isBold ? grid.font.withTraits(.bold) : grid.font
        let line = TextLine(text)
        guard line.width > 0 else { return }
        context.withSavedState { context in
            context.translate(x: x, y: origin.y)
            context.scale(x: width / line.width, y: 1)
            line.draw(at: .zero)
        }
    }
}
