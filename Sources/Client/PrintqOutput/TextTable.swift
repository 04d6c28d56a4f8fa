// Formats rows and columns to the width of the terminal.

import SpoolerClient

/// A table of text.
///
///     var table = TextTable([.right("ID"), .left("PRINTER"), .flexible("NAME")])
///     table.add(["12", "color-laser", "welcome.pdf"])
///     table.text(width: 80)
package struct TextTable: Sendable {
    /// A column.
    package struct Column: Sendable {
        /// The heading.
        package var title: String
        /// Whether the cells are aligned to the right, like numbers.
        package var isRight = false
        /// Whether the column shrinks when the table is wider than the terminal.
        package var isFlexible = false

        /// Returns a column of text.
        package static func left(_ title: String) -> Column { Column(title: title) }
        /// Returns a column of numbers.
        package static func right(_ title: String) -> Column { Column(title: title, isRight: true) }
        /// Returns a column of text that may be truncated.
        package static func flexible(_ title: String) -> Column { Column(title: title, isFlexible: true) }
    }

    private let columns: [Column]
    private var rows: [[String]] = []

    /// Creates a table without rows.
    package init(_ columns: [Column]) { self.columns = columns }

    /// Whether the table has no rows.
    package var isEmpty: Bool { rows.isEmpty }

    /// Adds a row with one cell per column.
    ///
    /// Missing cells are empty.
    package mutating func add(_ cells: [String]) {
        rows.append(columns.indices.map { cells.indices.contains($0) ? cells[$0].printable : "" })
    }

    /// Returns the lines of the table, each with a newline at its end.
    ///
    /// - Parameters:
    ///   - width: The width of the terminal in columns; nil for no limit.
    ///   - bold: Whether the heading is bold.
    package func text(width: Int? = nil, bold: Bool = false) -> String {
        var widths: [Int]?
        return text(following: &widths, width: width, bold: bold)
    }

    /// Returns the lines of one of several tables that are shown as one table.
    ///
    /// Only the first table has a heading. A column is never narrower than in an earlier table.
    ///
    /// - Parameter widths: The widths of the columns so far; nil for the first table.
    package func text(following widths: inout [Int]?, width: Int? = nil, bold: Bool = false) -> String {
        let fitted = fittedWidths(width, atLeast: widths)
        let heading = widths == nil ? [line(columns.map(\.title), fitted)] : []
        widths = fitted
        let lines = heading.map { bold ? "\u{1B}[1m\($0)\u{1B}[0m" : $0 } + rows.map { line($0, fitted) }
        return lines.map { $0 + "\n" }.joined()
    }

    private static let gap = 2
    private static let narrowest = 8

    private func line(_ cells: [String], _ widths: [Int]) -> String {
        var line = ""
        for (index, cell) in cells.enumerated() {
            let text = cell.truncated(to: widths[index])
            let padding = String(repeating: " ", count: widths[index] - text.columns)
            line += columns[index].isRight ? padding + text : text + padding
            if index < cells.count - 1 { line += String(repeating: " ", count: Self.gap) }
        }
        while line.utf8.last == UInt8(ascii: " ") { line.unicodeScalars.removeLast() }
        return line
    }

    private func fittedWidths(_ available: Int?, atLeast before: [Int]?) -> [Int] {
        var widths = columns.indices.map { index in
            rows.map { $0[index].columns }.reduce(before?[index] ?? columns[index].title.columns, max)
        }
        guard let available else { return widths }
        var excess = widths.reduce(0, +) + Self.gap * (columns.count - 1) - available
        // Repeatedly shrink the widest flexible column by one.
        while excess > 0 {
            let flexible = widths.indices.filter { columns[$0].isFlexible && widths[$0] > Self.narrowest }
            guard let widest = flexible.max(by: { widths[$0] < widths[$1] }) else { break }
            widths[widest] -= 1
            excess -= 1
        }
        return widths
    }
}
