// Formats printers as a table.

package import PrintModel
import SpoolerClient

extension PrinterState {
    /// The printer's state as an IPP keyword: `idle`, `processing` or `stopped`.
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
    /// A star marks the default printer.
    package var table: TextTable {
        var table = TextTable([
            .left(" "), .left("PRINTER"), .left("STATE"), .right("JOBS"), .flexible("DESCRIPTION"), .note("NOTE"),
        ])
        for printer in self {
            table.add(
                [
                    printer.isDefault ? "*" : "", printer.name, printer.stateWords, "\(printer.queuedJobs)",
                    printer.info, printer.note,
                ], tones: [2: printer.tone])
        }
        return table
    }
}
