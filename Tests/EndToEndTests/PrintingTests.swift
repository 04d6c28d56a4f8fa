import Foundation
import PrintModel
import PrintRaster
import PrintTestSupport
import Testing

@Suite(.serialized, .timeLimit(.minutes(2)))
struct PrintingTests {
    /// The path of `Examples/welcome.pdf` in this checkout.
    private let welcome = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../Examples/welcome.pdf")
        .standardized.path

    @Test func `the first command of the README prints on the color laser and shows the output folder`() async throws {
        let spooler = try TestSpooler()
        try spooler.start()
        let run = try await spooler.printq("submit", "--wait", welcome)
        expect(run)
        let folder = "\(spooler.spool)/output/color-laser/job-000001"
        #expect(
            run.output == """
                job 1 completed: 2 pages on 2 sheets
                \(folder)/
                  page-0001.png  page-0002.png  job.json  original.pdf  sheets.pdf

                """)
        let job = PrintedJob(folder: folder)
        #expect(try job.pages.contains { !$0.bitmap.isGray })
        #expect(try job.pages.allSatisfy { !$0.bitmap.isBlank })
        #expect(try job.sheets.pageCount == 2)
        let record = try job.record
        #expect(record["state"] as? String == "completed")
        #expect(record["impressions"] as? Int == 2)
        #expect(record["name"] as? String == "welcome.pdf")
        let log = try spooler.log(of: "color-laser")
        #expect(log.count == 1)
        #expect(log.first?.state == "completed")
        #expect(log.first?.impressions == 2)
    }

    @Test func `colors are printed in color on the color laser and in gray on the mono laser`() async throws {
        let spooler = try TestSpooler()
        try spooler.start()
        var pdf = PDFBuilder()
        pdf.addPage(.a4) { page in
            page.fill(.red, x: 0, y: 421, width: 298, height: 421)
            page.fill(.blue, x: 298, y: 421, width: 297, height: 421)
            page.fill(.green, x: 0, y: 0, width: 298, height: 421)
        }
        let color = try await spooler.printed(pdf, "--scaling", "fit")
        expectPixels(
            try color.pages[0],
            """
            RRBB
            RRBB
            GG__
            GG__
            """)
        // The grays have the brightness of the colors: red 130, blue 70, green 220.
        let mono = try await spooler.printed(pdf, "--scaling", "fit", "-d", "mono-laser")
        expectPixels(
            try mono.pages[0],
            """
            AADD
            AADD
            LL__
            LL__
            """)
        #expect(try mono.pages[0].bitmap.isGray)
        let gray = try await spooler.printed(pdf, "--scaling", "fit", "--color", "gray")
        #expect(try gray.pages[0].bitmap.isGray)
        #expect(try color.pages[0].bitmap.isGray == false)
    }

    @Test func `'printq preview' lists the page images of a job`() async throws {
        let spooler = try TestSpooler()
        try spooler.start()
        let path = try spooler.file("three.pdf", .numbered(pages: 3))
        expect(try await spooler.printq("submit", "--wait", path))
        let run = try await spooler.printq("preview", "1")
        expect(run)
        #expect(run.lines.count == 3)
        #expect(run.lines.allSatisfy { FileManager.default.isReadableFile(atPath: $0) })
        #expect(run.lines.last?.hasSuffix("/page-0003.png") == true)
    }

    @Test func `empty standard input is refused, and several files are printed as one job`() async throws {
        let spooler = try TestSpooler()
        try spooler.start()
        let pdf = String(decoding: try Data(contentsOf: URL(fileURLWithPath: welcome)).prefix(0), as: UTF8.self)
        expect(
            try await spooler.printq("submit", "--wait", "-", input: pdf), code: 65,
            says: "printq: standard input is empty; there is nothing to print")
        let first = try spooler.file("a.pdf", .numbered(pages: 1))
        let second = try spooler.file("b.pdf", .numbered(pages: 2))
        let run = try await spooler.printq("submit", "--wait", first, second)
        expect(run)
        #expect(run.lines.first == "job 1 completed: 3 pages on 3 sheets")
    }
}
