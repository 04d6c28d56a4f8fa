import PrintModel
import Testing

struct PagePlacementTests {
    /// A paper of 200 × 100 points with margins of 10 points.
    private let paper = PrintPaper(
        media: .custom(width: .points(200), height: .points(100)), margins: .all(.points(10)))

    private func placement(
        _ page: PageGeometry, _ scaling: PrintScaling, borderless: Bool = false, numberUp: Int = 1
    ) -> PagePlacement {
        let paper = borderless ? PrintPaper(media: paper.media) : paper
        let imposition = Imposition(paper: paper, numberUp: NumberUp(count: numberUp), scaling: scaling)
        return SideLayout(for: imposition, page: page.size).placement(of: page, inCell: 0)
    }

    private func page(_ width: Double, _ height: Double) -> PageGeometry {
        PageGeometry(box: Rect(x: 0, y: 0, width: width, height: height))
    }

    private func expectRect(
        _ rect: Rect, _ x: Double, _ y: Double, _ width: Double, _ height: Double,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let differences = [rect.minX - x, rect.minY - y, rect.width - width, rect.height - height]
        #expect(differences.allSatisfy { abs($0) < 0.05 }, "\(rect)", sourceLocation: sourceLocation)
    }

    @Test func `scaling in percent centers the page in that size, regardless of print-scaling`() {
        for scaling in PrintScaling.allCases {
            var imposition = Imposition(paper: paper, scaling: scaling)
            imposition.scalePercent = 50
            let page = page(100, 40)
            expectRect(SideLayout(for: imposition, page: page.size).placement(of: page, inCell: 0).clip, 75, 40, 50, 20)
        }
    }

    @Test func `a mirrored side exchanges left and right, also of several pages and of turned pages`() {
        for (count, size) in [
            (1, Size(width: 160, height: 70)), (2, Size(width: 50, height: 70)), (1, Size(width: 50, height: 90)),
        ] {
            let page = page(size.width, size.height)
            var imposition = Imposition(paper: paper, numberUp: NumberUp(count: count), scaling: .fit)
            let plain = SideLayout(for: imposition, page: size).placement(of: page, inCell: 0)
            imposition.isMirrored = true
            let mirrored = SideLayout(for: imposition, page: size).placement(of: page, inCell: 0)
            let corner = Rect(x: 0, y: 0, width: 5, height: 3)
            let (before, after) = (plain.transform.apply(to: corner), mirrored.transform.apply(to: corner))
            expectRect(after, 200 - before.maxX, before.minY, before.width, before.height)
            expectRect(mirrored.clip, 200 - plain.clip.maxX, plain.clip.minY, plain.clip.width, plain.clip.height)
            #expect(!mirrored.leavesPageAsItIs)
        }
    }

    @Test func `print-scaling 'fit' enlarges or shrinks a page to the printable area`() {
        expectRect(placement(page(40, 20), .fit).clip, 20, 10, 160, 80)
        expectRect(placement(page(4000, 1000), .fit).clip, 10, 27.5, 180, 45)
    }

    @Test func `print-scaling 'fill' covers the paper with the page and crops the parts beyond the paper`() {
        let placed = placement(page(100, 100), .fill)
        expectRect(placed.transform.apply(to: Rect(x: 0, y: 0, width: 100, height: 100)), 0, -50, 200, 200)
        expectRect(placed.clip, 0, 0, 200, 100)
    }

    @Test func `print-scaling 'none' keeps the size of a page and centers the page on the paper`() {
        expectRect(placement(page(40, 20), .none).clip, 80, 40, 40, 20)
        expectRect(placement(page(400, 20), .none).clip, 0, 40, 200, 20)
    }

    @Test
    func `print-scaling 'auto-fit' keeps the size of a page if it fits the paper, and shrinks the page otherwise`() {
        expectRect(placement(page(198, 98), .autoFit).clip, 1, 1, 198, 98)
        expectRect(placement(page(400, 100), .autoFit).clip, 10, 27.5, 180, 45)
    }

    @Test func `print-scaling 'auto' keeps the size of a page if it fits the paper`() {
        expectRect(placement(page(100, 50), .auto).clip, 50, 25, 100, 50)
        expectRect(placement(page(100, 50), .auto, borderless: true).clip, 50, 25, 100, 50)
        #expect(placement(page(200, 100), .auto).leavesPageAsItIs)
    }

    @Test func `print-scaling 'auto' keeps the size of an A4 page on A4 paper`() {
        let paper = PrintPaper(media: .a4, margins: .all(.millimeters(4.2)))
        for size in [
            Size(width: 595, height: 842), Size(width: 595.276, height: 841.89), Size(width: 596, height: 842),
        ] {
            let page = page(size.width, size.height)
            let layout = SideLayout(for: Imposition(paper: paper, scaling: .auto), page: size)
            let placed = layout.placement(of: page, inCell: 0)
            #expect(placed.transform.a == 1 && placed.transform.d == 1)
        }
    }

    @Test
    func `if a page is larger than the paper, 'auto' fits the page to paper with margins and fills borderless paper`() {
        expectRect(placement(page(200, 200), .auto).clip, 60, 10, 80, 80)
        expectRect(placement(page(200, 200), .auto, borderless: true).clip, 0, 0, 200, 100)
    }

    @Test func `an unrotated page of the paper's size is not transformed, except by print-scaling 'fit'`() {
        #expect(placement(page(200, 100), .none).leavesPageAsItIs)
        #expect(placement(page(200.2, 99.9), .auto, borderless: true).leavesPageAsItIs)
        #expect(!placement(page(200, 100), .fit).leavesPageAsItIs)
        #expect(!placement(PageGeometry(box: Rect(x: 5, y: 0, width: 200, height: 100)), .none).leavesPageAsItIs)
        let turned = PageGeometry(box: Rect(x: 0, y: 0, width: 200, height: 100), turns: 2)
        #expect(!placement(turned, .none).leavesPageAsItIs)
    }

    @Test func `with several pages per side, each page is clipped to its cell`() {
        expectRect(placement(page(100, 100), .fill, numberUp: 2).clip, 10, 10, 90, 80)
        expectRect(placement(page(100, 100), .none, numberUp: 2).clip, 10, 10, 90, 80)
        expectRect(placement(page(100, 100), .auto, borderless: true, numberUp: 2).clip, 0, 0, 100, 100)
    }

    @Test(arguments: [
        (turns: 0, seen: Point(x: 30, y: 20)), (1, Point(x: 20, y: 70)), (2, Point(x: 70, y: 30)),
        (3, Point(x: 30, y: 30)),
    ])
    func `a page is rotated clockwise, and its lower left corner becomes the origin`(turns: Int, seen: Point) {
        let page = PageGeometry(box: Rect(x: 10, y: 5, width: 100, height: 50), turns: turns)
        #expect(page.upright.apply(to: Point(x: 40, y: 25)) == seen)
        #expect(page.size == (turns % 2 == 0 ? Size(width: 100, height: 50) : Size(width: 50, height: 100)))
    }

    @Test func `a user unit multiplies the size of the page`() {
        let page = PageGeometry(box: Rect(x: 10, y: 0, width: 40, height: 20), userUnit: 2)
        #expect(page.size == Size(width: 80, height: 40))
        expectRect(placement(page, .none).clip, 60, 30, 80, 40)
    }
}
