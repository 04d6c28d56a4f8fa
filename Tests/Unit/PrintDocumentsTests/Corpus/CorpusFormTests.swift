import PrintDocuments
import PrintModel
import PrintTestSupport
import Testing

/// Tests of filled-in forms whose fields have no appearances.
///
/// Programs choose different font sizes and baselines, so the tests compare only words and inked areas.
@Suite(.timeLimit(.minutes(5)))
struct CorpusFormTests {
    private static let layouts = CorpusLayout.all.filter { ["alone", "moved", "two on a side"].contains($0.name) }

    @Test func `pdftotext reads the values of form fields from the prepared PDF`() async throws {
        let sheets = try await CorpusSheets([.forms], .alone)
        let words = try run("pdftotext", "-enc", "UTF-8", sheets.path(0), "-").output.split(
            separator: "\u{0C}", omittingEmptySubsequences: false)
        let missing = CorpusDocument.fields.enumerated().compactMap { index, field -> String? in
            guard let text = field.text else { return nil }
            let seen = words[index].filter { !$0.isWhitespace }
            return seen.contains(text.filter { !$0.isWhitespace })
                ? nil : "\(field.page): '\(seen)' instead of '\(text)'"
        }
        #expect(missing.isEmpty, "\(missing.joined(separator: "\n"))")
    }

    @Test(arguments: layouts)
    func `a form field is printed with its value, and an empty form field is printed without ink`(layout: CorpusLayout)
        async throws
    {
        let sheets = try await CorpusSheets([.forms], layout)
        let drawings = [
            ("prepared.pdf by Ghostscript", try sheets.drawn(by: .ghostscript)[0]),
            ("prepared.pdf by pdftoppm", try sheets.drawn(by: .pdftoppm)[0]),
            ("page image", try await sheets.pageImages()[0]),
            ("PWG raster", try await sheets.rasterImages()[0]),
        ]
        // The last page shows only the background of the pages, because the field on the page is empty.
        let ground = try #require(try await Originals.drawn(by: .ghostscript)["forms"]?.last)
        var faults: [String] = []
        for (kind, sides) in drawings {
            for (index, field) in CorpusDocument.fields.enumerated() {
                let place = layout.place(index)
                let page = sides[place.side].page(at: place, of: layout)
                let cells = page.differingCells(from: ground, tolerance: 60)
                let outside = cells.filter { !Self.isInField($0, page) }
                if !outside.isEmpty { faults.append("\(field.page), \(kind): ink beside the field") }
                // A letter of 16 points covers about 15 cells.
                if field.isFilled, cells.count < 15 {
                    faults.append("\(field.page), \(kind): \(cells.count) cells of ink")
                }
                if !field.isFilled, !cells.isEmpty { faults.append("\(field.page), \(kind): ink in an empty field") }
            }
        }
        #expect(faults.isEmpty, "\(faults.joined(separator: "\n"))")
    }

    @Test func `the letters of a comb field are spread over the width of the field`() async throws {
        let sheets = try await CorpusSheets([.forms], .alone)
        let index = try #require(CorpusDocument.fields.firstIndex { $0.page.contains("comb") })
        let ground = try #require(try await Originals.drawn(by: .ghostscript)["forms"]?.last)
        let page = try sheets.drawn(by: .ghostscript)[0][index]
        let columns = Set(page.differingCells(from: ground, tolerance: 60).map { $0 % page.width })
        // The field has four letters in four parts of 25 points, so the first and the last letter are 75 points apart.
        let (first, last) = (try #require(columns.min()), try #require(columns.max()))
        #expect(Double(last - first) * Thumbnail.pointsPerCell > 65, "columns \(columns.sorted())")
    }

    private static func isInField(_ cell: Int, _ page: Thumbnail) -> Bool {
        let box = CorpusDocument.fieldBox
        let x = (Double(cell % page.width) + 0.5) * Thumbnail.pointsPerCell
        let y = CorpusDocument.height - (Double(cell / page.width) + 0.5) * Thumbnail.pointsPerCell
        let slack = 2 * Thumbnail.pointsPerCell
        return x > box.x - slack && x < box.x + box.width + slack && y > box.y - slack && y < box.y + box.height + slack
    }
}
