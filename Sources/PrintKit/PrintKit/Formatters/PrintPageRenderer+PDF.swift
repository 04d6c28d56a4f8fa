// Writes the pages of a renderer to a PDF file.

import AsyncPrimitives

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
        var recording = try PageRecording(of: self, pages: pages, to: path, info: info)
        while try recording.drawNextPage() {}
        try recording.finish()
    }

    /// Draws the chosen pages into a PDF file, as the function of this name does that is not asynchronous.
    ///
    /// The layout and the drawing block none of the threads that Swift's tasks share, unless an actor isolates the
    /// caller: then the actor can perform other work between two pages.
    public final nonisolated(nonsending) func write(
        to path: String, on paper: PrintPaper, orientation: Orientation = .portrait, pages: PageRanges = .all,
        info: DocumentInfo = DocumentInfo()
    ) async throws(PrintError) {
        use(paper, orientation: orientation)
        do { _ = try await PageRecording.record(self, pages: pages, to: path, info: info) } catch {
            throw PrintError(error, while: "drawing the pages")
        }
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

    /// Lays out the content and draws the chosen pages, on threads that Swift's tasks do not share.
    ///
    /// - Parameter check: The function that is called after the layout and after each page. An error ends the recording.
    /// - Returns: The number of pages.
    static nonisolated(nonsending) func record(
        _ renderer: PrintPageRenderer, pages: PageRanges, to path: String, info: DocumentInfo,
        check: () throws -> Void = {}
    ) async throws -> Int {
        try await withTaskExecutorPreference(threads) {
            await renderer.prepareLayout()
            try check()
            var recording = try PageRecording(of: renderer, pages: pages, to: path, info: info)
            while try recording.drawNextPage() {
                try check()
                await Task.yield()
            }
            try recording.finish()
            return recording.pageCount
        }
    }

    /// The threads that draw pages.
    private static let threads = BlockingThreads(most: 8, stackBytes: 8 << 20)

    /// The method returns false when all pages are drawn.
    mutating func drawNextPage() throws(PrintError) -> Bool {
        guard next < pages.count else { return false }
        let index = pages[next]
        next += 1
        do {
            pdf.beginPage()
            try pdf.draw { () throws in try renderer.drawPage(at: index, in: renderer.printableRect) }
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
