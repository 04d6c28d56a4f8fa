import FoundationEssentials
import PrintModel
import PrintTestSupport
import Testing

/// Tests that compare page images and raster data with the original pages, drawn by independent programs.
@Suite(.timeLimit(.minutes(5)))
struct CorpusImageTests {
    /// The tested layouts: unchanged, enlarged, turned, and two pages on a side.
    ///
    /// If `PRINTQ_LONG_TESTS` is set, the tests use all layouts.
    private static let layouts: [CorpusLayout] = CorpusLayout.all.filter {
        ["alone", "enlarged", "turned", "two on a side"].contains($0.name)
            || TestRun.isLong
    }

    @Test func `Ghostscript and pdftoppm draw the same image of each page, except for the pages in 'faultyPages'`()
        async throws
    {
        let ghostscript = try await Originals.drawn(by: .ghostscript)
        let pdftoppm = try await Originals.drawn(by: .pdftoppm)
        let faulty = Oracle.ghostscript.faultyPages.union(Oracle.pdftoppm.faultyPages)
        var mismatches: [String] = []
        for document in CorpusDocument.exact {
            let (one, other) = (try #require(ghostscript[document.name]), try #require(pdftoppm[document.name]))
            for (index, page) in document.pages.enumerated() {
                let mismatch = one[index].mismatch(
                    with: other[index], "\(page), Ghostscript compared with pdftoppm")
                if faulty.contains(page) {
                    #expect(mismatch != nil, "both programs now draw \(page) alike; remove the page from faultyPages")
                } else {
                    mismatches += mismatch.map { [$0] } ?? []
                }
            }
        }
        expectNone(mismatches, of: CorpusDocument.exact.reduce(0) { $0 + $1.pages.count })
    }

    @Test(arguments: layouts)
    func `each page image matches the output of Ghostscript and pdftoppm for the original page`(layout: CorpusLayout)
        async throws
    {
        let sheets = try await CorpusSheets(CorpusDocument.exact, layout)
        try await expect(sheets, shows: try await sheets.pageImages(), as: "page image")
    }

    @Test(arguments: layouts)
    func `the raster data of each page matches the output of Ghostscript and pdftoppm for the original page`(
        layout: CorpusLayout
    ) async throws {
        let sheets = try await CorpusSheets(CorpusDocument.exact, layout)
        try await expect(sheets, shows: try await sheets.rasterImages(), as: "PWG raster")
    }

    @Test func `gray page images and gray raster data have the same gray levels as Ghostscript's output`() async throws
    {
        let sheets = try await CorpusSheets(CorpusDocument.exact, .alone)
        let originals = try await Originals.drawnInGray()
        let kinds = [
            ("gray page image", try await sheets.pageImages(monochrome: true)),
            ("gray PWG raster", try await sheets.rasterImages(isGray: true)),
        ]
        for (kind, images) in kinds {
            var mismatches: [String] = []
            for (document, images) in zip(sheets.documents, images) {
                for (index, page) in document.pages.enumerated()
                where !Oracle.ghostscript.faultyPages.union(RendererFault.pages).union(RendererFault.blendedInGray)
                    .contains(page)
                {
                    mismatches +=
                        images[index].mismatch(
                            with: try #require(originals[document.name])[index], "\(page), \(kind)"
                        ).map { [$0] } ?? []
                }
            }
            expectNone(mismatches, of: images.reduce(0) { $0 + $1.count })
        }
    }

    /// Expects each page to match the original page drawn by each program, except for the programs' faulty pages.
    private func expect(_ sheets: CorpusSheets, shows images: [[Thumbnail]], as kind: String) async throws {
        let layout = sheets.layout
        var mismatches: [String] = []
        var wrong: Set<String> = []
        var count = 0
        for (index, document) in sheets.documents.enumerated() {
            for (number, name) in document.pages.enumerated() {
                let place = layout.place(number)
                let seen = images[index][place.side].page(at: place, of: layout)
                count += 1
                for oracle in Oracle.allCases where !oracle.faultyPages.contains(name) {
                    let page = try #require(try await Originals.drawn(by: oracle)[document.name])[number]
                    let mismatch = seen.mismatch(
                        with: page.turned(place.turns),
                        "\(name), \(layout.name), \(kind), compared with \(oracle.rawValue)")
                    guard let mismatch else { continue }
                    if RendererFault.pages.contains(name) {
                        wrong.insert(name)
                    } else {
                        mismatches.append(mismatch)
                    }
                    break
                }
            }
        }
        expectNone(mismatches, of: count)
        #expect(
            wrong == RendererFault.pages,
            "a page in RendererFault.pages is now drawn correctly; remove the page from the list")
    }
}
