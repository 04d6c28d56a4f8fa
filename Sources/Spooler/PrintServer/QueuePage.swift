// Creates the web page of a printer (`printer-more-info`, `printer-supply-info-uri`).

import PrintIPP
import PrintModel

/// The web page of a printer.
///
/// The page contains only attributes that Get-Printer-Attributes returns to every client. The page contains no
/// information about jobs.
public struct QueuePage: Sendable {
    private let printer: ServedPrinter
    private let supplies: [PrinterStatus.Supply]

    /// Creates the page from the current state of a printer; nil if the printer does not exist.
    public init?(of name: String, in service: SpoolService) async {
        guard let printer = try? await service.printer(named: name) else { return nil }
        self.printer = printer
        supplies = printer.status.supplies
    }

    /// The page as HTML, without external resources.
    public var html: String {
        let message = printer.status.message.isEmpty ? "" : ": \(printer.status.message)"
        let place = printer.location.isEmpty ? "" : " Location: \(printer.location)."
        return HTMLText.page(
            printer.info,
            """
            <p>\(HTMLText.escaped(printer.capabilities.makeAndModel)), a printer of the printq queue. It is \
            \(printer.status.state)\(HTMLText.escaped(message)).\(HTMLText.escaped(place))</p>
            <h2 id="supplies">Supplies</h2>
            \(HTMLText.table(["Supply", "Left"], supplies.map { [$0.name, $0.level.map { "\($0) %" } ?? "unknown"] }))
            <h2>Paper</h2>
            \(HTMLText.table(["Loaded"], printer.capabilities.readyPapers.map { [$0.media.localizedName] }))
            """)
    }
}
