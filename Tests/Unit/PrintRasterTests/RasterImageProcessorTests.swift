import FoundationEssentials
import PrintModel
import PrintRaster
import PrintTestSupport
import Testing

struct RasterImageProcessorTests {
    private let wide = PDFBuilder.Size(width: 120, height: 60)

    @Test func `a page of the paper's size is printed unchanged`() throws {
        let fixture = try PrintFixture(page: wide) { page in
            page.fill(.red, x: 10, y: 20, width: 40, height: 30)
            page.fill(.blue, x: 70, y: 20, width: 50, height: 30)
        }
        let result = try fixture.rasterize()
        #expect(
            result.pages == [PageImage(page: 1, file: "page-0001.png", width: 120, height: 60)])
        #expect((result.impressions, result.sheets) == (1, 1))
        expectPixels(
            try fixture.side(),
            """
            ____________
            _RRRR__BBBBB
            _RRRR__BBBBB
            _RRRR__BBBBB
            ____________
            ____________
            """)
    }

    @Test(arguments: [(true, "RGB_RGB_", 4), (false, "RGRGB_B_", 4)])
    func `each document begins on a new sheet in every copy`(
        collated: Bool, sides: String, sheets: Int
    ) throws {
        var fixture = try PrintFixture(inks: [.red, .green])
        var second = PDFBuilder()
        second.addPage(width: 120, height: 60) { $0.fill(.blue) }
        try second.write(to: fixture.folder.path("second.pdf"))
        fixture.request.others = [InputDocument(path: fixture.folder.path("second.pdf"), format: .pdf)]
        (fixture.request.copies, fixture.request.collated, fixture.request.duplex) = (2, collated, .longEdge)
        let result = try fixture.rasterize()
        #expect(result.documentPages == [2, 1] && result.sheets == sheets && result.impressions == 8)
        #expect(result.pages.map(\.page) == [1, 2, 1])
        #expect(try fixture.files() == ["page-0001.png", "page-0002.png", "page-0003.png"])
        #expect(try fixture.sheetColors() == sides)
    }

    @Test func `if the page size and the paper size differ only by rounding, the page covers all pixels`() throws {
        var fixture = try PrintFixture(page: .a4) { $0.fill(.black) }
        fixture.request.paper = PrintPaper(media: .a4)
        fixture.request.resolution = 100
        _ = try fixture.rasterize()
        let side = try fixture.side()
        #expect((side.width, side.height) == (827, 1169))
        #expect(side.bytes.allSatisfy { $0 == 0 })
    }

    @Test func `a page that is smaller than the paper is centered, and content outside the page is clipped`() throws {
        let fixture = try PrintFixture(page: .init(width: 60, height: 40)) { page in
            page.fill(.red, x: -100, y: -100, width: 130, height: 300)
            page.fill(.green, x: 30, y: 0, width: 30, height: 40)
        }
        let result = try fixture.rasterize()
        #expect(result.pages[0].clipped == [])
        expectPixels(
            try fixture.side(),
            """
            ____________
            ___RRRGGG___
            ___RRRGGG___
            ___RRRGGG___
            ___RRRGGG___
            ____________
            """)
    }

    @Test func `if a page fits the paper only after a rotation, the page is rotated counterclockwise`() throws {
        // Before the turn, the page has a red top and a blue left edge.
        let fixture = try PrintFixture(page: .init(width: 60, height: 120)) { page in
            page.fill(.blue, x: 0, y: 0, width: 10, height: 120)
            page.fill(.red, x: 0, y: 110, width: 60, height: 10)
        }
        _ = try fixture.rasterize()
        expectPixels(
            try fixture.side(),
            """
            R___________
            R___________
            R___________
            R___________
            R___________
            RBBBBBBBBBBB
            """)
    }

    @Test func `if a portrait page fits landscape paper without a rotation, the page is not rotated`() throws {
        let fixture = try PrintFixture(page: .init(width: 20, height: 40)) { page in
            page.fill(.red, x: 0, y: 20, width: 20, height: 20)
            page.fill(.blue, x: 0, y: 0, width: 20, height: 20)
        }
        _ = try fixture.rasterize()
        expectPixels(
            try fixture.side(),
            """
            ____________
            _____RR_____
            _____RR_____
            _____BB_____
            _____BB_____
            ____________
            """)
    }

    @Test(arguments: [(rotate: 90, picture: "_B\n_R"), (270, "R_\nB_")])
    func `the Rotate entry of a page applies to the printed page`(rotate: Int, picture: String) throws {
        let fixture = try PrintFixture(page: .init(width: 60, height: 120)) { page in
            page.rotate = rotate
            page.fill(.red, x: 30, y: 60, width: 30, height: 60)
            page.fill(.blue, x: 0, y: 60, width: 30, height: 60)
        }
        _ = try fixture.rasterize()
        expectPixels(try fixture.side(), picture)
    }

    @Test func `a page is printed at its size multiplied by its user unit`() throws {
        let fixture = try PrintFixture(page: .init(width: 30, height: 15)) { page in
            page.userUnit = 2
            page.fill(.red)
        }
        _ = try fixture.rasterize()
        expectPixels(
            try fixture.side(),
            """
            ________
            __RRRR__
            __RRRR__
            ________
            """)
    }

    @Test func `with a page range, file names contain side numbers, and results contain the original page numbers`()
        throws
    {
        var fixture = try PrintFixture(inks: [.red, .green, .blue, .black])
        fixture.request.pageRanges = try PageRanges("2,4-9")
        let result = try fixture.rasterize()
        #expect(result.pages.map(\.page) == [2, 4])
        #expect(result.pages.map(\.file) == ["page-0001.png", "page-0002.png"])
        #expect(try fixture.files() == ["page-0001.png", "page-0002.png"])
        expectPixels(try fixture.side(1), "G")
        expectPixels(try fixture.side(2), "K")
    }

    @Test func `progress is reported after the document is opened, and once for each page even with several copies`()
        throws
    {
        var fixture = try PrintFixture(.numbered(pages: 3, size: wide))
        fixture.request.copies = 5
        var seen: [WorkProgress] = []
        _ = try fixture.rasterize { seen.append($0) }
        #expect(seen.map(\.page) == [0, 1, 2, 3] && seen.allSatisfy { $0.total == 3 })
        #expect(seen.map { $0.outcome?.image?.file } == [nil, "page-0001.png", "page-0002.png", "page-0003.png"])
    }

    @Test func `a printer without color prints colors as grays with the same luminance`() throws {
        var fixture = try PrintFixture(page: wide) { page in
            page.fill(.red, x: 0, y: 0, width: 40, height: 60)
            page.fill(.green, x: 40, y: 0, width: 40, height: 60)
            page.fill(.gray, x: 80, y: 0, width: 40, height: 60)
        }
        fixture.request.monochrome = true
        _ = try fixture.rasterize()
        let side = try fixture.side()
        #expect(side.format == .gray8)
        #expect(side[20, 30].red == 130)
        #expect(side[60, 30].red == 220)
        #expect((127...128).contains(side[100, 30].red))
        let sheets = try PDFDocument(path: fixture.folder.path("sheets.pdf"))
        #expect(try sheets.render(page: 0, dpi: 72).format == .gray8)
    }

    @Test func `the resolution determines the size of the image in pixels and is stored in the PNG file`() throws {
        var fixture = try PrintFixture(page: wide) { $0.fill(.red, x: 60, y: 0, width: 60, height: 60) }
        fixture.request.resolution = 300
        let result = try fixture.rasterize()
        #expect((result.pages[0].width, result.pages[0].height) == (500, 250))
        let bytes = try Data(contentsOf: URL(fileURLWithPath: fixture.folder.path("out/page-0001.png")))
        #expect(Array(bytes[37..<46]) == Array("pHYs".utf8) + [0, 0, 0x2E, 0x23, 0])
        expectPixels(try fixture.side(), "_R")
    }

    @Test func `a page is reported as blank if the page has no ink or if all ink is clipped`() throws {
        var pdf = PDFBuilder()
        pdf.addPage(wide)
        pdf.addPage(wide) { $0.fill(.black, x: 0, y: 0, width: 5, height: 60) }
        pdf.addPage(wide) { $0.fill(.black, x: 50, y: 20, width: 5, height: 5) }
        let fixture = try PrintFixture(pdf, margin: 10)
        let pages = try fixture.rasterize().pages
        #expect(pages.map(\.isBlank) == [true, true, false])
        #expect(pages.map(\.clipped) == [[], [.left, .bottom, .top].sorted(), []])
    }
}

extension [PageImage.Edge] {
    /// Returns the edges in the order of the reports.
    fileprivate func sorted() -> [PageImage.Edge] { PageImage.Edge.allCases.filter(contains) }
}
