import PrintModel
import Testing

struct SheetSequenceTests {
    /// Returns the sides in print order.
    ///
    /// The pages of a side are joined by `+`, and the sides by spaces. A blank side is `-`. If there are several
    /// documents, their letters start at `a`.
    private func printed(_ pages: [[Int]], _ change: (inout Imposition) -> Void = { _ in }) -> String {
        var imposition = Imposition(paper: PrintPaper(media: .a4))
        change(&imposition)
        let sequence = SheetSequence(pages: pages, imposition: imposition)
        #expect(
            SheetSequence.sideCount(pages: pages.map(\.count), imposition: imposition)
                == sequence.order.count + imposition.resumePoint.impressionsBefore)
        #expect(sequence.order.count == sequence.sheets * (imposition.duplex == .none ? 1 : 2))
        return sequence.order.map { index in
            guard let index else { return "-" }
            let side = sequence.sides[index]
            return side.places.map { place in
                guard let place else { return "_" }
                let document = pages.count == 1 ? "" : ["a", "b", "c"][place.document]
                let tile = imposition.poster == nil ? "" : ".\(place.tile)"
                return "\(document)\(place.page)\(tile)"
            }.joined(separator: "+")
        }.joined(separator: " ")
    }

    @Test(arguments: [
        (PageSet.odd, 1, [[1, 3, 5], [1]]), (.even, 1, [[2, 4], []]), (.odd, 2, [[1, 2, 5], [1]]),
        (.even, 2, [[3, 4], []]),
    ])
    func `page-set selects the odd or the even sides of each document`(
        pageSet: PageSet, numberUp: Int, pages: [[Int]]
    ) {
        var imposition = Imposition(paper: PrintPaper(media: .a4), numberUp: NumberUp(count: numberUp))
        #expect(imposition.pages(of: [5, 1]) == [[1, 2, 3, 4, 5], [1]])
        imposition.pageSet = pageSet
        #expect(imposition.pages(of: [5, 1]) == pages)
    }

    @Test func `page-set counts the sides of the selected pages, and of joined documents as one document`() throws {
        var imposition = Imposition(paper: PrintPaper(media: .a4), pageRanges: try PageRanges("2-"))
        imposition.pageSet = .odd
        #expect(imposition.pages(of: [5]) == [[2, 4]])
        imposition.documentJoining = .sameSide
        #expect(imposition.pages(of: [2, 3]) == [[2], [2]])
        imposition.documentJoining = .newSheet
        #expect(imposition.pages(of: [2, 3]) == [[2], [1, 3]])
    }

    @Test func `in one-sided printing, each page is on a separate sheet`() {
        #expect(printed([[1, 2, 5]]) == "1 2 5")
    }

    @Test func `in two-sided printing, an odd last page has a blank back in each copy`() {
        #expect(printed([[1, 2, 3]]) { $0.duplex = .longEdge } == "1 2 3 -")
        #expect(
            printed([[1, 2, 3]]) {
                $0.duplex = .shortEdge
                $0.copies = 2
            } == "1 2 3 - 1 2 3 -")
    }

    @Test func `each document starts on a new sheet`() {
        #expect(printed([[1], [1, 2, 3]]) { $0.duplex = .longEdge } == "a1 - b1 b2 b3 -")
        #expect(printed([[1, 2, 3], [1]]) { $0.numberUp = NumberUp(count: 2) } == "a1+a2 a3 b1")
    }

    @Test func `collated copies repeat the whole document, and uncollated copies repeat each sheet`() {
        #expect(printed([[1, 2, 3]]) { $0.copies = 2 } == "1 2 3 1 2 3")
        #expect(
            printed([[1, 2, 3]]) {
                $0.copies = 2
                $0.collated = false
            } == "1 1 2 2 3 3")
        #expect(
            printed([[1, 2, 3]]) {
                $0.copies = 2
                $0.collated = false
                $0.duplex = .longEdge
            } == "1 2 1 2 3 - 3 -")
        #expect(printed([[1], [1]]) { $0.copies = 2 } == "a1 b1 a1 b1")
    }

    @Test func `in reverse order, the last sheet comes first, and the front and back of each sheet stay the same`() {
        #expect(printed([[1, 2, 3]]) { $0.pageOrder = .reverse } == "3 2 1")
        #expect(
            printed([[1, 2, 3]]) {
                $0.pageOrder = .reverse
                $0.duplex = .longEdge
            } == "3 - 1 2")
        #expect(
            printed([[1, 2, 3]]) {
                $0.pageOrder = .reverse
                $0.numberUp = NumberUp(count: 2)
            } == "3 1+2")
        #expect(
            printed([[1], [1, 2]]) {
                $0.pageOrder = .reverse
                $0.copies = 2
            } == "b2 b1 a1 b2 b1 a1")
    }

    @Test
    func `if printing starts at a given side, preceding sheets are omitted, and sides are counted across all copies`() {
        func from(_ side: Int, _ change: (inout Imposition) -> Void = { _ in }) -> String {
            printed([[1, 2, 3]]) {
                $0.copies = 2
                $0.firstImpression = side
                change(&$0)
            }
        }
        #expect(from(1) == "1 2 3 1 2 3")
        #expect(from(3) == "3 1 2 3")
        #expect(from(5) == "2 3")
        #expect(from(6) { $0.collated = false } == "3")
        #expect(from(4) { $0.pageOrder = .reverse } == "3 2 1")
        // Two-sided, the sheets are 1 2, 3 -, 1 2, 3 -: printing starts at the front of a sheet.
        #expect(from(3) { $0.duplex = .longEdge } == "3 - 1 2 3 -")
        #expect(from(6) { $0.duplex = .longEdge } == "1 2 3 -")
    }

    @Test func `with several pages per side, pages fill the front and then the back of a sheet`() {
        #expect(
            printed([Array(1...9)]) {
                $0.numberUp = NumberUp(count: 4)
                $0.duplex = .longEdge
            } == "1+2+3+4 5+6+7+8 9 -")
    }

    @Test func `joined documents continue on the same side or start on a new sheet, as the job requests`() {
        func joined(_ joining: DocumentJoining?, _ change: (inout Imposition) -> Void = { _ in }) -> String {
            printed([[1, 2, 3], [1, 2], [1]]) {
                $0.documentJoining = joining
                change(&$0)
            }
        }
        #expect(joined(.sameSide) { $0.duplex = .longEdge } == "a1 a2 a3 b1 b2 c1")
        #expect(joined(.newSheet) { $0.duplex = .longEdge } == "a1 a2 a3 - b1 b2 c1 -")
        #expect(joined(nil) { $0.duplex = .longEdge } == joined(.newSheet) { $0.duplex = .longEdge })
        let four = NumberUp(count: 4)
        #expect(joined(.sameSide) { $0.numberUp = four } == "a1+a2+a3+b1 b2+c1")
        #expect(joined(.newSheet) { $0.numberUp = four } == "a1+a2+a3 b1+b2 c1")
    }

    @Test func `each copy of joined documents contains all documents and starts on a new sheet`() {
        func joined(_ change: (inout Imposition) -> Void) -> String {
            printed([[1], [1, 2]]) {
                $0.documentJoining = .sameSide
                $0.duplex = .longEdge
                $0.copies = 2
                change(&$0)
            }
        }
        #expect(joined { _ in } == "a1 b1 b2 - a1 b1 b2 -")
        #expect(joined { $0.collated = false } == "a1 b1 a1 b1 b2 - b2 -")
        #expect(joined { $0.pageOrder = .reverse } == "b2 - a1 b1 b2 - a1 b1")
        #expect(joined { $0.firstImpression = 4 } == "b2 - a1 b1 b2 -")
    }

    @Test func `a joined document without selected pages is omitted`() {
        #expect(printed([[3], [], [1]]) { $0.documentJoining = .sameSide } == "a3 c1")
    }

    @Test func `a sheet sequence stores each side once, and the print order lists the sides of each copy`() {
        var imposition = Imposition(paper: PrintPaper(media: .a4))
        imposition.copies = 100
        let sequence = SheetSequence(pages: [[1, 2]], imposition: imposition)
        #expect(sequence.sides.count == 2)
        #expect(sequence.order.count == 200)
    }

    @Test func `if the number of sides exceeds the integer range, 'sideCount' returns nil`() {
        var imposition = Imposition(paper: PrintPaper(media: .a4))
        imposition.copies = Int.max / 2
        #expect(SheetSequence.sideCount(pages: [3], imposition: imposition) == nil)
    }
}
