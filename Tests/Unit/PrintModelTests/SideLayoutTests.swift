import PrintModel
import Testing

struct SideLayoutTests {
    private let portrait = Size(width: 595, height: 842)
    private let landscape = Size(width: 842, height: 595)

    private func layout(
        _ count: Int, page: Size, orientation: Orientation? = nil, layout: NumberUp.Layout = .toRightToBottom,
        margins: Margins = .zero
    ) -> SideLayout {
        SideLayout(
            for: Imposition(
                paper: PrintPaper(media: .a4, margins: margins), numberUp: NumberUp(count: count, layout: layout),
                orientation: orientation),
            page: page)
    }

    @Test(arguments: [
        (count: 1, turns: 0, columns: 1, rows: 1), (2, 1, 2, 1), (4, 0, 2, 2), (6, 1, 3, 2), (9, 0, 3, 3),
        (16, 0, 4, 4),
    ])
    func `on portrait paper, a side with portrait pages is rotated if rotation enlarges the pages`(
        count: Int, turns: Int, columns: Int, rows: Int
    ) {
        let side = layout(count, page: portrait)
        #expect((side.turns, side.columns, side.rows) == (turns, columns, rows))
        #expect(side.cells.count == count)
    }

    @Test(arguments: [
        (count: 1, turns: 1, columns: 1, rows: 1), (2, 0, 1, 2), (4, 1, 2, 2), (6, 0, 2, 3), (9, 1, 3, 3),
        (16, 1, 4, 4),
    ])
    func `on portrait paper, a side with landscape pages is rotated if rotation enlarges the pages`(
        count: Int, turns: Int, columns: Int, rows: Int
    ) {
        let side = layout(count, page: landscape)
        #expect((side.turns, side.columns, side.rows) == (turns, columns, rows))
    }

    @Test(arguments: [
        (Orientation.portrait, 0), (.landscape, 1), (.reversePortrait, 2), (.reverseLandscape, 3),
    ])
    func `a requested orientation applies to any page`(orientation: Orientation, turns: Int) {
        #expect(layout(1, page: portrait, orientation: orientation).turns == turns)
        #expect(layout(1, page: landscape, orientation: orientation).turns == turns)
    }

    @Test func `the width of a portrait page is along the short edge, even on paper that is fed sideways`() {
        let paper = PrintPaper(media: .custom(width: .millimeters(297), height: .millimeters(210)))
        func turns(_ orientation: Orientation?, _ page: Size) -> Int {
            SideLayout(for: Imposition(paper: paper, orientation: orientation), page: page).turns
        }
        #expect(turns(.portrait, portrait) == 1)
        #expect(turns(.landscape, landscape) == 0)
        #expect(turns(nil, landscape) == 0)
        #expect(turns(nil, portrait) == 1)
    }

    @Test func `an almost square page is not rotated`() {
        #expect(layout(1, page: Size(width: 300.5, height: 300)).turns == 0)
    }

    /// Returns the order of six cells in three columns and two rows, as text.
    private func picture(_ order: NumberUp.Layout) -> String {
        let side = layout(6, page: portrait, layout: order)
        let width = side.cells[0].width
        let height = side.cells[0].height
        var rows = [[Int]](repeating: [0, 0, 0], count: 2)
        for (index, cell) in side.cells.enumerated() {
            let column = Int((cell.midX / width).rounded(.down))
            let rowFromBottom = Int((cell.midY / height).rounded(.down))
            rows[1 - rowFromBottom][column] = index + 1
        }
        return rows.map { $0.map(String.init).joined() }.joined(separator: "\n")
    }

    @Test(arguments: [
        (NumberUp.Layout.toRightToBottom, "123\n456"), (.toRightToTop, "456\n123"),
        (.toLeftToBottom, "321\n654"), (.toLeftToTop, "654\n321"),
        (.toBottomToRight, "135\n246"), (.toBottomToLeft, "531\n642"),
        (.toTopToRight, "246\n135"), (.toTopToLeft, "642\n531"),
    ])
    func `each number-up layout fills the cells of a side in the order that the layout's name specifies`(
        order: NumberUp.Layout, expected: String
    ) {
        #expect(picture(order) == expected)
    }

    @Test(arguments: [2, 4, 6, 9, 16], NumberUp.Layout.allCases)
    func `the name of a number-up layout determines the positions of the first and the second page`(
        count: Int, order: NumberUp.Layout
    ) throws {
        let side = layout(count, page: portrait, layout: order)
        let words = order.rawValue.split(separator: "-").map(String.init)
        let (first, second) = (side.cells[0], side.cells[1])
        #expect((first.minX < side.cells[count - 1].minX) == words.contains("toright"))
        if side.rows > 1 {
            #expect((first.minY > side.cells[count - 1].minY) == words.contains("tobottom"))
            let isRow = words[0] == "toright" || words[0] == "toleft"
            #expect((abs(first.minY - second.minY) < 0.01) == isRow)
        }
        #expect(Set(side.cells).count == count)
    }

    @Test func `the cells of a side divide the printable area, even on a rotated side`() {
        let margins = Margins(top: .points(10), left: .points(20), bottom: .points(30), right: .points(40))
        let upright = layout(4, page: portrait, margins: margins)
        #expect(abs(upright.cells[0].minX - 20) < 0.05)
        #expect(abs(upright.cells[2].minY - 30) < 0.05)
        // A counterclockwise turn makes the left edge of the paper the top of the side, and the top edge of the paper
        // the right edge of the side.
        let turned = layout(4, page: landscape, margins: margins)
        #expect(abs(turned.cells[1].maxY - (595.28 - 20)) < 0.05)
        #expect(abs(turned.cells[1].maxX - (841.89 - 10)) < 0.05)
        #expect(abs(turned.cells[2].minX - 30) < 0.05)
        #expect(abs(turned.cells[2].minY - 40) < 0.05)
    }
}
