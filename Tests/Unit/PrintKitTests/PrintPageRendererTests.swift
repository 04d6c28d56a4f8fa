import FoundationEssentials
import PrintKit
import PrintTestSupport
import Testing

/// Tests of the order and the positions in which pages are drawn.
struct PrintPageRendererTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func pages(
        _ renderer: PrintPageRenderer, orientation: Orientation = .portrait, pages ranges: PageRanges = .all
    ) throws -> PrintedPages {
        try renderer.write(to: folder.path("a.pdf"), on: smallPaper, orientation: orientation, pages: ranges)
        return try PrintedPages(folder.path("a.pdf"))
    }

    @Test func `a page is drawn in the order header, content, formatters, footer`() throws {
        let renderer = NotingRenderer()
        (renderer.headerHeight, renderer.footerHeight) = (10, 10)
        renderer.addPrintFormatter(Fill(.red, pages: 2), startingAtPageAt: 0)
        renderer.addPrintFormatter(Fill(.red), startingAtPageAt: 1)
        _ = try pages(renderer)
        #expect(
            renderer.notes == [
                "prepare 0..<2", "page 0", "header 0", "content 0", "formatter 0 0", "footer 0", "page 1", "header 1",
                "content 1", "formatter 0 1", "formatter 1 1", "footer 1",
            ])
    }

    private final class Ticket: PrintPageRenderer {
        override var paperRect: Rect { Rect(x: 0, y: 0, width: 90, height: 60) }
        override var printableRect: Rect { paperRect.inset(x: 10, y: 5) }
    }

    @Test func `a subclass overrides the paper and the printable area, and the formatters follow`() throws {
        let renderer = Ticket()
        let formatter = Fill(.red)
        renderer.addPrintFormatter(formatter, startingAtPageAt: 0)
        try renderer.write(to: folder.path("a.pdf"), on: smallPaper)
        #expect(try PDFFile(path: folder.path("a.pdf")).page(at: 0)?.size == Size(width: 90, height: 60))
        #expect(formatter.rectForPage(at: 0) == Rect(x: 10, y: 5, width: 70, height: 50))
    }

    @Test func `a header and a footer with height 0 are not drawn`() throws {
        let renderer = NotingRenderer()
        renderer.addPrintFormatter(Fill(.red), startingAtPageAt: 0)
        _ = try pages(renderer)
        #expect(renderer.notes == ["prepare 0..<1", "page 0", "content 0", "formatter 0 0"])
    }

    @Test func `only pages in the page range are drawn, and the pages keep their indexes`() throws {
        let renderer = NotingRenderer()
        renderer.addPrintFormatter(Fill(.red, pages: 9), startingAtPageAt: 0)
        let printed = try pages(renderer, pages: PageRanges("2-3,7"))
        #expect(printed.count == 3)
        #expect(renderer.notes.first == "prepare 1..<7")
        #expect(renderer.notes.filter { $0.hasPrefix("page") } == ["page 1", "page 2", "page 6"])
    }

    @Test func `if a page range is beyond the document, printing fails with a message and creates no file`() throws {
        let renderer = NotingRenderer()
        renderer.addPrintFormatter(Fill(.red, pages: 2), startingAtPageAt: 0)
        let ranges = try PageRanges("3-5")
        let error = #expect(throws: PrintError.self) { try pages(renderer, pages: ranges) }
        #expect(error?.code == .jobFailed && error?.message.contains("choose pages from 1 to 2") == true)
        #expect(renderer.notes.isEmpty)
        #expect(!FileManager.default.fileExists(atPath: folder.path("a.pdf")))
    }

    @Test func `'.noContent' is thrown if a renderer has no pages`() {
        let error = #expect(throws: PrintError.self) { try pages(PrintPageRenderer()) }
        #expect(error?.code == .noContent)
    }

    @Test func `a renderer with too many pages is refused`() {
        final class Endless: PrintPageRenderer { override var numberOfPages: Int { .max } }
        let error = #expect(throws: PrintError.self) { try pages(Endless()) }
        #expect(error?.code == .jobFailed)
    }

    @Test func `a page count is refused if it would overflow an integer`() {
        let (renderer, fill) = (PrintPageRenderer(), Fill(.red, pages: .max))
        renderer.addPrintFormatter(fill, startingAtPageAt: .max)
        #expect(renderer.numberOfPages > PageRanges.mostPages)
        let error = #expect(throws: PrintError.self) { try pages(renderer) }
        #expect(error?.code == .jobFailed)
    }

    @Test func `if a renderer throws an error, the job fails, and an existing file is kept`() throws {
        struct Halt: Error {}
        final class Halting: PrintPageRenderer {
            override var numberOfPages: Int { 5 }
            override func drawContentForPage(at index: Int, in rect: Rect) throws { if index == 3 { throw Halt() } }
        }
        try Data("old".utf8).write(to: URL(filePath: folder.path("a.pdf")))
        let error = #expect(throws: PrintError.self) { try pages(Halting()) }
        #expect(error?.code == .jobFailed && error?.message == "drawing page 4 failed" && error?.cause is Halt)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["a.pdf"])
        #expect(try Data(contentsOf: URL(filePath: folder.path("a.pdf"))) == Data("old".utf8))
    }

    @Test func `the pages look the same if they are drawn in reverse order`() throws {
        let text = SimpleTextPrintFormatter(text: (1...60).map { "line \($0)" }.joined(separator: "\n"))
        let renderer = PrintPageRenderer()
        renderer.use(smallPaper)
        renderer.addPrintFormatter(text, startingAtPageAt: 0)
        let straight = try pages(renderer)
        try PDFContext.write(to: folder.path("b.pdf"), bounds: renderer.paperRect) { pdf in
            for index in (0..<renderer.numberOfPages).reversed() {
                pdf.beginPage()
                try renderer.drawPage(at: index, in: renderer.printableRect)
            }
        }
        let reversed = try PrintedPages(folder.path("b.pdf"))
        #expect(reversed.count == straight.count)
        for index in 0..<straight.count {
            #expect(
                try straight.sheet(index).bitmap == reversed.sheet(straight.count - 1 - index).bitmap, "page \(index)")
        }
    }

    @Test func `pages can be drawn off the main thread`() async throws {
        let path = folder.path("a.pdf")
        try await Task.detached {
            let renderer = PrintPageRenderer()
            renderer.printFormatters = [Fill(.blue)]
            try renderer.write(to: path, on: smallPaper)
        }.value
        #expect(try PrintedPages(path).sheet(0).rgb(x: 70, y: 140) == (0, 0, 255))
    }

    @Test func `two formatters share page 1, and the renderer draws a line between the two formatters`() throws {
        final class Summarized: PrintPageRenderer {
            override func drawPrintFormatter(_ formatter: PrintFormatter, forPageAt index: Int) throws {
                try super.drawPrintFormatter(formatter, forPageAt: index)
                guard index == 0, formatter === printFormatters.first else { return }
                let rect = formatter.rectForPage(at: index)
                GraphicsContext.current?.fill(Rect(x: rect.minX, y: rect.maxY, width: rect.width, height: cell))
            }
        }
        let (renderer, summary, body) = (Summarized(), Fill(.red), Fill(.blue, pages: 2))
        summary.maximumContentHeight = 4 * cell
        body.contentInsets.top = 5 * cell
        renderer.addPrintFormatter(summary, startingAtPageAt: 0)
        renderer.addPrintFormatter(body, startingAtPageAt: 0)
        // The line is red, because the summary leaves the fill color set to red.
        let printed = try pages(renderer)
        let (red, blue, empty) = ("_RRRRRRRR_\n", "_BBBBBBBB_\n", "__________\n")
        expectPixels(
            try printed.sheet(0),
            empty + String(repeating: red, count: 5) + String(repeating: blue, count: 13) + empty)
        expectPixels(try printed.sheet(1), empty + String(repeating: blue, count: 18) + empty)
    }

    @Test func `an overlay is drawn over the formatter, and the overlay's color does not affect the footer`() throws {
        final class Stamped: PrintPageRenderer {
            override func drawPrintFormatter(_ formatter: PrintFormatter, forPageAt index: Int) throws {
                try super.drawPrintFormatter(formatter, forPageAt: index)
                Color.green.setFill()
                let rect = formatter.rectForPage(at: index)
                GraphicsContext.current?.fill(
                    Rect(x: rect.midX - 2 * cell, y: rect.minY, width: 4 * cell, height: 2 * cell))
            }
            override func drawFooterForPage(at index: Int, in rect: Rect) throws { GraphicsContext.current?.fill(rect) }
        }
        let renderer = Stamped()
        renderer.footerHeight = cell
        renderer.printFormatters = [Fill(.red)]
        expectPixels(
            try pages(renderer).sheet(0),
            "__________\n" + String(repeating: "_RRGGGGRR_\n", count: 2) + String(repeating: "_RRRRRRRR_\n", count: 15)
                + "_KKKKKKKK_\n__________")
    }

    @Test
    func `the rectangles for drawing are relative to the page's upper left corner, even in landscape orientation`()
        throws
    {
        final class Framed: PrintPageRenderer {
            override var numberOfPages: Int { 1 }
            override func drawHeaderForPage(at index: Int, in rect: Rect) throws { paint(.red, rect) }
            override func drawContentForPage(at index: Int, in rect: Rect) throws { paint(.green, rect) }
            override func drawFooterForPage(at index: Int, in rect: Rect) throws { paint(.blue, rect) }
            func paint(_ color: Color, _ rect: Rect) {
                color.setFill()
                GraphicsContext.current?.fill(rect)
            }
        }
        let renderer = Framed()
        (renderer.headerHeight, renderer.footerHeight) = (cell, 2 * cell)
        let page = try pages(renderer, orientation: .landscape).sheet(0)
        #expect(page.width == 288 && page.height == 144)
        let (green, empty) = ("_GGGGGGGGGGGGGGGGGG_\n", "____________________\n")
        expectPixels(
            page,
            empty + "_RRRRRRRRRRRRRRRRRR_\n" + String(repeating: green, count: 5)
                + String(repeating: "_BBBBBBBBBBBBBBBBBB_\n", count: 2) + empty)
    }
}
