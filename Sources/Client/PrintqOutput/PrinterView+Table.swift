// Formats printers as a table.

import SpoolerClient

extension [PrinterView] {
    /// The printers as a table.
    ///
    /// A star marks the default printer. The hosts of the printers have a column if the queue is shared.
    package var table: TextTable {
        let hostColumn: [TextTable.Column] = contains { $0.host != nil } ? [.left("HOST")] : []
        var table = TextTable(
            [.left(" "), .left("PRINTER"), .left("STATE"), .right("JOBS")] + hostColumn
                + [.flexible("DESCRIPTION"), .note("NOTE")])
        for printer in self {
            let host = hostColumn.map { _ in printer.host ?? "none" }
            let cells = [
                printer.isDefault ? "*" : "", printer.name, printer.phase.rawValue, "\(printer.queuedJobs)",
            ]
            table.add(cells + host + [printer.info, printer.note], tones: [2: printer.tone])
        }
        return table
    }
}
