import FoundationEssentials
import PrintKit
import PrintRaster
import PrintTestSupport
import Testing

/// Tests of line break modes for text that does not fit a formatter's area.
struct LineBreakTests {
    let folder: TemporaryFolder
    private let word = String(repeating: "SERIALNUMBER0123456789", count: 4)
    /// The printable area of `smallPaper`.
    private let printable = Rect(x: 14.4, y: 14.4, width: 115.2, height: 259.2)

    init() throws { folder = try TemporaryFolder() }

    private func pages(_ formatter: PrintFormatter) throws -> PrintedPages {
        let renderer = PrintPageRenderer()
        renderer.printFormatters = [formatter]
        try renderer.write(to: folder.path("a.pdf"), on: smallPaper)
        return try PrintedPages(folder.path("a.pdf"))
    }

    /// Returns the bounding box of the ink on the first page, in points.
    private func ink(_ pages: PrintedPages) throws -> Rect? {
        PageSheet(bitmap: try pages.document.render(page: 0, dpi: 360))
            .ink(within: Rect(x: 0, y: 0, width: 144, height: 288), dpi: 360)
    }

    @Test(arguments: [LineBreakMode.byTruncatingHead, .byTruncatingMiddle, .byTruncatingTail])
    func `truncated text stays in the formatter's area and shows an ellipsis`(mode: LineBreakMode) throws {
        let sentences = String(repeating: "words that go on and on, ", count: 100)
        for text in [word, "short \(word) tail", sentences, "\(word)\n\(word)"] {
            let formatter = SimpleTextPrintFormatter(text: text)
            formatter.lineBreakMode = mode
            let pages = try pages(formatter)
            #expect(pages.count == 1)
            let shown = try pages.text(0)
            #expect(shown.contains("…"), "'\(text.prefix(40))': \(shown)")
            let ink = try #require(try ink(pages))
            #expect(ink.minX >= printable.minX - 0.5 && ink.maxX <= printable.maxX + 0.5, "\(ink)")
            #expect(ink.minY >= printable.minY && ink.maxY <= printable.maxY, "\(ink)")
        }
    }

    @Test(arguments: [
        (LineBreakMode.byTruncatingHead, "…four five six\nseven eight\nnine ten"),
        (.byTruncatingMiddle, "one two three\nfour five six\nseven…e ten"),
        (.byTruncatingTail, "one two three\nfour five six\nseven eight …"),
    ])
    func `in the PDF, text with too many lines is truncated according to the line break mode`(
        mode: LineBreakMode, expected: String
    ) throws {
        let formatter = SimpleTextPrintFormatter(text: "one two three four five six seven eight nine ten")
        formatter.font = Font(family: "DejaVu Sans", size: 12)
        formatter.lineBreakMode = mode
        (formatter.maximumContentWidth, formatter.maximumContentHeight) = (86, 45)
        let shown = try pages(formatter).text(0)
        #expect(shown.trimmed == expected)
    }

    @Test func `character offsets in a truncated line refer to the whole text`() throws {
        let text = "0123456789"
        let font = Font(family: "DejaVu Sans Mono", size: 10)
        let frame = Framesetter(text, font: font, style: ParagraphStyle(lineBreakMode: .byTruncatingMiddle))
            .frame(in: Rect(x: 0, y: 0, width: "01234".size(with: font).width + 0.1, height: 12))
        let line = try #require(frame.lines.first)
        let letter = "0".size(with: font).width
        // The line shows 01…89.
        #expect(line.range == 0..<10 && frame.visibleRange == 0..<10)
        #expect(
            (0..<10).map { Int((line.position(ofCharacterAt: $0) / letter).rounded()) } == [
                0, 1, 2, 2, 2, 2, 2, 2, 3, 4,
            ])
        #expect([0.5, 1.5, 3.5, 4.5].map { line.offset(at: $0 * letter) } == [0, 1, 8, 9])
        #expect(line.runs.map(\.range).reduce(0) { $0 + $1.count } == 10)
    }

    @Test func `clipped text ends at the formatter's area, not at the page's edge`() throws {
        let formatter = SimpleTextPrintFormatter(text: "\(word)\n\u{2588}\u{2588}\u{2588}\u{2588}\(word)")
        formatter.lineBreakMode = .byClipping
        formatter.contentInsets = EdgeInsets(top: 0, left: 7.2, bottom: 0, right: 28.8)
        let pages = try pages(formatter)
        let ink = try #require(try ink(pages))
        #expect(ink.minX >= 21.6 - 0.5 && ink.maxX > 99 && ink.maxX <= 100.8 + 0.3, "\(ink)")
    }

    @Test func `clipped lines of a text view end at the view's edge`() throws {
        var text = AttributedString("\(word)\nshort")
        text.paragraphStyle = ParagraphStyle(lineBreakMode: .byClipping)
        let formatter = TextView(attributedText: text).viewPrintFormatter()
        formatter.contentInsets.right = 28.8
        let ink = try #require(try ink(try pages(formatter)))
        #expect(ink.maxX > 99 && ink.maxX <= 100.8 + 0.3, "\(ink)")
    }
}

extension String {
    /// The text without leading and trailing spaces and newlines.
    fileprivate var trimmed: String {
        var text = self[...]
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }
}
