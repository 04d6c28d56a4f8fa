import PrintDocuments
import PrintModel
import PrintTestSupport
import Testing

/// Tests of annotations, compared with the output of Ghostscript.
///
/// Programs draw annotations without an appearance with different lines and corners. For these annotations, the tests
/// compare only the numbers of inked cells.
@Suite(.timeLimit(.minutes(5)))
struct CorpusAnnotationTests {
    private static let layouts = CorpusLayout.all.filter { ["alone", "moved", "two on a side"].contains($0.name) }
    private static let unprinted: Set<String> = [
        "an annotation that is not to be printed", "a hidden annotation", "a stamp that is not to be printed",
    ]

    @Test(arguments: layouts)
    func `a printable annotation is drawn or reported in a notice, and a non-printable annotation is not drawn`(
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
                    if !cells.isEmpty { faults.append("\(name), \(kind): the annotation is drawn") }
                } else if !sheets.results[0].notices.contains(where: { $0.contains(Self.subtype(name)) }) {
                    let usual = originals[index].differingCells(from: ground, tolerance: 30).count
                    // Ghostscript ignores the line width of ink annotations (`/BS`), which is 8 points on these pages.
                    guard !(usual / 3...usual * 4).contains(cells.count) else { continue }
                    faults.append(
                        "\(name), \(kind): \(cells.count) cells of ink instead of about \(usual), and no notice")
                }
            }
        }
        #expect(faults.isEmpty, "\(faults.joined(separator: "\n"))")
    }

    @Test(arguments: layouts)
    func `an annotation with an appearance looks the same as in Ghostscript`(layout: CorpusLayout) async throws {
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

    /// Returns the annotation subtype from a page name such as `Highlight without an appearance`.
    private static func subtype(_ name: String) -> String { String(name.prefix { !$0.isWhitespace }) }
}
