import PrintModel
import PrintTestSupport
import Testing

struct BookletSheetsTests {
    /// Pages that are filled with one color each, and have the ratio of half a sheet.
    private func colored(_ inks: PDFBuilder.Ink...) -> PDFBuilder {
        var pdf = PDFBuilder()
        for ink in inks { pdf.addPage(width: 100, height: 150) { $0.fill(ink, x: 20, y: 25, width: 60, height: 100) } }
        return pdf
    }

    private func booklet(_ pages: PDFBuilder, _ booklet: Booklet = Booklet()) async throws -> PreparedSheets {
        try await PreparedSheets(pages, paper: (120, 90)) {
            $0.booklet = booklet
            $0.duplex = booklet.sides == .both ? .shortEdge : .none
            $0.scaling = .fit
        }
    }

    @Test func `a booklet of three pages has one sheet, and one half of a side is blank`() async throws {
        let sheets = try await booklet(colored(.red, .green, .blue))
        #expect(sheets.result.sheets == 1)
        expectPixels(
            try sheets.side(0),
            """
            __________
            ______RRR_
            ______RRR_
            ______RRR_
            ______RRR_
            __________
            """)
        expectPixels(
            try sheets.side(1),
            """
            __________
            _GGG__BBB_
            _GGG__BBB_
            _GGG__BBB_
            _GGG__BBB_
            __________
            """)
    }

    @Test func `in a booklet that is bound at the right edge, the left and right pages of each side are exchanged`()
        async throws
    {
        let sheets = try await booklet(colored(.red, .green, .blue), Booklet(binding: .rightEdge))
        expectPixels(
            try sheets.side(1),
            """
            __________
            _BBB__GGG_
            _BBB__GGG_
            _BBB__GGG_
            _BBB__GGG_
            __________
            """)
    }

    @Test func `with short-edge duplex on portrait paper, both sides of a booklet sheet have the same direction`()
        async throws
    {
        let sheets = try await PreparedSheets(colored(.red, .green, .blue, .yellow), paper: (90, 120)) {
            $0.booklet = Booklet()
            $0.duplex = .shortEdge
            $0.scaling = .fit
        }
        expectPixels(
            try sheets.side(0),
            """
            ______
            _RRRR_
            _RRRR_
            _RRRR_
            ______
            ______
            _YYYY_
            _YYYY_
            _YYYY_
            ______
            """)
        expectPixels(
            try sheets.side(1),
            """
            ______
            _BBBB_
            _BBBB_
            _BBBB_
            ______
            ______
            _GGGG_
            _GGGG_
            _GGGG_
            ______
            """)
    }

    @Test func `page numbers of a booklet are at the bottom center of each half of the sheet`() async throws {
        var pdf = PDFBuilder()
        for letter in ["a", "b", "c", "d", "e"] {
            pdf.addPage(width: 300, height: 400) { $0.text(letter, x: 140, y: 200, size: 40) }
        }
        let sheets = try await PreparedSheets(pdf, paper: (600, 400)) {
            $0.booklet = Booklet()
            $0.duplex = .shortEdge
            $0.texts = PageTexts(pageNumbers: .bottomCenter, pageNumberFormat: .numberOfTotal)
        }
        let words = try (0..<4).map { index in
            try sheets.pdf.text(at: index).filter { !$0.isWhitespace }.sorted()
        }
        #expect(words == ["/15a", "/25b", "/35c", "//4555de"].map(Array.init))
        // The numbers are below the pages, in the middle of each half.
        let box = try run("pdftotext", "-f", "4", "-l", "4", "-bbox", sheets.path, "-").output
        let lefts = box.split(separator: "\n").filter { $0.contains(">4<") || $0.contains(">5<") }.compactMap {
            $0.split(separator: "\"").dropFirst().first.flatMap { Double($0) }
        }
        // 4 / 5 and 5 / 5
        #expect(lefts.sorted().map { $0 < 300 } == [true, true, false, false])
        #expect(lefts.allSatisfy { (130..<170).contains($0) || (430..<470).contains($0) })
    }

    @Test func `the option 'sides' of a booklet selects only the fronts or only the backs of the sheets`() async throws
    {
        var pdf = PDFBuilder()
        for number in 1...8 {
            pdf.addPage(width: 60, height: 90) { $0.text("\(number)", x: 20, y: 40, size: 20) }
        }
        #expect(try await booklet(pdf, Booklet(sides: .front)).words() == "8+1 6+3")
        #expect(try await booklet(pdf, Booklet(sides: .back)).words() == "2+7 4+5")
    }
}
