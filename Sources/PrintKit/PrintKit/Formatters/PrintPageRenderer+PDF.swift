// Writes the pages of a renderer to a PDF file or to data.

import AsyncPrimitives
public import FoundationEssentials

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
        _ = try record(pages, to: path, info: info)
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
        _ = try await record(pages, to: path, info: info)
    }

    /// Draws the chosen pages, and returns them as a PDF.
    ///
    ///     let pdf = try await invoice.pdfData(on: PrintPaper(media: .a4))
    ///     return Response(headers: [.contentType: "application/pdf"], body: pdf)
    ///
    /// No file is written. The parameters and the errors are the same as for `write(to:on:)`.
    public final func pdfData(
        on paper: PrintPaper, orientation: Orientation = .portrait, pages: PageRanges = .all,
        info: DocumentInfo = DocumentInfo()
    ) throws(PrintError) -> Data {
        use(paper, orientation: orientation)
        return try record(pages, to: nil, info: info)
    }

    /// Draws the chosen pages, and returns them as a PDF, as the function of this name does that is not asynchronous.
    ///
    /// The layout and the drawing block no thread, as those of the asynchronous `write(to:on:)`.
    public final nonisolated(nonsending) func pdfData(
        on paper: PrintPaper, orientation: Orientation = .portrait, pages: PageRanges = .all,
        info: DocumentInfo = DocumentInfo()
    ) async throws(PrintError) -> Data {
        use(paper, orientation: orientation)
        return try await record(pages, to: nil, info: info)
    }

    private func record(_ pages: PageRanges, to path: String?, info: DocumentInfo) throws(PrintError) -> Data {
        var recording = try PageRecording(of: self, pages: pages, to: path, info: info)
        while try recording.drawNextPage() {}
        return try recording.finish()
    }

    private nonisolated(nonsending) func record(
        _ pages: PageRanges, to path: String?, info: DocumentInfo
    ) async throws(PrintError) -> Data {
        do { return try await PageRecording.record(self, pages: pages, to: path, info: info).data } catch {
            throw PrintError(error, while: "drawing the pages")
        }
    }
}

extension PrintFormatter {
    /// Draws the chosen pages of the content, without header and footer, and returns them as a PDF.
    ///
    ///     let pdf = try await SimpleTextPrintFormatter(text: letter).pdfData(on: PrintPaper(media: .a4))
    ///
    /// If the formatter belongs to a renderer, the function removes the formatter from that renderer. The parameters
    /// and the errors are the same as for `PrintPageRenderer.write(to:on:)`.
    public final func pdfData(
        on paper: PrintPaper, orientation: Orientation = .portrait, pages: PageRanges = .all,
        info: DocumentInfo = DocumentInfo()
    ) throws(PrintError) -> Data {
        try PrintPageRenderer(drawing: self).pdfData(on: paper, orientation: orientation, pages: pages, info: info)
    }

    /// Draws the chosen pages of the content, and returns them as a PDF, as the function of this name does that is not
    /// asynchronous.
    ///
    /// The layout and the drawing block no thread, as those of the asynchronous `write(to:on:)`.
    public final nonisolated(nonsending) func pdfData(
        on paper: PrintPaper, orientation: Orientation = .portrait, pages: PageRanges = .all,
        info: DocumentInfo = DocumentInfo()
    ) async throws(PrintError) -> Data {
        try await PrintPageRenderer(drawing: self).pdfData(
            on: paper, orientation: orientation, pages: pages, info: info)
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

    /// - Parameter path: The path of the PDF, or `nil` for a PDF in memory.
    init(
        of renderer: PrintPageRenderer, pages ranges: PageRanges, to path: String?, info: DocumentInfo
    ) throws(PrintError) {
        pages = try Self.pages(of: renderer, in: ranges)
        pageCount = pages.count
        self.renderer = renderer
        do {
            pdf =
                if let path {
                    try PDFContext(path: path, bounds: renderer.paperRect, info: info)
                } else {
                    try PDFContext(bounds: renderer.paperRect, info: info)
                }
            try renderer.prepare(forDrawingPages: (pages.first ?? 0)..<(pages.last ?? 0) + 1)
        } catch {
            throw PrintError(error, while: "preparing the pages")
        }
    }

    /// Lays out the content and draws the chosen pages, on threads that Swift's tasks do not share.
    ///
    /// - Parameter check: The function that is called after the layout and after each page. An error ends the recording.
    /// - Returns: The number of pages, and the data of a PDF in memory.
    static nonisolated(nonsending) func record(
        _ renderer: PrintPageRenderer, pages: PageRanges, to path: String?, info: DocumentInfo,
        check: () throws -> Void = {}
    ) async throws -> (pageCount: Int, data: Data) {
        try await withTaskExecutorPreference(threads) {
            await renderer.prepareLayout()
            try check()
            var recording = try PageRecording(of: renderer, pages: pages, to: path, info: info)
            while try recording.drawNextPage() {
                try check()
                await Task.yield()
            }
            return (recording.pageCount, try recording.finish())
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

    /// Ends the PDF, and returns the data of a PDF in memory.
    func finish() throws(PrintError) -> Data {
        do { return try pdf.closedData() } catch { throw PrintError(error, while: "writing the pages") }
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
