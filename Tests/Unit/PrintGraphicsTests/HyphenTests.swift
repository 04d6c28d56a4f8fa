import FoundationEssentials
import PrintGraphics
import PrintTestSupport
import Testing

/// Tests of the hyphens that layout adds at line breaks.
struct HyphenTests {
    private let font = Font(family: "DejaVu Sans", size: 10)
    static let words = [
        "SERIALNUMBER0123456789ABCDEFGHIJKLMNOP", "Donaudampfschifffahrtselektrizitätenhauptbetriebswerk",
        "one SERIALNUMBER0123456789ABCDEFGHIJKLMNOP two",
    ]

    @Test(arguments: words, [LineBreakMode.byWordWrapping, .byCharWrapping])
    func `if a word is longer than a line, the word is broken without a hyphen`(text: String, mode: LineBreakMode) {
        let setter = Framesetter(text, font: font, style: ParagraphStyle(lineBreakMode: mode))
        let lines = setter.frame(in: Rect(x: 0, y: 0, width: 80, height: 500)).lines
        #expect(lines.count >= 4)
        for line in lines {
            let shown = setter.text(in: line.range)
            #expect(abs(line.width - shown.trimmingEnd.size(with: font).width) < 0.1, "'\(shown)' has \(line.width)")
        }
    }

    @Test func `a break at a soft hyphen shows a hyphen, and a break in a long word shows no hyphen`() {
        let text = "Schiff\u{AD}fahrtSERIALNUMBER0123456789"
        let lines = Framesetter(text, font: font).frame(in: Rect(x: 0, y: 0, width: 50, height: 500)).lines
        #expect(lines[0].range == 0..<8 && lines[0].width > "Schiff".size(with: font).width + 3)
        for line in lines.dropFirst() {
            let shown = Framesetter(text, font: font).text(in: line.range)
            #expect(abs(line.width - shown.size(with: font).width) < 0.1, "'\(shown)'")
        }
    }

    @Test func `long words are hyphenated if 'hyphenatesLongWords' is true`() {
        let style = ParagraphStyle(hyphenatesLongWords: true)
        let line = Framesetter(Self.words[0], font: font, style: style)
            .frame(in: Rect(x: 0, y: 0, width: 80, height: 500)).lines[0]
        let shown = Framesetter(Self.words[0], font: font).text(in: line.range)
        #expect(line.width > shown.size(with: font).width + 3)
    }

    @Test func `the PDF text of a broken word contains no hyphen`() async throws {
        let folder = try TemporaryFolder()
        let word = Self.words[0]
        try PDFContext.write(to: folder.path("a.pdf")) { pdf in
            pdf.beginPage()
            word.draw(in: Rect(x: 72, y: 72, width: 80, height: 500), with: font)
        }
        let read = try await run("pdftotext", "-layout", folder.path("a.pdf"), "-")
        #expect(read.filter { !$0.isWhitespace } == word)
    }
}

extension String {
    fileprivate var trimmingEnd: String {
        var text = self
        while text.last == " " { text.removeLast() }
        return text
    }
}
