// Draws the rows of a table on pages.

import FoundationEssentials
import PrintGraphics

/// A row of a table, laid out for the widths of the columns.
struct TableRow {
    /// The laid-out text of a cell.
    enum Cell {
        case empty
        /// Printable ASCII text that fits into the column on one line.
        case plain(ArraySlice<UInt8>)
        /// Text that is longer than one line or contains other characters, divided into lines.
        case lines([TextLine])
    }

    var cells: [Cell]
    /// The number of text lines of the tallest cell, at least 1.
    var lineCount: Int

    /// Whether all cells contain printable ASCII on one line.
    var isPlain: Bool {
        cells.allSatisfy { cell in
            if case .lines = cell { false } else { true }
        }
    }
}

/// A whole row, or some text lines of a row that is higher than a page.
struct TableRowPart {
    var row: TableRow
    var lines: Range<Int>
}

/// The pages of a table, each with the header and a part of the rows and columns.
struct TablePages {
    struct Geometry {
        var pageSize: Size
        var content: Rect
        var layout: TableLayout
        var isNumeric: [Bool]
        var regular: Font
        var bold: Font
        var lineHeight: Double

        /// The space above and below the text of a row, in points.
        static let padding = 2.0
        /// The height of the page footer, in points.
        static let footer = 18.0

        /// Returns the height, in points, of a row with the given number of text lines.
        func height(ofLines count: Int) -> Double { Double(count) * lineHeight + 2 * Self.padding }

        /// The height on each page that is available for rows, including the header row, in points.
        var rowsHeight: Double { max(content.height - Self.footer, lineHeight + 2 * Self.padding) }

        /// Returns the number of text lines that fit into a height, at least 1.
        func lines(fitting height: Double) -> Int { max(Int((height - 2 * Self.padding + 0.01) / lineHeight), 1) }
    }

    let geometry: Geometry
    let context: PDFContext
    let title: String
    /// The header row; nil for a table without a header.
    let header: TableRow?
    /// The number of pages drawn so far.
    private(set) var count = 0
    /// Whether all rows so far fit on their pages and contain only printable ASCII, whose characters have a known
    /// height.
    private(set) var isPlain = true
    private var parts: [TableRowPart] = []
    private var height = 0.0

    /// Creates the pages of a table without rows.
    init(geometry: Geometry, context: PDFContext, title: String, header: TableRow?) {
        (self.geometry, self.context, self.title, self.header) = (geometry, context, title, header)
        isPlain = header?.isPlain != false && headerHeight + geometry.height(ofLines: 1) <= geometry.content.height
    }

    private var headerHeight: Double { header.map { geometry.height(ofLines: $0.lineCount) } ?? 0 }
    /// The height on each page that is available for rows below the header row, in points.
    private var room: Double { max(geometry.rowsHeight - headerHeight, geometry.height(ofLines: 1)) }

    /// Adds a row; a row that is higher than a page continues on the next page.
    mutating func add(_ row: TableRow) {
        isPlain = isPlain && row.isPlain
        var lines = 0..<row.lineCount
        while !lines.isEmpty {
            let needed = geometry.height(ofLines: lines.count)
            if height + needed <= room + 0.01 {
                append(TableRowPart(row: row, lines: lines))
                return
            }
            if needed <= room || room - height < geometry.height(ofLines: 3), !parts.isEmpty {
                draw()
                continue
            }
            let fitting = min(geometry.lines(fitting: room - height), lines.count)
            append(TableRowPart(row: row, lines: lines.prefix(fitting)))
            lines = lines.dropFirst(fitting)
            draw()
        }
    }

    /// Draws the last page.
    ///
    /// A table without rows has one page with its header.
    mutating func finish() { if !parts.isEmpty || count == 0 { draw() } }

    private mutating func append(_ part: TableRowPart) {
        parts.append(part)
        height += geometry.height(ofLines: part.lines.count)
    }

    /// Draws a page for each group of columns.
    ///
    /// Each of these pages shows the collected rows.
    private mutating func draw() {
        for group in geometry.layout.groups {
            count += 1
            guard count <= TextPages.limit else { break }
            context.beginPage(bounds: Rect(origin: .zero, size: geometry.pageSize))
            draw(group)
        }
        parts.removeAll(keepingCapacity: true)
        height = 0
    }

    private func draw(_ group: Range<Int>) {
        let right = group.reduce(geometry.content.minX) { $0 + geometry.layout.widths[$1] }
        var y = geometry.content.minY
        func line(_ width: Double, _ gray: Double) {
            context.strokeColor = Color(white: gray)
            context.lineWidth = width
            context.strokeLine(from: Point(x: geometry.content.minX, y: y), to: Point(x: right, y: y))
        }
        if let header {
            draw([(TableRowPart(row: header, lines: 0..<header.lineCount), y)], group, geometry.bold)
            y += headerHeight
            line(1, 0)
        }
        var placed: [(TableRowPart, Double)] = []
        for part in parts {
            placed.append((part, y))
            y += geometry.height(ofLines: part.lines.count)
            line(0.25, 0.7)
        }
        draw(placed, group, geometry.regular)
        drawFooter(group)
    }

    /// Draws the cells of the given rows that belong to a group of columns.
    ///
    /// The short texts of a column are laid out together, which is much faster than separate layouts.
    private func draw(_ rows: [(part: TableRowPart, y: Double)], _ group: Range<Int>, _ font: Font) {
        var left = geometry.content.minX
        for column in group {
            let width = geometry.layout.widths[column]
            var plain: [UInt8] = []
            var baselines: [Double] = []
            for (part, top) in rows {
                let first = top + TablePages.Geometry.padding
                guard column < part.row.cells.count else { continue }
                switch part.row.cells[column] {
                case .empty: break
                case .plain(let bytes):
                    guard part.lines.lowerBound == 0 else { continue }
                    if !plain.isEmpty { plain.append(0x0A) }
                    plain.append(contentsOf: bytes)
                    baselines.append(first + font.ascender)
                case .lines(let lines):
                    for (index, line) in lines[part.lines.clamped(to: 0..<lines.count)].enumerated() {
                        draw(line, left, width, column, first + Double(index) * geometry.lineHeight + font.ascender)
                    }
                }
            }
            if !plain.isEmpty {
                let style = ParagraphStyle(alignment: .left, lineBreakMode: .byClipping)
                let setter = Framesetter(String(decoding: plain, as: UTF8.self), font: font, style: style)
                let frame = setter.frame(in: Rect(x: 0, y: 0, width: 1e5, height: 1e6))
                for (line, y) in zip(frame.lines, baselines) { draw(line, left, width, column, y) }
            }
            left += width
        }
    }

    private func draw(_ line: TextLine, _ left: Double, _ width: Double, _ column: Int, _ y: Double) {
        let inner = width - 2 * TableLayout.padding
        // Lines that were wrapped keep their place in the column, so that Arabic starts at the right.
        let x = geometry.isNumeric[column] ? inner - line.width : max(min(line.origin.x, inner - line.width), 0)
        line.draw(at: Point(x: left + TableLayout.padding + x, y: y))
    }

    private func drawFooter(_ group: Range<Int>) {
        let font = Font(family: geometry.regular.family, size: 8)
        var text = "page \(count)"
        if geometry.layout.groups.count > 1 {
            let columns = "\(group.lowerBound + 1)–\(group.upperBound)"
            text += group.count == 1 ? " (column \(group.upperBound))" : " (columns \(columns))"
        }
        let content = geometry.content
        let width = text.size(with: font).width
        let rect = Rect(x: content.minX, y: content.maxY - 11, width: content.width, height: 12)
        text.draw(in: rect, with: font, lineBreakMode: .byClipping, alignment: .right)
        title.draw(
            in: Rect(x: rect.minX, y: rect.minY, width: max(rect.width - width - 12, 1), height: rect.height),
            with: font, lineBreakMode: .byTruncatingTail, alignment: .left)
    }
}
