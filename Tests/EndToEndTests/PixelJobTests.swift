import Foundation
import PrintRaster
import PrintTestSupport
import PrintTesting
import Testing

/// Tests of PWG raster, Apple raster and JPEG documents in the queue.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct PixelJobTests {
    /// Two pages that look different after any rotation, mirroring or shift.
    private static var document: PDFBuilder {
        var pdf = PDFBuilder()
        for (number, ink) in [PDFBuilder.Ink.red, .blue].enumerated() {
            pdf.addPage(.a4) { page in
                page.fill(ink, x: 60, y: 600, width: 200, height: 180)
                page.text("Page \(number + 1), upright", x: 60, y: 400, size: 48)
                page.text("small words that are read from left to right", x: 60, y: 100, size: 12)
            }
        }
        return pdf
    }

    /// The commands that convert a PDF to raster documents with other programs.
    ///
    /// Each entry has the name of the raster document, and the command without file names.
    ///
    /// Raster data in CMYK or with one bit per pixel is excluded: the simulated printer converts CMYK with its own
    /// color conversion, and scales one-bit pixels differently.
    private static let programs: [(name: String, command: [String])] = [
        ("color.pwg", raster("pwgraster", space: 19)), ("gray.pwg", raster("pwgraster", space: 18)),
        ("deep.pwg", raster("pwgraster", space: 19, bits: 16)),
        ("color.urf", raster("urf", space: 19)), ("gray.urf", raster("urf", space: 18)),
        ("color.jpg", ["gs", "-sDEVICE=jpeg", "-r150", "-dLastPage=1"]),
        ("gray.jpg", ["gs", "-sDEVICE=jpeggray", "-r150", "-dLastPage=1"]),
        ("ink.jpg", ["gs", "-sDEVICE=jpegcmyk", "-r150", "-dLastPage=1"]),
        ("progressive.jpg", ["pdftoppm", "-jpeg", "-jpegopt", "progressive=y", "-r", "150", "-singlefile"]),
    ]

    private static func raster(_ device: String, space: Int, bits: Int = 8) -> [String] {
        ["gs", "-sDEVICE=\(device)", "-dcupsColorSpace=\(space)", "-dcupsBitsPerColor=\(bits)", "-r200"]
    }

    /// Converts a PDF to a raster document with another program.
    private func made(_ name: String, by command: [String], in spooler: TestSpooler) async throws -> String {
        let (pdf, path) = (try spooler.file("document.pdf", Self.document), spooler.folder.path(name))
        let names =
            command[0] == "gs"
            ? ["-q", "-dSAFER", "-dBATCH", "-dNOPAUSE", "-o", path, pdf] : [pdf, String(path.dropLast(4))]
        let run = try await spooler.run(command[0], command.dropFirst() + names)
        try #require(run.code == 0, "\(command): \(run.output)\(run.complaints)")
        return path
    }

    private func submitted(_ path: String, to spooler: TestSpooler, _ options: String...) async throws -> PrintedJob {
        let run = try await spooler.run(
            spooler.program("printq"), ["submit", "--wait", "--json", "-d", "inkjet"] + options + [path])
        expect(run)
        let job = try JSONDecoder().decode(QueuedJob.self, from: Data(run.output.utf8))
        #expect(job.state == "completed")
        return PrintedJob(folder: try #require(job.folder))
    }

    /// Checks that pages look the same, except for the edges of letters.
    private func expectAlike(_ seen: PrintedJob, _ expected: PrintedJob, _ what: Comment) throws {
        let (seen, expected) = (try seen.pages.map(\.bitmap), try expected.pages.map(\.bitmap))
        try #require(seen.count == expected.count, what)
        for (index, page) in seen.enumerated() {
            let difference = page.difference(from: expected[index], tolerance: 100)
            let share = Double(difference.pixelCount) / Double(page.width * page.height)
            #expect(share < 0.004, "\(what), page \(index + 1): \(difference) of \(page.width) × \(page.height)")
        }
    }

    @Test func `a raster document has the same pages through printd as in direct printing`() async throws {
        let printer = try await TestPrinter.start("inkjet")
        let spooler = try TestSpooler()
        try spooler.start()
        for (number, (name, command)) in Self.programs.enumerated() {
            let path = try await made(name, by: command, in: spooler)
            let seen = try await submitted(path, to: spooler)
            try await printer.submit(path)
            _ = try await printer.nextJob()
            let straight = String("000000\(number + 1)".suffix(6))
            try expectAlike(
                seen, PrintedJob(folder: "\(printer.outputFolder)/job-\(straight)"), "\(name)")
        }
        await printer.stop()
    }

    @Test func `page ranges and number-up apply to raster documents, and previews show raster documents`() async throws
    {
        let spooler = try TestSpooler()
        try spooler.start()
        var raster = RasterBuilder(.pwg, .srgb8)
        // A5 at 72 dpi is 419 × 595 points: 26 × 37 letters of 16 pixels.
        for ink in ["R", "K", "B"] {
            raster.addPage(Array(repeating: String(repeating: ink, count: 26), count: 37).joined(separator: "\n"))
        }
        let path = try spooler.file("pages.pwg", raster.bytes)
        let second = try await submitted(path, to: spooler, "--pages", "2", "--paper", "A5")
        #expect(try second.pages.count == 1)
        expectPixels(try second.pages[0], "...\n.K.\n...")
        let shared = try await submitted(path, to: spooler, "--pages", "1,3", "--number-up", "2")
        #expect(try shared.pages.count == 1)
        let folder = spooler.folder.path("preview")
        let preview = try await spooler.printq("preview", "-d", "inkjet", "--output", folder, path)
        #expect(preview.code == 0, "\(preview.complaints)")
        #expect(preview.lines.count == 3)
    }

    @Test func `lp prints a photo without a declared document format`() async throws {
        let spooler = try TestSpooler()
        let ready = try spooler.start(tcp: true)
        let path = try await made(
            "photo.jpg", by: ["gs", "-sDEVICE=jpeg", "-r50", "-dLastPage=1"], in: spooler)
        let run = try await spooler.run("lp", ["-h", ready.host, "-d", "inkjet", path])
        #expect(run.code == 0, "\(run.complaints)")
        #expect(try await spooler.ended(1).state == "completed")
    }

    @Test func `a job with a damaged raster document is aborted with 'document-format-error'`() async throws {
        let spooler = try TestSpooler()
        try spooler.start()
        var raster = RasterBuilder(.urf, .gray8)
        raster.addPage("KK\nKK")
        let path = try spooler.file("cut.urf", Array(raster.bytes.dropLast()))
        let run = try await spooler.printq("submit", "--wait", path)
        #expect(run.code != 0)
        let job = try await spooler.job(1)
        #expect(job.state == "aborted")
        #expect(job.reasons.contains("document-format-error"))
        #expect(job.message?.contains("the file ends in the middle of a page") == true, "\(job.message ?? "")")
    }
}
