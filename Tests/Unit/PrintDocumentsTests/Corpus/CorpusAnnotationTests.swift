import PrintDocuments
import PrintModel
import PrintTestSupport
import Testing

/// Annotations without appearances beside what Ghostscript draws for them.
///
/// Programs draw them with lines and corners of their own, so that only where there is ink can be compared.
@Suite(.timeLimit(.minutes(5)))
struct CorpusAnnotationTests {
    private static let layouts = CorpusLayout.all.filter { ["alone", "moved", "two on a side"].contains($0.name) }
    private static let unprinted: Set<String> = [
        "an annotation that is not to be printed", "a hidden annotation", "a stamp that is not to be printed",
    ]

    @Test(arguments: layouts)
    func `an annotation that prints is drawn, or a notice names it, and another one is not drawn`(
        layout: CorpusLayout
    ) async throws {
        let sheets = try await CorpusSheets([.annotations], layout)
        let originals = try #require(try await Originals.drawn(by: .ghostscript)["annotations"])
        let pages = CorpusDocument.annotations.pages
        let ground = originals[try #require(pages.firstIndex(of: "a hidden annotation"))]
        let drawings = [
            ("prepared.pdf by Ghostscript", try sheets.drawn(by: .ghostscript)[0]),
            ("page image", try await sheets.pageImages()[0]),
        ]
        var faults: [String] = []
        for (kind, sides) in drawings {
            for (index, name) in pages.enumerated() {
                let place = layout.place(index)
                let page = sides[place.side].page(at: place, of: layout)
                let cells = page.differingCells(from: ground, tolerance: 30)
                if Self.unprinted.contains(name) {
                    if !cells.isEmpty { faults.append("\(name), \(kind): it is drawn") }
                } else if !sheets.results[0].notices.contains(where: { $0.contains(Self.subtype(name)) }) {
                    let usual = originals[index].differingCells(from: ground, tolerance: 30).count
                    // Ghostscript does not apply the line width of ink (`/BS`), which is 8 points here.
                    guard !(usual / 3...usual * 4).contains(cells.count) else { continue }
                    faults.append("\(name), \(kind): \(cells.count) cells of ink, not about \(usual), and no notice")
                }
            }
        }
        #expect(faults.isEmpty, "\(faults.joined(separator: "\n"))")
    }

    @Test(arguments: layouts)
    func `an annotation with an appearance is drawn as Ghostscript draws it`(layout: CorpusLayout) async throws {
        let sheets = try await CorpusSheets([.annotations], layout)
        let originals = try #require(try await Originals.drawn(by: .ghostscript)["annotations"])
        let sides = try sheets.drawn(by: .ghostscript)[0]
        let images = try await sheets.pageImages()[0]
        var mismatches: [String] = []
        for (index, name) in CorpusDocument.annotations.pages.enumerated() where name.contains("stamp") {
            let place = layout.place(index)
            for (kind, side) in [("prepared.pdf", sides[place.side]), ("page image", images[place.side])] {
                mismatches +=
                    side.page(at: place, of: layout).mismatch(
                        with: originals[index], "\(name), \(layout.name), \(kind)"
                    ).map { [$0] } ?? []
            }
        }
        expectNone(mismatches, of: 6)
    }

    /// The subtype of the annotation of a page: `Highlight without an appearance`.
    private static func subtype(_ name: String) -> String { String(name.prefix { !$0.isWhitespace }) }
}
