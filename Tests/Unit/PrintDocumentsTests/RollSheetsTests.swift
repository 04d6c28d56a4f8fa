import PrintModel
import PrintTestSupport
import Testing

/// Tests of long pages on a roll, and of pages that become much smaller.
struct RollSheetsTests {
    /// A page with a red and a blue half.
    private func page(width: Double, height: Double, rotate: Int = 0) -> PDFBuilder {
        var pdf = PDFBuilder()
        pdf.addPage(width: width, height: height) { page in
            page.fill(.red, x: 0, y: height / 2, width: width, height: height / 2)
            page.fill(.blue, x: 0, y: 0, width: width, height: height / 2)
            page.rotate = rotate
        }
        return pdf
    }

    /// Prepares a page for a roll that is 100 points wide and cut at most after 120 points.
    private func sheets(_ pdf: PDFBuilder) async throws -> PreparedSheets {
        try await PreparedSheets(pdf, paper: (100, 60), margin: 10) { imposition in
            imposition.scaling = .auto
            imposition.roll = PrinterCapabilities.MediaRange(
                width: 3528...3528, height: 700...4234, margins: imposition.paper.margins)
        }
    }

    @Test func `a page that is longer than the paper of a roll has its own length`() async throws {
        let sheets = try await sheets(page(width: 80, height: 100))
        #expect(sheets.result.impressions == 1 && sheets.result.pieces?.counts == [[1]])
        #expect(sheets.result.notices.isEmpty)
        expectPixels(
            try sheets.side(0),
            String(repeating: "_RRRRRRRR_\n", count: 5) + String(repeating: "_BBBBBBBB_\n", count: 5))
    }

    @Test(arguments: [0, 90, 270])
    func `a page that is longer than a piece of the roll is divided into pieces without a gap`(rotate: Int) async throws
    {
        let sheets = try await sheets(
            rotate == 0 ? page(width: 80, height: 200) : page(width: 200, height: 80, rotate: rotate))
        #expect((sheets.result.impressions, sheets.result.pages) == (2, 1))
        #expect(sheets.result.pieces?.counts == [[2]])
        #expect(sheets.result.notices.isEmpty)
        let blank = "__________\n"
        if rotate == 0 {
            for (index, letter) in ["R", "B"].enumerated() {
                let row = "_" + String(repeating: letter, count: 8) + "_\n"
                expectPixels(try sheets.side(index), blank + String(repeating: row, count: 10) + blank)
            }
        } else {
            let row = rotate == 90 ? "_BBBBRRRR_\n" : "_RRRRBBBB_\n"
            for index in 0..<2 {
                expectPixels(try sheets.side(index), blank + String(repeating: row, count: 10) + blank)
            }
        }
    }

    @Test(arguments: [(PrintScaling.auto, "10 %"), (.fit, "10 %"), (.none, nil)] as [(PrintScaling, String?)])
    func `a notice names the scale of a page that is printed at less than half of its size`(
        scaling: PrintScaling, percent: String?
    ) async throws {
        let sheets = try await PreparedSheets(page(width: 1000, height: 1000), paper: (100, 100)) {
            $0.scaling = scaling
        }
        #expect(
            sheets.result.notices
                == (percent.map {
                    [
                        "page 1 of document-1.pdf is printed at \($0) of its size; "
                            + "choose larger paper, or print on several sheets with --poster"
                    ]
                } ?? []))
    }

    @Test func `one notice covers all small pages of a document, and pages at half of their size need none`()
        async throws
    {
        var pdf = page(width: 200, height: 200)
        for size in [400.0, 500, 100] { pdf.addPage(width: size, height: size) }
        let sheets = try await PreparedSheets(pdf, paper: (100, 100)) { $0.scaling = .auto }
        #expect(
            sheets.result.notices == [
                "2 pages of document-1.pdf are printed at less than half of their size, page 3 at 20 %; "
                    + "choose larger paper, or print on several sheets with --poster"
            ])
        let shared = try await PreparedSheets(pdf, paper: (100, 100)) {
            $0.numberUp = NumberUp(count: 4, border: .none)
        }
        #expect(shared.result.notices.isEmpty)
    }
}
