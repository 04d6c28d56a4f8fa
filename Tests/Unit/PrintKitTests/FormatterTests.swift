import FoundationEssentials
import PrintKit
import PrintTestSupport
import Testing

/// Tests of the positions at which formatters draw.
struct FormatterTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Prints formatters on small pages and returns the pages.
    private func pages(_ renderer: PrintPageRenderer) throws -> PrintedPages {
        try renderer.write(to: folder.path("a.pdf"), on: smallPaper)
        return try PrintedPages(folder.path("a.pdf"))
    }

    private func renderer(_ formatters: PrintFormatter...) -> PrintPageRenderer {
        let renderer = PrintPageRenderer()
        renderer.printFormatters = formatters
        return renderer
    }

    @Test func `content insets are measured from the printable area, and the top inset applies only to the first page`()
        throws
    {
        let fill = Fill(.red, pages: 2)
        fill.contentInsets = EdgeInsets(top: 4 * cell, left: cell, bottom: 9 * cell, right: 2 * cell)
        let pages = try pages(renderer(fill))
        #expect(pages.count == 2)
        let full = "__RRRRR___\n"
        let empty = "__________\n"
        expectPixels(
            try pages.sheet(0),
            String(repeating: empty, count: 5) + String(repeating: full, count: 14) + empty)
        expectPixels(try pages.sheet(1), empty + String(repeating: full, count: 18) + empty)
    }

    @Test func `per-page insets are measured from the page's edges, and at each edge the larger inset applies`() throws
    {
        let fill = Fill(.red, pages: 2)
        fill.perPageContentInsets = EdgeInsets(top: 3 * cell, left: 0, bottom: 4 * cell, right: 5 * cell)
        fill.contentInsets = EdgeInsets(top: 4 * cell, left: cell, bottom: 0, right: cell)
        let pages = try pages(renderer(fill))
        let (full, empty) = ("__RRR_____\n", "__________\n")
        expectPixels(
            try pages.sheet(0),
            String(repeating: empty, count: 5) + String(repeating: full, count: 11) + String(repeating: empty, count: 4)
        )
        expectPixels(
            try pages.sheet(1),
            String(repeating: empty, count: 3) + String(repeating: full, count: 13) + String(repeating: empty, count: 4)
        )
    }

    @Test func `the rectangle of a formatter is limited by the maximum content size and by the content insets`() {
        let renderer = PrintPageRenderer()
        renderer.use(smallPaper)
        (renderer.headerHeight, renderer.footerHeight) = (20, 10)
        let formatter = Fill(.red)
        formatter.contentInsets = EdgeInsets(top: 30, left: 5, bottom: 0, right: 7)
        (formatter.maximumContentWidth, formatter.maximumContentHeight) = (100, 220)
        renderer.addPrintFormatter(formatter, startingAtPageAt: 0)
        // The content area is 115.2 × 229.2 points from (14.4, 34.4).
        #expect(isNear(formatter.rectForPage(at: 0), Rect(x: 19.4, y: 64.4, width: 100, height: 199.2)))
        #expect(isNear(formatter.rectForPage(at: 1), Rect(x: 19.4, y: 34.4, width: 100, height: 220)))
        formatter.removeFromPrintPageRenderer()
        (formatter.maximumContentWidth, formatter.maximumContentHeight) = (1000, 50)
        renderer.addPrintFormatter(formatter, startingAtPageAt: 0)
        #expect(isNear(formatter.rectForPage(at: 0), Rect(x: 19.4, y: 64.4, width: 103.2, height: 50)))
    }

    @Test func `a formatter draws below the header and above the footer`() throws {
        let renderer = renderer(Fill(.green))
        (renderer.headerHeight, renderer.footerHeight) = (2 * cell, 3 * cell)
        let (full, empty) = ("_GGGGGGGG_\n", "__________\n")
        expectPixels(
            try pages(renderer).sheet(0),
            String(repeating: empty, count: 3) + String(repeating: full, count: 13) + String(repeating: empty, count: 4)
        )
    }

    @Test
    func `after a formatter is added to a renderer, the start page is set, and changes of the insets have no effect`()
        throws
    {
        let (renderer, fill) = (PrintPageRenderer(), Fill(.red))
        fill.startPage = 5
        fill.contentInsets.left = 10
        renderer.use(smallPaper)
        renderer.addPrintFormatter(fill, startingAtPageAt: 2)
        #expect(fill.startPage == 2)
        #expect(fill.printPageRenderer === renderer)
        #expect(renderer.numberOfPages == 3)
        fill.contentInsets.left = 50
        #expect(isNear(fill.rectForPage(at: 2), Rect(x: 24.4, y: 14.4, width: 105.2, height: 259.2)))
        #expect(renderer.printFormatters(forPageAt: 1).isEmpty)
        #expect(renderer.printFormatters(forPageAt: 2).count == 1)
        fill.removeFromPrintPageRenderer()
        #expect(fill.printPageRenderer == nil && renderer.printFormatters.isEmpty && renderer.numberOfPages == 0)
    }

    @Test func `a formatter belongs to only one renderer at a time`() {
        let (one, other, fill) = (PrintPageRenderer(), PrintPageRenderer(), Fill(.red))
        one.addPrintFormatter(fill, startingAtPageAt: 0)
        one.addPrintFormatter(fill, startingAtPageAt: 1)
        #expect(one.printFormatters.count == 1 && one.numberOfPages == 2)
        other.printFormatters = [fill]
        #expect(one.printFormatters.isEmpty && fill.printPageRenderer === other)
    }

    @Test func `a formatter does not draw before its start page`() {
        let text = SimpleTextPrintFormatter(text: "a")
        text.startPage = 3
        #expect(renderer(text).numberOfPages == 4)
        text.startPage = -1
        #expect(text.startPage == 0)
    }

    @Test func `text continues on as many pages as necessary, and no line is lost`() throws {
        let text = SimpleTextPrintFormatter(text: (1...60).map { "line \($0) ends" }.joined(separator: "\n"))
        text.font = Font(name: "Helvetica", size: 12)
        let renderer = renderer(text)
        let pages = try pages(renderer)
        #expect(pages.count == text.pageCount && pages.count > 1)
        let all = try (0..<pages.count).map { try pages.text($0) }.joined(separator: "\n")
        for line in 1...60 { #expect(all.contains("line \(line) ends")) }
        let height = "a".size(with: text.font).height
        #expect(text.pageCount == Int((60 / (259.2 / height).rounded(.down)).rounded(.up)))
    }

    @Test func `on the last page, the formatter's rectangle has the height of the remaining lines`() {
        let text = SimpleTextPrintFormatter(text: "one\ntwo")
        let renderer = renderer(text)
        renderer.use(smallPaper)
        let height = "a".size(with: text.font).height
        #expect(isNear(text.rectForPage(at: 0), Rect(x: 14.4, y: 14.4, width: 115.2, height: 2 * height)))
        #expect(text.rectForPage(at: 1).isEmpty)
    }

    @Test func `a text formatter applies alignment, color and line break mode`() throws {
        let text = SimpleTextPrintFormatter(text: "\u{2588}\n\u{2588}")
        text.font = Font(name: "DejaVu Sans Mono", size: 48)
        text.color = .red
        text.textAlignment = .right
        let page = try pages(renderer(text)).sheet(0)
        #expect(page.rgb(x: 124, y: 50) == (255, 0, 0))
        #expect(page.rgb(x: 60, y: 50) == (255, 255, 255))
        let long = SimpleTextPrintFormatter(text: String(repeating: "word ", count: 400))
        long.lineBreakMode = .byTruncatingTail
        #expect(renderer(long).numberOfPages == 1)
        long.lineBreakMode = .byWordWrapping
        let wrapped = renderer(long)
        wrapped.use(smallPaper)
        #expect(wrapped.numberOfPages > 1)
    }

    @Test func `attributed text keeps its attributes, and text without a font attribute uses the formatter's font`()
        throws
    {
        var attributed = AttributedString("\u{2588}")
        attributed.textColor = .blue
        let text = SimpleTextPrintFormatter(text: "gone")
        text.attributedText = attributed
        #expect(text.text == nil)
        text.font = Font(name: "DejaVu Sans Mono", size: 100)
        text.color = .red
        let page = try pages(renderer(text)).sheet(0)
        #expect(page.rgb(x: 40, y: 80) == (0, 0, 255))
        text.text = "back"
        #expect(text.attributedText == nil)
    }

    @Test func `if a page has no room for a line of text, printing fails with a message`() {
        let text = SimpleTextPrintFormatter(text: "too large")
        text.font = .system(ofSize: 400)
        let renderer = renderer(text)
        let error = #expect(throws: PrintError.self) { try renderer.write(to: folder.path("a.pdf"), on: smallPaper) }
        #expect(error?.code == .jobFailed)
        #expect(error?.message.contains("page 2 has no room for a line of text") == true)
        #expect(!FileManager.default.fileExists(atPath: folder.path("a.pdf")))
    }

    @Test func `if the area for text is too narrow, printing fails with a message`() {
        for insets in [
            EdgeInsets(top: 0, left: 5000, bottom: 0, right: 0), .init(top: 0, left: 72, bottom: 0, right: 200),
        ] {
            let text = SimpleTextPrintFormatter(text: "a\nb\nc")
            text.contentInsets = insets
            let renderer = renderer(text)
            let error = #expect(throws: PrintError.self) {
                try renderer.write(to: folder.path("a.pdf"), on: smallPaper)
            }
            #expect(error?.code == .jobFailed)
            #expect(error?.message.contains("page 1 has no room for a line of text") == true)
        }
        #expect(!FileManager.default.fileExists(atPath: folder.path("a.pdf")))
    }

    @Test func `if a view needs more than a million pages, the error names the limit`() {
        struct Endless: PrintableView {
            func height(forWidth width: Double) -> Double { 1e9 }
            func draw(in bounds: Rect, visible: Rect) {}
        }
        let renderer = renderer(Endless().viewPrintFormatter())
        let error = #expect(throws: PrintError.self) { try renderer.write(to: folder.path("a.pdf"), on: smallPaper) }
        #expect(error?.code == .jobFailed)
        #expect(error?.message.contains("the content needs more than 1000000 pages") == true, "\(error?.message ?? "")")
    }

    @Test func `text begins on the second page if the first page has no room below the top inset`() throws {
        let text = SimpleTextPrintFormatter(text: "late")
        text.contentInsets.top = 255
        let pages = try pages(renderer(text))
        #expect(pages.count == 2)
        #expect(try pages.text(1).contains("late"))
    }

    @Test
    func `if a formatter throws an error during layout, '.jobFailed' is thrown with the description of the error`() {
        struct Gone: Error, CustomStringConvertible { var description: String { "the engine is gone" } }
        final class Broken: PrintFormatter {
            override func layOut(on pages: FormatterPages) throws -> Int { throw Gone() }
        }
        let broken = Broken()
        let renderer = renderer(broken)
        #expect(broken.pageCount == 0 && broken.layoutFailure is Gone)
        let error = #expect(throws: PrintError.self) { try renderer.write(to: folder.path("a.pdf"), on: smallPaper) }
        #expect(error?.code == .jobFailed && error?.description.contains("the engine is gone") == true)
    }

    @Test func `a formatter computes its layout again only after the paper changes or after 'invalidateLayout'`() {
        final class Counting: PrintFormatter {
            var layouts = 0
            override func layOut(on pages: FormatterPages) throws -> Int {
                layouts += 1
                return 2
            }
        }
        let formatter = Counting()
        let renderer = renderer(formatter)
        _ = (renderer.numberOfPages, renderer.numberOfPages, renderer.printFormatters(forPageAt: 1))
        #expect(formatter.layouts == 1)
        renderer.use(smallPaper)
        _ = renderer.numberOfPages
        #expect(formatter.layouts == 2)
        formatter.invalidateLayout()
        _ = formatter.pageCount
        #expect(formatter.layouts == 3)
    }

    @Test func `a text view breaks pages between lines and draws its background`() throws {
        let view = TextView(text: (1...40).map { "row \($0) ends" }.joined(separator: "\n"))
        view.backgroundColor = .yellow
        let formatter = view.viewPrintFormatter()
        let renderer = renderer(formatter)
        let pages = try pages(renderer)
        #expect(pages.count == 3)
        let line = "a".size(with: .system(ofSize: 12)).height
        let perPage = ((259.2 - 8) / line).rounded(.down)
        #expect(abs(formatter.rectForPage(at: 0).height - 8 - perPage * line) < 0.1)
        let all = try (0..<3).map { try pages.text($0) }
        for row in 1...40 { #expect(all.contains { $0.contains("row \(row) ends") }) }
        #expect(try pages.sheet(0).rgb(x: 120, y: 20) == (255, 255, 0))
        #expect(try pages.sheet(0).rgb(x: 140, y: 20) == (255, 255, 255))
    }

    @Test func `if a view is taller than a page, the view is split at the end of each page`() throws {
        struct Stripes: PrintableView {
            func height(forWidth width: Double) -> Double { 27 * cell }
            func draw(in bounds: Rect, visible: Rect) {
                for (index, color) in [Color.red, .green, .blue].enumerated() {
                    color.setFill()
                    GraphicsContext.current?.fill(
                        Rect(x: 0, y: Double(index) * 9 * cell, width: bounds.width, height: 9 * cell))
                }
            }
        }
        let pages = try pages(renderer(Stripes().viewPrintFormatter()))
        #expect(pages.count == 2)
        let (red, green, blue, empty) = ("_RRRRRRRR_\n", "_GGGGGGGG_\n", "_BBBBBBBB_\n", "__________\n")
        func rows(_ row: String) -> String { String(repeating: row, count: 9) }
        expectPixels(try pages.sheet(0), empty + rows(red) + rows(green) + empty)
        expectPixels(try pages.sheet(1), empty + rows(blue) + rows(empty) + empty)
    }
}
