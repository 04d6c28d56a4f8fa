// Tests page content that poppler reads differently from other programs.

import PrintModel
import PrintTestSupport
import Testing

struct PageContentTests {
    /// Returns a page of 120 × 60 points whose parent has the font `T`; the glyph `a` is a filled square of 1 em.
    private func page(_ content: String, resources: String = "") -> [UInt8] {
        let glyph = "1 0 d0 0 0 1 1 re f"
        return HandMadePDF(
            "<< /Type /Catalog /Pages 2 0 R >>",
            """
            << /Type /Pages /Kids [3 0 R] /Count 1 /MediaBox [0 0 120 60] /Resources << /Font << /T << /Type /Font
              /Subtype /Type3 /FontBBox [0 0 1 1] /FontMatrix [1 0 0 1 0 0] /FirstChar 97 /LastChar 97 /Widths [1]
              /Resources << >> /Encoding << /Type /Encoding /Differences [97 /a] >> /CharProcs << /a 4 0 R >> >> >> >> >>
            """,
            "<< /Type /Page /Parent 2 0 R /Contents 5 0 R \(resources) >>",
            "<< /Length \(glyph.utf8.count) >>\nstream\n\(glyph)\nendstream",
            stream: "<< >>", content
        ).bytes
    }

    @Test func `a page without a category of resources uses the resources of its parent`() async throws {
        let file = page("BT /T 60 Tf 60 0 Td (a) Tj ET", resources: "/Resources << /XObject << >> >>")
        expectPixels(try await PreparedSheets(files: [file]).side(0), "__KK\n__KK")
    }

    @Test func `text after a path in the same text object follows the text before the path`() async throws {
        let path = "1 0 0 rg 90 0 30 30 re f 0 0 1 RG 30 w 60 15 m 90 15 l S"
        let sheets = try await PreparedSheets(files: [page("BT /T 30 Tf 0 0 Td (a) Tj \(path) 0 1 0 rg (a) Tj ET")])
        expectPixels(try sheets.side(0), "____\nKGBR")
    }

    @Test(arguments: ["q 1 0 0 1 30 30 cm (a) Tj 60 0 30 30 re f Q", "90 30 30 30 re W n 0 0 120 60 re f"])
    func `a text object that changes the coordinates or the clipping path is not reordered`(
        content: String
    ) async throws {
        let sheets = try await PreparedSheets(files: [page("BT /T 30 Tf 0 0 Td \(content) ET")])
        expectPixels(try sheets.side(0), content.hasPrefix("q") ? "_K_K\n____" : "___K\n____")
    }

    @Test func `the lines of a tiling pattern have the initial width`() async throws {
        // A line with a width of 1 covers a step, a hairline does not. The tiles overlap.
        let tile = "0 0.5 m 1 0.5 l S"
        let content = "/Pattern cs /P scn 0 0 60 60 re f"
        let file = HandMadePDF(
            "<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
            """
            << /Type /Page /Parent 2 0 R /MediaBox [0 0 120 60] /Contents 4 0 R
               /Resources << /Pattern << /P 5 0 R >> >> >>
            """,
            "<< /Length \(content.utf8.count) >>\nstream\n\(content)\nendstream",
            stream: "<< /Type /Pattern /PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 2 2] /XStep 1 /YStep 1 "
                + "/Matrix [20 0 0 20 0 0] /Resources << >> >>", tile
        ).bytes
        expectPixels(try await PreparedSheets(files: [file]).side(0), "KK__\nKK__")
    }

    @Test func `a dash pattern keeps the dashes without length, which are dots`() async throws {
        let sheets = try await PreparedSheets(files: [page("2 J 20 w [20 40 0 40] 0 d 0 30 m 120 30 l S")])
        let (blank, line) = ("____________", "KKK__KK__KKK")
        expectPixels(try sheets.side(0), [blank, blank, line, line, blank, blank].joined(separator: "\n"))
    }
}
