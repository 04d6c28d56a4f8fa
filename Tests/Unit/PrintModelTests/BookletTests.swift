import PrintModel
import Testing

struct BookletTests {
    /// Returns the sides of a booklet in print order: the left and right page, with `_` for a blank half and `-` for a
    /// blank side.
    private func printed(
        _ pages: Int, _ booklet: Booklet = Booklet(), _ change: (inout Imposition) -> Void = { _ in }
    ) -> String {
        var imposition = Imposition(
            paper: PrintPaper(media: .a4), duplex: booklet.sides == .both ? .shortEdge : .none, booklet: booklet)
        change(&imposition)
        let sequence = SheetSequence(pages: [Array(1...pages)], imposition: imposition)
        #expect(SheetSequence.sideCount(pages: [pages], imposition: imposition) == sequence.order.count)
        return sequence.order.map { index in
            guard let index else { return "-" }
            return sequence.sides[index].places.map { $0.map { "\($0.page)" } ?? "_" }.joined(separator: "+")
        }.joined(separator: " ")
    }

    @Test(arguments: [
        (1, "_+1 -"), (2, "_+1 2+_"), (3, "_+1 2+3"), (4, "4+1 2+3"),
        (5, "_+1 2+_ _+3 4+5"), (6, "_+1 2+_ 6+3 4+5"), (7, "_+1 2+7 6+3 4+5"), (8, "8+1 2+7 6+3 4+5"),
        (9, "_+1 2+_ _+3 4+9 8+5 6+7"), (10, "_+1 2+_ 10+3 4+9 8+5 6+7"), (11, "_+1 2+11 10+3 4+9 8+5 6+7"),
        (12, "12+1 2+11 10+3 4+9 8+5 6+7"), (13, "_+1 2+_ _+3 4+13 12+5 6+11 10+7 8+9"),
    ])
    func `the pages of a booklet are in the order that nested folded sheets require`(pages: Int, sides: String) {
        #expect(printed(pages) == sides)
    }

    /// Folds the printed sheets and returns the pages in reading order.
    private func read(_ sequence: SheetSequence, signatureSheets: Int) -> [Int?] {
        let sheets = stride(from: 0, to: sequence.order.count, by: 2).map { start in
            (0..<2).flatMap { face in
                sequence.order[start + face].map { sequence.sides[$0].places.map { $0?.page } } ?? [nil, nil]
            }
        }
        let most = signatureSheets == 0 ? max(1, sheets.count) : signatureSheets
        return stride(from: 0, to: sheets.count, by: most).flatMap { start in
            let signature = sheets[start..<min(start + most, sheets.count)]
            // The right half of the front and the left half of the back are the first half of the book.
            return signature.flatMap { [$0[1], $0[2]] } + signature.reversed().flatMap { [$0[3], $0[0]] }
        }
    }

    @Test(arguments: 1...13, [0, 1, 2, 3])
    func `a folded booklet has all pages in reading order, and blank pages only at the end`(
        pages: Int, signatureSheets: Int
    ) {
        let imposition = Imposition(
            paper: PrintPaper(media: .a4), duplex: .shortEdge, booklet: Booklet(signatureSheets: signatureSheets))
        let sequence = SheetSequence(pages: [Array(1...pages)], imposition: imposition)
        let seen = read(sequence, signatureSheets: signatureSheets)
        #expect(seen.prefix(pages) == (1...pages).map { Optional($0) }[...])
        #expect(seen.count == (pages + 3) / 4 * 4)
        #expect(seen.dropFirst(pages).allSatisfy { $0 == nil })
        #expect(sequence.sheets == (pages + 3) / 4)
    }

    @Test func `the last signature of a booklet has as few sheets as possible`() {
        let two = Booklet(signatureSheets: 2)
        #expect(printed(16, two) == "8+1 2+7 6+3 4+5 16+9 10+15 14+11 12+13")
        #expect(printed(10, two) == "8+1 2+7 6+3 4+5 _+9 10+_")
        #expect(printed(9, two) == "8+1 2+7 6+3 4+5 _+9 -")
    }

    @Test func `if a booklet is bound at the right edge, the first page is on the left`() {
        #expect(printed(8, Booklet(binding: .rightEdge)) == "1+8 7+2 3+6 5+4")
    }

    @Test func `the fronts and the backs of a booklet can be printed separately, and both have the same sheet order`() {
        #expect(printed(8, Booklet(sides: .front)) == "8+1 6+3")
        #expect(printed(8, Booklet(sides: .back)) == "2+7 4+5")
        #expect(printed(9, Booklet(signatureSheets: 2, sides: .back)) == "2+7 4+5 -")
    }

    @Test func `with reverse page order, the innermost sheet of a booklet is printed first`() {
        #expect(printed(8) { $0.pageOrder = .reverse } == "6+3 4+5 8+1 2+7")
    }

    @Test func `each copy of a booklet has all sheets, and a resumed booklet job starts at the front of a sheet`() {
        #expect(printed(5) { $0.copies = 2 } == "_+1 2+_ _+3 4+5 _+1 2+_ _+3 4+5")
        var imposition = Imposition(paper: PrintPaper(media: .a4), duplex: .shortEdge, booklet: Booklet())
        imposition.firstImpression = 4
        let sequence = SheetSequence(pages: [Array(1...8)], imposition: imposition)
        #expect((sequence.order, sequence.sheets) == ([2, 3], 1))
    }

    @Test func `in a booklet, only a sheet with a single page has a blank back`() {
        func blanks(_ pages: Int) -> [Int] {
            SheetSequence(
                pages: [Array(1...pages)],
                imposition: Imposition(
                    paper: PrintPaper(media: .a4), duplex: .shortEdge, booklet: Booklet(signatureSheets: 1))
            ).blankBacks
        }
        #expect(blanks(4) == [])
        #expect(blanks(5) == [1])
        #expect(blanks(9) == [2])
    }

    @Test func `separate documents become separate booklets, and joined documents become a single booklet`() {
        func sheets(_ joining: DocumentJoining?) -> Int {
            SheetSequence(
                pages: [[1, 2], [1, 2]],
                imposition: Imposition(
                    paper: PrintPaper(media: .a4), duplex: .shortEdge, documentJoining: joining, booklet: Booklet())
            ).sheets
        }
        #expect(sheets(nil) == 2)
        #expect(sheets(.sameSide) == 1)
        #expect(sheets(.newSheet) == 2)
    }

    @Test(arguments: [
        (Media.a4, Size(width: 595, height: 842), 1), (.a4, Size(width: 842, height: 595), 1),
        (.custom(width: .millimeters(297), height: .millimeters(210)), Size(width: 595, height: 842), 0),
    ])
    func `the pages of a booklet are side by side regardless of the page orientation`(
        media: Media, page: Size, turns: Int
    ) {
        let layout = SideLayout(for: Imposition(paper: PrintPaper(media: media), booklet: Booklet()), page: page)
        #expect((layout.turns, layout.columns, layout.rows, layout.cells.count) == (turns, 2, 1, 2))
    }

    @Test func `the pages of a booklet meet at the fold and have the same size, even if the margins differ`() {
        // Turned for reading, the lower edge of the paper is at the left.
        let margins = Margins(
            top: .millimeters(5), left: .millimeters(5), bottom: .millimeters(20), right: .millimeters(5))
        let layout = SideLayout(
            for: Imposition(paper: PrintPaper(media: .a4, margins: margins), booklet: Booklet()),
            page: Size(width: 595, height: 842))
        let fold = Length.millimeters(148.5).points
        #expect(abs(layout.cells[0].maxX - fold) < 0.01)
        #expect(abs(layout.cells[1].minX - fold) < 0.01)
        #expect(abs(layout.cells[0].width - layout.cells[1].width) < 0.01)
        #expect(abs(layout.cells[0].minX - Length.millimeters(20).points) < 0.01)
    }
}
