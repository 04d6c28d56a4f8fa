import FoundationEssentials
import PrintModel
import PrintRaster
import PrintTestSupport
import Testing

/// Tests of raster data from Ghostscript.
///
/// cups-filters also sends raster data from Ghostscript to printers.
@Suite(.timeLimit(.minutes(1))) struct GhostscriptRasterTests {
    /// A page with a black square in the upper left corner, and a page that is mostly dark up to the edges.
    static let pages = ["KK____\nKK____\n______\n______", "______\n_KKKK_\n_KKKK_\n__KKK_"]

    private func document() -> PDFBuilder {
        var pdf = PDFBuilder()
        for page in Self.pages {
            let rows = page.split(separator: "\n").map(Array.init)
            pdf.addPage(width: 60, height: 40) { drawing in
                for (row, letters) in rows.enumerated() {
                    for (column, letter) in letters.enumerated() where letter == "K" {
                        drawing.fill(.black, x: Double(column) * 10, y: 30 - Double(row) * 10, width: 10, height: 10)
                    }
                }
            }
        }
        return pdf
    }

    /// Creates a fixture with the document as raster data.
    private func fixture(
        device: String, space: Int, bits: Int, pages: ClosedRange<Int> = 1...2
    ) async throws -> PrintFixture {
        var fixture = try PrintFixture(document(), width: 60, height: 40)
        let raster = fixture.folder.path("document.raster")
        let run = try await ProgramRun(
            "/usr/bin/gs",
            [
                "-q", "-dNOPAUSE", "-dBATCH", "-dSAFER", "-r72", "-sDEVICE=\(device)", "-dcupsColorSpace=\(space)",
                "-dcupsBitsPerColor=\(bits)", "-dFirstPage=\(pages.lowerBound)", "-dLastPage=\(pages.upperBound)",
                "-sOutputFile=\(raster)", fixture.request.document.path,
            ], environment: [:], in: fixture.folder.path(""))
        try #require(run.code == 0, "\(run)")
        fixture.request.document = InputDocument(path: raster, format: .octetStream)
        return fixture
    }

    // The color spaces in CUPS: 0 is `W` (1 is white), 3 is `K` (1 is black), 18 is `SW` (1 is white).
    @Test(arguments: ["appleraster", "pwgraster"], [0, 3, 18])
    func `black stays black in Ghostscript's 1-bit raster data of every color space`(
        device: String, space: Int
    ) async throws {
        let fixture = try await fixture(device: device, space: space, bits: 1)
        #expect(try fixture.rasterize().pages.map(\.page) == [1, 2])
        expectPixels(try fixture.side(1), Self.pages[0])
        expectPixels(try fixture.side(2), Self.pages[1])
    }

    @Test(arguments: [
        ("appleraster", 18), ("appleraster", 19), ("appleraster", 6), ("pwgraster", 3), ("pwgraster", 18),
    ])
    func `black stays black in Ghostscript's 8-bit raster data`(device: String, space: Int) async throws {
        let fixture = try await fixture(device: device, space: space, bits: 8)
        _ = try fixture.rasterize()
        expectPixels(try fixture.side(1), Self.pages[0])
        expectPixels(try fixture.side(2), Self.pages[1])
    }
}
