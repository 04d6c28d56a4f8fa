import Foundation
import PrintRaster
import PrintTestSupport
import Testing

@Suite(.serialized, .sharesSpooler, .timeLimit(.minutes(2)))
struct LayoutTests {
    private static let inks: [PDFBuilder.Ink] = [.red, .green, .blue, .yellow, .magenta, .cyan]

    /// Returns pages in the colors R, G, B, Y, M, C, with one color per page.
    private func colors(_ count: Int, size: PDFBuilder.Size = .a4) -> PDFBuilder {
        var pdf = PDFBuilder()
        for ink in Self.inks.prefix(count) { pdf.addPage(size) { $0.fill(ink) } }
        return pdf
    }

    /// Returns a page whose upper left quarter is red.
    private func corner(_ size: PDFBuilder.Size) -> PDFBuilder {
        var pdf = PDFBuilder()
        pdf.addPage(size) { page in
            page.fill(.red, x: 0, y: size.height / 2, width: size.width / 2, height: size.height / 2)
        }
        return pdf
    }

    /// Returns one letter per page for the color in the middle of the page.
    private func middles(_ job: PrintedJob) throws -> String {
        try job.pages.map { page in
            String(pixelLetters(of: page, columns: 3, rows: 3).split(separator: "\n")[1].dropFirst().prefix(1))
        }.joined()
    }

    @Test func `page ranges are printed in the given order, and --reverse reverses the order`() async throws {
        let spooler = try TestSpooler.shared()
        #expect(try middles(try await spooler.printed(colors(6), "--pages", "1-2,5-")) == "RGMC")
        #expect(try middles(try await spooler.printed(colors(3), "--reverse")) == "BGR")
        #expect(try middles(try await spooler.printed(colors(3), "--pages", "2")) == "G")
    }

    @Test func `each copy of a two-sided job with three pages starts on a new sheet`() async throws {
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

    @Test func `two pages per side are placed left to right on rotated paper`() async throws {
        let spooler = try TestSpooler.shared()
        let job = try await spooler.printed(colors(3), "--number-up", "2")
        let pages = try job.pages
        #expect(pages.count == 2)
        #expect(pages[0].height > pages[0].width, "the paper itself is fed upright")
        let seen = pages.map { pixelLetters(of: $0, columns: 1, rows: 4).replacing("\n", with: "") }
        // The landscape content is rotated on the upright sheet. The left edge of the content is at the bottom.
        #expect(seen == ["GGRR", "__BB"])
    }

    @Test func `four pages per side are placed row by row`() async throws {
        let spooler = try TestSpooler.shared()
        let job = try await spooler.printed(colors(5), "--number-up", "4")
        let pages = try job.pages
        #expect(pages.count == 2)
        expectPixels(pages[0], "RG\nBY")
        expectPixels(pages[1], "M_\n__")
    }

    @Test func `a landscape page is rotated to fit portrait paper, and --orientation overrides the rotation`()
        async throws
    {
        let spooler = try TestSpooler.shared()
        // The upper left corner of the page is at the lower left of the sheet: a reader turns the sheet to read the
        // page.
        expectPixels(try await spooler.printed(corner(.a4.landscape)).pages[0], "__\nR_")
        expectPixels(try await spooler.printed(corner(.a4), "--orientation", "reverse-portrait").pages[0], "__\n_R")
    }

    @Test func `--scaling selects whether a small page is fitted to the paper, keeps its size or covers the paper`()
        async throws
    {
        let spooler = try TestSpooler.shared()
        // The page has a quarter of the paper's area and the same proportions.
        let small = PDFBuilder.Size(width: 297.5, height: 421)
        expectPixels(
            try await spooler.printed(colors(1, size: small), "--scaling", "fit").pages[0], "RRRR\nRRRR\nRRRR\nRRRR")
        expectPixels(
            try await spooler.printed(colors(1, size: small), "--scaling", "none").pages[0], "____\n_RR_\n_RR_\n____")
        // The page is half as wide as the paper and very low. With 'fill', its left and right sides are clipped.
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

    @Test func `a receipt of 2.1 m is printed on a roll in two pieces, and on A4 with a warning that names the scale`()
        async throws
    {
        let spooler = try TestSpooler.shared()
        var pdf = PDFBuilder()
        pdf.addPage(width: 226.77, height: 5952.7) { page in
            page.fill(.red, x: 0, y: 5952.7 / 2, width: 226.77, height: 5952.7 / 2)
            page.fill(.blue, x: 0, y: 0, width: 226.77, height: 5952.7 / 2)
        }
        let roll = try await spooler.printed(pdf, "-d", "roll")
        let pieces = try #require(try roll.record["pieces"] as? [[String: Any]])
        #expect(pieces.map { $0["length"] as? Int } == [105_400, 105_400])
        let pages = try roll.pages
        #expect(pages.map { pixelLetters(of: $0, columns: 1, rows: 1) } == ["R", "B"])
        #expect(pages.map(\.width) == [400, 400])
        let id = try #require(try roll.record["queueJob"] as? Int)
        let queued = try await spooler.job(id)
        #expect(queued.reasons == ["job-completed-successfully"], "\(queued.message ?? "")")
        #expect((try roll.record["warnings"] as? [String])?.isEmpty == true)

        let sheet = try await spooler.printed(pdf)
        let other = try await spooler.job(try #require(try sheet.record["queueJob"] as? Int))
        #expect(other.reasons == ["job-completed-with-warnings"])
        #expect(other.message?.contains("is printed at 14 % of its size; choose larger paper") == true, "\(other)")
    }

    @Test func `content in the margin is clipped, and the job reports a warning`() async throws {
        let spooler = try TestSpooler.shared()
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
        // Prepared pages must not be scaled again by the printer.
        #expect((try job.record["ticket"] as? [String: Any])?["print-scaling"] as? String == "none")
        let id = try #require(try job.record["queueJob"] as? Int)
        let queued = try await spooler.job(id)
        #expect(queued.reasons == ["job-completed-with-warnings"])
        #expect(
            queued.message?.hasPrefix(
                "content on the page is in the unprintable margin and will be cut off; print with '--scaling fit'")
                == true, "\(queued.message ?? "no message")")
    }

    @Test func `'submit --wait' shows the warnings of a completed job`() async throws {
        let spooler = try TestSpooler.shared()
        var pdf = PDFBuilder()
        pdf.addPage(.a4) { $0.fill(.black) }
        let run = try await spooler.printq("submit", "--wait", try spooler.file("full.pdf", pdf))
        expect(run)
        #expect(run.output.contains("\nwarning: content on the page is in the unprintable margin"), "\(run.output)")
        let fitted = try await spooler.printq("submit", "--wait", "--scaling", "fit", try spooler.file("full.pdf", pdf))
        #expect(!fitted.output.contains("warning"), "\(fitted.output)")
    }

    @Test func `with '--scaling fit', a page of the paper's size is not clipped`() async throws {
        let spooler = try TestSpooler.shared()
        let job = try await spooler.printed(colors(1), "--scaling", "fit")
        #expect(try #require(try job.record["warnings"] as? [String]).isEmpty)
    }

    @Test func `a job is printed on the paper that --paper selects`() async throws {
        let spooler = try TestSpooler.shared()
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
    /// Returns the letter of the color in the middle of a page.
    fileprivate func pixel(ofPage index: Int) throws -> String {
        let page = PrintedPage(bitmap: try render(page: index, dpi: 20))
        return String(pixelLetters(of: page, columns: 3, rows: 3).split(separator: "\n")[1].dropFirst().prefix(1))
    }
}
