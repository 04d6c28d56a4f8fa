// Writes the pages of a renderer to a PDF file.

extension PrintPageRenderer {
    /// Draws the chosen pages into a PDF file, which is created atomically.
    ///
    ///     try report.write(to: "report.pdf", on: PrintPaper(media: .a4, margins: .all(.millimeters(5))))
    ///
    /// - Parameters:
    ///   - path: The path of the file. An existing file is replaced.
    ///   - paper: The paper for the pages.
    ///   - orientation: The orientation of the pages on the paper.
    ///   - pages: The pages to draw. The pages keep their page numbers.
    ///   - info: The metadata of the document.
    /// - Throws: `noContent` when there are no pages. `jobFailed` when the range contains no pages, the content cannot
    ///   be laid out or drawn, or the file cannot be written.
    public final func write(
        to path: String, on paper: PrintPaper, orientation: Orientation = .portrait, pages: PageRanges = .all,
        info: DocumentInfo = DocumentInfo()
    ) throws(PrintError) {
        use(paper, orientation: orientation)
        try record(pages, to: path, info: info)
    }

    /// Draws the chosen pages into a PDF file, as the function of this name does that is not asynchronous.
    ///
    /// The layout of HTML, which another process does, blocks no thread.
    public final nonisolated(nonsending) func write(
        to path: String, on paper: PrintPaper, orientation: Orientation = .portrait, pages: PageRanges = .all,
        info: DocumentInfo = DocumentInfo()
    ) async throws(PrintError) {
        use(paper, orientation: orientation)
        await prepareLayout()
        try record(pages, to: path, info: info)
    }

    private func record(_ pages: PageRanges, to path: String, info: DocumentInfo) throws(PrintError) {
        var recording = try PageRecording(of: self, pages: pages, to: path, info: info)
        while try recording.drawNextPage() {}
        try recording.finish()
    }
}

/// A recording of a renderer's pages as a PDF.
///
/// The caller can stop the recording between pages.
struct PageRecording {
    /// A greater number is probably an error in the renderer.
    static let mostPages = PageRanges.mostPages

    let pageCount: Int
    private let renderer: PrintPageRenderer
    private let pages: [Int]
    private let pdf: PDFContext
    private var next = 0

    init(
        of renderer: PrintPageRenderer, pages ranges: PageRanges, to path: String, info: DocumentInfo
    ) throws(PrintError) {
        pages = try Self.pages(of: renderer, in: ranges)
        pageCount = pages.count
        self.renderer = renderer
        do {
            pdf = try PDFContext(path: path, bounds: renderer.paperRect, info: info)
            try renderer.prepare(forDrawingPages: (pages.first ?? 0)..<(pages.last ?? 0) + 1)
        } catch {
            throw PrintError(error, while: "preparing the pages")
        }
    }

    /// The method returns false when all pages are drawn.
    mutating func drawNextPage() throws(PrintError) -> Bool {
        guard next < pages.count else { return false }
        let index = pages[next]
        next += 1
        do {
            pdf.beginPage()
            try pdf.draw { () throws in try renderer.drawPage(at: index, in: renderer.printableRect) }
            if let failure = renderer.drawingFailure {
                renderer.drawingFailure = nil
                throw failure
            }
        } catch {
            throw PrintError(error, while: "drawing page \(index + 1)")
        }
        if let failure = pdf.failure { throw PrintError(failure, while: "drawing page \(index + 1)") }
        return true
    }

    func finish() throws(PrintError) {
        do { try pdf.close() } catch { throw PrintError(error, while: "writing the pages") }
    }

    /// Returns the chosen pages, counted from 0.
    private static func pages(of renderer: PrintPageRenderer, in ranges: PageRanges) throws(PrintError) -> [Int] {
        let count = renderer.numberOfPages
        for formatter in renderer.printFormatters {
            if let failure = formatter.layoutFailure { throw PrintError(failure, while: "laying out the content") }
        }
        guard count > 0 else { throw .noPages }
        guard count <= mostPages else {
            let flows = renderer.printFormatters.contains { $0.pages.startPage + $0.pageCount >= count }
            throw flows ? .contentTooLong : .tooManyPages(count)
        }
        let pages = ranges.pages(of: count).map { $0 - 1 }
        guard !pages.isEmpty else { throw .noSuchPages(ranges, of: count) }
        return pages
    }
}

extension PrintError {
    static let noPages = PrintError(
        .noContent,
        "there is nothing to print: the content has no pages; give the renderer a formatter that has content, or"
            + " override numberOfPages")

    static func tooManyPages(_ count: Int) -> PrintError {
        PrintError(
            .jobFailed,
            "the renderer has \(count) pages, but at most \(PageRecording.mostPages) pages can be printed; check its"
                + " numberOfPages")
    }

    static let contentTooLong = PrintError(
        .jobFailed,
        "the content needs more than \(PageRecording.mostPages) pages, the maximum for a job; print fewer pages")

    static func noSuchPages(_ ranges: PageRanges, of count: Int) -> PrintError {
        let text = "\(ranges)"
        let chosen = text.allSatisfy(\.isNumber) ? "page \(text) is" : "pages \(text) are"
        let rest = count == 1 ? "the document has only 1 page" : "choose pages from 1 to \(count)"
        return PrintError(.jobFailed, "\(chosen) out of range; \(rest)")
    }
}
