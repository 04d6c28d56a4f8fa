// Formats rows and columns for people, without losing text on a narrow terminal.

import SpoolerClient

/// A table of text for a terminal.
///
///     var table = TextTable([.right("ID"), .left("PRINTER"), .flexible("NAME")])
///     table.add(["12", "color-laser", "welcome.pdf"])
///     table.text(width: 80)
///
/// No text is truncated. If the table is wider than the terminal, the text in its cells is wrapped. If the table is
/// still too wide, the cells with sentences move below their rows. On a very narrow terminal, each row is a list.
/// Without a terminal, each row is one line.
package struct TextTable: Sendable {
    /// A column of a table for a terminal.
    package struct Column: Sendable {
        /// The heading of the column.
        package var title: String
        /// Whether the cells are aligned to the right, like numbers.
        package var isRight = false
        /// Whether the column shrinks first when the table is wider than the terminal.
        package var isFlexible = false
        /// Whether the cells move below their rows when the table is wider than the terminal.
        package var isNote = false

        /// Returns a column of text, aligned to the left.
        package static func left(_ title: String) -> Column { Column(title: title) }
        /// Returns a column of numbers, aligned to the right.
        package static func right(_ title: String) -> Column { Column(title: title, isRight: true) }
        /// Returns a column of text that shrinks first.
        package static func flexible(_ title: String) -> Column { Column(title: title, isFlexible: true) }
        /// Returns a column of sentences that move below their rows if there is little space.
        package static func note(_ title: String) -> Column { Column(title: title, isFlexible: true, isNote: true) }
    }

    /// The column widths and the arrangement of cells.
    ///
    /// Several tables can share a form.
    package struct Form: Sendable, Hashable {
        /// The arrangement of the cells.
        enum Arrangement: Sendable {
            /// Columns that are side by side.
            case columns
            /// Columns that are side by side, without the columns of sentences.
            ///
            /// The sentences of a row are below the row.
            case notesBelow
            /// A list for each row, with one line for each cell.
            case list
        }

        var arrangement: Arrangement
        var widths: [Int]
    }

    let columns: [Column]
    private(set) var rows: [[String]] = []
    private var tones: [[Int: Tone]] = []

    /// Creates a table that has columns but no rows.
    package init(_ columns: [Column]) { self.columns = columns }

    package var isEmpty: Bool { rows.isEmpty }

    /// Adds a row with one cell per column.
    ///
    /// Missing cells are empty.
    ///
    /// - Parameter tones: The colors of the cells; the keys are the indexes of the columns.
    package mutating func add(_ cells: [String], tones: [Int: Tone] = [:]) {
        rows.append(columns.indices.map { cells.indices.contains($0) ? cells[$0].printable : "" })
        self.tones.append(tones)
    }

    /// Returns the lines of the table, each with a newline at its end.
    ///
    /// - Parameters:
    ///   - width: The width of the terminal in columns; nil for no limit.
    ///   - isStyled: Whether the heading is bold, and cells have colors.
    package func text(width: Int? = nil, isStyled: Bool = false) -> String {
        var form: Form?
        return text(following: &form, width: width, isStyled: isStyled)
    }

    /// Returns the lines of one table in a sequence of tables.
    ///
    /// The tables share their columns, so that the tables look like one table.
    ///
    /// Only the first table has a heading. A column is at least as wide as in the earlier tables, unless the table
    /// would become too wide.
    ///
    /// - Parameter form: The form of the earlier tables; nil for the first table.
    package func text(following form: inout Form?, width: Int? = nil, isStyled: Bool = false) -> String {
        let before = form
        let fitted = self.form(for: width, after: before)
        form = fitted
        if fitted.arrangement == .list {
            return list(isFirst: before == nil, width: width ?? .max, isStyled: isStyled)
        }
        var lines: [String] = []
        let shown = columns.indices.filter { fitted.arrangement == .columns || !columns[$0].isNote }
        if before == nil {
            let titles = line(shown.map { ($0, columns[$0].title, nil) }, fitted.widths, isStyled: false)
            lines.append(isStyled ? "\u{1B}[1m\(titles)\u{1B}[0m" : titles)
        }
        for (index, row) in rows.enumerated() {
            lines += block(row, tones[index], shown, fitted.widths, isStyled: isStyled)
            guard fitted.arrangement == .notesBelow, let width else { continue }
            for column in columns.indices where columns[column].isNote && !row[column].isEmpty {
                lines += row[column].wrapped(to: max(1, width - Self.indentation)).map {
                    String(repeating: " ", count: Self.indentation) + painted($0, tones[index][column], isStyled)
                }
            }
        }
        return lines.map { $0 + "\n" }.joined()
    }

    // MARK: - Lines

    private static let gap = 2
    private static let indentation = 5

    /// Returns the lines of a row.
    ///
    /// A cell can have several lines.
    private func block(
        _ row: [String], _ tones: [Int: Tone], _ shown: [Int], _ widths: [Int], isStyled: Bool
    ) -> [String] {
        let cells = shown.map { row[$0].wrapped(to: widths[$0]) }
        return (0..<(cells.map(\.count).max() ?? 1)).map { index in
            line(
                zip(shown, cells).map { column, pieces in
                    (column, index < pieces.count ? pieces[index] : "", tones[column])
                }, widths, isStyled: isStyled)
        }
    }

    private func line(_ cells: [(column: Int, text: String, tone: Tone?)], _ widths: [Int], isStyled: Bool) -> String {
        var line = ""
        // The spaces before the next text: a line does not end with spaces.
        var spaces = 0
        for (column, text, tone) in cells {
            let padding = max(0, widths[column] - text.columns)
            if !text.isEmpty {
                line += String(repeating: " ", count: spaces + (columns[column].isRight ? padding : 0))
                line += painted(text, tone, isStyled)
                spaces = columns[column].isRight ? 0 : padding
            } else {
                spaces += padding
            }
            spaces += Self.gap
        }
        return line
    }

    private func painted(_ text: String, _ tone: Tone?, _ isStyled: Bool) -> String {
        isStyled ? tone?.painted(text) ?? text : text
    }

    /// Returns each row as a list, with a line `heading  value` for each cell that is not empty.
    private func list(isFirst: Bool, width: Int, isStyled: Bool) -> String {
        let titles = columns.map(\.title.columns).max() ?? 0
        let room = max(1, width - titles - Self.gap)
        var lines: [String] = []
        for (index, row) in rows.enumerated() {
            if !isFirst || index > 0 { lines.append("") }
            for (column, cell) in row.enumerated() where !cell.isEmpty {
                let title = columns[column].title
                for (piece, text) in cell.wrapped(to: room).enumerated() {
                    let heading = piece == 0 ? title : ""
                    let padding = String(repeating: " ", count: titles + Self.gap - heading.columns)
                    let shown = isStyled && !heading.isEmpty ? "\u{1B}[1m\(heading)\u{1B}[0m" : heading
                    lines.append(shown + padding + painted(text, tones[index][column], isStyled))
                }
            }
        }
        return lines.map { $0 + "\n" }.joined()
    }
}
