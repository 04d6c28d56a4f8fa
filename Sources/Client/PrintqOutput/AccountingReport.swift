// Formats accounting entries as a table, as CSV and as JSON.

package import PrintModel
import SpoolerClient

package struct AccountingColumn: Sendable {
    /// The column's name in CSV and JSON.
    package var name: String
    /// The column's heading in the table.
    package var title: String
    /// Whether the column contains numbers.
    package var isNumber = false
    /// Whether the column shrinks when the table is too wide.
    package var isFlexible = false

    fileprivate var column: TextTable.Column {
        TextTable.Column(title: title, isRight: isNumber, isFlexible: isFlexible)
    }

    /// The columns of a report with one row per job.
    package static let ofJobs = [
        AccountingColumn(name: "job-id", title: "JOB", isNumber: true),
        AccountingColumn(name: "user", title: "USER"), AccountingColumn(name: "printer", title: "PRINTER"),
        AccountingColumn(name: "title", title: "TITLE", isFlexible: true),
        AccountingColumn(name: "submitted", title: "SUBMITTED"), AccountingColumn(name: "ended", title: "ENDED"),
        AccountingColumn(name: "state", title: "STATE"),
        AccountingColumn(name: "copies", title: "COPIES", isNumber: true),
        AccountingColumn(name: "sheets", title: "SHEETS", isNumber: true),
        AccountingColumn(name: "sides", title: "SIDES", isNumber: true),
        AccountingColumn(name: "blank-sides", title: "BLANK", isNumber: true),
        AccountingColumn(name: "color", title: "COLOR"), AccountingColumn(name: "media", title: "PAPER"),
        AccountingColumn(name: "bytes", title: "BYTES", isNumber: true),
    ]

    /// Returns the columns of a report with totals by user or by printer.
    package static func ofSums(by name: String) -> [AccountingColumn] {
        [
            AccountingColumn(name: name, title: name.uppercased()),
            AccountingColumn(name: "jobs", title: "JOBS", isNumber: true),
            AccountingColumn(name: "sheets", title: "SHEETS", isNumber: true),
            AccountingColumn(name: "sides", title: "SIDES", isNumber: true),
            AccountingColumn(name: "color-sides", title: "COLOR", isNumber: true),
            AccountingColumn(name: "blank-sides", title: "BLANK", isNumber: true),
            AccountingColumn(name: "bytes", title: "BYTES", isNumber: true),
        ]
    }
}

extension AccountingEntry {
    /// Returns the cells of the entry's row, in the order of `AccountingColumn.ofJobs`.
    ///
    /// - Parameter time: The function that formats a time.
    package func cells(time: (UnixTime) -> String) -> [String] {
        [
            "\(jobID)", user, printer, title, time(submittedAt), time(endedAt), state.description, "\(copies)",
            "\(printed.sheets)", "\(printed.impressions)", "\(printed.blanks)",
            isColor.map { $0 ? "color" : "monochrome" } ?? "", media ?? "", "\(bytes)",
        ]
    }
}

/// The accounting totals of several jobs.
package struct AccountingSum: Hashable, Sendable {
    /// The number of jobs in the totals.
    package private(set) var jobs = 0
    /// The number of printed sides and the number of sheets, over all jobs in the totals.
    package private(set) var printed = PrintedSides()
    /// The number of sides printed in color.
    package private(set) var colorSides = 0
    /// The total size of the documents in bytes.
    package private(set) var bytes = 0

    /// Creates totals that are all zero.
    package init() {}

    /// Adds the accounting entry of a job to the totals.
    package mutating func add(_ entry: AccountingEntry) {
        jobs += 1
        printed = printed + entry.printed
        if entry.isColor == true { colorSides += entry.printed.impressions }
        bytes += entry.bytes
    }

    /// Adds the totals of other jobs.
    package mutating func add(_ other: AccountingSum) {
        jobs += other.jobs
        printed = printed + other.printed
        colorSides += other.colorSides
        bytes += other.bytes
    }

    /// Returns the cells of a row of totals, in the order of `AccountingColumn.ofSums`.
    ///
    /// The first cell is `name`.
    package func cells(of name: String) -> [String] {
        [
            name, "\(jobs)", "\(printed.sheets)", "\(printed.impressions)", "\(colorSides)", "\(printed.blanks)",
            "\(bytes)",
        ]
    }
}

/// A formatter of accounting reports.
package struct AccountingText: Sendable {
    /// The output format of an accounting report.
    package enum Format: Sendable {
        /// An aligned table for people.
        case table
        /// CSV for spreadsheets (RFC 4180).
        case csv
        /// JSON for programs.
        case json
    }

    private let columns: [AccountingColumn]
    private let format: Format
    private var form: TextTable.Form?
    private var isBegun = false

    /// Creates a report without rows.
    package init(_ columns: [AccountingColumn], _ format: Format) {
        self.columns = columns
        self.format = format
    }

    /// Returns the next rows of the report as text.
    ///
    /// - Parameter width: The width of the terminal in columns. The width affects only tables.
    package mutating func rows(_ rows: [[String]], width: Int? = nil) -> String {
        defer { isBegun = true }
        switch format {
        case .table:
            var table = TextTable(columns.map(\.column))
            for row in rows { table.add(row) }
            return table.text(following: &form, width: width)
        case .csv:
            let heading = isBegun ? [] : [columns.map(\.name)]
            return (heading + rows).map(Self.csvLine).joined()
        case .json:
            return rows.enumerated().map { index, row in
                let members = zip(columns, row).map { column, cell in
                    (name: column.name, value: Self.json(cell, isNumber: column.isNumber))
                }
                let start = isBegun || index > 0 ? ",\n  " : "[\n  "
                return start + JSONText.object(members).text(indentation: "  ")
            }.joined()
        }
    }

    /// Returns the text that ends the report.
    ///
    /// If the report has no rows, the result is the argument `words` for a table, the header line for CSV, and an empty
    /// array for JSON.
    package mutating func end(whenEmpty words: String) -> String {
        switch format {
        case .table: isBegun ? "" : words + "\n"
        case .csv: isBegun ? "" : rows([])
        case .json: isBegun ? "\n]\n" : "[]\n"
        }
    }

    private static func json(_ cell: String, isNumber: Bool) -> JSONText {
        if cell.isEmpty { return .null }
        return isNumber ? Int(cell).map { .number($0) } ?? .string(cell) : .string(cell)
    }

    /// Returns a line of CSV (RFC 4180).
    ///
    /// Fields that contain a comma or a quote are quoted. A field that a spreadsheet would run as a formula gets an
    /// apostrophe at its beginning.
    ///
    /// Control characters are replaced by visible characters, as in the table, because the output can appear on a
    /// terminal. JSON keeps control characters.
    private static func csvLine(_ cells: [String]) -> String {
        cells.map { cell in
            let text = isFormula(cell) ? "'\(cell.printable)" : cell.printable
            return text.unicodeScalars.contains { ",\"".unicodeScalars.contains($0) }
                ? "\"\(text.replacing("\"", with: "\"\""))\"" : text
        }.joined(separator: ",") + "\r\n"
    }

    /// Returns whether a spreadsheet would run the text as a formula.
    ///
    /// Without this check, a job name could run a formula on an administrator's computer.
    private static func isFormula(_ cell: String) -> Bool {
        cell.unicodeScalars.first.map { "=+-@\t\r＝＋－＠".unicodeScalars.contains($0) } ?? false
    }
}
