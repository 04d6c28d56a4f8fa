import FoundationEssentials
import PrintModel
import Synchronization

@testable import DocumentInteraction

/// A destination with one printer that converts all documents and records their jobs.
final class RecordingDestination: PrintDestination {
    let registeredDocumentTypes: [DocumentType]
    private let submitted = Mutex<[(title: String, path: String)]>([])

    init(registeredDocumentTypes: [DocumentType] = []) { self.registeredDocumentTypes = registeredDocumentTypes }

    /// The titles and the paths of the documents.
    var jobs: [(title: String, path: String)] { submitted.withLock { $0 } }
    var convertsDocuments: Bool { true }

    func printers() async throws -> [Printer] {
        [Printer(id: "laser", url: URL(filePath: "/"), displayName: "laser", destination: self)]
    }

    func capabilities(of printer: Printer) async throws -> PrinterCapabilities {
        PrinterCapabilities(makeAndModel: "Laser", papers: [PrintPaper(media: .a4)], defaultMedia: .a4, formats: [.pdf])
    }

    func submit(
        _ request: PrintRequest, to printer: Printer, report: @escaping @Sendable (PrintReport) -> Void
    ) async throws -> PrintEnd {
        submitted.withLock { $0.append((request.title, request.documentPath)) }
        report(.accepted(jobID: 1))
        return .completed
    }
}

/// A presenter that accepts the options, or cancels them.
struct DecidingPresenter: PrinterOptionsPresenting {
    var accepts = true

    func presentOptions(_ options: PrinterOptions) async throws -> PrinterOptions? { accepts ? options : nil }

    func presentPrinters(_ printers: [Printer], selected: Int) async throws -> Int? { accepts ? selected : nil }
}
