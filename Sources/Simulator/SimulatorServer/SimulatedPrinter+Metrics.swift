// The metrics of simulated printers.

package import OpenMetrics
import PrintModel
import PrinterSimulator

extension [SimulatedPrinter] {
    /// Returns the current metrics of the printers.
    ///
    /// The metrics have the same names as the metrics of `printd`. The only labels are printer names and states.
    package func metricFamilies() async -> [MetricFamily] {
        var depth = MetricFamily("printq_queue_depth", .gauge, help: "Jobs that have not ended.")
        var states = MetricFamily("printq_printer_state", .stateset, help: "State of the printer (IPP printer-state).")
        var accepting = MetricFamily(
            "printq_printer_accepting", .gauge, help: "Whether the printer accepts new jobs: 1 or 0.")
        var power = MetricFamily("printq_printer_power", .gauge, help: "Whether the printer is switched on: 1 or 0.")
        var pages = MetricFamily(
            "printq_sides_printed", .counter, help: "Sides that the printer has printed in its lifetime.")
        var sheets = MetricFamily(
            "printq_sheets_printed", .counter, help: "Sheets that the printer has printed in its lifetime.")
        for device in self {
            let status = await device.status
            let label = [("printer", device.description.name)]
            depth.add(Double(status.queuedJobs), label)
            states.add(states: ["\(status.printer.state)"], of: ["idle", "processing", "stopped"], label)
            accepting.add(status.printer.isAccepting ? 1 : 0, label)
            power.add(await device.isSwitchedOff ? 0 : 1, label)
            pages.add(Double(status.impressionsPrinted), label)
            sheets.add(Double(status.sheetsPrinted), label)
        }
        return [depth, states, accepting, power, pages, sheets]
    }
}
