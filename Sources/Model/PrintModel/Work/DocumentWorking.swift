// Defines the protocol for inspecting, preparing and rasterizing documents.

/// A processor of untrusted documents.
///
/// `PrintDocuments` processes documents in the current process; `PrintWork` uses sandboxed `print-worker` processes.
public protocol DocumentWorking: Sendable {
    /// Inspects a document, and returns its properties, such as the format and the number of pages.
    func inspect(_ document: InputDocument) async throws(WorkError) -> DocumentSummary

    /// Converts documents, and lays out their pages in one PDF for a printer.
    func prepare(
        _ request: PrepareRequest, progress: @escaping @Sendable (WorkProgress) -> Void
    ) async throws(WorkError) -> PreparedDocument

    /// Converts pages of a prepared PDF into pixels for a printer that does not support PDF.
    func render(
        _ request: RenderRequest, progress: @escaping @Sendable (WorkProgress) -> Void
    ) async throws(WorkError) -> RenderedDocument

    /// Converts a document into page images that show how a simulated printer prints the document.
    func rasterize(
        _ request: RasterizeRequest, progress: @escaping @Sendable (WorkProgress) -> Void
    ) async throws(WorkError) -> RasterizedDocument
}

/// A converter of untrusted documents.
public protocol DocumentConverting: Sendable {
    /// Returns the media type of a document; nil if the media type is unknown.
    ///
    /// The type is determined from the content, the name and the declared format of the document.
    func identify(_ document: InputDocument) async throws(WorkError) -> DocumentFormat?

    func convert(_ request: ConvertRequest) async throws(WorkError) -> ConvertedDocument
}

/// The progress of a worker.
public struct WorkProgress: Hashable, Sendable, Codable {
    /// The number of finished pages of the work.
    package var page: Int
    package var total: Int
    /// The outcome of the most recently finished page; nil before the first page.
    package var outcome: PageOutcome?

    package init(page: Int, total: Int) {
        self.page = page
        self.total = total
    }

    /// Creates a progress value with the outcome of the most recently finished page.
    package init(page: Int, total: Int, outcome: PageOutcome?) {
        self.init(page: page, total: total)
        self.outcome = outcome
    }
}

/// The outcome of the work on one page.
///
/// If a worker fails, a replacement worker continues after the last page whose outcome was received.
package struct PageOutcome: Hashable, Sendable, Codable {
    /// The image of the page; nil if the work produces no images.
    package var image: PageImage?
    /// The length of the output file after this page, in bytes; nil if the work produces no file.
    package var bytes: Int?
    /// A sentence for users about replaced or omitted content; nil if the page is complete.
    package var notice: String?

    package init(image: PageImage? = nil, bytes: Int? = nil, notice: String? = nil) {
        (self.image, self.bytes, self.notice) = (image, bytes, notice)
    }
}
