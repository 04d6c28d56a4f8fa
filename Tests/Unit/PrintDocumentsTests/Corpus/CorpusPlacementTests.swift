import PrintModel
import PrintTestSupport
import Testing

/// Tests that compare prepared sheets with the original pages.
///
/// Independent programs draw the prepared sheets and the original pages.
@Suite(.timeLimit(.minutes(5)))
struct CorpusPlacementTests {
    @Test(arguments: TestRun.pairs(CorpusLayout.all, Oracle.allCases))
    func `each page on a prepared sheet looks the same as the original page`(layout: CorpusLayout, oracle: Oracle)
        async throws
    {
        let sheets = try await CorpusSheets(CorpusDocument.exact, layout)
        let originals = try await Originals.drawn(by: oracle)
        var mismatches: [String] = []
        var count = 0
        for (document, sides) in zip(sheets.documents, try sheets.drawn(by: oracle)) {
            for (index, page) in try #require(originals[document.name]).enumerated()
            where !oracle.unstablePages.contains(document.pages[index]) {
                let place = layout.place(index)
                count += 1
                mismatches +=
                    sides[place.side].page(at: place, of: layout).mismatch(
                        with: page.turned(place.turns),
                        "\(document.pages[index]), \(layout.name), by \(oracle.rawValue)"
                    ).map { [$0] } ?? []
            }
        }
        expectNone(mismatches, of: count)
    }

    @Test(arguments: CorpusLayout.all)
    func `prepared sheets are blank outside of the pages`(layout: CorpusLayout) async throws {
        let sheets = try await CorpusSheets(CorpusDocument.exact, layout)
        let blank = Thumbnail(points: layout.paper.width / layout.scale, layout.paper.height / layout.scale)
        let cover = Thumbnail(points: CorpusDocument.width, CorpusDocument.height)
        var mismatches: [String] = []
        for (document, sides) in zip(sheets.documents, try sheets.drawn(by: .ghostscript)) {
            for (number, side) in sides.enumerated() {
                var rest = side
                for index in document.pages.indices where layout.place(index).side == number {
                    let place = layout.place(index)
                    rest.place(cover.turned(place.turns), x: place.x / layout.scale, y: place.y / layout.scale)
                }
                mismatches +=
                    rest.mismatch(with: blank, "\(document.name), side \(number + 1), \(layout.name)").map { [$0] }
                    ?? []
            }
        }
        expectNone(mismatches, of: sheets.documents.count)
    }
}
