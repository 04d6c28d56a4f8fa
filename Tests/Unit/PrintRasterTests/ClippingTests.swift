import PrintModel
import PrintRaster
import PrintTestSupport
import Testing

struct ClippingTests {
    private let wide = PDFBuilder.Size(width: 120, height: 60)

    @Test func `the margins of a clipped page stay white, and all edges with clipped ink are reported`() throws {
        let fixture = try PrintFixture(page: wide, margin: 10) { $0.fill(.red) }
        let result = try fixture.rasterize()
        #expect(result.pages[0].clipped == [.top, .left, .bottom, .right])
        expectPixels(
            try fixture.side(),
            """
            ____________
            _RRRRRRRRRR_
            _RRRRRRRRRR_
            _RRRRRRRRRR_
            _RRRRRRRRRR_
            ____________
            """)
    }

    @Test(arguments: [
        (x: 40.0, y: 55.0, edge: PageImage.Edge.top), (0, 25, .left), (40, 0, .bottom), (115, 25, .right),
    ])
    func `if ink is clipped at an edge, only this edge is reported`(x: Double, y: Double, edge: PageImage.Edge) throws {
        let fixture = try PrintFixture(page: wide, margin: 10) { $0.fill(.black, x: x, y: y, width: 5, height: 5) }
        #expect(try fixture.rasterize().pages[0].clipped == [edge])
    }

    @Test(arguments: [
        (x: 25.0, y: 115.0, edge: PageImage.Edge.top), (0, 50, .left), (25, 0, .bottom), (55, 50, .right),
    ])
    func `for a rotated page, clipped edges are reported in the orientation of the page`(
        x: Double, y: Double, edge: PageImage.Edge
    ) throws {
        let fixture = try PrintFixture(page: .init(width: 60, height: 120), margin: 10) { page in
            page.fill(.black, x: x, y: y, width: 5, height: 5)
        }
        #expect(try fixture.rasterize().pages[0].clipped == [edge])
    }

    @Test func `no clipping is reported for content that ends at the margin, even if the margin ends inside a pixel`()
        throws
    {
        var fixture = try PrintFixture(page: wide, margin: 7) { page in
            page.fill(.black, x: 7, y: 7, width: 106, height: 46)
        }
        fixture.request.resolution = 100  // the margin is 9.72 pixels wide
        let result = try fixture.rasterize()
        #expect(result.pages[0].clipped == [])
        let side = try fixture.side()
        #expect(side[9, 40] != .white && side[8, 40] == .white)
    }

    @Test
    func `if a page is larger than the paper, the page is centered and cut off, and the clipped edges are reported`()
        throws
    {
        let fixture = try PrintFixture(page: .init(width: 160, height: 100)) { page in
            page.fill(.red, x: 20, y: 20, width: 60, height: 60)  // exactly the left half of the paper
            page.fill(.blue, x: 145, y: 40, width: 10, height: 10)  // beyond the paper's right edge
        }
        let result = try fixture.rasterize()
        #expect(result.pages[0].clipped == [.right])
        #expect((result.pages[0].width, result.pages[0].height) == (120, 60))
        expectPixels(try fixture.side(), "RR__")
    }

    @Test func `for a rotated page that exceeds the paper, clipped edges are reported in the orientation of the page`()
        throws
    {
        let fixture = try PrintFixture(page: .init(width: 80, height: 160)) { page in
            page.fill(.blue, x: 35, y: 150, width: 10, height: 8)
        }
        #expect(try fixture.rasterize().pages[0].clipped == [.top])
        #expect(try fixture.side().isBlank)
    }

    @Test
    func `if all ink is on the paper, a page is not reported as clipped, even if the page is larger than the paper`()
        throws
    {
        let fixture = try PrintFixture(page: .init(width: 400, height: 300)) { page in
            page.fill(.green, x: 180, y: 140, width: 40, height: 20)
        }
        #expect(try fixture.rasterize().pages[0].clipped == [])
        expectPixels(
            try fixture.side(),
            """
            ______
            __GG__
            ______
            """)
    }

    @Test func `a page of the maximum size in PDF is printed`() throws {
        let fixture = try PrintFixture(page: .init(width: 14400, height: 14400)) { $0.fill(.red) }
        #expect(try fixture.rasterize().pages[0].clipped == PageImage.Edge.allCases)
        expectPixels(try fixture.side(), "RR")
    }

    @Test(arguments: [(9e15, 9e15), (9e15, 10), (10, 9e15)])
    func `a page with a huge size causes no crash`(width: Double, height: Double) throws {
        let fixture = try PrintFixture(page: .init(width: width / 1000, height: height / 1000)) { page in
            page.userUnit = 1e9
            page.fill(.red, x: 0, y: 0, width: 1, height: 1)
        }
        let image = try fixture.rasterize().pages[0]
        #expect((image.width, image.height) == (120, 60))
    }
}
