import FoundationEssentials
import PDFRendering
import PrintKit
import PrintRaster
import PrintTestSupport
import Testing

/// Tests of HTML on pages: the listings 6-8 and 6-9, and HTML combined with other content.
struct HTMLFormatterTests {
    let folder: TemporaryFolder
    let letter = PrintPaper(media: .letter, margins: .all(.inches(0.25)))

    init() throws { folder = try TemporaryFolder() }

    private func printed(_ renderer: PrintPageRenderer, on paper: PrintPaper) throws -> PrintedPages {
        try renderer.write(to: folder.path("a.pdf"), on: paper)
        return try PrintedPages(folder.path("a.pdf"))
    }

    private func printed(_ formatter: PrintFormatter, on paper: PrintPaper) throws -> PrintedPages {
        let renderer = PrintPageRenderer()
        renderer.printFormatters = [formatter]
        return try printed(renderer, on: paper)
    }

    /// Returns the words of each page.
    private func words(_ pages: PrintedPages) throws -> [[String]] {
        try (0..<pages.count).map { try pages.text($0).split(whereSeparator: \.isWhitespace).map(String.init) }
    }

    /// Returns the ranges of the columns and rows that contain red pixels, in points of the page.
    private func red(_ sheet: PageSheet) -> (x: ClosedRange<Int>, y: ClosedRange<Int>)? {
        var (columns, rows) = ([Int](), [Int]())
        for y in 0..<sheet.height {
            for x in 0..<sheet.width {
                let pixel = sheet.rgb(x: x, y: y)
                guard pixel.red > 200, pixel.green < 60 else { continue }
                columns.append(x)
                rows.append(y)
            }
        }
        guard let left = columns.min(), let right = columns.max(), let top = rows.min(), let bottom = rows.max() else {
            return nil
        }
        return (left...right, top...bottom)
    }

    @Test func `HTML is printed with insets of 72 points and a width of six inches, and the text is selectable`() throws
    {
        // Listing 6-8. The margins of the paper are 18 points. The bottom inset has no effect.
        let rows = (1...120).map { "<p>Line \($0)." }.joined()
        let formatter = MarkupTextPrintFormatter(markupText: "<style>html { background: red }</style>\(rows)")
        formatter.startPage = 0
        formatter.contentInsets = EdgeInsets(top: 72, left: 72, bottom: 72, right: 72)
        formatter.maximumContentWidth = 6 * 72
        let renderer = PrintPageRenderer()
        renderer.printFormatters = [formatter]
        let pages = try printed(renderer, on: letter)
        #expect(pages.count == formatter.pageCount && pages.count > 3)
        #expect(try words(pages).flatMap(\.self) == (1...120).flatMap { ["Line", "\($0)."] })

        let first = try #require(red(try pages.sheet(0)))
        #expect(first.x == 90...521)
        #expect(first.y == 90...773)
        let second = try #require(red(try pages.sheet(1)))
        #expect(second.x == 90...521)
        #expect(second.y == 18...773)
        #expect(formatter.rectForPage(at: 0) == Rect(x: 90, y: 90, width: 432, height: 684))
    }

    @Test func `if an HTML document has no margin, its content begins at the insets`() throws {
        let formatter = MarkupTextPrintFormatter(
            markupText: "<div style='background: red; height: \(4 * cell)pt; width: \(2 * cell)pt'></div>")
        formatter.contentInsets = EdgeInsets(top: 2 * cell, left: 3 * cell, bottom: 0, right: 0)
        let pages = try printed(formatter, on: smallPaper)
        let (full, empty) = ("____RR____\n", "__________\n")
        expectPixels(
            try pages.sheet(0),
            String(repeating: empty, count: 3) + String(repeating: full, count: 4) + String(repeating: empty, count: 13)
        )
        #expect(abs(formatter.rectForPage(at: 0).height - 4 * cell) < 0.01)
    }

    @Test func `a web view's formatter prints the document on several pages`() throws {
        // Listing 6-9.
        try "h1 { break-before: page }".write(toFile: folder.path("a.css"), atomically: true, encoding: .utf8)
        try "<link rel=stylesheet href=a.css><p>Title<h1>One</h1><h1>Two</h1>"
            .write(toFile: folder.path("a.html"), atomically: true, encoding: .utf8)
        let formatter = try WebView(contentsOfFile: folder.path("a.html")).viewPrintFormatter()
        formatter.contentInsets = EdgeInsets(top: 36, left: 36, bottom: 36, right: 36)
        #expect(try words(try printed(formatter, on: letter)) == [["Title"], ["One"], ["Two"]])
    }

    @Test func `without a formatter, a web view is drawn with the full height of its content and without page breaks`()
        throws
    {
        let view = WebView(html: "<div style='height: 1000pt'>top</div><p style='margin: 0'>bottom")
        let height = view.height(forWidth: 200)
        #expect(height > 1000 && height < 1040)
        try PDFContext.write(to: folder.path("v.pdf"), bounds: Rect(x: 0, y: 0, width: 200, height: height)) { pdf in
            pdf.beginPage()
            let bounds = Rect(x: 0, y: 0, width: 200, height: height)
            view.draw(in: bounds, visible: bounds)
        }
        #expect(try words(try PrintedPages(folder.path("v.pdf"))) == [["top", "bottom"]])
        #expect(view.failure == nil)
    }

    /// A renderer with a title, a page number, and an overlay.
    final class Report: PrintPageRenderer {
        override func drawHeaderForPage(at index: Int, in headerRect: Rect) throws {
            "Header \(index + 1)".draw(at: headerRect.origin, with: .system(ofSize: 10))
        }

        override func drawFooterForPage(at index: Int, in footerRect: Rect) throws {
            "Footer \(index + 1)".draw(at: footerRect.origin, with: .system(ofSize: 10))
        }

        override func drawPrintFormatter(_ formatter: PrintFormatter, forPageAt index: Int) throws {
            try super.drawPrintFormatter(formatter, forPageAt: index)
            "Overlay".draw(at: formatter.rectForPage(at: index).origin, with: .system(ofSize: 30))
        }
    }

    @Test func `HTML is printed as vector graphics and text even with a header, a footer and an overlay`() throws {
        let report = Report()
        (report.headerHeight, report.footerHeight) = (20, 20)
        let table = "<table><thead><tr><th>Head</thead>\((1...100).map { "<tr><td>row\($0)" }.joined())</table>"
        let formatter = MarkupTextPrintFormatter(markupText: table)
        formatter.contentInsets = EdgeInsets(top: 100, left: 0, bottom: 0, right: 0)
        report.addPrintFormatter(formatter, startingAtPageAt: 1)
        let pages = try printed(report, on: letter)
        #expect(pages.count == 1 + formatter.pageCount)
        let text = try words(pages)
        #expect(text[0] == ["Header", "1", "Footer", "1"])
        for page in 1..<pages.count {
            #expect(text[page].contains("Head") && text[page].contains("Overlay"))
            #expect(
                text[page].starts(with: ["Header", "\(page + 1)"]) && text[page].suffix(2) == ["Footer", "\(page + 1)"])
        }
        #expect(text.flatMap(\.self).filter { $0.hasPrefix("row") } == (1...100).map { "row\($0)" })
        let pdf = try #require(FileManager.default.contents(atPath: folder.path("a.pdf")))
        #expect(!String(decoding: pdf, as: UTF8.self).contains("/Subtype /Image"))
    }

    @Test func `a text formatter can begin after the last page of an HTML formatter`() throws {
        let renderer = PrintPageRenderer()
        let html = MarkupTextPrintFormatter(markupText: "<p>first<p style='break-before: page'>second")
        renderer.addPrintFormatter(html, startingAtPageAt: 0)
        renderer.addPrintFormatter(SimpleTextPrintFormatter(text: "third"), startingAtPageAt: html.pageCount)
        #expect(try words(try printed(renderer, on: letter)) == [["first"], ["second"], ["third"]])
    }

    @Test func `if the first page has no room for HTML, the page stays empty and the HTML begins on the next page`()
        throws
    {
        let formatter = MarkupTextPrintFormatter(markupText: "<p>text")
        formatter.contentInsets.top = 5000
        #expect(try words(try printed(formatter, on: letter)) == [[], ["text"]])
    }

    @Test func `an HTML job fails with a message if there is no room, no content or too many pages`() throws {
        let narrow = MarkupTextPrintFormatter(markupText: "x")
        narrow.contentInsets.left = 5000
        let error = #expect(throws: PrintError.self) { try printed(narrow, on: letter) }
        #expect(error?.code == .jobFailed && error?.message.contains("has no room for HTML") == true)

        let nothing = #expect(throws: PrintError.self) {
            try printed(MarkupTextPrintFormatter(markupText: " \n"), on: letter)
        }
        #expect(nothing?.code == .noContent)

        let long = MarkupTextPrintFormatter(markupText: String(repeating: "<p style='break-after: page'>x", count: 9))
        long.limits.pages = 5
        let failure = #expect(throws: PrintError.self) { try printed(long, on: letter) }
        #expect(failure?.message.contains("more than 5 pages") == true)
        #expect(!FileManager.default.fileExists(atPath: folder.path("a.pdf")))
        long.limits.pages = 20
        #expect(try printed(long, on: letter).count == 9)
    }

    @Test func `the pages of an HTML document are kept in memory, not in a file`() async throws {
        let formatter = MarkupTextPrintFormatter(markupText: "<p>text")
        #expect(formatter.pageCount == 1)
        let targets = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap {
            try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
        }
        #expect(targets.contains { $0.hasPrefix("/memfd:printgraphics") })
        #expect(try words(try printed(formatter, on: letter)) == [["text"]])
    }

    @Test
    func `if HTML references a refused resource, the HTML is printed, and 'layoutNotes' contains the resource's URL`()
        throws
    {
        let formatter = MarkupTextPrintFormatter(markupText: "<p>kept<img src='http://127.0.0.1:9/a.png'>")
        #expect(try words(try printed(formatter, on: letter)) == [["kept"]])
        #expect(formatter.layoutNotes == ["http://127.0.0.1:9/a.png was left out: network access is not allowed"])
    }

    @Test func `HTML is drawn into a bitmap only with a rasterizer, and the bitmap's background is kept`() throws {
        let formatter = MarkupTextPrintFormatter(markupText: "<div style='background: red; height: 20pt; width: 20pt'>")
        let renderer = PrintPageRenderer()
        renderer.use(letter)
        renderer.printFormatters = [formatter]
        let context = try BitmapContext(size: Size(width: 100, height: 100))
        try context.draw { () throws in try renderer.drawPage(at: 0, in: renderer.printableRect) }
        #expect(context.failure?.code == .noRasterizer)

        let other = try BitmapContext(size: Size(width: 100, height: 100), scale: 2)
        other.pdfRasterizer = PopplerRasterizer()
        other.fillColor = .blue
        other.fill(Rect(x: 0, y: 0, width: 100, height: 100))
        try other.draw { () throws in try renderer.drawPage(at: 0, in: renderer.printableRect) }
        let image = try other.makeImage()
        let (red, blue) = (Image.Pixel(red: 255, green: 0, blue: 0), Image.Pixel(red: 0, green: 0, blue: 255))
        // The paper's margins are 18 points, and a point is two pixels.
        #expect(try image.pixel(x: 38, y: 38) == red && image.pixel(x: 74, y: 74) == red)
        #expect(
            try image.pixel(x: 34, y: 34) == blue && image.pixel(x: 78, y: 78) == blue
                && image.pixel(x: 150, y: 150) == blue)
    }
}
