// The page of all printers, for whoever opens the server's address in a browser.

import PrintIPP
package import PrinterSimulator

/// The printers of a server, each with a link to its own page.
package struct PrinterListPage: Sendable {
    private var rows: [[String]] = []

    /// The page of these printers at this moment; those without power are in it, and answer nobody.
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

    /// The page as HTML, without anything from elsewhere.
    package var html: String {
        HTMLText.page("Simulated printers", HTMLText.table(["Printer", "Model", "State", "Jobs"], html: rows))
    }
}
