// Printers as a table.

package import PrintModel
import SpoolerClient

extension PrinterState {
    /// IPP's keyword: `idle`, `processing`, `stopped`.
    package var keyword: String {
        switch self {
        case .idle: "idle"
        case .processing: "processing"
        case .stopped: "stopped"
        }
    }
}

extension [PrinterView] {
    /// The printers as a table; the default one has a star.
    package var table: TextTable {
        var table = TextTable([
            .left(" "), .left("PRINTER"), .left("STATE"), .right("JOBS"), .flexible("WHAT IT IS"), .flexible("NOTE"),
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
