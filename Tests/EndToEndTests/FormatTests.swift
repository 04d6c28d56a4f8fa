import Foundation
import PrintRaster
import PrintTestSupport
import Testing

/// Tests of printers that do not accept PDF.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct FormatTests {
    private static let shipped = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../Simulators")
        .standardized

    /// Returns a changed definition of a simulated printer with a new name and one format.
    private func file(
        of printer: String, as name: String, formats: String, resolutions: String = "200", more: String = ""
    ) throws -> String {
        let text = try String(
            contentsOf: Self.shipped.appendingPathComponent("\(printer).json5"), encoding: .utf8)
        return text.replacing(/name: "[a-z-]+",\n/, with: "name: \"\(name)\",\n", maxReplacements: 1)
            .replacing(/formats: \[[^\]]*\],/, with: "formats: [\(formats)], \(more)")
            .replacing(/resolutions: \[[^\]]*\],/, with: "resolutions: [\(resolutions)],")
    }

    /// Starts a spooler with these definitions of simulated printers.
    private func start(_ files: [String: String]) throws -> TestSpooler {
        let spooler = try TestSpooler()
        let folder = spooler.folder.path("simulators")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for name in ["color-laser", "mono-laser", "inkjet", "inkjet-duplex", "photo", "label", "roll"] {
            let text = try files[name] ?? file(of: name, as: name, formats: "'application/pdf'")
            try text.write(toFile: "\(folder)/\(name).json5", atomically: true, encoding: .utf8)
        }
        try spooler.start("--simulators", folder)
        return spooler
    }

    private var document: PDFBuilder {
        var pdf = PDFBuilder()
        for (number, ink) in [PDFBuilder.Ink.red, .green, .blue].enumerated() {
            pdf.addPage(.a4) { page in
                page.fill(ink, x: 60, y: 600, width: 200, height: 180)
                page.text("Page \(number + 1), upright", x: 60, y: 400, size: 48)
                page.text("small words that are read from left to right", x: 60, y: 100, size: 12)
            }
        }
        return pdf
    }

    /// Checks that two printed jobs look the same, except for the edges of letters at different resolutions.
    private func expectAlike(
        _ seen: PrintedJob, _ expected: PrintedJob, _ what: Comment, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let (seen, expected) = (try sides(of: seen), try sides(of: expected))
        try #require(seen.count == expected.count, what, sourceLocation: sourceLocation)
        for (index, side) in seen.enumerated() {
            let difference = side.difference(from: expected[index], tolerance: 100)
            let share = Double(difference.pixelCount) / Double(side.width * side.height)
            #expect(
                share < 0.004, "\(what), side \(index + 1): \(difference) of \(side.width) × \(side.height)",
                sourceLocation: sourceLocation)
        }
    }

    /// Returns every printed side, including copies and blank backs.
    private func sides(of job: PrintedJob) throws -> [Bitmap] {
        let sheets = try job.sheets
        return try (0..<sheets.pageCount).map { try sheets.render(page: $0, dpi: 50) }
    }

    private func expectOriginal(_ job: PrintedJob, _ fileExtension: String, _ what: Comment) {
        #expect(FileManager.default.fileExists(atPath: "\(job.folder)/original.\(fileExtension)"), what)
    }

    @Test func `two-sided pages look the same on raster and PDF printers for every value of the setting 'sheetBack'`()
        async throws
    {
        let printers = [
            ("mono-laser", "image/pwg-raster", "normal"), ("inkjet", "image/pwg-raster", "flipped"),
            ("inkjet-duplex", "image/pwg-raster", "rotated"), ("photo", "image/pwg-raster", "manual-tumble"),
            ("label", "image/urf", "rotated"), ("roll", "image/urf", "flipped"),
        ]
        var files: [String: String] = [:]
        for (name, format, back) in printers {
            files[name] = try file(
                of: "color-laser", as: name, formats: "'\(format)'", more: "sheetBack: '\(back)',")
        }
        let spooler = try start(files)
        var expected: [String: PrintedJob] = [:]
        for edge in ["long", "short"] {
            expected[edge] = try await printed(on: spooler, "color-laser", ["--duplex", edge])
        }
        for ((name, format, back), edge) in TestRun.pairs(printers, ["long", "short"]) {
            let options = ["--duplex", edge]
            let expected = try #require(expected[edge])
            let job = try await printed(on: spooler, name, options)
            expectOriginal(job, format == "image/urf" ? "urf" : "pwg", "\(name)")
            try expectAlike(job, expected, "\(format) \(back) \(options)")
        }
    }

    private func printed(on spooler: TestSpooler, _ printer: String, _ options: [String]) async throws -> PrintedJob {
        let path = try spooler.file("\(UUID().uuidString).pdf", document)
        let run = try await spooler.run(
            spooler.program("printq"), ["submit", "--wait", "--json", "-d", printer] + options + [path])
        expect(run)
        let job = try JSONDecoder().decode(QueuedJob.self, from: Data(run.output.utf8))
        return PrintedJob(folder: try #require(job.folder))
    }

    @Test func `page ranges, number-up, copies and gray printing produce the same pages in every document format`()
        async throws
    {
        var files: [String: String] = [:]
        for (name, format) in [("mono-laser", "image/pwg-raster"), ("inkjet", "image/urf")] {
            files[name] = try file(of: "color-laser", as: name, formats: "'\(format)'")
        }
        // The printer cannot make copies.
        files["inkjet-duplex"] = try file(of: "color-laser", as: "inkjet-duplex", formats: "'image/urf'")
            .replacing("maxCopies: 99", with: "maxCopies: 1")
        let spooler = try start(files)
        for options in [
            ["--pages", "2-3", "-n", "2"], ["--number-up", "2", "--duplex", "long", "-n", "2"],
            ["--color", "monochrome", "--quality", "draft"],
        ] {
            let expected = try await printed(on: spooler, "color-laser", options)
            for name in ["mono-laser", "inkjet", "inkjet-duplex"] {
                try expectAlike(try await printed(on: spooler, name, options), expected, "\(name) \(options)")
            }
        }
    }

    @Test
    func `gray pages, labels, rolls and photos look the same in every format, and printq shows the document format`()
        async throws
    {
        var files: [String: String] = [:]
        for (name, format) in [
            ("mono-laser", "image/pwg-raster"), ("label", "image/urf"), ("roll", "image/pwg-raster"),
            ("photo", "image/jpeg"),
        ] {
            files[name] = try file(of: name, as: name, formats: "'\(format)'")
        }
        let (raster, reference) = (try start(files), try start([:]))
        let words = [
            ("mono-laser", "pwg", "PWG raster, 200 dpi, gray"), ("label", "urf", "Apple raster, 200 dpi, gray"),
            ("roll", "pwg", "PWG raster, 200 dpi, color"), ("photo", "jpg", "JPEG, 200 dpi, color"),
        ]
        for (index, (name, fileExtension, form)) in words.enumerated() {
            let job = try await printed(on: raster, name, ["--pages", "2"])
            expectOriginal(job, fileExtension, "\(name)")
            try expectAlike(job, try await printed(on: reference, name, ["--pages", "2"]), "\(name)")
            let shown = try await raster.printq("show", "\(index + 1)")
            #expect(shown.output.contains("ending to the printer as \(form)"), "\(shown.output)")
        }
        // Each page is a separate image.
        let job = try await printed(on: raster, "photo", [])
        #expect(try job.pageNames.count == 3)
        try expectAlike(job, try await printed(on: reference, "photo", []), "three photos")
        // The prepared files have been deleted.
        let left = try FileManager.default.subpathsOfDirectory(atPath: "\(raster.spool)/jobs")
        #expect(!left.contains { $0.contains("prepared") }, "\(left)")
    }

    @Test func `a black-and-white printer receives shades of gray as halftones with the same average brightness`()
        async throws
    {
        let laser = try file(
            of: "mono-laser", as: "mono-laser", formats: "'image/pwg-raster'", resolutions: "600",
            more: "rasterTypes: ['black_1'],")
        let spooler = try start(["mono-laser": laser])
        var pdf = PDFBuilder()
        pdf.addPage(width: 420, height: 595) { page in
            page.fill(PDFBuilder.Ink(red: 0.75, green: 0.75, blue: 0.75), x: 0, y: 0, width: 420, height: 595)
            page.fill(.black, x: 50, y: 150, width: 320, height: 150)
        }
        let job = try await spooler.printed(pdf, "-d", "mono-laser", "--paper", "A5", "--scaling", "fill")
        let page = try job.pages[0].bitmap
        let middle = (0..<20).flatMap { x in
            (0..<20).map { y in Int(page[page.width / 2 + x, page.height / 3 + y].red) }
        }
        #expect((180...202).contains(middle.reduce(0, +) / middle.count))
        #expect(page[page.width / 2, page.height * 2 / 3].red == 0)
        let shown = try await spooler.printq("show", "1")
        #expect(shown.output.contains("PWG raster, 600 dpi, black and white"), "\(shown.output)")
    }
}
