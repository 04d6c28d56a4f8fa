// Calculates where the rows and columns of a text are on its pages.

import PrintGraphics
import PrintModel

/// The geometry of monospaced text pages, in points.
struct TextGrid {
    /// The size of the pages in points.
    let pageSize: Size
    /// The area of the page for the text, below the header.
    let area: Rect
    /// The number of text columns on a page.
    let columns: Int
    /// The distance between the left edges of adjacent columns, in points.
    let columnDistance: Double
    /// The number of rows in a column.
    let rows: Int
    /// The number of character cells in a row, at least 1.
    let cells: Int
    /// The width of a character cell in points.
    let cell: Double
    /// The distance between the tops of adjacent rows, in points.
    let pitch: Double
    /// The monospaced font of the text.
    let font: Font
    /// The horizontal scale factor that fits the font's characters to the width of a cell.
    let stretch: Double
    /// The distance between the top of a row and its baseline, in points.
    let baseline: Double

    /// The minimum margin around the text, in points.
    static let margin = 36.0
    private static let gap = 24.0

    /// Calculates the geometry of text pages.
    ///
    /// With several columns, a portrait page is turned to landscape.
    ///
    /// By default, the text has 10 characters per inch. If the longest line, limited to 80 characters, does not fit
    /// into a column, the number of characters per inch increases. With one column, the number increases to at most 12,
    /// and only if the longest line then fits. With several columns, the number increases to at most 17.
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

    /// Returns whether the font's characters stay within the margins of the layout.
    ///
    /// - Parameter gutter: The number of cells for line numbers.
    func keepsMargins(of layout: ConversionLayout, gutter: Int) -> Bool {
        let header = layout.text.hasHeader == true ? PageHeader.height : 0
        let content = Rect(x: area.minX, y: area.minY - header, width: area.width, height: area.height + header)
        return gutter < cells && Double(cells) * cell <= columnDistance - Self.gap + 0.1
            && Double(rows) * pitch <= area.height + 0.1
            && layout.keepsMargins(content, of: pageSize, overhang: font.size)
    }

    /// Returns the left edge of a column, in points.
    func left(ofColumn column: Int) -> Double { area.minX + Double(column) * columnDistance }
}

extension ConversionLayout {
    /// Returns the area inside the margins, in points.
    ///
    /// - Parameters:
    ///   - size: The size of the page.
    ///   - isTurned: Whether the page is turned by 90° in an unknown direction on the paper.
    ///   - margin: The minimum margin in points. On a page that is narrower or lower than 4 inches, the margin is
    ///     proportionally smaller.
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

    /// Returns whether content on a page stays within the margins of the layout.
    ///
    /// The function applies the widest margin to all edges, because the page can be turned on the paper.
    ///
    /// - Parameters:
    ///   - area: The area of the content.
    ///   - size: The size of the page.
    ///   - overhang: The distance in points by which characters can extend beyond the area.
    func keepsMargins(_ area: Rect, of size: Size, overhang: Double) -> Bool {
        let least = margins.widest.points + overhang
        return min(area.minX, area.minY, size.width - area.maxX, size.height - area.maxY) >= least
    }
}
