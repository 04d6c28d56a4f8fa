import PrintModel
import Testing

struct PosterTests {
    private let a4 = PageGeometry(box: Rect(x: 0, y: 0, width: 595, height: 842))

    private func layout(
        _ text: String, overlap: Double = 10, margin: Double = 5, scaling: PrintScaling = .auto,
        page: PageGeometry? = nil
    ) throws -> SideLayout {
        var poster = try #require(Poster(text: text))
        poster.overlap = .millimeters(overlap)
        return SideLayout(
            for: Imposition(
                paper: PrintPaper(media: .a4, margins: .all(.millimeters(margin))), scaling: scaling, poster: poster),
            page: (page ?? a4).size)
    }

    @Test func `the columns and rows of a poster are parsed from text`() {
        #expect(Poster(text: "2x3") == Poster(columns: 2, rows: 3))
        #expect(Poster(text: "10X1")?.grid == "10x1")
        for text in ["", "2", "x", "1x1", "0x2", "11x1", "2x2x2", "-2x-2", "ax2", "99999999999999999999x2"] {
            #expect(Poster(text: text) == nil, "\(text)")
        }
    }

    @Test func `each page is divided into the sheets of a poster, row by row`() throws {
        let imposition = Imposition(paper: PrintPaper(media: .a4), poster: Poster(columns: 2, rows: 2))
        let sequence = SheetSequence(pages: [[1, 3]], imposition: imposition)
        #expect(sequence.order.count == 8)
        #expect(SheetSequence.sideCount(pages: [2], imposition: imposition) == 8)
        #expect(sequence.sides.map { $0.places[0]?.page } == [1, 1, 1, 1, 3, 3, 3, 3])
        #expect(sequence.sides.map { $0.places[0]?.tile } == [0, 1, 2, 3, 0, 1, 2, 3])
    }

    @Test(arguments: ["2x2", "3x3", "1x2", "4x3", "2x1"], [0.0, 10, 25])
    func `the sheets of a poster cover the whole page, and adjacent sheets share the overlap`(
        grid: String, overlap: Double
    ) throws {
        let layout = try layout(grid, overlap: overlap)
        let poster = try #require(Poster(text: grid))
        // The part of the page that each sheet shows, in the coordinates of the page.
        let parts = (0..<poster.sheets).map { tile in
            let placement = layout.placement(of: a4, onTile: tile)
            return inverse(placement.transform).apply(to: placement.clip)
        }
        // Sample the page: each point is on a sheet.
        let missing = stride(from: 0.5, to: 595, by: 7).flatMap { x in
            stride(from: 0.5, to: 842, by: 7).map { Point(x: x, y: $0) }
        }.filter { point in
            !parts.contains {
                $0.minX <= point.x && point.x <= $0.maxX && $0.minY <= point.y && point.y <= $0.maxY
            }
        }
        #expect(missing.isEmpty)
        let scale = layout.placement(of: a4, onTile: 0).transform
        let factor = (scale.a * scale.a + scale.b * scale.b).squareRoot()
        for tile in 0..<poster.sheets where tile % poster.columns > 0 {
            let shared = parts[tile - 1].maxX - parts[tile].minX
            #expect(abs(shared * factor - Length.millimeters(overlap).points) < 0.01, "\(tile)")
        }
    }

    /// Returns the inverse of a transform.
    private func inverse(_ t: AffineTransform) -> AffineTransform {
        let determinant = t.a * t.d - t.b * t.c
        let (a, b, c, d) = (t.d / determinant, -t.b / determinant, -t.c / determinant, t.a / determinant)
        return AffineTransform(a: a, b: b, c: c, d: d, tx: -(t.tx * a + t.ty * c), ty: -(t.tx * b + t.ty * d))
    }

    @Test func `after the overlap is cut off, the sheets adjoin and together have the size of the poster`() throws {
        let poster = try #require(Poster(columns: 3, rows: 2))
        let area = Size(width: 500, height: 700)
        let trims = (0..<6).map { poster.trim(ofTile: $0, onSheets: area) }
        let whole = poster.size(onSheets: area)
        #expect(abs(trims[0].width + trims[1].width + trims[2].width - whole.width) < 1e-9)
        #expect(abs(trims[0].height + trims[3].height - whole.height) < 1e-9)
        for tile in 0..<6 {
            let window = poster.window(ofTile: tile, onSheets: area)
            let right = window.minX + trims[tile].maxX
            guard tile % 3 < 2 else {
                #expect(abs(right - whole.width) < 1e-9)
                continue
            }
            let next = poster.window(ofTile: tile + 1, onSheets: area)
            #expect(abs(right - (next.minX + trims[tile + 1].minX)) < 1e-9)
        }
    }

    @Test func `if a page is landscape, the sheets of its poster are rotated`() throws {
        let landscape = PageGeometry(box: Rect(x: 0, y: 0, width: 842, height: 595))
        #expect(try layout("2x2").turns == 0)
        #expect(try layout("2x2", page: landscape).turns == 1)
        // Two landscape sheets, one above the other, are nearly as high as wide.
        #expect(try layout("2x1").turns == 0)
        #expect(try layout("1x2").turns == 1)
    }

    @Test func `with print-scaling 'none', a page keeps its size on a poster`() throws {
        let transform = try layout("2x2", scaling: .none).placement(of: a4, onTile: 0).transform
        #expect(transform.a == 1)
    }

    @Test func `an overlap of more than half a sheet is limited to half a sheet`() throws {
        let poster = try #require(Poster(columns: 2, rows: 2, overlap: .millimeters(900)))
        #expect(poster.overlap(onSheets: Size(width: 100, height: 300)) == 50)
    }

    @Test func `a page of a poster counts as printed only after all its sheets are printed`() {
        let plan = SheetPlan(
            media: "iso_a4_210x297mm", isColor: true, copies: 2, sheetsPerCopy: 8, pages: 2, sidesPerPage: 4)
        func completed(_ sides: Int) -> Int? { plan.progress(after: sides, sidesPerSheet: 1)?.completed }
        #expect([0, 3, 4, 7, 8].map(completed) == [0, 0, 1, 1, 2])
        #expect(plan.textOfNextPage(after: 4, sidesPerSheet: 1) == "page 2 of 2, copy 1 of 2")
    }
}
