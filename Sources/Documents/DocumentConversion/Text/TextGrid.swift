// Calculates where the rows and columns of a text are on its pages.

import PrintGraphics
import PrintModel

/// The geometry of pages of monospaced text, in points.
struct TextGrid {
    /// The size of the pages.
    let pageSize: Size
    /// The area of the text, below the header.
    let area: Rect
    /// The number of columns of text on a page.
    let columns: Int
    /// The distance between the left edges of two columns.
    let columnDistance: Double
    /// The number of rows of a column.
    let rows: Int
    /// The number of cells of a row, at least 1.
    let cells: Int
    /// The width of a cell.
    let cell: Double
    /// The distance between two rows.
    let pitch: Double
    /// The font.
    let font: Font
    /// The factor by which characters of the font are stretched to the width of cells.
    let stretch: Double
    /// The distance of baselines from the tops of their rows.
    let baseline: Double

    /// The smallest margin of text.
    static let margin = 36.0
    private static let gap = 24.0

    /// Calculates the geometry.
    ///
    /// Text in several columns is a listing: a portrait page is turned to landscape. Without a chosen width of
    /// characters, characters shrink from 10 to at most 12 per inch if that is enough for the longest line, up to 80
    /// characters; in several columns, 80 characters fit into each column if that needs at most 17 per inch.
    ///
    /// - Parameters:
    ///   - longest: The length of the longest line in cells.
    ///   - gutter: The number of cells for line numbers.
    init(_ layout: ConversionLayout, longest: Int, gutter: Int) {
        let options = layout.text
        columns = min(max(options.columns ?? 1, 1), 8)
        let isTurned = columns > 1 && layout.pageSize.width < layout.pageSize.height
        pageSize = isTurned ? Size(width: layout.pageSize.height, height: layout.pageSize.width) : layout.pageSize
        let content = layout.contentArea(of: pageSize, isTurned: isTurned, margin: Self.margin)
        let columnWidth = max((content.width - Double(columns - 1) * Self.gap) / Double(columns), 1)
        columnDistance = columnWidth + Self.gap
        let wanted = Double(min(max(longest, 1), 80) + gutter) * 72 / columnWidth
        let automatic = columns == 1 ? (wanted <= 12 ? max(wanted, 10) : 10) : min(max(wanted, 10), 17)
        let density = min(max(options.charactersPerInch ?? automatic, 1), 72)
        let lines = options.linesPerInch ?? (options.charactersPerInch == nil && columns > 1 ? density * 0.6 : 6)
        cell = 72 / density
        pitch = 72 / min(max(lines, 1), 72)
        let header = options.hasHeader == true ? PageHeader.height : 0
        area = Rect(
            x: content.minX, y: content.minY + header, width: content.width, height: max(content.height - header, 1))
        rows = max(Int(area.height / pitch + 0.001), 1)
        cells = max(Int(columnWidth / cell + 0.001), 1)
        let unit = Font(family: Self.family, size: 100)
        let advance = String(repeating: "0", count: 10).size(with: unit).width / 1000
        let size = min(cell / advance, pitch * 1.05)
        font = Font(family: Self.family, size: size)
        stretch = cell / (size * advance)
        baseline = (pitch - font.ascender + font.descender) / 2 + font.ascender
    }

    private static let family = "DejaVu Sans Mono"

    /// Returns the left edge of a column.
    func left(ofColumn column: Int) -> Double { area.minX + Double(column) * columnDistance }
}

extension ConversionLayout {
    /// Returns the area inside the margins, in points.
    ///
    /// - Parameters:
    ///   - size: The size of the page.
    ///   - isTurned: Whether the page is turned, so that each of its edges may be at either of two edges of the paper.
    ///   - margin: The smallest margin in points; on pages with a side below 4 inches it is proportionally less.
    func contentArea(of size: Size, isTurned: Bool = false, margin: Double) -> Rect {
        let least = min(margin, margin * min(size.width, size.height) / 288)
        var (top, left) = (margins.top.points, margins.left.points)
        var (bottom, right) = (margins.bottom.points, margins.right.points)
        if isTurned {
            let (vertical, horizontal) = (max(left, right), max(top, bottom))
            (top, bottom, left, right) = (vertical, vertical, horizontal, horizontal)
        }
        (top, left, bottom, right) = (max(top, least), max(left, least), max(bottom, least), max(right, least))
        return Rect(
            x: left, y: top, width: max(size.width - left - right, 1), height: max(size.height - top - bottom, 1))
    }
}
