// A destination that keeps PDFs in memory.

public import FoundationEssentials
import Synchronization

/// A destination that keeps each printed document as a PDF in memory.
///
///     let destination = PDFDataDestination()
///     try await controller.print(to: destination.printer)
///     let pdf = destination.takeDocuments().first?.data
///
/// With this destination, a server program prints with a controller and writes no file. To draw a renderer or formatter,
/// `pdfData(on:)` needs no controller. The destination applies the paper, the orientation and the page ranges, and
/// ignores copies and sides, as `PDFFileDestination` does. Several `printingItems` become several documents.
///
/// Documents stay in memory until `takeDocuments()` removes them.
public final class PDFDataDestination: PrintDestination {
    /// A printed document.
    public struct Document: Hashable, Sendable {
        /// The name of the job.
        public let title: String
        /// The PDF.
        public let data: Data
        /// The number of pages.
        public let pageCount: Int
    }

    private let documents = Mutex<[Document]>([])
    private let id = "pdf-data:\(UUID().uuidString)"

    /// Creates a destination without documents.
    public init() {}

    /// The single printer of this destination.
    public var printer: Printer {
        Printer(
            id: id, url: URL(string: id) ?? URL(filePath: "/dev/null"), displayName: "PDF data",
            capabilities: PDFFileDestination.capabilities, destination: self)
    }

    /// Returns the documents in the order in which they were printed, and removes them from the destination.
    public func takeDocuments() -> [Document] {
        documents.withLock { documents in
            defer { documents = [] }
            return documents
        }
    }

    /// Returns the single printer, which is always available.
    public func printers() async throws -> [Printer] { [printer] }

    /// Returns the capabilities of `PDFFileDestination`.
    ///
    /// - Throws: `PrintError.printingNotAvailable` for a printer of another destination.
    public func capabilities(of printer: Printer) async throws -> PrinterCapabilities {
        try check(printer)
        return PDFFileDestination.capabilities
    }

    /// Keeps the document in memory.
    ///
    /// - Throws: `PrintError` with `jobFailed` when the document cannot be read, or with `printingNotAvailable` for a
    ///   printer of another destination.
    public func submit(
        _ request: PrintRequest, to printer: Printer, report: @escaping @Sendable (PrintReport) -> Void
    ) async throws -> PrintEnd {
        try check(printer)
        let folder = try ScratchFolder()
        let path = try PDFFileDestination.chosenPages(of: request, in: folder)
        let (data, pageCount): (Data, Int)
        do {
            data = try Data(contentsOf: URL(filePath: path))
            pageCount = try PDFFile(path: path).pageCount
        } catch {
            throw PrintError(error, while: "reading '\(path)'")
        }
        documents.withLock { $0.append(Document(title: request.title, data: data, pageCount: pageCount)) }
        report(.accepted(jobID: nil))
        report(.progress(page: pageCount, of: pageCount))
        return .completed
    }

    private func check(_ printer: Printer) throws(PrintError) {
        guard printer.id == id else {
            throw PrintError(
                .printingNotAvailable,
                "printer '\(printer.id)' is not the printer of this PDFDataDestination; print to its property 'printer'"
            )
        }
    }
}
