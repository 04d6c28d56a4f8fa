// A printer's web page with its state, paper, supplies and jobs (`printer-more-info`).

import PrintIPP
package import PrinterSimulator

package struct PrinterPage: Sendable {
    private let printer: SimulatedPrinterDescription
    private let status: SimulatedPrinterStatus
    private let jobs: [SimulatedJob]

    package init(of device: SimulatedPrinter) async {
        printer = device.description
        status = await device.status
        jobs = Array((await device.unfinishedJobs + device.endedJobs).prefix(50))
    }

    /// The page as HTML, without external resources.
    package var html: String {
        let name = status.settings["printer-info"] ?? printer.info
        let message = status.printer.message.isEmpty ? "" : ": \(status.printer.message)"
        return HTMLText.page(
            name,
            """
            <p>\(HTMLText.escaped(printer.makeAndModel)), simulated. It is \(status.printer.state)\(HTMLText.escaped(message)).</p>
            <h2 id="supplies">Supplies</h2>
            \(HTMLText.table(["Supply", "Left"], status.supplies.map { [$0.name, "\($0.percent) %"] }))
            <h2>Paper</h2>
            \(HTMLText.table(["Tray", "Paper", "Sheets"], status.trays.map(Self.row)))
            <h2>Jobs</h2>
            \(HTMLText.table(
                ["Job", "Name", "From", "State", "Sides"],
                jobs.map { ["\($0.id)", $0.name, $0.owner, "\($0.state)", "\($0.impressionsCompleted)"] }))
            """)
    }

    private static func row(_ tray: SimulatedPrinterDescription.Tray) -> [String] {
        [tray.name, tray.paper, tray.filling]
    }
}
