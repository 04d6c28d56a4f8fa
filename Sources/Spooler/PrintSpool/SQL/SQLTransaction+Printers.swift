// Reads and writes printers.

package import PrintModel

extension SQLTransaction {
    package func printers() throws -> [ConfiguredPrinter] {
        try rows("SELECT \(StoredTable.printerColumns.names()) FROM printers ORDER BY id", Self.printer)
            .compactMap(\.self)
    }

    package func printer(named name: String) throws -> ConfiguredPrinter? {
        // Another host may not change the printer until the end of the transaction. Submissions prevent its removal.
        let columns = StoredTable.printerColumns.names()
        return try rows("SELECT \(columns) FROM printers WHERE name = $1\(lock("UPDATE"))", [name], Self.printer)
            .first.flatMap(\.self)
    }

    package func insert(_ printer: ConfiguredPrinter) throws {
        let columns = StoredTable.printerColumns
        try run(
            "INSERT INTO printers (\(columns.names())) VALUES (\(columns.placeholders()))", columns.values(of: printer))
    }

    package func update(_ printer: ConfiguredPrinter) throws {
        let columns = StoredTable.printerColumns.dropFirst()
        let settings = columns.enumerated().map { "\($1.name) = $\($0 + 1)" }.joined(separator: ", ")
        try run(
            "UPDATE printers SET \(settings) WHERE name = $\(columns.count + 1)",
            columns.values(of: printer) + [printer.name])
    }

    package func removePrinter(named name: String) throws { try run("DELETE FROM printers WHERE name = $1", [name]) }

    package func clearDefaultPrinter() throws {
        try run("UPDATE printers SET is_default = FALSE WHERE is_default = TRUE", [])
    }

    /// Returns the printer that a row contains; nil if not even the name of the printer is readable.
    ///
    /// An unreadable printer keeps its readable fields, and is paused and does not accept jobs. The next change of the
    /// printer replaces the damaged fields.
    static func printer(_ row: Row) -> ConfiguredPrinter? {
        // An unreadable policy may have denied users.
        var printer = ConfiguredPrinter(name: "", deviceURI: "", policy: .nobody)
        var isDamaged = false
        for (index, column) in StoredTable.printerColumns.enumerated() {
            do { try column.read?(&printer, row, index) } catch { isDamaged = true }
        }
        guard !printer.name.isEmpty else { return nil }
        if isDamaged {
            printer.isPaused = true
            printer.isAccepting = false
            printer.pauseMessage =
                "the stored record of this printer was damaged; correct the printer with 'printq printers change "
                + "\(printer.name)'"
        }
        return printer
    }
}
