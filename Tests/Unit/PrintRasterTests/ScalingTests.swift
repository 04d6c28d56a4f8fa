import PrintModel
import PrintRaster
import PrintTestSupport
import Testing

/// Tests of scaling pages to paper of another size (PWG 5100.13 §5.2).
struct ScalingTests {
    /// The bounding box of ink, in pixels from the upper left corner.
    ///
    /// The right and bottom values are exclusive.
    struct Box: Equatable, CustomStringConvertible {
        var left: Double, top: Double, right: Double, bottom: Double

        var description: String { "\(left) \(top) \(right) \(bottom)" }

        init(_ left: Double, _ top: Double, _ right: Double, _ bottom: Double) {
            (self.left, self.top, self.right, self.bottom) = (left, top, right, bottom)
        }

        init(ofInkIn side: Bitmap) {
            var columns: Set<Int> = []
            var rows: Set<Int> = []
            for y in 0..<side.height {
                for x in 0..<side.width where side[x, y].green < 128 {
                    columns.insert(x)
                    rows.insert(y)
                }
            }
            self.init(
                Double(columns.min() ?? -1), Double(rows.min() ?? -1), Double((columns.max() ?? -2) + 1),
                Double((rows.max() ?? -2) + 1))
        }

        func isNear(_ other: Box) -> Bool {
            [left - other.left, top - other.top, right - other.right, bottom - other.bottom].allSatisfy {
                abs($0) <= 1
            }
        }
    }

    /// Prints a red page and expects the page at a position on the paper.
    private func expect(
        _ expected: Box, of page: PDFBuilder.Size, on paper: PrintPaper, _ scaling: PrintScaling,
        clipped: Bool = false, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        var fixture = try PrintFixture(page: page) { $0.fill(.red) }
        fixture.request.paper = paper
        fixture.request.scaling = scaling
        let result = try fixture.rasterize()
        let seen = Box(ofInkIn: try fixture.side())
        #expect(seen.isNear(expected), "\(scaling): saw \(seen), not \(expected)", sourceLocation: sourceLocation)
        #expect(result.pages[0].clipped.isEmpty != clipped, "\(scaling)", sourceLocation: sourceLocation)
    }

    @Test func `if a page is larger than a label, the scaling mode determines the page's size and position`() throws {
        let label = PrintPaper(
            media: .custom(width: .points(176), height: .points(82)), margins: .all(.points(4)))
        let page = PDFBuilder.Size(width: 200, height: 100)
        for scaling in [PrintScaling.auto, .autoFit, .fit] {
            // The height is reduced from 100 to 74 points, and the width in proportion.
            try expect(Box(14, 4, 162, 78), of: page, on: label, scaling)
        }
        try expect(Box(4, 4, 172, 78), of: page, on: label, .fill, clipped: true)
        try expect(Box(4, 4, 172, 78), of: page, on: label, .none, clipped: true)
    }

    @Test func `if a page is smaller than a label, the scaling mode determines the page's size and position`() throws {
        let label = PrintPaper(
            media: .custom(width: .points(176), height: .points(82)), margins: .all(.points(4)))
        let page = PDFBuilder.Size(width: 100, height: 40)
        for scaling in [PrintScaling.auto, .autoFit, .none] {
            try expect(Box(38, 21, 138, 61), of: page, on: label, scaling)
        }
        try expect(Box(4, 7.4, 172, 74.6), of: page, on: label, .fit)
        try expect(Box(4, 4, 172, 78), of: page, on: label, .fill, clipped: true)
    }

    @Test func `the scaling mode determines the size and position of a Letter page on A4 paper`() throws {
        let a4 = PrintPaper(media: .a4, margins: .all(.points(12)))
        let letter = PDFBuilder.Size(width: 612, height: 792)
        for scaling in [PrintScaling.auto, .autoFit, .fit] {
            try expect(Box(12, 51, 583, 791), of: letter, on: a4, scaling)
            // A landscape page is turned and then has the same size.
            try expect(Box(12, 51, 583, 791), of: .init(width: 792, height: 612), on: a4, scaling)
        }
        try expect(Box(12, 12, 583, 830), of: letter, on: a4, .fill, clipped: true)
        try expect(Box(12, 25, 583, 817), of: letter, on: a4, .none, clipped: true)
    }

    @Test func `the scaling mode determines the size and position of a page on borderless photo paper`() throws {
        let photo = PrintPaper(media: .photo4x6)
        let large = PDFBuilder.Size(width: 400, height: 500)
        try expect(Box(0, 0, 288, 432), of: large, on: photo, .auto)
        try expect(Box(0, 0, 288, 432), of: large, on: photo, .fill)
        try expect(Box(0, 36, 288, 396), of: large, on: photo, .autoFit)
        try expect(Box(0, 36, 288, 396), of: large, on: photo, .fit)
        try expect(Box(0, 0, 288, 432), of: large, on: photo, .none, clipped: true)
        let small = PDFBuilder.Size(width: 144, height: 144)
        try expect(Box(72, 144, 216, 288), of: small, on: photo, .auto)
        try expect(Box(0, 0, 288, 432), of: small, on: photo, .fill)
        // A page of the paper's size is neither scaled nor cut.
        try expect(Box(0, 0, 288, 432), of: .init(width: 288, height: 432), on: photo, .auto)
    }

    @Test func `the scaling mode determines the size and position of a page on a roll`() throws {
        let margins = Margins(top: .points(6), left: .zero, bottom: .points(6), right: .zero)
        let piece = PrintPaper(media: .photo4x6, margins: margins)
        let page = PDFBuilder.Size(width: 300, height: 420)
        for scaling in [PrintScaling.auto, .autoFit, .fit] {
            try expect(Box(0, 14, 288, 418), of: page, on: piece, scaling)
        }
        try expect(Box(0, 6, 288, 426), of: page, on: piece, .fill, clipped: true)
        try expect(Box(0, 6, 288, 426), of: page, on: piece, .none, clipped: true)
    }

    @Test func `print-scaling 'fill' cuts off equal parts on opposite edges`() throws {
        var fixture = try PrintFixture(page: .init(width: 160, height: 60), width: 120, height: 60) { page in
            for (index, ink) in [PDFBuilder.Ink.red, .green, .blue, .black].enumerated() {
                page.fill(ink, x: Double(index) * 40, y: 0, width: 40, height: 60)
            }
        }
        fixture.request.scaling = .fill
        #expect(try fixture.rasterize().pages[0].clipped == [])
        expectPixels(try fixture.side(), "RGGBBK")
    }

    @Test func `a photo covers borderless paper, and is clipped to the printable area of paper with margins`() throws {
        let page = PDFBuilder.Size(width: 288, height: 432)
        var fixture = try PrintFixture(page: page) { $0.fill(.blue) }
        fixture.request.paper = PrintPaper(media: .photo4x6)
        #expect(try fixture.rasterize().pages[0].clipped == [])
        #expect(try fixture.side().isAll(Bitmap.Pixel(red: 0, green: 0, blue: 255)))
        fixture.request.paper.margins = .all(.points(9))
        #expect(try fixture.rasterize().pages[0].clipped == [.top, .left, .bottom, .right])
        #expect(Box(ofInkIn: try fixture.side()) == Box(9, 9, 279, 423))
    }

    @Test func `a requested overlay is a dashed line around the printable area, and borderless paper has no overlay`()
        throws
    {
        var fixture = try PrintFixture(page: .init(width: 120, height: 60), margin: 10) { page in
            page.fill(.black, x: 20, y: 20, width: 10, height: 10)
        }
        _ = try fixture.rasterize()
        let plain = try fixture.side()
        fixture.request.overlay = true
        #expect(try fixture.rasterize().pages[0].clipped == [])
        let side = try fixture.side()
        let line = Bitmap.Pixel(red: 255, green: 0, blue: 255)
        // At 72 dpi, the dashes and the gaps have two pixels each.
        #expect((10...17).map { side[$0, 10] == line } == [true, true, false, false, true, true, false, false])
        #expect((10...13).map { side[109, $0] == line } == [true, true, false, false])
        #expect(side[10, 49] == line && side[11, 11] == .white && side[9, 9] == .white && side[110, 50] == .white)
        #expect(side[25, 35] == plain[25, 35] && plain[10, 10] == .white)
        fixture.request.paper.margins = .zero
        _ = try fixture.rasterize()
        #expect(try fixture.side() == plain)
    }

    @Test
    func `if a sheet has a different size than the requested paper, the page is centered and clipped to the sheet`()
        throws
    {
        // The page has 120 × 60 points: red in the upper left, blue at the right edge, green at the lower edge.
        var fixture = try PrintFixture(page: .init(width: 120, height: 60)) { page in
            page.fill(.red, x: 0, y: 40, width: 40, height: 20)
            page.fill(.blue, x: 100, y: 40, width: 20, height: 20)
            page.fill(.green, x: 40, y: 0, width: 40, height: 20)
        }
        let larger = Media.custom(width: .points(160), height: .points(80))
        fixture.request.sheetChanges = [.init(page: 1, media: larger)]
        #expect(try fixture.rasterize().pages[0].clipped == [])
        expectPixels(
            try fixture.side(),
            """
            _RR___B_
            ________
            ___GG___
            ________
            """)
        let sheet = try PDFDocument(path: fixture.folder.path("sheets.pdf")).pageSize(at: 0)
        #expect(abs(sheet.width - 160) < 0.1 && abs(sheet.height - 80) < 0.1)
        let narrow = Media.custom(width: .points(80), height: .points(40))
        fixture.request.sheetChanges = [.init(page: 1, media: narrow)]
        #expect(try fixture.rasterize().pages[0].clipped == [.left, .bottom, .right])
        expectPixels(try fixture.side(), "R___\n____")
    }

    @Test func `if 'isStackReversed' is true, the last sheet is first in the PDF of sheets`() throws {
        var fixture = try PrintFixture(inks: [.red, .green, .blue])
        fixture.request.isStackReversed = true
        _ = try fixture.rasterize()
        #expect(try fixture.sheetColors() == "BGR")
        fixture.request.duplex = .longEdge
        _ = try fixture.rasterize()
        #expect(try fixture.sheetColors() == "B_RG")
    }
}

extension Bitmap {
    fileprivate func isAll(_ pixel: Pixel) -> Bool {
        (0..<height).allSatisfy { y in (0..<width).allSatisfy { self[$0, y] == pixel } }
    }
}
