// The web page that lists all printers.

import PrintIPP
package import PrinterSimulator

package struct PrinterListPage: Sendable {
    private var rows: [[String]] = []

    /// The page also lists printers that are switched off.
    package init(of devices: [SimulatedPrinter]) async {
        for device in devices {
            let (printer, status) = (device.description, await device.status)
            let name = status.settings["printer-info"] ?? printer.info
            let message = status.printer.message.isEmpty ? "" : ": \(status.printer.message)"
            rows.append([
                HTMLText.link("/printers/\(printer.name)", name), HTMLText.escaped(printer.makeAndModel),
                HTMLText.escaped("\(status.printer.state)\(message)"), "\(status.queuedJobs)",
            ])
        }
    }

    /// The page as HTML, without external resources.
    package var html: String {
        HTMLText.page("Simulated printers", HTMLText.table(["Printer", "Model", "State", "Jobs"], html: rows))
    }
}
