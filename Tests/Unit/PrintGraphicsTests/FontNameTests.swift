import FoundationEssentials
import PrintGraphics
import PrintTestSupport
import Testing

/// Tests of the font that a name selects, compared with the output of `fc-match`.
struct FontNameTests {
    /// Returns the family that `fc-match` selects for a pattern.
    private func match(_ pattern: String) async throws -> String {
        try await run("fc-match", "--format=%{family[0]}", pattern)
    }

    @Test(arguments: ["Times New Roman", "Arial", "Courier New", "Helvetica", "DejaVu Serif", "Nimbus Roman", "Times"])
    func `a font name is not split into family and style if a family has the same name`(name: String) async throws {
        let font = Font(name: name, size: 12)
        #expect(font.family == name && font.weight == .regular && font.traits == [])
        let found = try await match(name)
        #expect(font.resolvedFamily == found)
    }

    /// A PostScript name with the expected family, weight and traits.
    struct Face: Sendable {
        var name: String
        var family: String
        var weight = Font.Weight.regular
        var traits: Font.Traits = []
    }

    static let faces = [
        Face(name: "Arial-BoldMT", family: "Arial", weight: .bold),
        Face(name: "ArialMT", family: "Arial"),
        Face(name: "Arial-BoldItalicMT", family: "Arial", weight: .bold, traits: .italic),
        Face(name: "HelveticaNeue-Bold", family: "Helvetica Neue", weight: .bold),
        Face(name: "HelveticaNeue-LightItalic", family: "Helvetica Neue", weight: .light, traits: .italic),
        Face(name: "TimesNewRomanPS-BoldMT", family: "Times New Roman", weight: .bold),
        Face(name: "TimesNewRomanPSMT", family: "Times New Roman"),
        Face(name: "CourierNewPS-ItalicMT", family: "Courier New", traits: .italic),
        Face(name: "Times-Roman", family: "Times"),
        Face(name: "Helvetica-BoldOblique", family: "Helvetica", weight: .bold, traits: .italic),
        Face(name: "DejaVuSans-Bold", family: "DejaVu Sans", weight: .bold),
        Face(name: "NimbusRoman-BoldItalic", family: "Nimbus Roman", weight: .bold, traits: .italic),
    ]

    @Test(arguments: faces) func `a PostScript font name selects the family, weight and slant`(face: Face) {
        let font = Font(name: face.name, size: 12)
        #expect(font.family == face.family && font.weight == face.weight && font.traits == face.traits, "\(font)")
        #expect(font.resolvedFamily == Font(family: face.family, size: 12).resolvedFamily)
    }

    @Test func `trailing style words in a font name set the style, unless the whole name is a family`() {
        let bold = Font(name: "Times New Roman Bold Italic", size: 12)
        #expect(bold.family == "Times New Roman" && bold.weight == .bold && bold.traits == .italic)
        #expect(Font(name: "DejaVu Sans Bold", size: 9) == Font(family: "DejaVu Sans", size: 9, weight: .bold))
        #expect(Font(name: "Unheard Of Roman", size: 9).family == "Unheard Of Roman")
        #expect(Font(name: "Unheard Of Bold", size: 9) == Font(family: "Unheard Of", size: 9, weight: .bold))
    }

    @Test func `'substitution' reports the replacement of a missing font, and whether the glyph widths are equal`()
        async throws
    {
        let times = try #require(Font(name: "Times New Roman", size: 12).substitution)
        let found = try await match("Times New Roman")
        #expect(times.requested == "Times New Roman" && times.used == found && times.hasSameMetrics)
        #expect(
            times.description == "font 'Times New Roman' is not installed; using '\(found)', which has the same"
                + " glyph widths")
        let unknown = try #require(Font(name: "Unheard Of", size: 12).substitution)
        #expect(unknown.requested == "Unheard Of" && !unknown.hasSameMetrics)
        #expect(unknown.description.hasSuffix("which has different glyph widths; install the font"))
        for name in ["DejaVu Sans", "dejavu sans", "DejaVuSans-Bold", "serif", "monospace", "Nimbus Roman"] {
            #expect(Font(name: name, size: 12).substitution == nil, "\(name)")
        }
        #expect(Font.system(ofSize: 12).substitution == nil)
    }

    @Test func `if an iOS font is missing in fontconfig, a font of the same kind is used`() {
        #expect(
            Font(name: "Helvetica Neue", size: 12).resolvedFamily == Font(name: "Helvetica", size: 12).resolvedFamily)
        #expect(Font(name: "Menlo-Regular", size: 12).resolvedFamily == "DejaVu Sans Mono")
        #expect(Font(name: "Didot-Bold", size: 12).resolvedFamily == Font(family: "serif", size: 12).resolvedFamily)
    }

    @Test func `a graphics context lists each replaced font only once`() throws {
        let context = try BitmapContext(size: Size(width: 200, height: 100))
        context.draw {
            for name in ["Unheard Of", "DejaVu Sans", "Unheard Of", "Helvetica Neue"] {
                "text".draw(at: Point(x: 0, y: 20), with: Font(name: name, size: 12))
            }
            var text = AttributedString("mixed")
            text[..<text.index(text.startIndex, offsetByCharacters: 2)].font = Font(name: "Never Heard Of", size: 9)
            text.draw(at: .zero)
        }
        #expect(context.fontSubstitutions.map(\.requested) == ["Unheard Of", "Helvetica Neue", "Never Heard Of"])
    }
}
