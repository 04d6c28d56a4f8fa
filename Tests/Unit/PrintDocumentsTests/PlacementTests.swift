import PrintModel
import PrintTestSupport
import Testing

struct PlacementTests {
    /// Returns a page whose upper left quarter is red, upper right quarter green, and lower left quarter blue.
    private func quarters(
        width: Double = 120, height: Double = 60, _ change: (inout PDFBuilder.Page) -> Void = { _ in }
    ) -> PDFBuilder {
        var pdf = PDFBuilder()
        pdf.addPage(width: width, height: height) { page in
            page.fill(.red, x: 0, y: height / 2, width: width / 2, height: height / 2)
            page.fill(.green, x: width / 2, y: height / 2, width: width / 2, height: height / 2)
            page.fill(.blue, x: 0, y: 0, width: width / 2, height: height / 2)
            change(&page)
        }
        return pdf
    }

    /// Returns a document with one page for each color, filled with the color.
    private func colored(_ inks: PDFBuilder.Ink..., width: Double = 60, height: Double = 60) -> PDFBuilder {
        var pdf = PDFBuilder()
        for ink in inks {
            pdf.addPage(width: width, height: height) { $0.fill(ink) }
        }
        return pdf
    }

    @Test func `the content of a page with the paper's size is not changed`() async throws {
        let sheets = try await PreparedSheets(quarters())
        expectPixels(try sheets.side(0), "RG\nB_")
        #expect(try !sheets.source().contains(" cm"))
    }

    @Test func `scaling 'fit' scales a page to the printable area and cuts no content off`() async throws {
        let sheets = try await PreparedSheets(quarters(width: 80, height: 40), margin: 10) { $0.scaling = .fit }
        expectPixels(
            try sheets.side(0),
            """
            ____________
            __RRRRGGGG__
            __RRRRGGGG__
            __BBBB______
            __BBBB______
            ____________
            """)
    }

    @Test func `scaling 'fill' covers the paper and cuts off content beyond the paper`() async throws {
        expectPixels(
            try await PreparedSheets(quarters(width: 30, height: 30), margin: 10) { $0.scaling = .fill }.side(0),
            "RRRGGG\nRRRGGG\nBBB___\nBBB___")
    }

    @Test func `scaling 'none' keeps the size, centers the page and cuts off content beyond the paper`() async throws {
        expectPixels(
            try await PreparedSheets(quarters(width: 40, height: 20), margin: 10) { $0.scaling = .none }.side(0),
            """
            ____________
            ____________
            ____RRGG____
            ____BB______
            ____________
            ____________
            """)
        expectPixels(
            try await PreparedSheets(quarters(width: 480, height: 240)) { $0.scaling = .none }.side(0), "RG\nB_")
    }

    @Test func `scaling 'auto-fit' shrinks only pages that are larger than the paper`() async throws {
        let large = try await PreparedSheets(quarters(width: 240, height: 120), margin: 10) { $0.scaling = .autoFit }
        expectPixels(
            try large.side(0), "____________\n__RRRRGGGG__\n__RRRRGGGG__\n__BBBB______\n__BBBB______\n____________")
        let small = try await PreparedSheets(quarters(width: 40, height: 20), margin: 10) { $0.scaling = .autoFit }
        expectPixels(
            try small.side(0), "____________\n____________\n____RRGG____\n____BB______\n____________\n____________")
    }

    @Test func `scaling 'auto' keeps the size of a page that fits the paper`() async throws {
        expectPixels(
            try await PreparedSheets(quarters(width: 40, height: 20), margin: 10) { $0.scaling = .auto }.side(0),
            "____________\n____________\n____RRGG____\n____BB______\n____________\n____________")
        expectPixels(try await PreparedSheets(quarters(), margin: 10) { $0.scaling = .auto }.side(0), "RG\nB_")
    }

    @Test func `scaling 'auto' fits a larger page into the printable area, but fills paper that has no margins`()
        async throws
    {
        expectPixels(
            try await PreparedSheets(quarters(width: 200, height: 200), margin: 10) { $0.scaling = .auto }.side(0),
            """
            ____________
            ____RRGG____
            ____RRGG____
            ____BB______
            ____BB______
            ____________
            """)
        expectPixels(
            try await PreparedSheets(quarters(width: 200, height: 200)) { $0.scaling = .auto }.side(0),
            "RRRGGG\nRRRGGG\nBBB___\nBBB___")
    }

    @Test(arguments: [(0, "RG\nB_"), (90, "BR\n_G"), (180, "_B\nGR"), (270, "G_\nRB")])
    func `a page is printed with the rotation that the PDF specifies`(rotate: Int, picture: String) async throws {
        let paper = rotate % 180 == 0 ? (120.0, 60.0) : (60.0, 120.0)
        let sheets = try await PreparedSheets(quarters { $0.rotate = rotate }, paper: paper)
        expectPixels(try sheets.side(0), picture)
    }

    @Test func `a landscape page on portrait paper is turned counterclockwise`() async throws {
        expectPixels(try await PreparedSheets(quarters(), paper: (60, 120)).side(0), "G_\nRB")
    }

    @Test(arguments: [
        (Orientation.portrait, "RG\nB_"), (.landscape, "G_\nRB"), (.reversePortrait, "_B\nGR"),
        (.reverseLandscape, "BR\n_G"),
    ])
    func `the requested orientation turns the content of the page`(orientation: Orientation, picture: String)
        async throws
    {
        let sheets = try await PreparedSheets(quarters(width: 60, height: 120), paper: (60, 120)) {
            $0.orientation = orientation
            $0.scaling = .fill
        }
        expectPixels(try sheets.side(0), picture)
    }

    @Test func `if the crop box extends beyond the media box, only the part inside the media box is printed`()
        async throws
    {
        let cropped = quarters { $0.cropBox = .init(x: 30, y: 0, width: 1000, height: 60) }
        expectPixels(
            try await PreparedSheets(cropped).side(0),
            """
            _RRGGGG_
            _RRGGGG_
            _BB_____
            _BB_____
            """)
        expectPixels(
            try await PreparedSheets(cropped, paper: (90, 60)) {
                $0.numberUp = NumberUp(count: 4)
                $0.scaling = .fit
            }.side(0),
            "RGG___\nB_____\n______\n______")
    }

    @Test func `a user unit multiplies the page size`() async throws {
        let large = quarters(width: 30, height: 15) { $0.userUnit = 4 }
        expectPixels(try await PreparedSheets(large).side(0), "RG\nB_")
        let shared = try await PreparedSheets(large) {
            $0.numberUp = NumberUp(count: 4)
            $0.scaling = .fit
        }
        expectPixels(try shared.side(0), "RG__\nB___\n____\n____")
    }

    @Test func `each page of a document with mixed page sizes is fitted to the paper`() async throws {
        var pdf = colored(.red, width: 60, height: 30)
        pdf.addPage(width: 30, height: 60) { $0.fill(.blue) }
        pdf.addPage(width: 300, height: 300) { $0.fill(.green) }
        let sheets = try await PreparedSheets(pdf) { $0.scaling = .fit }
        expectPixels(try sheets.side(0), "RRRR\nRRRR")
        expectPixels(try sheets.side(1), "BBBB\nBBBB")
        expectPixels(try sheets.side(2), "_GG_\n_GG_")
    }

    @Test func `two pages on a side are placed in reading order`() async throws {
        let sheets = try await PreparedSheets(colored(.red, .blue, .green)) {
            $0.numberUp = NumberUp(count: 2)
            $0.scaling = .fit
        }
        expectPixels(try sheets.side(0), "RRBB\nRRBB")
        expectPixels(try sheets.side(1), "GG__\nGG__")
    }

    @Test func `two portrait pages on portrait paper are turned and share a side`() async throws {
        let sheets = try await PreparedSheets(
            colored(.red, .blue, width: 60, height: 90), paper: (90, 120)
        ) {
            $0.numberUp = NumberUp(count: 2)
            $0.scaling = .fit
        }
        expectPixels(try sheets.side(0), "BB\nBB\nRR\nRR")
    }

    @Test(arguments: [
        (NumberUp.Layout.toRightToBottom, "RG\nBY"), (.toLeftToBottom, "GR\nYB"), (.toBottomToRight, "RB\nGY"),
        (.toTopToLeft, "YG\nBR"), (.toRightToTop, "BY\nRG"), (.toLeftToTop, "YB\nGR"), (.toBottomToLeft, "BR\nYG"),
        (.toTopToRight, "GY\nRB"),
    ])
    func `four pages on a side are placed in the order of the page layout`(layout: NumberUp.Layout, picture: String)
        async throws
    {
        let sheets = try await PreparedSheets(
            colored(.red, .green, .blue, .yellow, width: 120, height: 60)
        ) {
            $0.numberUp = NumberUp(count: 4, layout: layout)
            $0.scaling = .fit
        }
        expectPixels(try sheets.side(0), picture)
    }

    @Test(arguments: [
        (PageBorder.none, 0, 0), (.single, 1, 1), (.singleThick, 1, 3), (.double, 2, 1), (.doubleThick, 2, 3),
    ])
    func `a border is drawn with the requested number and width of lines`(border: PageBorder, lines: Int, width: Int)
        async throws
    {
        let sheets = try await PreparedSheets(colored(.white, width: 100, height: 40), paper: (100, 40)) {
            $0.numberUp = NumberUp(count: 1, border: border)
        }
        // Half of the outer line is beyond the edge of the paper.
        let bitmap = try sheets.pdf.render(page: 0, dpi: 144 * 4)
        let row = (0..<100).map { bitmap[$0, bitmap.height / 2].red < 128 }
        let edges = zip(row, row.dropFirst()).filter { $0 && !$1 }.count
        #expect(edges == lines)
        #expect(abs(row.prefix { $0 }.count - width * 2) <= 1)
    }

    @Test func `with number-up, a requested border is drawn around each page`() async throws {
        let sheets = try await PreparedSheets(colored(.white, .white, width: 40, height: 40)) {
            $0.numberUp = NumberUp(count: 2, border: .single)
        }
        expectPixels(
            try sheets.side(0),
            """
            _______________
            _######_######_
            _#____#_#____#_
            _#____#_#____#_
            _#____#_#____#_
            _#____#_#____#_
            _######_######_
            _______________
            """)
    }

    @Test func `page content with unmatched 'Q' (restore) operators keeps its position`() async throws {
        let sheets = try await PreparedSheets(
            quarters(width: 40, height: 20) { page in page.content = "Q Q " + page.content }, margin: 10)
        expectPixels(
            try sheets.side(0), "____________\n____________\n____RRGG____\n____BB______\n____________\n____________")
    }
}
