// What jobs have cost, as a table, as CSV and as JSON.

package import PrintModel
import SpoolerClient

/// One column of an account: its heading, and whether its values are numbers.
package struct AccountingColumn: Sendable {
    /// The name in CSV and JSON.
    package var name: String
    /// The heading of the table.
    package var title: String
    /// Whether its values are numbers.
    package var isNumber = false
    /// Whether it gives way when the table is too wide.
    package var isFlexible = false

    fileprivate var column: TextTable.Column {
        TextTable.Column(title: title, isRight: isNumber, isFlexible: isFlexible)
    }

    /// The columns of an account of jobs.
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

    /// The columns of sums by user or printer.
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
    /// The values of `AccountingColumn.ofJobs`.
    ///
    /// - Parameter time: how moments are written.
    package func cells(time: (UnixTime) -> String) -> [String] {
        [
            "\(jobID)", user, printer, title, time(submittedAt), time(endedAt), state.description, "\(copies)",
            "\(printed.sheets)", "\(printed.impressions)", "\(printed.blanks)",
            isColor.map { $0 ? "color" : "monochrome" } ?? "", media ?? "", "\(bytes)",
        ]
    }
}

/// What several jobs have cost together.
package struct AccountingSum: Hashable, Sendable {
    /// How many they are.
    package private(set) var jobs = 0
    /// What came out.
    package private(set) var printed = PrintedSides()
    /// The sides that were printed in colour.
    package private(set) var colorSides = 0
    /// How large their documents were together.
    package private(set) var bytes = 0

    /// Nothing.
    package init() {}

    /// Adds a job.
    package mutating func add(_ entry: AccountingEntry) {
        jobs += 1
        printed = printed + entry.printed
        if entry.isColor == true { colorSides += entry.printed.impressions }
        bytes += entry.bytes
    }

    /// Adds other jobs.
    package mutating func add(_ other: AccountingSum) {
        jobs += other.jobs
        printed = printed + other.printed
        colorSides += other.colorSides
        bytes += other.bytes
    }

    /// The values of `AccountingColumn.ofSums`, the name of whose they are first.
    package func cells(of name: String) -> [String] {
        [
            name, "\(jobs)", "\(printed.sheets)", "\(printed.impressions)", "\(colorSides)", "\(printed.blanks)",
            "\(bytes)",
        ]
    }
}

/// Rows of an account in one of the ways in which they are written.
package struct AccountingText: Sendable {
    /// How rows are written.
    package enum Format: Sendable {
        /// For people.
        case table
        /// For spreadsheets (RFC 4180).
        case csv
        /// For programs.
        case json
    }

    private let columns: [AccountingColumn]
    private let format: Format
    private var widths: [Int]?
    private var isBegun = false

    /// An account that has no rows yet.
    package init(_ columns: [AccountingColumn], _ format: Format) {
        self.columns = columns
        self.format = format
    }

    /// The next rows as they are to be written.
    ///
    /// - Parameter width: the terminal's columns, for the table.
    package mutating func rows(_ rows: [[String]], width: Int? = nil) -> String {
        defer { isBegun = true }
        switch format {
        case .table:
            var table = TextTable(columns.map(\.column))
            for row in rows { table.add(row) }
            return table.text(following: &widths, width: width)
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

    /// What comes after the last row.
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

    /// A line of RFC 4180: fields with a comma or a quote in them stand in quotes.
    ///
    /// Control characters become visible, as in the table: the line may be shown on a terminal. JSON keeps them.
    private static func csvLine(_ cells: [String]) -> String {
        cells.map { cell in
            let text = isFormula(cell) ? "'\(cell.printable)" : cell.printable
            return text.unicodeScalars.contains { ",\"".unicodeScalars.contains($0) }
                ? "\"\(text.replacing("\"", with: "\"\""))\"" : text
        }.joined(separator: ",") + "\r\n"
    }

    /// Whether a spreadsheet would take the words for a formula and carry it out: whoever names a job could have an
    /// administrator's program do what they like.
    private static func isFormula(_ cell: String) -> Bool {
        cell.unicodeScalars.first.map { "=+-@\t\r＝＋－＠".unicodeScalars.contains($0) } ?? false
    }
}
