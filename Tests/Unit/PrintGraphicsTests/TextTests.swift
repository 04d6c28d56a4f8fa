import FoundationEssentials
import PrintGraphics
import PrintRaster
import PrintTestSupport
import Testing

struct TextTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private var path: String { folder.path("text.pdf") }
    private let font = Font(family: "DejaVu Sans", size: 10)

    @Test func `if a string is drawn at a point, the string lies below and to the right of the point`() throws {
        try expectScene(
            """
            ______
            _#####
            ______
            """
        ) { context in
            context.fillColor = .blue
            "HHHHHH".draw(at: Point(x: 10, y: 9), with: font)
        }
    }

    @Test func `the measured size of text equals the drawn size`() throws {
        for text in ["Hamburg", "WAVE AV", "日本語", "i"] {
            let size = text.size(with: font)
            let image = try bitmap(120, 30, scale: 4) { _ in text.draw(at: Point(x: 10, y: 5), with: font) }
            let inked = (0..<image.pixelWidth).filter { x in (0..<image.pixelHeight).contains { image[x, $0].red < 200 }
            }
            let (first, last) = try (#require(inked.first), #require(inked.last))
            #expect(Double(first) / 4 >= 9.5 && Double(last) / 4 <= 10 + size.width + 0.5)
            #expect(Double(last - first) / 4 > size.width - 3, "\(text)")
        }
    }

    @Test func `the text size is proportional to the font size`() {
        let (small, large) = ("Measure".size(with: font), "Measure".size(with: font.withSize(40)))
        #expect(abs(large.width / small.width - 4) < 0.02)
        #expect(abs(large.height / small.height - 4) < 0.02)
    }

    @Test func `text wraps between words at the given width`() {
        let text = "one two three four five six"
        let wide = text.size(with: font)
        let narrow = text.size(with: font, constrainedTo: Size(width: wide.width / 2, height: 1000))
        #expect(narrow.width <= wide.width / 2 && narrow.height >= 2 * wide.height - 0.1)
        let lines = Framesetter(text, font: font).frame(in: Rect(x: 0, y: 0, width: wide.width / 2, height: 500)).lines
        #expect(lines.count >= 2)
    }

    @Test func `consecutive frames contain the whole text without repetition`() {
        let text =
            (0..<200).map { "Sentence number \($0) goes on for a while." }.joined(separator: " ") + "\n\nThe end."
        let setter = Framesetter(text, font: font)
        var position = 0
        var pages = 0
        var pieces = ""
        repeat {
            let frame = setter.frame(in: Rect(x: 0, y: 0, width: 200, height: 120), startingAt: position)
            #expect(frame.visibleRange.lowerBound == position && frame.visibleRange.upperBound > position)
            #expect(frame.lines.allSatisfy { $0.origin.y + $0.descent <= 120.1 && $0.width <= 200 })
            pieces += setter.text(in: frame.visibleRange)
            position = frame.visibleRange.upperBound
            pages += 1
        } while position < setter.length
        #expect(pieces == text)
        #expect(pages > 5)
    }

    @Test func `if a frame is lower than one line of text, the frame contains no text`() {
        let setter = Framesetter("Text", font: font)
        for rect in [Rect.zero, Rect(x: 0, y: 0, width: 100, height: 3), Rect(x: .nan, y: 0, width: 1, height: 1)] {
            #expect(setter.frame(in: rect).visibleRange.isEmpty)
        }
        #expect(Framesetter("", font: font).frame(in: Rect(x: 0, y: 0, width: 100, height: 100)).lines.isEmpty)
    }

    @Test(arguments: [
        (TextAlignment.left, "##____"), (.center, "__##__"), (.right, "____##"), (.natural, "##____"),
    ])
    func `the alignment determines the position of lines`(alignment: TextAlignment, picture: String) throws {
        try expectScene(picture, agreement: 0.1) { _ in
            "HH".draw(
                in: Rect(x: 0, y: -1, width: 60, height: 20), with: Font(family: "DejaVu Sans Mono", size: 14),
                alignment: alignment)
        }
    }

    @Test func `justified lines reach both margins, except for the last line`() {
        let setter = Framesetter(
            "aa bb cc dd ee ff gg hh ii jj kk", font: font, style: ParagraphStyle(alignment: .justified))
        let lines = setter.frame(in: Rect(x: 0, y: 0, width: 70, height: 500)).lines
        #expect(lines.count > 1)
        for line in lines.dropLast() { #expect(abs(line.width - 70) < 1) }
        #expect((lines.last?.width ?? 70) < 69)
    }

    @Test func `indents, spacing and line heights in points determine the positions of the lines`() {
        var style = ParagraphStyle(firstLineHeadIndent: 20, headIndent: 10)
        style.tailIndent = -15
        style.lineSpacing = 3
        style.paragraphSpacing = 7
        style.minimumLineHeight = 30
        let setter = Framesetter("one two three four five\nsix", font: font, style: style)
        let lines = setter.frame(in: Rect(x: 100, y: 0, width: 100, height: 500)).lines
        #expect(lines[0].origin.x == 120 && lines[1].origin.x == 110)
        #expect(lines.allSatisfy { $0.origin.x + $0.width <= 185 })
        #expect(abs(lines[1].origin.y - lines[0].origin.y - 33) < 0.01)
        let last = lines.count - 1
        #expect(abs(lines[last].origin.y - lines[last - 1].origin.y - 40) < 0.01)
        #expect(lines[last].origin.x == 120)
    }

    @Test func `text after a tab begins at the next tab stop`() {
        let style = ParagraphStyle(tabStops: [.init(location: 50), .init(location: 120, alignment: .right)])
        let setter = Framesetter("a\tb\tc", font: font, style: style)
        let line = setter.frame(in: Rect(x: 0, y: 0, width: 300, height: 100)).lines[0]
        #expect(abs(line.position(ofCharacterAt: 2) - 50) < 0.1)
        #expect(abs(line.width - 120) < 0.2)
    }

    @Test(arguments: [LineBreakMode.byTruncatingTail, .byTruncatingHead, .byTruncatingMiddle])
    func `a truncated line fits the frame and contains an ellipsis`(mode: LineBreakMode) {
        let text = "A line that is far too long for this"
        let frame = Framesetter(text, font: font, style: ParagraphStyle(lineBreakMode: mode))
            .frame(in: Rect(x: 0, y: 0, width: 80, height: 13))
        #expect(frame.lines.count == 1 && frame.lines[0].width <= 80)
        #expect(frame.visibleRange.upperBound == text.utf8.count)
    }

    @Test func `'byCharWrapping' breaks a line between any two characters`() {
        let lines = Framesetter(
            "aaaaaaaaaaaaaaaaaaaa", font: font, style: ParagraphStyle(lineBreakMode: .byCharWrapping)
        )
        .frame(in: Rect(x: 0, y: 0, width: 30, height: 100)).lines
        #expect(lines.count > 3)
    }

    @Test func `a word can be broken at a soft hyphen`() {
        let word = "Schiff\u{AD}fahrt"
        let line = Framesetter(word, font: font).frame(in: Rect(x: 0, y: 0, width: 40, height: 100)).lines[0]
        #expect(line.range == 0..<8)
        #expect(line.width > "Schiff".size(with: font).width + 2)
    }

    @Test func `each line of text in a path fits the width of the path at the position of the line`() throws {
        var triangle = BezierPath()
        triangle.move(to: Point(x: 100, y: 0))
        triangle.addLine(to: Point(x: 200, y: 200))
        triangle.addLine(to: Point(x: 0, y: 200))
        triangle.close()
        let text = String(repeating: "word ", count: 200)
        let frame = Framesetter(text, font: font).frame(in: triangle)
        #expect(frame.lines.count > 8)
        let (first, last) = try (#require(frame.lines.first), #require(frame.lines.last))
        #expect(first.width < last.width)
        for line in frame.lines {
            #expect(triangle.bounds.contains(line.origin))
            #expect(triangle.contains(Point(x: line.origin.x + 1, y: line.origin.y)))
            #expect(triangle.contains(Point(x: line.origin.x + line.width - 3, y: line.origin.y)))
        }
        #expect(frame.visibleRange.upperBound < text.utf8.count)
    }

    @Test func `if glyphs are missing in a font, the glyphs are drawn in a font that contains the glyphs`() {
        let runs = TextLine(styled("Latin 日本語 مرحبا")).runs
        #expect(Set(runs.map(\.fontFamily)).count > 1)
        #expect(runs.contains { $0.isRightToLeft })
        #expect(runs.reduce(0) { $0 + $1.range.count } == "Latin 日本語 مرحبا".utf8.count)
    }

    @Test func `right-to-left text begins at the right edge of the frame`() {
        let setter = Framesetter("שלום", font: font)
        let line = setter.frame(in: Rect(x: 0, y: 0, width: 200, height: 50)).lines[0]
        #expect(abs(line.origin.x + line.width - 200) < 0.1)
    }

    @Test func `text attributes set color, underline and baseline offset`() throws {
        var text = styled("HHHH")
        text.font = Font(family: "DejaVu Sans Mono", size: 16)
        let half = text.index(text.startIndex, offsetByCharacters: 2)
        text[..<half].textColor = .red
        text[half...].textColor = .blue
        text[half...].textBackground = .yellow
        let image = try bitmap(40, 20) { _ in text.draw(at: .zero) }
        let colors = Set((0..<800).map { image[$0 % 40, $0 / 40] })
        let (red, yellow) = (Image.Pixel(red: 255, green: 0, blue: 0), Image.Pixel(red: 255, green: 255, blue: 0))
        #expect(colors.contains(yellow))
        #expect(colors.contains { $0.red > 200 && $0.green < 80 && $0.blue < 80 }, "\(red)")
        #expect(colors.contains { $0.blue > 200 && $0.red < 80 })
        var raised = styled("H")
        raised.baselineOffset = 5
        #expect(TextLine(raised).ascent > TextLine(styled("H")).ascent + 4)
        var spaced = styled("HH")
        spaced.kern = 10
        #expect(TextLine(spaced).width > TextLine(styled("HH")).width + 9)
    }

    @Test func `the context's alpha applies to colored text`() throws {
        var text = styled("█")
        text.textColor = .black
        text.font = Font(family: "DejaVu Sans Mono", size: 40)
        let image = try bitmap(10, 10) { context in
            context.alpha = 0.5
            text.draw(at: Point(x: -5, y: -20))
        }
        #expect(abs(Int(image[5, 5].red) - 127) < 3)
    }

    @Test func `text in stroke mode is drawn as outlines`() throws {
        let image = try bitmap(60, 60) { context in
            context.textDrawingMode = .stroke
            context.strokeColor = .red
            "█".draw(at: Point(x: 10, y: -10), with: Font(family: "DejaVu Sans Mono", size: 50))
        }
        #expect(image[25, 20].red == 255 && image[25, 20].green == 255)
        #expect((0..<3600).contains { image[$0 % 60, $0 / 60].red > 250 && image[$0 % 60, $0 / 60].green < 150 })
    }

    @Test func `pdftotext reads text from a PDF in order, including Japanese`() async throws {
        let text = "First line\nZweite Zeile\n三番目の行\nLast"
        try PDFContext.write(to: path) { pdf in
            pdf.beginPage()
            Framesetter(text, font: font).frame(in: Rect(x: 72, y: 72, width: 468, height: 600)).draw()
        }
        let read = try await run("pdftotext", "-layout", path, "-")
        #expect(
            read.split(separator: "\n").prefix(4).map { $0.filter { $0 != "\u{C}" }.trimmed }
                == ["First line", "Zweite Zeile", "三番目の行", "Last"])
        let check = try await ProgramRun("/usr/bin/qpdf", ["--check", path], environment: [:], in: folder.path)
        #expect(check.code == 0, "\(check.output)")
    }

    @Test func `fonts in a PDF are embedded as subsets`() async throws {
        try PDFContext.write(to: path) { pdf in
            pdf.beginPage()
            "Sans 日本語".draw(at: Point(x: 72, y: 72), with: font)
            "Helvetica".draw(at: Point(x: 72, y: 172), with: Font(name: "Helvetica", size: 20))
        }
        let lines = try await run("pdffonts", path).split(separator: "\n").dropFirst(2)
        #expect(lines.count >= 3)
        for line in lines { #expect(line.contains("yes yes"), "\(line)") }
    }

    @Test func `font metrics match the drawn glyphs`() {
        let font = Font(family: "DejaVu Sans", size: 100)
        #expect(font.resolvedFamily == "DejaVu Sans")
        #expect(font.ascender > 90 && font.ascender < 100 && font.descender < -20 && font.descender > -30)
        #expect(abs(font.capHeight - 72.9) < 1 && abs(font.xHeight - 54.7) < 1)
        #expect(font.lineHeight >= font.ascender - font.descender)
        #expect(font.underlinePosition < 0 && font.underlineThickness > 0)
    }

    @Test func `a font face name selects weight and slant`() {
        let font = Font(name: "Helvetica-BoldOblique", size: 12)
        #expect(font.family == "Helvetica" && font.weight == .bold && font.traits == .italic)
        #expect(Font(name: "DejaVu Sans Bold", size: 9) == Font(family: "DejaVu Sans", size: 9, weight: .bold))
        #expect(Font(name: "Nimbus-Sans", size: 9).family == "Nimbus-Sans")
        #expect(
            "M".size(with: Font(name: "DejaVu Sans Bold", size: 50)).width
                > "M".size(with: Font(family: "DejaVu Sans", size: 50)).width)
    }

    @Test func `a font with an unknown name is replaced with an available font, and an invalid size becomes 12 points`()
    {
        let font = Font(name: "No Such Font At All", size: .nan)
        #expect(font.size == 12)
        #expect(!font.resolvedFamily.isEmpty && font.resolvedFamily != "No Such Font At All")
        #expect("x".size(with: font).width > 0)
        #expect(Font.families.contains("DejaVu Sans"))
    }

    @Test func `text with control, combining and joining characters can be laid out`() {
        for text in ["\0\0", "\u{FFFD}\u{200B}", "\r\n\r\n", "\u{2029}", "👩‍👩‍👧‍👦🇩🇪", "e\u{301}\u{301}\u{301}", "\t\t"] {
            let setter = Framesetter(text, font: font)
            let frame = setter.frame(in: Rect(x: 0, y: 0, width: 50, height: 500))
            #expect(frame.visibleRange.upperBound == setter.length, "\(text.utf8.map { $0 })")
        }
    }

    private func styled(_ text: String) -> AttributedString {
        var text = AttributedString(text)
        text.font = font
        return text
    }
}

extension String {
    fileprivate var trimmed: String { split(separator: " ").joined(separator: " ") }
}
