import FoundationEssentials
import Glibc
import PageComparison
import PrintModel
import PrintTestSupport
import PrinterSimulator
import ProcessLaunch
import Testing

/// Tests with a real cupsd that uses a simulated printer as a driverless printer (`lpadmin -m everywhere`).
@Suite(.serialized) struct DriverlessTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Runs a test with a printer and a cupsd that has the queue `q` for the printer.
    ///
    /// - Parameters:
    ///   - isOfFilters: Whether cups-filters instead of cupsd creates the PPD of the queue.
    ///   - test: The test, with the printer's URI and the cupsd.
    private func withQueue(
        _ printer: String, scheme: String = "ipp", isOfFilters: Bool = false,
        _ test: (_ uri: String, _ cups: PrivateCupsd) async throws -> Void
    ) async throws {
        try FileManager.default.createDirectory(atPath: folder.path("sims"), withIntermediateDirectories: true)
        try printer.write(toFile: folder.path("sims/sim.json5"), atomically: true, encoding: .utf8)
        let printsim = try DetachedProcess(
            program: Programs.besideTests("printsim"),
            arguments: ["sim", "--simulators", folder.path("sims"), "--output", folder.path("out"), "--no-dns-sd"],
            log: folder.path("printsim.log"))
        defer { kill(printsim.pid, SIGTERM) }
        let line = try #require(printsim.readLine(deadline: 30))
        let uri = try #require(line.split(separator: "\"").map(String.init).first { $0.hasPrefix("\(scheme)://") })

        let cups = try PrivateCupsd()
        var model = ("-m", "everywhere")
        if isOfFilters {
            let description = try await cups.run("driverless", uri)
            model = ("-P", folder.path("sim.ppd"))
            try description.output.write(toFile: model.1, atomically: true, encoding: .utf8)
        }
        try await cups.addQueue("q", to: uri, model.0, model.1)
        try await test(uri, cups)
    }

    /// Returns the color of a page image at a position, in pixels from the upper left corner.
    private func color(ofPage number: Int, x: Int, y: Int) throws -> [UInt8] {
        let page = try PagePixels(png: folder.path("out/sim/job-000001/page-000\(number).png"))
        let start = (y * page.width + x) * 3
        return Array(page.bytes[start..<(start + 3)])
    }

    private func isNear(_ seen: [UInt8], _ wanted: [UInt8]) -> Bool {
        zip(seen, wanted).allSatisfy { abs(Int($0) - Int($1)) < 40 }
    }

    // cups-filters evaluates printer-output-tray: it sends the last page first to a printer with face-up output.
    // cupsd's own 'everywhere' driver does not evaluate that attribute.
    @Test(arguments: [(faces: "up", first: [0, 0, 255]), (faces: "down", first: [255, 0, 0])] as [(String, [UInt8])])
    func `cups-filters sends the pages in the order that leaves page 1 on top in the output bin`(
        faces: String, first: [UInt8]
    ) async throws {
        try await withQueue(
            """
            { name: 'sim', makeAndModel: 'Sim', media: ['A4'], color: true, formats: ['application/pdf', 'image/pwg-raster'],
              outputBins: [{ name: 'tray', faces: '\(faces)' }] }
            """, isOfFilters: true
        ) { uri, cups in
            var pdf = PDFBuilder()
            for ink in [PDFBuilder.Ink.red, .green, .blue] {
                pdf.addPage(.a4) { $0.fill(ink, x: 100, y: 100, width: 300, height: 300) }
            }
            try pdf.write(to: folder.path("three.pdf"))
            let sent = try await cups.run("lp", "-d", "q", "-o", "print-color-mode=color", folder.path("three.pdf"))
            #expect(sent.code == 0, "\(sent.complaints)")
            let waited = try await ProgramRun(
                Programs.besideTests("printsim"), ["wait", "--jobs", "1", "--timeout", "90"],
                environment: ["PRINTSIM_URI": uri], in: folder.path("."))
            #expect(waited.code == 0, "\(waited.output)\(waited.complaints)")
            let seen = try color(ofPage: 1, x: 300, y: 900)
            #expect(isNear(seen, first), "\(seen)")
            // In both cases the red page is on top of the stack.
            let report = try JobReport(folder: folder.path("out/sim/job-000001")).job
            #expect(report.stack == (faces == "up" ? .lastOnTop : .firstOnTop))
        }
    }

    @Test(arguments: [
        ("ipp", ["application/pdf", "image/jpeg", "image/pwg-raster", "image/urf"], ["pdf", "jpg", "pdf"]),
        ("ipp", ["image/jpeg", "image/pwg-raster"], ["pwg", "jpg", "pwg"]),
        ("ipps", ["application/pdf", "image/jpeg", "image/pwg-raster"], ["pdf", "jpg", "pdf"]),
    ])
    func `cupsd adds the printer as a driverless queue, and lp prints with the correct paper, sides and copies`(
        scheme: String, formats: [String], files: [String]
    ) async throws {
        let list = formats.map { "'\($0)'" }.joined(separator: ", ")
        try await withQueue(
            """
            { name: 'sim', makeAndModel: 'Sim Laser', media: ['A4', 'Letter'], color: true, formats: [\(list)],
              sides: ['one-sided', 'two-sided-long-edge', 'two-sided-short-edge'], resolutions: [150],
              sheetBack: 'rotated', supplies: [{ name: 'Toner', color: 'black', yield: 1000 }] }
            """, scheme: scheme
        ) { uri, cups in
            try await printThree(uri, cups, formats: formats, files: files)
        }
    }

    private func printThree(_ uri: String, _ cups: PrivateCupsd, formats: [String], files: [String]) async throws {
        var pdf = PDFBuilder()
        for ink in [PDFBuilder.Ink.red, .blue] {
            pdf.addPage(.a4) { $0.fill(ink, x: 100, y: 100, width: 100, height: 100) }
        }
        try pdf.write(to: folder.path("two.pdf"))
        let suite = try await IPPTool(folder: folder.path("suite"))
        try "Hello\n".write(toFile: folder.path("hello.txt"), atomically: true, encoding: .utf8)
        for path in [folder.path("two.pdf"), "\(suite.folder)/color.jpg", folder.path("hello.txt")] {
            let sent = try await cups.run(
                "lp", "-d", "q", "-o", "sides=two-sided-long-edge", "-o", "media=A4", "-o", "print-color-mode=color",
                "-n", "2", path)
            #expect(sent.code == 0, "\(sent.complaints)")
        }
        let waited = try await ProgramRun(
            Programs.besideTests("printsim"), ["wait", "--jobs", "3", "--timeout", "90"],
            environment: ["PRINTSIM_URI": uri],
            in: folder.path("."))
        #expect(waited.code == 0, "\(waited.output)\(waited.complaints)")
        // Both sides are upright, although the back was sent rotated.
        for (number, color) in [(1, [255, 0, 0]), (2, [0, 0, 255])] as [(Int, [UInt8])] {
            let seen = try self.color(ofPage: number, x: 208, y: 961)
            #expect(isNear(seen, color), "page \(number): \(seen)")
        }
        for (index, file) in files.enumerated() {
            let job = folder.path("out/sim/job-00000\(index + 1)")
            #expect(FileManager.default.fileExists(atPath: "\(job)/original.\(file)"), "\(index + 1)")
            let report = try JobReport(folder: job).job
            #expect(report.state == .completed && report.options.paper.media == .a4)
            #expect(report.options.duplex == .longEdge)
            // The printer or the filters make the copies. For a JPEG that is sent unchanged to a printer without PDF,
            // cupsd 2.4.2 requests only one copy: its request contains no copies attribute.
            let isAsked = file != "jpg" || formats.contains("application/pdf")
            // The first document has two pages. Each other document has one page and a blank back.
            #expect(report.impressions == (index == 0 ? 2 : 1) * (isAsked ? 2 : 1), "job \(index + 1)")
            #expect(report.sheets == (isAsked ? 2 : 1))
        }
        try await expectClone(of: cups.uri(of: "q"), cups)
    }

    /// Checks that a clone of a queue of cupsd and a clone of the queue's ipptool dump are equal.
    private func expectClone(of queue: String, _ cups: PrivateCupsd) async throws {
        let printsim = Programs.besideTests("printsim")
        let clone = try await cups.run(printsim, "clone", queue)
        #expect(clone.code == 0, "\(clone.complaints)")
        let dump = try await cups.run("ipptool", "-tv", queue, "get-printer-attributes.test")
        try dump.output.write(toFile: folder.path("dump"), atomically: true, encoding: .utf8)
        let read = try await cups.run(printsim, "clone", "--dump", folder.path("dump"))
        // cupsd updates the supplies asynchronously.
        func cloned(_ run: ProgramRun) throws -> SimulatedPrinterDescription {
            var description = try SimulatedPrinterDescription(json5: Data(run.output.utf8), file: "clone")
            description.supplies = []
            return description
        }
        let description = try cloned(clone)
        #expect(try cloned(read) == description)
        #expect(description.name == "q" && description.isColor && description.sides.count == 3)
        #expect(description.papers.map(\.media.localizedName).sorted() == ["A4", "Letter"])
    }
}
