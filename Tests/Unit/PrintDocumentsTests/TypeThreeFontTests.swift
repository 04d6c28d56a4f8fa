// Tests Type 3 fonts without resources.

import PrintModel
import PrintTestSupport
import Testing

struct TypeThreeFontTests {
    /// Returns a page that draws the first glyph of the font `T`, which is object 5.
    ///
    /// The font `N` is object 6.
    private func document(
        _ glyphs: String..., resources: String = "", matrix: String = "1 0 0 1 0 0"
    ) -> [UInt8] {
        let content = "BT /T 60 Tf 60 0 Td (a) Tj ET"
        let fonts = glyphs.indices.map { index in
            """
            << /Type /Font /Subtype /Type3 /FontBBox [0 0 1 1] /FontMatrix [\(matrix)] /FirstChar 97 /LastChar 97
              /Widths [1] /Encoding << /Type /Encoding /Differences [97 /a] >>
              /CharProcs << /a \(5 + glyphs.count + index) 0 R >> >>
            """
        }
        let procedures = glyphs.map { "<< /Length \($0.utf8.count) >>\nstream\n\($0)\nendstream" }
        return HandMadePDF(
            objects: [
                "<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
                """
                << /Type /Page /Parent 2 0 R /MediaBox [0 0 120 60] /Contents 4 0 R /Resources << /Font <<
                  /T 5 0 R /N \(glyphs.count > 1 ? 6 : 5) 0 R >> \(resources) >> >>
                """,
                "<< /Length \(content.utf8.count) >>\nstream\n\(content)\nendstream",
            ] + fonts + procedures
        ).bytes
    }

    @Test func `the glyphs of a font without resources use the resources of the page`() async throws {
        let file = document(
            "1 0 d0 /S gs 0 0 1 1 re f", resources: "/ExtGState << /S << /BM /Normal /ca 0 >> >>")
        expectPixels(try await PreparedSheets(files: [file]).side(0), "____\n____")
    }

    @Test func `a glyph draws the glyph of another font without resources`() async throws {
        let file = document("1 0 d0 BT /N 1 Tf (a) Tj ET", "1 0 d0 0 0 1 1 re f")
        expectPixels(try await PreparedSheets(files: [file]).side(0), "__KK\n__KK")
    }

    @Test func `a glyph that has the color of the text draws no other color`() async throws {
        let glyph = "1 0 0 0 1 1 d1 1 1 1 rg /DeviceRGB cs 0 1 0 sc 0 0 1 1 re f"
        expectPixels(try await PreparedSheets(files: [document(glyph)]).side(0), "__KK\n__KK")
    }

    @Test(.timeLimit(.minutes(1)))
    func `a glyph that draws itself ends`() async throws {
        let file = document("1 0 d0 0 0 1 1 re f BT /T 1 Tf (a) Tj ET")
        expectPixels(try await PreparedSheets(files: [file]).side(0), "__KK\n__KK")
    }

    @Test(arguments: [false, true])
    func `the glyphs of a font with a turned coordinate system are complete`(isMirrored: Bool) async throws {
        let matrix = isMirrored ? "-0.5774 0.3333 0.3333 0.5774 0 0" : "0.5774 0.3333 -0.3333 0.5774 0 0"
        let side = try await PreparedSheets(files: [document("1 0 0 0 1 1 d1 0 0 1 1 re f", matrix: matrix)]).side(0)
        // A square on a corner, turned by 30°.
        for (x, y, tone) in [(90, 39, 0), (45, 26, 0), (73, 10, 0), (61, 55, 0), (90, 10, 255), (45, 50, 255)] {
            #expect(side.rgb(x: isMirrored ? 119 - x : x, y: y).red == UInt8(tone), "\(x), \(y)")
        }
    }
}
