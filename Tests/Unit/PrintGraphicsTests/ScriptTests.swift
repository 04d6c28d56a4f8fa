import FoundationEssentials
import PrintGraphics
import PrintTestSupport
import Testing

/// Tests of non-Latin scripts: joining, reordering, stacking and right-to-left text.
struct ScriptTests {
    private let font = Font(family: "DejaVu Sans", size: 20)

    private func line(_ text: String) -> TextLine {
        var text = AttributedString(text)
        text.font = font
        return TextLine(text)
    }

    @Test func `Arabic letters join and run from right to left`() {
        let (joined, single) = (line("ببب"), line("ب"))
        #expect(joined.runs.allSatisfy { $0.isRightToLeft })
        #expect(joined.width < single.width * 3 - 5)
    }

    @Test func `Devanagari letters form conjuncts if the font contains the conjuncts`() {
        // Ka, virama and ssa are three characters that form one glyph.
        let run = line("क्ष").runs[0]
        #expect(run.fontFamily.contains("Lohit") && run.glyphCount < 3)
        #expect(line("क्ष").width < line("कष").width)
    }

    @Test func `an emoji is drawn even if the font does not contain the emoji`() throws {
        for emoji in ["😀", "☎", "♥"] {
            let image = try bitmap(60, 40) { _ in emoji.draw(at: Point(x: 10, y: 5), with: font) }
            let inked = (0..<2400).filter { image[$0 % 60, $0 / 60].red < 128 }.count
            #expect(inked > 20, "\(emoji)")
        }
    }

    @Test func `in a line with left-to-right and right-to-left runs, each run keeps its direction`() {
        let turns = line("abc שלום def").runs.map { $0.isRightToLeft ? "R" : "L" }.joined()
        #expect(turns.hasPrefix("L") && turns.hasSuffix("L") && turns.filter { $0 == "R" }.count == 1, "\(turns)")
    }

    @Test func `Japanese text breaks between any two characters, but not before a full stop`() {
        let text = "日本語。日本語の文章。"
        for width in stride(from: 20.0, to: 120, by: 5) {
            let setter = Framesetter(text, font: font)
            let lines = setter.frame(in: Rect(x: 0, y: 0, width: max(width, 45), height: 1e4)).lines
            #expect(lines.map { setter.text(in: $0.range) }.joined() == text)
            #expect(lines.allSatisfy { !setter.text(in: $0.range).hasPrefix("。") }, "\(width)")
        }
    }

    @Test(arguments: ["日本語の文章。", "مرحبا", "नमस्ते", "Ελληνικά", "Русский", "Tiếng Việt", "😀"])
    func `text in any script can be read from a PDF with embedded fonts`(text: String) async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("script.pdf")
        try PDFContext.write(to: path) { pdf in
            pdf.beginPage()
            text.draw(at: Point(x: 72, y: 72), with: font)
        }
        let read = try await run("pdftotext", path, "-")
        // Poppler adds directional marks around right-to-left text.
        let plain = read.unicodeScalars.filter {
            !(0x202A...0x202E).contains($0.value) && !(0x200E...0x200F).contains($0.value)
        }
        #expect(String(String.UnicodeScalarView(plain)).contains(text), "\(read)")
        let fonts = try await run("pdffonts", path).split(separator: "\n").dropFirst(2)
        #expect(!fonts.isEmpty && fonts.allSatisfy { $0.contains("yes yes") })
    }

    @Test func `a soft hyphen is visible only at a break, and is invisible if 'hyphenates' is false`() {
        let word = "Schiff\u{AD}fahrt"
        #expect(abs(line(word).width - line("Schifffahrt").width) < 4)
        func first(_ style: ParagraphStyle) -> TextLine {
            Framesetter(word, font: font, style: style).frame(in: Rect(x: 0, y: 0, width: 80, height: 100)).lines[0]
        }
        #expect(first(ParagraphStyle()).width > first(ParagraphStyle(hyphenates: false)).width + 3)
    }
}
