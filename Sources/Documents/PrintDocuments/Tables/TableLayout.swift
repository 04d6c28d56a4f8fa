// Decides the font size and the widths of a table's columns.

/// The measurements of a table: the widths of the columns, and the numbers of records and truncated cells.
struct TableMeasurements {
    /// The width of the widest text in each column, relative to the font size.
    private(set) var widths: [Double] = []
    /// The number of records, including the header.
    private(set) var records = 0
    /// The number of truncated cells.
    private(set) var cutCells = 0
    /// Whether the first record is a header.
    ///
    /// The first record is a header if at least one of its cells contains text that is not a number.
    private(set) var hasHeader = false
    private var numbers: [Int] = []
    private var texts: [Int] = []

    /// Measures all records of a table.
    init(_ table: DelimitedRecords, regular: CharacterWidths, bold: CharacterWidths) {
        for record in table {
            let cells = record.map(TableCell.text)
            if records == 0 { hasHeader = !cells.allSatisfy { $0.bytes.isEmpty || TableCell.isNumber($0.bytes) } }
            for (column, cell) in cells.enumerated() { add(cell, column, records == 0 && hasHeader ? bold : regular) }
            records += 1
        }
    }

    /// Returns whether a column has numbers, and at least ten numbers for each cell with other text.
    ///
    /// The header and empty cells do not count.
    func isNumeric(_ column: Int) -> Bool { numbers[column] > 0 && texts[column] * 10 <= numbers[column] }

    private mutating func add(_ cell: (bytes: ArraySlice<UInt8>, isCut: Bool), _ column: Int, _ font: CharacterWidths) {
        if column == widths.count {
            widths.append(0)
            numbers.append(0)
            texts.append(0)
        }
        if cell.isCut { cutCells += 1 }
        guard !cell.bytes.isEmpty else { return }
        widths[column] = max(widths[column], font.width(of: cell.bytes))
        guard !(records == 0 && hasHeader) else { return }
        if TableCell.isNumber(cell.bytes) { numbers[column] += 1 } else { texts[column] += 1 }
    }
}

/// The font size and the column widths of a table, in points.
struct TableLayout: Hashable {
    /// The font size of the table, in points.
    var fontSize: Double
    /// The widths of the columns in points, including the padding.
    var widths: [Double]
    /// The groups of adjacent columns.
    ///
    /// Each group fits on one page, and the groups are printed on separate pages.
    var groups: [Range<Int>]

    /// The padding to the left and right of a cell's text, in points.
    static let padding = 4.0
    /// The font sizes in points, in descending order.
    ///
    /// The layout uses the first size at which all columns fit on a page.
    private static let sizes = [9.0, 8.0, 7.0]

    /// Fits columns to their content.
    ///
    /// Narrow columns have the width of their content. Wide columns share the remaining width of the page, and the text
    /// in wide columns is wrapped. If the columns would become too narrow even in a smaller font, the columns are
    /// divided into groups.
    ///
    /// - Parameters:
    ///   - relativeWidths: The width of the widest text in each column, relative to the font size.
    ///   - width: The width of the page's content area, in points.
    init(relativeWidths: [Double], width: Double) {
        func natural(_ size: Double) -> [Double] { relativeWidths.map { max($0 * size + 1, 6) + 2 * Self.padding } }
        for size in Self.sizes {
            let natural = natural(size)
            let limit = Self.limit(for: natural, width: width)
            if limit >= min(size * 12, width / 2) || natural.reduce(0, +) <= width {
                self.init(fontSize: size, widths: natural.map { min($0, limit) }, groups: [0..<natural.count])
                return
            }
        }
        let size = Self.sizes[0]
        let most = min(max(width / 3, 120), width)
        let widths = natural(size).map { min($0, most) }
        var groups: [Range<Int>] = []
        var (start, used) = (0, 0.0)
        for (column, own) in widths.enumerated() {
            if used + own > width, column > start {
                groups.append(start..<column)
                (start, used) = (column, 0)
            }
            used += own
        }
        groups.append(start..<widths.count)
        self.init(fontSize: size, widths: widths, groups: groups)
    }

    private init(fontSize: Double, widths: [Double], groups: [Range<Int>]) {
        (self.fontSize, self.widths, self.groups) = (fontSize, widths, groups)
    }

    /// Returns the maximum width of a column, in points, at which all columns fit on the page.
    ///
    /// Narrower columns keep their width. Returns infinity if all columns fit on the page with their own widths.
    private static func limit(for widths: [Double], width: Double) -> Double {
        var rest = width
        for (index, own) in widths.sorted().enumerated() {
            let share = rest / Double(widths.count - index)
            if own > share { return share }
            rest -= own
        }
        return .infinity
    }
}
