// A renderer's pages as a PDF.

extension PrintPageRenderer {
    /// Draws the chosen pages into a PDF file, which appears whole or not at all.
    ///
    ///     try report.write(to: "report.pdf", on: PrintPaper(media: .a4, margins: .all(.millimeters(5))))
    ///
    /// - Parameters:
    ///   - path: The file; one that is there is replaced.
    ///   - paper: The paper to draw for.
    ///   - orientation: How pages lie on it.
    ///   - pages: Which pages; they keep their numbers, and no others are drawn.
    ///   - info: What the document says of itself.
    /// - Throws: `noContent` when there are no pages; `jobFailed` when there are none of that range, when the content
    ///   cannot be laid out or drawn, or when the file cannot be written.
    public final func write(
        to path: String, on paper: PrintPaper, orientation: Orientation = .portrait, pages: PageRanges = .all,
        info: DocumentInfo = DocumentInfo()
    ) throws(PrintError) {
        use(paper, orientation: orientation)
        var recording = try PageRecording(of: self, pages: pages, to: path, info: info)
        while try recording.drawNextPage() {}
        try recording.finish()
    }
}

/// Pages of a renderer on their way into a PDF, one at a time, so that whoever draws may stop in between.
struct PageRecording {
    /// Numbers beyond it are a mistake, not a document.
    static let mostPages = PageRanges.mostPages

    /// How many pages are drawn in all.
    let pageCount: Int
    private let renderer: PrintPageRenderer
    private let pages: [Int]
    private let pdf: PDFContext
    private var next = 0

    /// Lays the pages out and begins the file.
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

    /// Draws a page; false when there is none left.
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

    /// Writes the file.
    func finish() throws(PrintError) {
        do { try pdf.close() } catch { throw PrintError(error, while: "writing the pages") }
    }

    /// The chosen pages, counted from 0.
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
            "the renderer says that it has \(count) pages, and \(PageRecording.mostPages) are the most that are printed;"
                + " check its numberOfPages")
    }

    static let contentTooLong = PrintError(
        .jobFailed,
        "the content needs more than \(PageRecording.mostPages) pages, which are the most that are printed; print it in"
            + " parts")

    static func noSuchPages(_ ranges: PageRanges, of count: Int) -> PrintError {
        let text = "\(ranges)"
        let chosen = text.allSatisfy(\.isNumber) ? "page \(text) was chosen" : "the pages \(text) were chosen"
        let rest =
            count == 1
            ? "the document has 1 page; choose a page that is there"
            : "the document has \(count) pages; choose some of them"
        return PrintError(.jobFailed, "\(chosen), but \(rest)")
    }
}
