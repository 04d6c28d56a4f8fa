// Defines the protocol for inspecting, preparing and rasterizing documents.

/// A processor of untrusted documents.
///
/// `PrintDocuments` processes documents in the current process; `PrintWork` uses sandboxed `print-worker` processes.
public protocol DocumentWorking: Sendable {
    /// Returns the properties of a document.
    func inspect(_ document: InputDocument) async throws(WorkError) -> DocumentSummary

    /// Converts and imposes documents into one PDF for a printer.
    func prepare(
        _ request: PrepareRequest, progress: @escaping @Sendable (WorkProgress) -> Void
    ) async throws(WorkError) -> PreparedDocument

    /// Converts pages of a prepared PDF for a printer that does not support PDF.
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
    /// Returns the media type of a document, from its content, its name and its declared format; nil if it is unknown.
    func identify(_ document: InputDocument) async throws(WorkError) -> DocumentFormat?

    /// Converts a document into a PDF.
    func convert(_ request: ConvertRequest) async throws(WorkError) -> ConvertedDocument
}

/// The progress of a worker.
public struct WorkProgress: Hashable, Sendable, Codable {
    /// The number of finished pages.
    public var page: Int
    /// The total number of pages.
    public var total: Int
    /// The outcome of the page that was finished last; nil before the first page.
    package var outcome: PageOutcome?

    /// Creates a progress value.
    public init(page: Int, total: Int) {
        self.page = page
        self.total = total
    }

    /// Creates a progress value with the outcome of the last finished page.
    package init(page: Int, total: Int, outcome: PageOutcome?) {
        self.init(page: page, total: total)
        self.outcome = outcome
    }
}

/// The outcome of one page, from which another worker can continue.
package struct PageOutcome: Hashable, Sendable, Codable {
    /// The page's image, if images are made.
    package var image: PageImage?
    /// The length in bytes of the output file after this page, if a file is made.
    package var bytes: Int?
    /// The replaced or omitted content, one sentence for users; nil if the page is complete.
    package var notice: String?

    /// Creates an outcome.
    package init(image: PageImage? = nil, bytes: Int? = nil, notice: String? = nil) {
        self.image = image
        self.bytes = bytes
        self.notice = notice
    }
}
