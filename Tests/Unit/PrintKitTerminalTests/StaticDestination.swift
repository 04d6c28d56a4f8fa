import FoundationEssentials

@testable import PrintKit

/// A destination with printers that cannot print.
struct StaticDestination: PrintDestination {
    let known: [(name: String, capabilities: PrinterCapabilities)]

    init(_ printers: [(name: String, capabilities: PrinterCapabilities)] = [("laser", .laser)]) { known = printers }

    func printers() async throws -> [Printer] {
        known.map {
            Printer(
                id: $0.name, url: URL(filePath: "/"), displayName: $0.name, capabilities: $0.capabilities,
                destination: self)
        }
    }

    func capabilities(of printer: Printer) async throws -> PrinterCapabilities {
        printer.capabilities ?? PrinterCapabilities.laser
    }

    func submit(
        _ request: PrintRequest, to printer: Printer, report: @escaping @Sendable (PrintReport) -> Void
    ) async throws -> PrintEnd { .canceled }
}

extension PrinterCapabilities {
    /// A laser printer with two-sided printing, at most nine copies, A5 loaded.
    static let laser = PrinterCapabilities(
        makeAndModel: "Laser", papers: [PrintPaper(media: .a4), PrintPaper(media: .a5)],
        readyPapers: [PrintPaper(media: .a5)], defaultMedia: .a4,
        duplexModes: [.none, .longEdge, .shortEdge], formats: [.pdf], maxCopies: 9)

    /// A photo printer that prints on one side.
    static let photo = PrinterCapabilities(
        makeAndModel: "Photo", papers: [PrintPaper(media: .a6)], defaultMedia: .a6, formats: [.pdf])
}
