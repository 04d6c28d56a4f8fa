// A printer's own web page: how it is, its paper and ink, its jobs (`printer-more-info`).

package import PrinterSimulator

/// What a simulated printer shows to whoever opens its address in a browser.
package struct PrinterPage: Sendable {
    private let printer: SimulatedPrinterDescription
    private let status: SimulatedPrinterStatus
    private let jobs: [SimulatedJob]

    /// The page of a printer at this moment, with its newest jobs.
    package init(of device: SimulatedPrinter) async {
        printer = device.description
        status = await device.status
        jobs = Array((await device.unfinishedJobs + device.endedJobs).prefix(50))
    }

    /// The page as HTML, without anything from elsewhere.
    package var html: String {
        let name = status.settings["printer-info"] ?? printer.info
        let message = status.printer.message.isEmpty ? "" : ": \(status.printer.message)"
        return """
            <!doctype html>
            <html lang="en"><meta charset="utf-8"><title>\(Self.escaped(name))</title>
            <meta name="viewport" content="width=device-width">
            <style>body{font:16px/1.5 sans-serif;margin:2em;max-width:50em}table{border-collapse:collapse}
            td,th{text-align:left;padding:.2em 1em .2em 0;border-bottom:1px solid #ccc}</style>
            <h1>\(Self.escaped(name))</h1>
            <p>\(Self.escaped(printer.makeAndModel)), simulated. It is \(status.printer.state)\(Self.escaped(message)).</p>
            <h2 id="supplies">Supplies</h2>
            \(Self.table(["Supply", "Left"], status.supplies.map { [$0.name, "\($0.percent) %"] }))
            <h2>Paper</h2>
            \(Self.table(["Tray", "Paper", "Sheets"], status.trays.map(Self.row)))
            <h2>Jobs</h2>
            \(Self.table(
                ["Job", "Name", "From", "State", "Sides"],
                jobs.map { ["\($0.id)", $0.name, $0.owner, "\($0.state)", "\($0.impressionsCompleted)"] }))
            </html>

            """
    }

    private static func row(_ tray: SimulatedPrinterDescription.Tray) -> [String] {
        [tray.name, tray.paper, tray.filling]
    }

    private static func table(_ heads: [String], _ rows: [[String]]) -> String {
        guard !rows.isEmpty else { return "<p>None.</p>" }
        let head = heads.map { "<th>\($0)</th>" }.joined()
        let body = rows.map { "<tr>" + $0.map { "<td>\(escaped($0))</td>" }.joined() + "</tr>" }
        return "<table><tr>\(head)</tr>\n\(body.joined(separator: "\n"))</table>"
    }

    private static func escaped(_ text: String) -> String {
        text.reduce(into: "") { result, character in
            switch character {
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "&": result += "&amp;"
            case "\"": result += "&quot;"
            default: result.append(character)
            }
        }
    }
}
