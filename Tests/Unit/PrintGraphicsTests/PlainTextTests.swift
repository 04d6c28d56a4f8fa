import FoundationEssentials
import PrintGraphics
import PrintTestSupport
import Testing

/// Tests that compare the fast path for plain text with the layout of attributed text.
struct PlainTextTests {
    private static let texts = [
        "The quick brown fox", "WAVE AV To. Ty, fi ffl office", "  two  spaces  ", "1234567890 (11.75) +49-30", "x",
        "https://example.org/a/very/long/word?without=spaces&in=it", "T . T , V- 'A' \"quoted\" f f i",
    ]
    private static let fonts = [
        "DejaVu Sans", "DejaVu Serif Bold", "DejaVu Sans Mono", "Nimbus Sans", "Nimbus Roman Italic", "C059",
        "IPAPGothic",
    ].map { Font(name: $0, size: 17) }

    /// Returns the text with a color attribute, so that the fast path for plain text is not used.
    private func colored(_ text: String, _ font: Font) -> AttributedString {
        var text = AttributedString(text)
        text.font = font
        text.textColor = .black
        return text
    }

    @Test(arguments: fonts) func `plain text looks the same as attributed text`(font: Font) throws {
        for text in Self.texts {
            let plain = try bitmap(700, 40, scale: 2) { _ in text.draw(at: Point(x: 3.3, y: 4.7), with: font) }
            let other = try bitmap(700, 40, scale: 2) { _ in colored(text, font).draw(at: Point(x: 3.3, y: 4.7)) }
            #expect(try plain.pngData() == other.pngData(), "'\(text)' in \(font.family)")
        }
    }

    @Test(arguments: fonts) func `plain text has the same width and height as attributed text`(font: Font) {
        for text in Self.texts {
            let all = Rect(x: 0, y: 0, width: 1000, height: 100)
            let plain = Framesetter(text, font: font).frame(in: all).lines[0]
            let other = Framesetter(colored(text, font)).frame(in: all).lines[0]
            #expect(plain.width == other.width && plain.range == other.range, "'\(text)' in \(font.family)")
            #expect(plain.ascent == other.ascent && plain.descent == other.descent && plain.origin == other.origin)
            #expect(plain.position(ofCharacterAt: text.utf8.count) == other.position(ofCharacterAt: text.utf8.count))
            #expect(plain.runs.count == other.runs.count)
        }
    }

    @Test func `plain text breaks at the same positions as attributed text`() {
        let (text, font) = (String(repeating: "words that go on, ", count: 30), Font.system(ofSize: 11))
        for width in stride(from: 40.0, to: 400, by: 37) {
            let room = Rect(x: 0, y: 0, width: width, height: 1e4)
            let plain = Framesetter(text, font: font).frame(in: room).lines
            let other = Framesetter(colored(text, font)).frame(in: room).lines
            #expect(plain.map(\.range) == other.map(\.range) && plain.map(\.origin) == other.map(\.origin))
        }
    }

    @Test func `pdftotext reads plain text from a PDF`() async throws {
        let folder = try TemporaryFolder()
        try PDFContext.write(to: folder.path("text.pdf")) { pdf in
            pdf.beginPage()
            for (index, font) in Self.fonts.enumerated() {
                "An office file, \(index) (fi)".draw(at: Point(x: 72, y: 72 + Double(index) * 30), with: font)
            }
        }
        let read = try await run("pdftotext", "-layout", folder.path("text.pdf"), "-")
        for index in Self.fonts.indices { #expect(read.contains("An office file, \(index) (fi)"), "\(read)") }
    }

    @Test func `plain text is drawn at the given position and in the fill color`() throws {
        let font = Font(family: "DejaVu Sans Mono", size: 20)
        let image = try bitmap(60, 30, scale: 2) { context in
            context.rotate(by: 0)
            context.fillColor = .red
            "█".draw(at: Point(x: 0, y: 0), with: font)
            context.translate(x: 30, y: 0)
            context.fillColor = .blue
            "M".draw(at: Point(x: 0, y: 0), with: font)
            context.shadow = Shadow(offset: Size(width: 12, height: 0), color: .green)
            "I".draw(at: Point(x: 5, y: 0), with: font)
        }
        let colors = Set((0..<7200).map { image[$0 % 120, $0 / 120] })
        #expect(colors.contains { $0.blue > 200 && $0.red < 60 } && colors.contains { $0.green > 200 && $0.red < 60 })
    }
}
