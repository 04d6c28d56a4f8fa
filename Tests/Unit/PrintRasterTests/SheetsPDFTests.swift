import CQPDFReader
import FoundationEssentials
import PrintModel
import PrintRaster
import PrintTestSupport
import Testing

struct SheetsPDFTests {
    /// Returns the problems that libqpdf finds in a file, as in the output of `qpdf --check`.
    ///
    /// The array is empty if the file is valid.
    private func faults(of path: String) -> [String] {
        var reader = qpdf_init()
        defer { qpdf_cleanup(&reader) }
        qpdf_silence_errors(reader)
        qpdf_set_suppress_warnings(reader, QPDF_TRUE)
        var faults: [String] = []
        _ = qpdf_read(reader, path, nil)
        _ = qpdf_check_pdf(reader)
        while qpdf_more_warnings(reader) == QPDF_TRUE {
            faults.append(String(cString: qpdf_get_error_full_text(reader, qpdf_next_warning(reader))))
        }
        if qpdf_has_error(reader) == QPDF_TRUE {
            faults.append(String(cString: qpdf_get_error_full_text(reader, qpdf_get_error(reader))))
        }
        return faults
    }

    @Test(arguments: [
        // Each case: copies, collated, duplex, the sides in order (`_` is a blank back), sheets.
        (1, true, Duplex.none, "RGB", 3), (2, true, .none, "RGBRGB", 6), (2, false, .none, "RRGGBB", 6),
        (1, true, .longEdge, "RGB_", 2), (2, true, .longEdge, "RGB_RGB_", 4), (2, true, .shortEdge, "RGB_RGB_", 4),
        (2, false, .longEdge, "RGRGB_B_", 4),
    ])
    func `the PDF of the sheets contains collated or uncollated copies, and each copy begins on a new sheet`(
        copies: Int, collated: Bool, duplex: Duplex, sides: String, sheets: Int
    ) throws {
        var fixture = try PrintFixture(inks: [.red, .green, .blue])
        (fixture.request.copies, fixture.request.collated, fixture.request.duplex) = (copies, collated, duplex)
        let result = try fixture.rasterize()
        #expect(try fixture.sheetColors() == sides)
        #expect((result.impressions, result.sheets) == (sides.count, sheets))
        #expect(result.pages.count == 3)
        #expect(faults(of: fixture.folder.path("sheets.pdf")) == [])
    }

    @Test func `a two-sided document with an even number of pages has no blank back`() throws {
        var fixture = try PrintFixture(inks: [.red, .green])
        (fixture.request.copies, fixture.request.duplex) = (3, .longEdge)
        let result = try fixture.rasterize()
        #expect(try fixture.sheetColors() == "RGRGRG")
        #expect((result.impressions, result.sheets) == (6, 3))
    }

    @Test func `the PDF of the sheets has the same pixels as the page images, in each PNG storage format`() throws {
        var pdf = PDFBuilder()
        let letter = PDFBuilder.Size.letter
        pdf.addPage(letter) { $0.text("grey, antialiased", x: 100, y: 400, size: 40) }
        pdf.addPage(letter) { $0.fill(.black, x: 72, y: 72, width: 216, height: 360) }
        pdf.addPage(letter) { page in
            page.fill(.red, x: 100, y: 90, width: 200, height: 300)
            page.text("few colours", x: 100, y: 400, size: 40, ink: .blue)
        }
        pdf.addPage(letter) { page in
            for step in 0..<300 {
                let part = Double(step) / 300
                let ink = PDFBuilder.Ink(red: part, green: 1 - part, blue: part * part)
                page.fill(ink, x: Double(step * 2), y: 0, width: 2, height: 700)
            }
        }
        pdf.addPage(letter)
        var fixture = try PrintFixture(pdf)
        fixture.request.paper = PrintPaper(media: .letter)
        fixture.request.resolution = 100
        _ = try fixture.rasterize()
        let path = fixture.folder.path("sheets.pdf")
        #expect(faults(of: path) == [])
        let sheets = try PDFDocument(path: path)
        for number in 1...5 {
            let shown = try sheets.render(page: number - 1, dpi: 100)
            #expect(try shown.difference(from: fixture.side(number), tolerance: 1).isEmpty)
        }
        // The headers have the bit depth and color type of 8-bit gray, 1-bit gray, a palette, and RGB.
        let layouts = try (1...4).map { number in
            let png = try Data(contentsOf: URL(fileURLWithPath: fixture.folder.path("out/page-000\(number).png")))
            return Array(png[24...25])
        }
        #expect(layouts == [[8, 0], [1, 0], [8, 3], [8, 2]])
    }

    @Test func `the pages in the PDF of the sheets have the paper's size`() throws {
        var fixture = try PrintFixture(.numbered(pages: 1))
        fixture.request.paper = PrintPaper(media: .a4)
        _ = try fixture.rasterize()
        let size = try PDFDocument(path: fixture.folder.path("sheets.pdf")).pageSize(at: 0)
        #expect(abs(size.width - 595.2756) < 0.001 && abs(size.height - 841.8898) < 0.001)
    }

    @Test func `the PDF of the sheets contains each image once, even with 100 copies`() throws {
        var fixture = try PrintFixture(.numbered(pages: 2))
        fixture.request.paper = PrintPaper(media: .a4)
        func size() throws -> Int {
            _ = try fixture.rasterize()
            return try Data(contentsOf: URL(fileURLWithPath: fixture.folder.path("sheets.pdf"))).count
        }
        let one = try size()
        fixture.request.copies = 100
        #expect(try size() < one + 198 * 200)
        #expect(try PDFDocument(path: fixture.folder.path("sheets.pdf")).pageCount == 200)
    }

    @Test func `if a document is printed twice, the two PDFs of the sheets have the same bytes`() throws {
        func bytes() throws -> Data {
            var fixture = try PrintFixture(.numbered(pages: 2))
            fixture.request.copies = 2
            _ = try fixture.rasterize()
            return try Data(contentsOf: URL(fileURLWithPath: fixture.folder.path("sheets.pdf")))
        }
        #expect(try bytes() == bytes())
    }

    @Test func `without a path for the PDF of the sheets, no PDF is written, and the sheets are still counted`()
        throws
    {
        var fixture = try PrintFixture(inks: [.red])
        (fixture.request.sheets, fixture.request.copies, fixture.request.duplex) = (nil, 3, .longEdge)
        let result = try fixture.rasterize()
        #expect((result.impressions, result.sheets) == (6, 3))
        #expect(!FileManager.default.fileExists(atPath: fixture.folder.path("sheets.pdf")))
    }
}
