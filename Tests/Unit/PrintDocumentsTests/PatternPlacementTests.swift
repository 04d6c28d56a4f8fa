// Tests the positions of patterns and gradients on pages that are moved, turned or scaled.

import PrintModel
import PrintTestSupport
import Testing

struct PatternPlacementTests {
    /// Returns a page of 60 × 120 points filled with one pattern: red in the lower half, blue in the upper half.
    private func patternPage(_ pattern: String...) -> [UInt8] {
        let content = "/Pattern cs /P scn 0 0 60 120 re f"
        return HandMadePDF(
            objects: [
                "<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
                """
                << /Type /Page /Parent 2 0 R /MediaBox [0 0 60 120] /Contents 4 0 R
                   /Resources << /Pattern << /P 5 0 R >> >> >>
                """,
                "<< /Length \(content.utf8.count) >>\nstream\n\(content)\nendstream",
            ] + pattern
        ).bytes
    }

    private var tiles: [UInt8] {
        let tile = "1 0 0 rg 0 0 60 60 re f 0 0 1 rg 0 60 60 60 re f"
        return patternPage(
            """
            << /Type /Pattern /PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 60 120] /XStep 60 /YStep 120
               /Resources << >> /Length \(tile.utf8.count) >>
            stream
            \(tile)
            endstream
            """)
    }

    private var gradient: [UInt8] {
        patternPage(
            """
            << /Type /Pattern /PatternType 2 /Shading << /ShadingType 2 /ColorSpace /DeviceRGB /Coords [0 0 0 120]
               /Function << /FunctionType 3 /Domain [0 1] /Bounds [0.5] /Encode [0 1 0 1] /Functions [
                 << /FunctionType 2 /Domain [0 1] /N 1 /C0 [1 0 0] /C1 [1 0 0] >>
                 << /FunctionType 2 /Domain [0 1] /N 1 /C0 [0 0 1] /C1 [0 0 1] >> ] >> >> >>
            """)
    }

    @Test func `a tiling pattern is rotated with the page`() async throws {
        let sheets = try await PreparedSheets(files: [tiles], paper: (120, 60)) { $0.scaling = .fit }
        expectPixels(try sheets.side(0), "BBBBBBRRRRRR\nBBBBBBRRRRRR")
    }

    @Test func `a gradient is rotated with the page`() async throws {
        let sheets = try await PreparedSheets(files: [gradient], paper: (120, 60)) { $0.scaling = .fit }
        expectPixels(try sheets.side(0), "BBBBBBRRRRRR\nBBBBBBRRRRRR")
    }

    @Test func `patterns and gradients shrink with a scaled page`() async throws {
        for page in [tiles, gradient] {
            let sheets = try await PreparedSheets(files: [page], paper: (60, 60)) { $0.scaling = .fit }
            expectPixels(try sheets.side(0), "__BB__\n__BB__\n__BB__\n__RR__\n__RR__\n__RR__")
        }
    }

    @Test func `patterns and gradients keep their positions on a page whose box does not begin at (0, 0)`() async throws
    {
        for page in [tiles, gradient] {
            let moved = String(decoding: page, as: UTF8.self)
                .replacing("/MediaBox [0 0 60 120]", with: "/MediaBox [0 40 60 80]")
            let sheets = try await PreparedSheets(files: [Array(moved.utf8)], paper: (60, 40)) { $0.scaling = .none }
            expectPixels(try sheets.side(0), "BBBBBB\nBBBBBB\nRRRRRR\nRRRRRR")
        }
    }
}
