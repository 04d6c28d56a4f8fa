import Foundation
import PrintRaster
import PrintTestSupport
import Testing

@Suite(.serialized, .timeLimit(.minutes(2)))
struct LayoutTests {
    private static let inks: [PDFBuilder.Ink] = [.red, .green, .blue, .yellow, .magenta, .cyan]

    /// Pages that are filled with one colour each: R, G, B, Y, M, C.
    private func colors(_ count: Int, size: PDFBuilder.Size = .a4) -> PDFBuilder {
        var pdf = PDFBuilder()
        for ink in Self.inks.prefix(count) { pdf.addPage(size) { $0.fill(ink) } }
        return pdf
    }

    /// A page whose upper left quarter is red.
    private func corner(_ size: PDFBuilder.Size) -> PDFBuilder {
        var pdf = PDFBuilder()
        pdf.addPage(size) { page in
            page.fill(.red, x: 0, y: size.height / 2, width: size.width / 2, height: size.height / 2)
        }
        return pdf
    }

    /// One letter for each page: the colour it has in its middle.
    private func middles(_ job: PrintedJob) throws -> String {
        try job.pages.map { page in
            String(pixelLetters(of: page, columns: 3, rows: 3).split(separator: "\n")[1].dropFirst().prefix(1))
        }.joined()
    }

    @Test func `ranges choose pages in the order they name them, and reverse turns them round`() async throws {
        let spooler = try TestSpooler()
        try spooler.start()
        #expect(try middles(try await spooler.printed(colors(6), "--pages", "1-2,5-")) == "RGMC")
        #expect(try middles(try await spooler.printed(colors(3), "--reverse")) == "BGR")
        #expect(try middles(try await spooler.printed(colors(3), "--pages", "2")) == "G")
    }

    @Test func `both sides of the paper: three pages, twice, fill whole sheets`() async throws {
        let spooler = try TestSpooler()
        try spooler.start()
        let job = try await spooler.printed(colors(3), "--duplex", "long", "-n", "2")
        let record = try job.record
        #expect(record["sides"] as? String == "two-sided-long-edge")
        #expect(record["sheets"] as? Int == 4)
        let sheets = try job.sheets
        #expect(sheets.pageCount == 8, "each copy begins on a new sheet")
        let sides = try (0..<8).map { try sheets.pixel(ofPage: $0) }
        #expect(sides == ["R", "G", "B", "_", "R", "G", "B", "_"])
        let log = try spooler.log(of: "color-laser")
        #expect(log.map(\.copies) == [2])
        #expect(log.map(\.sheets) == [4])
    }

    @Test func `two pages on a side lie left to right on paper that is turned`() async throws {
        let spooler = try TestSpooler()
        try spooler.start()
        let job = try await spooler.printed(colors(3), "--number-up", "2")
        let pages = try job.pages
        #expect(pages.count == 2)
        #expect(pages[0].height > pages[0].width, "the paper itself is fed upright")
        let seen = pages.map { pixelLetters(of: $0, columns: 1, rows: 4).replacing("\n", with: "") }
        // Which way the landscape content is turned on the upright sheet: its left lies at the bottom.
        #expect(seen == ["GGRR", "__BB"])
    }

    @Test func `four pages on a side are laid in rows`() async throws {
        let spooler = try TestSpooler()
        try spooler.start()
        let job = try await spooler.printed(colors(5), "--number-up", "4")
        let pages = try job.pages
        #expect(pages.count == 2)
        expectPixels(pages[0], "RG\nBY")
        expectPixels(pages[1], "M_\n__")
    }

    @Test func `a landscape page is turned onto upright paper, and can be told how to lie`() async throws {
        let spooler = try TestSpooler()
        try spooler.start()
        // The page's upper left corner comes to the lower left, as for a person who turns the paper to read it.
        expectPixels(try await spooler.printed(corner(.a4.landscape)).pages[0], "__\nR_")
        expectPixels(try await spooler.printed(corner(.a4), "--orientation", "reverse-portrait").pages[0], "__\n_R")
    }

    @Test func `small pages are enlarged, kept or made to fill, as scaling says`() async throws {
        let spooler = try TestSpooler()
        try spooler.start()
        // A quarter of the paper's area, in its own proportions.
        let small = PDFBuilder.Size(width: 297.5, height: 421)
        expectPixels(
            try await spooler.printed(colors(1, size: small), "--scaling", "fit").pages[0], "RRRR\nRRRR\nRRRR\nRRRR")
        expectPixels(
            try await spooler.printed(colors(1, size: small), "--scaling", "none").pages[0], "____\n_RR_\n_RR_\n____")
        // As wide as the paper's half and very low: filling cuts its sides off.
        var low = PDFBuilder()
        low.addPage(width: 400, height: 100) { page in
            page.fill(.blue)
            page.fill(.red, x: 0, y: 0, width: 40, height: 100)
        }
        expectPixels(
            try await spooler.printed(low, "--scaling", "fill", "--orientation", "portrait").pages[0], "BBB\nBBB\nBBB")
        expectPixels(
            try await spooler.printed(low, "--scaling", "fit", "--orientation", "portrait").pages[0],
            "___\n___\nBBB\n___\n___")
    }

    @Test func `ink in the margin is cut off, and the job says so`() async throws {
        let spooler = try TestSpooler()
        try spooler.start()
        var pdf = PDFBuilder()
        pdf.addPage(.a4) { $0.fill(.black) }
        let job = try await spooler.printed(pdf, "--scaling", "none")
        let page = try job.pages[0].bitmap
        // 4.23 mm are 16.7 pixels at 100 dpi.
        #expect(page[5, 5] == .white)
        #expect(page[page.width - 5, page.height / 2] == .white)
        #expect(page[30, 30] == Bitmap.Pixel(red: 0, green: 0, blue: 0))
        let warnings = try #require(try job.record["warnings"] as? [String])
        #expect(warnings.count == 1)
        // What was laid out for the paper must not be fitted to it once more.
        #expect((try job.record["ticket"] as? [String: Any])?["print-scaling"] as? String == "none")
        let id = try #require(try job.record["id"] as? Int)
        let queued = try await spooler.job(id)
        #expect(queued.reasons == ["job-completed-with-warnings"])
        #expect(
            queued.message?.hasPrefix(
                "marks on the page lie in the margin that the printer cannot print on; '--scaling fit' keeps them")
                == true, "\(queued.message ?? "no message")")
    }

    @Test func `submit --wait shows the warnings of a job that was printed all the same`() async throws {
        let spooler = try TestSpooler()
        try spooler.start()
        var pdf = PDFBuilder()
        pdf.addPage(.a4) { $0.fill(.black) }
        let run = try await spooler.printq("submit", "--wait", try spooler.file("full.pdf", pdf))
        expect(run)
        #expect(run.output.contains("\nwarning: marks on the page lie in the margin"), "\(run.output)")
        let fitted = try await spooler.printq("submit", "--wait", "--scaling", "fit", try spooler.file("full.pdf", pdf))
        #expect(!fitted.output.contains("warning"), "\(fitted.output)")
    }

    @Test func `a page as large as the paper loses nothing when it is fitted`() async throws {
        let spooler = try TestSpooler()
        try spooler.start()
        let job = try await spooler.printed(colors(1), "--scaling", "fit")
        #expect(try #require(try job.record["warnings"] as? [String]).isEmpty)
    }

    @Test func `paper is what was asked for`() async throws {
        let spooler = try TestSpooler()
        try spooler.start()
        let a5 = try await spooler.printed(colors(1), "--paper", "A5").pages[0]
        #expect(a5.width == 583)
        #expect(a5.height == 827)
        let photo = try await spooler.printed(
            colors(1, size: .init(width: 288, height: 432)), "-d", "inkjet", "--paper", "4x6")
        #expect(try photo.pages[0].width == 400)
        #expect(try photo.pages[0].height == 600)
    }
}

extension PDFDocument {
    /// The letter of the colour in the middle of a page.
    fileprivate func pixel(ofPage index: Int) throws -> String {
        let page = PrintedPage(bitmap: try render(page: index, dpi: 20))
        return String(pixelLetters(of: page, columns: 3, rows: 3).split(separator: "\n")[1].dropFirst().prefix(1))
    }
}
