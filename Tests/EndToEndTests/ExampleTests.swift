import Foundation
import PrintKit
import PrintRaster
import PrintSubmission
import PrintTestSupport
import Testing

/// Tests that run the printing examples on simulated printers of one spooler and check the page images.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct ExampleTests {
    @Test func `all examples print on simulated printers`() async throws {
        let desk = Desk(try TestSpooler())
        try desk.spooler.start()
        try await preparing(desk)
        try await presented(desk)
        try await html(desk)
        try await titleAndNumbers(desk)
        try await photos(desk)
        try await invoice(desk)
        try await labels(desk)
        #expect(try await desk.spooler.jobs("--all").allSatisfy { $0.state == "completed" })
    }

    @Test func `the pytest suite of a shop passes with simulated label printers`() async throws {
        let spooler = try TestSpooler()
        let programs = URL(filePath: spooler.program("printsim")).deletingLastPathComponent().path
        let root = #filePath.split(separator: "/").dropLast(3).map { "/\($0)" }.joined()
        expect(
            try await spooler.run(
                "/usr/bin/python3",
                ["-B", "-m", "pytest", "-q", "-p", "no:cacheprovider", "\(root)/Examples/PytestShop"],
                environment: ["PATH": "\(programs):/usr/bin:/bin", "TMPDIR": spooler.folder.path]))
    }

    private func preparing(_ desk: Desk) async throws {
        #expect(try await desk.run("print-button", on: "color-laser") == "Open Print Share\n")

        let info = try await desk.job("print-info", on: "color-laser")
        #expect(try info.record["name"] as? String == "Minutes of May.txt")
        #expect(try info.record["sides"] as? String == "two-sided-long-edge")
        #expect(try info.original.text(at: 0).contains("The minutes of May."))

        // A wide image on 4 × 6 inch paper at 150 dpi, rotated: its left edge is at the bottom, its right edge at the
        // top.
        let wide = try #require(try await desk.job("wide-image", on: "photo").pages.first)
        #expect(wide.width == 600 && wide.height == 900)
        #expect(wide.rgb(x: 80, y: 897).blue > 240 && wide.rgb(x: 80, y: 897).red < 20)
        #expect(wide.rgb(x: 80, y: 2).blue > 240 && wide.rgb(x: 80, y: 2).red < 240)
        #expect(wide.rgb(x: 40, y: 450) == (255, 255, 255) && wide.rgb(x: 560, y: 450) == (255, 255, 255))

        let a5 = try #require(try await desk.job("paper-of-document", on: "color-laser").pages.first)
        #expect(a5.width == 583 && a5.height == 827)

        let output = try await desk.run("log-errors", on: "color-laser")
        #expect(output == "FAILED! due to error in domain PrintErrorDomain with code 3\n")
    }

    private func presented(_ desk: Desk) async throws {
        let presented = try await desk.job("present", on: "mono-laser", keys: "\r")
        #expect(try presented.original.text(at: 0).contains("Presented, then printed."))

        // The example's print info has selected the printer. The next fields of the form are the copies and the pages.
        let range = try await desk.job("page-range", on: "mono-laser", keys: "\u{1B}[B\u{1B}[B2-3\r")
        #expect(try range.pages.count == 2)
        #expect(try range.original.text(at: 0).contains("Sheet 2") && range.original.text(at: 1).contains("Sheet 3"))
    }

    private func html(_ desk: Desk) async throws {
        for name in ["html", "web-view"] {
            let job = try await desk.job(name, on: "color-laser", keys: "\r")
            let original = try job.original
            var texts = try (0..<original.pageCount).map { try original.text(at: $0) }
            #expect(try job.pages.count == texts.count)
            // The web view is printed on two sides, so a blank back follows an odd number of pages.
            if name == "web-view", texts.last?.allSatisfy(\.isWhitespace) == true { texts.removeLast() }
            #expect(texts.count > 1 && texts[0].hasPrefix("Prices") && texts.allSatisfy { $0.contains("Article") })
            #expect(texts.joined().matches(of: /\d+\.50/).count == 60)
        }
    }

    /// Checks listing 6-10 on US Letter with the laser's margins of 4.23 mm.
    private func titleAndNumbers(_ desk: Desk) async throws {
        let job = try await desk.job("header-and-footer", on: "color-laser")
        let original = try job.original
        let margin = 4.23 / 25.4 * 72
        #expect(original.pageCount == 3)
        #expect(try job.pages.count == 3)
        for (index, image) in try job.pages.enumerated() {
            let page = PrintedPage(bitmap: try original.render(page: index, dpi: 360))
            let title = try #require(page.ink(within: Rect(x: 200, y: 14, width: 200, height: 40), dpi: 360))
            #expect(abs(title.midX - (612 - margin) / 2) < 0.5, "\(title)")
            let folio = try #require(page.ink(within: Rect(x: 560, y: 740, width: 50, height: 50), dpi: 360))
            // In this size, Helvetica has 1.1 points of space beside the dot.
            #expect(abs(folio.maxX - (612 - margin - 1 - 1.1)) < 0.3, "\(folio)")
            #expect(try original.text(at: index).contains("\(index + 1)."))
            // One inch from the left; the ink of an L begins 0.9 points into its width.
            let text = try #require(page.ink(within: Rect(x: 20, y: 60, width: 66, height: 40), dpi: 360))
            #expect(abs(text.minX - 72.9) < 0.3 && text.minY >= 72 && text.minY < 75.5, "\(text)")
            #expect(page.ink(within: Rect(x: 20, y: 792 - 72, width: 400, height: 60), dpi: 360) == nil)
            // The page image matches, within the precision of 100 dpi.
            let seen = try #require(image.ink(within: Rect(x: 200, y: 14, width: 200, height: 40), dpi: 100))
            #expect(abs(seen.midX - title.midX) < 1 && abs(seen.maxY - title.maxY) < 1, "\(seen)")
            let end = try #require(image.ink(within: Rect(x: 560, y: 740, width: 50, height: 50), dpi: 100))
            #expect(abs(end.maxX - folio.maxX) < 1, "\(end)")
        }
    }

    private func photos(_ desk: Desk) async throws {
        // The images are the documents of one job.
        let images = try await desk.jobs(1, "PrintingExamples", ["several-images", "--printer", "photo"])[0].pages
        try #require(images.count == 3)
        let (wide, high) = (images[0], images[1])
        #expect(images[2].rgb(x: 1, y: 898).blue > 250 && images[2].rgb(x: 1, y: 898).red < 20)
        #expect(wide.width == 600 && wide.height == 900 && high.width == 600 && high.height == 900)
        #expect(wide.rgb(x: 1, y: 898).red > 250 && wide.rgb(x: 1, y: 898).green < 20)
        #expect(high.rgb(x: 1, y: 1).green > 250 && high.rgb(x: 1, y: 1).red < 20)

        let sheet = try #require(try await desk.jobs(1, "PhotoSheet", ["--printer", "inkjet"]).first)
        let original = try sheet.original
        #expect(original.pageCount == 2)
        for number in 1...8 { #expect(try original.text(at: number / 7).contains("Sunset \(number)")) }
        expectPixels(
            try sheet.pages[1],
            "__________________\n" + String(repeating: "..................\n", count: 6)
                + String(repeating: "__________________\n", count: 11))
    }

    private func invoice(_ desk: Desk) async throws {
        let job = try #require(try await desk.jobs(1, "Invoice", ["--printer", "color-laser"]).first)
        let original = try job.original
        let texts = try (0..<original.pageCount).map { try original.text(at: $0) }
        #expect(try job.pages.count == texts.count && texts.last?.contains("Total") == true)
        for (page, text) in texts.enumerated() { #expect(text.contains("Page \(page + 1) of \(texts.count)")) }
        let lots = texts.joined(separator: "\n").matches(of: /lot (\d+)/).compactMap { Int($0.1) }
        // Poppler joins the cells of a row: the lot, the quantity, and the price up to its decimal point.
        #expect(lots == (1...54).map { Int("\($0)\($0 % 4 + 1)\((450 + 135 * ($0 % 7)) / 100)") })
    }

    private func labels(_ desk: Desk) async throws {
        let job = try #require(try await desk.jobs(1, "LabelRoll", ["--printer", "roll"]).first)
        // Each label is as wide as the roll, and 112 points plus 2 mm at each end long. Each label is cut separately.
        let length = 4352
        let pieces = try #require(try job.record["pieces"] as? [[String: Any]])
        #expect(pieces.compactMap { $0["length"] as? Int } == [length, length, length])
        #expect(pieces.compactMap { $0["pages"] as? Int } == [1, 1, 1])
        #expect(pieces.allSatisfy { $0["isCut"] as? Bool == true })
        let size = try job.original.pageSize(at: 0)
        #expect(abs(size.width - 288) < 0.1 && abs(size.height - Double(length) / 2540 * 72) < 0.1, "\(size)")
        #expect(try job.original.text(at: 2).contains("Hinges"))
        // The frame is one point wide and 10 points inside the printable area.
        let frame = try #require(
            PrintedPage(bitmap: try job.original.render(page: 2, dpi: 360))
                .ink(within: Rect(x: 0, y: 0, width: 288, height: 124), dpi: 360))
        #expect(abs(frame.minX - 9.5) < 0.3 && abs(frame.maxX - 278.5) < 0.3, "\(frame)")
        #expect(abs(frame.minY - (9.5 + 5.67)) < 0.3, "\(frame)")
    }

    @Test func `the steps of the tutorial for printers print on simulated printers`() async throws {
        let desk = Desk(try TestSpooler())
        try desk.spooler.start()
        let jobs = try await desk.jobs(2, "Tutorial", ["--printers"])
        let letter = try #require(jobs.first { $0.folder.contains("/color-laser/") })
        #expect(try letter.original.text(at: 0).contains("this is paper."))
        let labels = try #require(jobs.first { $0.folder.contains("/roll/") })
        let pieces = try #require(try labels.record["pieces"] as? [[String: Any]])
        #expect(pieces.count == 3 && pieces.allSatisfy { $0["isCut"] as? Bool == true })
        #expect(try labels.original.text(at: 2).contains("Hinges"))
    }

    @Test func `the program in the README prints a page with a header`() async throws {
        let desk = Desk(try TestSpooler())
        try desk.spooler.start()
        let job = try #require(try await desk.jobs(1, "PageWithHeader", []).first)
        #expect(job.folder == "\(desk.spooler.spool)/output/color-laser/job-000001")
        let page = try #require(try job.pages.first)
        #expect(try job.pages.count == 1)
        let text = try job.original.text(at: 0)
        #expect(text.contains("Page 1 of 1") && text.contains("Dear reader,") && text.contains("this is paper."))

        let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3).joined(separator: "/")
        let program = try String(contentsOfFile: "\(root)/Examples/PageWithHeader/main.swift", encoding: .utf8)
        let readme = try String(contentsOfFile: "\(root)/docs/swift.md", encoding: .utf8)
        let lines = program.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.filter { !$0.isEmpty }.count == 12)
        let shown = lines.dropLast().map { $0.isEmpty ? "" : "    \($0)" }.joined(separator: "\n")
        #expect(readme.contains(shown), "the program in the README differs from Examples/PageWithHeader")
        // The picture in README shows this page: the text is at the same position.
        let picture = PrintedPage(bitmap: try Bitmap(readingPNG: "\(root)/Examples/Pages/page-with-header.png"))
        let whole = Rect(x: 0, y: 0, width: 612, height: 792)
        let (ink, shownInk) = (page.ink(within: whole, dpi: 100), picture.ink(within: whole, dpi: 100))
        #expect(page.width == picture.width && page.height == picture.height)
        let (one, other) = (try #require(ink), try #require(shownInk))
        #expect(abs(one.minX - other.minX) < 3 && abs(one.maxX - other.maxX) < 3, "\(one) \(other)")
        #expect(abs(one.minY - other.minY) < 3 && abs(one.maxY - other.maxY) < 3, "\(one) \(other)")
    }

    /// A delegate that selects borderless 4 × 6 inch paper.
    private final class Lab: PrintInteractionControllerDelegate {
        func printInteractionController(
            _ controller: PrintInteractionController, choosePaper papers: [PrintPaper]
        ) -> PrintPaper { PrintPaper.bestPaper(forPageSize: Media.photo4x6.size, withPapersFrom: papers) }
    }

    @Test func `an app prints a borderless photo on the photo printer through a print interaction controller`()
        async throws
    {
        let spooler = try TestSpooler()
        try spooler.start()
        let bitmap = try BitmapContext(size: Size(width: 400, height: 600), isOpaque: true)
        for (color, y) in [(Color.red, 0.0), (.blue, 300)] {
            bitmap.fillColor = color
            bitmap.fill(Rect(x: 0, y: y, width: 400, height: 300))
        }
        let (controller, lab) = (PrintInteractionController(), Lab())
        controller.destination = SpoolerDestination(spool: spooler.spool)
        controller.delegate = lab
        controller.printInfo.outputType = .photo
        controller.printingItem = .image(try bitmap.makeImage())
        #expect(try await controller.print(to: controller.printer(named: "photo")))
        let job = PrintedJob(folder: "\(spooler.spool)/output/photo/job-000001")
        #expect(try job.record["warnings"] as? [String] == [])
        let page = try #require(try job.pages.first)
        #expect(page.width == 600 && page.height == 900)
        expectPixels(page, "RRRR\nRRRR\nBBBB\nBBBB")
        for (x, y) in [(1, 1), (598, 1)] { #expect(page.rgb(x: x, y: y) == (255, 0, 0), "\(x), \(y)") }
        for (x, y) in [(1, 898), (598, 898)] { #expect(page.rgb(x: x, y: y) == (0, 0, 255), "\(x), \(y)") }
    }
}

/// A spooler that runs examples with the locale of the United States.
private final class Desk {
    let spooler: TestSpooler
    private var count = 0

    init(_ spooler: TestSpooler) { self.spooler = spooler }

    /// Runs a listing, sends the keys after its options are shown, and returns its output.
    @discardableResult
    func run(_ listing: String, on printer: String, keys: String? = nil) async throws -> String {
        try await run("PrintingExamples", [listing, "--printer", printer], keys: keys)
    }

    /// Runs a listing that creates one job.
    func job(_ listing: String, on printer: String, keys: String? = nil) async throws -> PrintedJob {
        let made = try await jobs(1, "PrintingExamples", [listing, "--printer", printer], keys: keys)
        let job = try #require(made.first)
        #expect(job.folder.contains("/output/\(printer)/"))
        return job
    }

    /// Runs a program that creates this number of jobs.
    func jobs(_ new: Int, _ program: String, _ arguments: [String], keys: String? = nil) async throws -> [PrintedJob] {
        try await run(program, arguments, keys: keys)
        defer { count += new }
        var jobs: [PrintedJob] = []
        for id in count + 1...count + new {
            jobs.append(PrintedJob(folder: try #require(try await spooler.job(id).folder, "\(program) \(arguments)")))
        }
        return jobs
    }

    @discardableResult
    private func run(_ program: String, _ arguments: [String], keys: String? = nil) async throws -> String {
        var environment = ["LANG": "en_US.UTF-8"]
        // The HTML engine may be installed in the user's own folder.
        for name in ["HOME", "XDG_DATA_HOME", "XDG_DATA_DIRS", "PRINTQ_HTML_ENGINE"] {
            environment[name] = ProcessInfo.processInfo.environment[name]
        }
        let path = spooler.program(program)
        guard let keys else {
            let run = try await spooler.run(path, arguments, environment: environment)
            expect(run)
            return run.output
        }
        let (terminal, spooler) = (try PseudoTerminal(), spooler)
        async let running = spooler.run(
            "/bin/sh", terminal.shellArguments(running: path, arguments), environment: environment)
        _ = try await terminal.read(until: "Escape cancels")
        terminal.write(keys)
        let run = try await running
        expect(run)
        return run.output
    }
}

extension PrintedJob {
    /// The document that arrived at the printer.
    fileprivate var original: PDFDocument { get throws { try PDFDocument(path: "\(folder)/original.pdf") } }
}
