// The port through which documents are read, prepared and turned into pixels.

/// Works on documents from anywhere, which is why its work is done in a process that can do no harm.
///
/// `PrintDocuments` does the work itself; `PrintWork` has it done by sandboxed `print-worker` processes.
public protocol DocumentWorking: Sendable {
    /// Says what a document is.
    func inspect(_ document: InputDocument) async throws(WorkError) -> DocumentSummary

    /// Converts and imposes documents into one PDF for a printer.
    func prepare(
        _ request: PrepareRequest, progress: @escaping @Sendable (WorkProgress) -> Void
    ) async throws(WorkError) -> PreparedDocument

    /// Makes pages of a prepared PDF into what a printer takes that takes no PDF.
    func render(
        _ request: RenderRequest, progress: @escaping @Sendable (WorkProgress) -> Void
    ) async throws(WorkError) -> RenderedDocument

    /// Turns a document into page images, as a simulated printer would put them on paper.
    func rasterize(
        _ request: RasterizeRequest, progress: @escaping @Sendable (WorkProgress) -> Void
    ) async throws(WorkError) -> RasterizedDocument
}

/// How far a worker has come.
public struct WorkProgress: Hashable, Sendable, Codable {
    /// Pages done.
    public var page: Int
    /// Pages in all.
    public var total: Int
    /// What came of the page that was just done; nil before the first page.
    package var outcome: PageOutcome?

    /// A progress.
    public init(page: Int, total: Int) {
        self.page = page
        self.total = total
    }

    /// A progress that says what came of its page.
    package init(page: Int, total: Int, outcome: PageOutcome?) {
        self.init(page: page, total: total)
        self.outcome = outcome
    }
}

/// What came of one page, so that another worker can go on with the next one.
package struct PageOutcome: Hashable, Sendable, Codable {
    /// The page's image, if images are made.
    package var image: PageImage?
    /// The length of the file of pages after this page, in bytes, if a file is made.
    package var bytes: Int?
    /// What was replaced or left out, a sentence for people.
    package var notice: String?

    /// An outcome.
    package init(image: PageImage? = nil, bytes: Int? = nil, notice: String? = nil) {
        self.image = image
        self.bytes = bytes
        self.notice = notice
    }
}
