// Rows and columns, aligned, as wide as the terminal.

import SpoolerClient

/// A table of text.
///
///     var table = TextTable([.right("ID"), .left("PRINTER"), .flexible("NAME")])
///     table.add(["12", "color-laser", "welcome.pdf"])
///     table.text(width: 80)
package struct TextTable: Sendable {
    /// One column.
    package struct Column: Sendable {
        /// Its heading.
        package var title: String
        /// Whether its cells stand at the right, as numbers do.
        package var isRight = false
        /// Whether it gives way when the table is too wide for the terminal.
        package var isFlexible = false

        /// A column of words.
        package static func left(_ title: String) -> Column { Column(title: title) }
        /// A column of numbers.
        package static func right(_ title: String) -> Column { Column(title: title, isRight: true) }
        /// A column of words that may be cut off.
        package static func flexible(_ title: String) -> Column { Column(title: title, isFlexible: true) }
    }

    private let columns: [Column]
    private var rows: [[String]] = []

    /// A table without rows.
    package init(_ columns: [Column]) { self.columns = columns }

    /// Whether it has no rows.
    package var isEmpty: Bool { rows.isEmpty }

    /// Adds a row, one cell a column; what is missing is empty.
    package mutating func add(_ cells: [String]) {
        rows.append(columns.indices.map { cells.indices.contains($0) ? cells[$0].printable : "" })
    }

    /// The table's lines, each ended by a newline.
    ///
    /// - Parameters:
    ///   - width: the terminal's columns; nil for as many as it takes.
    ///   - bold: whether the heading is in bold.
    package func text(width: Int? = nil, bold: Bool = false) -> String {
        var widths: [Int]?
        return text(following: &widths, width: width, bold: bold)
    }

    /// The lines of one of several tables that are shown as one, each of them after those before it.
    ///
    /// Only the first has a heading; columns never become narrower.
    ///
    /// - Parameter widths: the widths of the columns so far; nil for the first table.
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
        // The widest column that may give way gives a column at a time.
        while excess > 0 {
            let flexible = widths.indices.filter { columns[$0].isFlexible && widths[$0] > Self.narrowest }
            guard let widest = flexible.max(by: { widths[$0] < widths[$1] }) else { break }
            widths[widest] -= 1
            excess -= 1
        }
        return widths
    }
}
