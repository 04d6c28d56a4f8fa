// Formats printers as a table.

package import PrintModel
import SpoolerClient

extension PrinterState {
    /// The IPP keyword: `idle`, `processing`, `stopped`.
    package var keyword: String {
        switch self {
        case .idle: "idle"
        case .processing: "processing"
        case .stopped: "stopped"
        }
    }
}

extension [PrinterView] {
    /// The printers as a table.
    ///
    /// The default printer has a star.
    package var table: TextTable {
        var table = TextTable([
            .left(" "), .left("PRINTER"), .left("STATE"), .right("JOBS"), .flexible("DESCRIPTION"), .flexible("NOTE"),
        ])
        for printer in self {
            table.add([
                printer.isDefault ? "*" : "", printer.name, printer.stateWords, "\(printer.queuedJobs)", printer.info,
                printer.note,
            ])
        }
        return table
    }
}
