import FoundationEssentials
import PrintKit
import PrintRaster
import Synchronization

/// An in-memory print destination with configurable printers.
///
/// The destination stores the submitted jobs.
final class FakeDestination: PrintDestination {
    /// A submitted job.
    struct Job {
        var request: PrintRequest
        var printer: String
        /// The text of each page, read when the job was submitted, because PrintKit deletes the document later.
        var texts: [String]
        var pageSize: Size
    }

    private let kept = Mutex<[Job]>([])
    private let known: [(name: String, capabilities: PrinterCapabilities)]
    /// The reports that the printer sends for each job.
    let reports: [PrintReport]
    let answer: @Sendable (PrintRequest) async throws -> PrintEnd
    /// Whether the destination accepts several documents in one request.
    let isJoining = Mutex(false)
    var acceptsSeveralDocuments: Bool { isJoining.withLock { $0 } }

    init(
        _ printers: [(name: String, capabilities: PrinterCapabilities)] = [("laser", .laser)],
        reports: [PrintReport] = [], answer: @escaping @Sendable () async throws -> PrintEnd = { .completed }
    ) {
        (known, self.reports, self.answer) = (printers, reports, { _ in try await answer() })
    }

    /// Creates a destination with a laser printer that accepts each job immediately.
    ///
    /// - Parameter end: A closure that runs after a job is accepted and returns how the job ended.
    init(accepting end: @escaping @Sendable (PrintRequest) async throws -> PrintEnd) {
        (known, reports, answer) = ([("laser", .laser)], [.accepted(jobID: nil)], end)
    }

    var jobs: [Job] { kept.withLock { $0 } }

    func printers() async throws -> [Printer] {
        known.map {
            Printer(id: $0.name, url: URL(string: "fake:\($0.name)")!, displayName: $0.name, destination: self)
        }
    }

    func capabilities(of printer: Printer) async throws -> PrinterCapabilities {
        guard let one = known.first(where: { $0.name == printer.id }) else {
            throw PrintError(.printingNotAvailable, "there is no printer '\(printer.id)'")
        }
        return one.capabilities
    }

    func submit(
        _ request: PrintRequest, to printer: Printer, report: @escaping @Sendable (PrintReport) -> Void
    ) async throws -> PrintEnd {
        let document = try PDFDocument(path: request.documentPath)
        let texts = try (0..<document.pageCount).map { try document.text(at: $0) }
        let size = try document.pageSize(at: 0)
        kept.withLock {
            $0.append(
                Job(
                    request: request, printer: printer.id, texts: texts,
                    pageSize: Size(width: size.width, height: size.height)))
        }
        for one in reports { report(one) }
        return try await answer(request)
    }

    func printer(_ name: String = "laser") async throws -> Printer {
        try await printers().first { $0.id == name }!
    }
}

extension PrinterCapabilities {
    /// A laser printer: A4, A5 and Letter with margins, two-sided printing, at most nine copies, A5 loaded.
    static let laser = PrinterCapabilities(
        makeAndModel: "Laser",
        papers: [Media.a4, .a5, .letter].map { PrintPaper(media: $0, margins: .all(.millimeters(4))) },
        readyPapers: [PrintPaper(media: .a5, margins: .all(.millimeters(4)))], defaultMedia: .a4,
        duplexModes: [.none, .longEdge, .shortEdge], colorModes: [.auto, .color], formats: [.pdf], maxCopies: 9)

    /// A photo printer: 4 × 6 inches and A6, with and without margins.
    static let photo = PrinterCapabilities(
        makeAndModel: "Photo",
        papers: [
            PrintPaper(media: .photo4x6, margins: .all(.millimeters(3))), PrintPaper(media: .photo4x6),
            PrintPaper(media: .a6, margins: .all(.millimeters(3))), PrintPaper(media: .a6),
        ], defaultMedia: .a6, formats: [.pdf])

    /// A laser printer that accepts custom sheets of up to 216 by 1200 mm, as most laser printers do.
    static var anySize: PrinterCapabilities {
        var laser = laser
        laser.customMedia = .init(width: 7620...21_600, height: 12_700...120_000, margins: .zero)
        return laser
    }

    /// A printer with a 4 inch roll and a cutter, for pieces from 20 mm to 2 m.
    static let roll = PrinterCapabilities(
        makeAndModel: "Roll", papers: [PrintPaper(media: .photo4x6)], defaultMedia: .photo4x6,
        customMedia: .init(width: 2540...10800, height: 2000...200_000, margins: .zero), formats: [.pdf],
        trimmings: [.never, .afterPages, .afterJob], defaultTrimming: .afterPages)
}

/// A delegate that records calls and returns configured values.
final class NotingDelegate: PrintInteractionControllerDelegate {
    var notes: [String] = []
    var reports: [PrintReport] = []
    var onReport: (PrintReport) -> Void = { _ in }
    var parent: (any PrinterOptionsPresenting)?
    var paper: ([PrintPaper]) -> PrintPaper? = { _ in nil }
    var cutLength: Double?
    var cutLengthQuestions = 0
    var cutter = CutterBehavior.printerDefault
    var cutterQuestions = 0

    func printInteractionControllerParent(
        _ controller: PrintInteractionController
    ) -> (any PrinterOptionsPresenting)? { parent }

    func printInteractionControllerWillPresentPrinterOptions(_ controller: PrintInteractionController) {
        notes.append("will present")
    }

    func printInteractionControllerDidPresentPrinterOptions(_ controller: PrintInteractionController) {
        notes.append("did present")
    }

    func printInteractionControllerWillDismissPrinterOptions(_ controller: PrintInteractionController) {
        notes.append("will dismiss")
    }

    func printInteractionControllerDidDismissPrinterOptions(_ controller: PrintInteractionController) {
        notes.append("did dismiss")
    }

    func printInteractionControllerWillStartJob(_ controller: PrintInteractionController) { notes.append("will start") }

    func printInteractionControllerDidFinishJob(_ controller: PrintInteractionController) { notes.append("did finish") }

    func printInteractionController(
        _ controller: PrintInteractionController, choosePaper papers: [PrintPaper]
    ) -> PrintPaper {
        notes.append("choose paper")
        return self.paper(papers) ?? controller.defaultPaper(from: papers)
    }

    func printInteractionController(
        _ controller: PrintInteractionController, cutLengthFor paper: PrintPaper
    ) -> Double {
        cutLengthQuestions += 1
        return cutLength ?? paper.paperSize.height
    }

    func printInteractionController(
        _ controller: PrintInteractionController, chooseCutterBehavior behaviors: [CutterBehavior]
    ) -> CutterBehavior {
        cutterQuestions += 1
        return cutter
    }

    func printInteractionController(_ controller: PrintInteractionController, didReceive report: PrintReport) {
        reports.append(report)
        onReport(report)
    }
}

/// A presenter that returns the options that a test chooses.
struct FakePresenter: PrinterOptionsPresenting {
    var decide: @Sendable (PrinterOptions) async throws -> PrinterOptions?

    func presentOptions(_ options: PrinterOptions) async throws -> PrinterOptions? { try await decide(options) }

    func presentPrinters(_ printers: [Printer], selected: Int) async throws -> Int? { printers.count - 1 }
}

/// Returns a completely red image.
func picture(width: Double, height: Double) throws -> Image {
    let bitmap = try BitmapContext(size: Size(width: width, height: height))
    bitmap.fillColor = .red
    bitmap.fill(Rect(x: 0, y: 0, width: width, height: height))
    return try bitmap.makeImage()
}
