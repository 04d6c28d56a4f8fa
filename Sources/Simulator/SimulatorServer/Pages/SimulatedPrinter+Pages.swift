// The web pages of simulated printers, as HTML without external resources.

import PrintIPP
package import PrinterSimulator

extension SimulatedPrinter {
    /// The page with the printer's state, paper, supplies and newest jobs (`printer-more-info`).
    ///
    /// Everyone can read the page, so it contains no names and owners of jobs.
    package var pageHTML: String {
        let status = status
        let name = status.settings["printer-info"] ?? description.info
        let message = status.printer.message.isEmpty ? "" : ": \(status.printer.message)"
        return HTMLText.page(
            name,
            """
            <p>\(HTMLText.escaped(description.makeAndModel)), simulated. It is \(status.printer.state)\(HTMLText.escaped(message)).</p>
            <h2 id="supplies">Supplies</h2>
            \(HTMLText.table(["Supply", "Left"], status.supplies.map { [$0.name, "\($0.percent) %"] }))
            <h2>Paper</h2>
            \(HTMLText.table(["Tray", "Paper", "Sheets"], status.trays.map { [$0.name, $0.paper, $0.filling] }))
            <h2>Jobs</h2>
            \(HTMLText.table(
                ["Job", "State", "Sides"],
                (unfinishedJobs + endedJobs).prefix(50).map {
                    ["\($0.id)", "\($0.state)", "\($0.impressionsCompleted)"]
                }))
            <p>Names, owners and pages: <code>printsim center</code></p>
            """)
    }
}

extension [SimulatedPrinter] {
    /// The page that lists the printers, also printers that are switched off.
    package var listPageHTML: String {
        get async {
            var rows: [[String]] = []
            for device in self {
                let (printer, status) = (device.description, await device.status)
                let name = status.settings["printer-info"] ?? printer.info
                let message = status.printer.message.isEmpty ? "" : ": \(status.printer.message)"
                rows.append([
                    HTMLText.link("/printers/\(printer.name)", name), HTMLText.escaped(printer.makeAndModel),
                    HTMLText.escaped("\(status.printer.state)\(message)"), "\(status.queuedJobs)",
                ])
            }
            return HTMLText.page(
                "Simulated printers", HTMLText.table(["Printer", "Model", "State", "Jobs"], html: rows))
        }
    }
}
