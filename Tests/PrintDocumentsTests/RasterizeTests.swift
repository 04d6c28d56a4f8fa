import FoundationEssentials
import PrintDocuments
import PrintModel
import PrintRaster
import PrintTestSupport
import Testing

struct RasterizeTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// A paper of 120 × 60 points with margins of 10.
    private let paper = PrintPaper(
        media: .custom(width: .points(120), height: .points(60)), margins: .all(.points(10)))

    private func rasterize(
        _ pdf: PDFBuilder, _ change: (inout RasterizeRequest) throws -> Void = { _ in }
    ) async throws -> RasterizedDocument {
        try pdf.write(to: folder.path("a.pdf"))
        var request = RasterizeRequest(
            document: InputDocument(path: folder.path("a.pdf")), paper: paper, resolution: 72,
            outputFolder: folder.path, sheets: folder.path("sheets.pdf"))
        try change(&request)
        return try await DocumentWorker().rasterize(request)
    }

    private func image(_ name: String) throws -> SidePixels {
        SidePixels(bitmap: try Bitmap(readingPNG: folder.path(name)))
    }

    private func sheet(_ index: Int) throws -> SidePixels {
        SidePixels(bitmap: try PDFDocument(path: folder.path("sheets.pdf")).render(page: index, dpi: 72))
    }

    private var colored: PDFBuilder {
        var pdf = PDFBuilder()
        pdf.addPage(width: 120, height: 60) { page in
            page.fill(.red, x: 20, y: 0, width: 40, height: 60)
            page.fill(.blue, x: 60, y: 20, width: 60, height: 20)
        }
        pdf.addPage(width: 120, height: 60)
        return pdf
    }

    @Test func `margins stay white, and what they cut off is told, in images and on sheets`() async throws {
        let result = try await rasterize(colored)
        #expect(
            result.pages == [
                PageImage(
                    page: 1, file: "page-0001.png", width: 120, height: 60, clipped: [.top, .bottom, .right]),
                PageImage(page: 2, file: "page-0002.png", width: 120, height: 60, isBlank: true),
            ])
        let expected = """
            ____________
            __RRRR______
            __RRRRBBBBB_
            __RRRRBBBBB_
            __RRRR______
            ____________
            """
        expectPixels(try image("page-0001.png"), expected)
        expectPixels(try sheet(0), expected)
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        #expect(files == ["a.pdf", "page-0001.png", "page-0002.png", "sheets.pdf"])
    }

    @Test func `without colour, images and sheets are grey`() async throws {
        _ = try await rasterize(colored) { $0.monochrome = true }
        #expect(try image("page-0001.png").bitmap.isGray)
        #expect(try sheet(0).bitmap.isGray)
        let picture = """
            ____________
            __DDDD______
            __DDDDKKKKK_
            __DDDDKKKKK_
            __DDDD______
            ____________
            """
        expectPixels(try sheet(0), picture)
        expectPixels(try image("page-0001.png"), picture)
        #expect(try sheet(1).bitmap.isBlank)
        #expect(try run("qpdf", "--check", folder.path("sheets.pdf")).status == 0)
    }

    @Test func `copies and sides are on the sheets, images are made once`() async throws {
        let result = try await rasterize(colored) {
            $0.copies = 3
            $0.duplex = .longEdge
            $0.pageRanges = try PageRanges("1")
        }
        #expect((result.pages.count, result.impressions, result.sheets) == (1, 6, 3))
        #expect(try PDFDocument(path: folder.path("sheets.pdf")).pageCount == 6)
        #expect(try !sheet(4).bitmap.isBlank)
        #expect(try sheet(5).bitmap.isBlank)
    }

    @Test func `a page larger than the paper is made to fit, a smaller one stays as it is`() async throws {
        var pdf = PDFBuilder()
        pdf.addPage(width: 1000, height: 400) { $0.fill(.green) }
        pdf.addPage(width: 20, height: 20) { $0.fill(.blue) }
        let result = try await rasterize(pdf)
        #expect(result.pages.allSatisfy { $0.clipped.isEmpty })
        expectPixels(
            try image("page-0001.png"),
            "____________\n_GGGGGGGGGG_\n_GGGGGGGGGG_\n_GGGGGGGGGG_\n_GGGGGGGGGG_\n____________")
        expectPixels(
            try image("page-0002.png"),
            "____________\n____________\n_____BB_____\n_____BB_____\n____________\n____________")
    }

    @Test func `a folder that is not there is a failure to write`() async throws {
        let missing = folder.path("missing")
        let error = await #expect(throws: WorkError.self) { try await rasterize(colored) { $0.outputFolder = missing } }
        #expect(error?.code == .writeFailed)
    }

    @Test func `more pixels than there is memory for are refused`() async throws {
        let error = await #expect(throws: WorkError.self) {
            try await rasterize(colored) { $0.resolution = 100_000 }
        }
        #expect(error?.code == .outputTooLarge)
    }
}
