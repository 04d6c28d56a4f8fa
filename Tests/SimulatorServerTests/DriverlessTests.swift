import FoundationEssentials
import Glibc
import PageComparison
import PrintModel
import PrintTestSupport
import PrinterSimulator
import ProcessLaunch
import Testing

/// A real cupsd that takes a simulated printer for a real one (`lpadmin -m everywhere`).
@Suite(.serialized) struct DriverlessTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// The command that starts cupsd with a configuration of its own; as root it is told to be somebody else.
    private func cupsd(port: Int) throws -> [String] {
        for name in ["conf", "spool/tmp", "cache", "state"] {
            try FileManager.default.createDirectory(
                atPath: folder.path("cups/\(name)"), withIntermediateDirectories: true)
        }
        let root = folder.path("cups")
        try """
        ServerRoot \(root)/conf
        RequestRoot \(root)/spool
        TempDir \(root)/spool/tmp
        CacheDir \(root)/cache
        StateDir \(root)/state
        ErrorLog \(root)/log
        AccessLog /dev/null
        PageLog /dev/null

        """.write(toFile: "\(root)/conf/cups-files.conf", atomically: true, encoding: .utf8)
        try """
        Listen 127.0.0.1:\(port)
        Browsing No
        WebInterface No
        <Location />
          Allow from all
        </Location>
        <Location /admin>
          Allow from all
        </Location>
        <Policy default>
          <Limit All>
            Allow from all
          </Limit>
        </Policy>

        """.write(toFile: "\(root)/conf/cupsd.conf", atomically: true, encoding: .utf8)
        let command = ["/usr/sbin/cupsd", "-f", "-c", "\(root)/conf/cupsd.conf", "-s", "\(root)/conf/cups-files.conf"]
        guard getuid() == 0, let lp = getpwnam("lp")?.pointee else { return command }
        chmod(folder.path("."), 0o755)
        for path in try [root] + FileManager.default.subpathsOfDirectory(atPath: root).map({ "\(root)/\($0)" }) {
            chown(path, lp.pw_uid, lp.pw_gid)
        }
        return ["/usr/bin/setpriv", "--reuid=lp", "--regid=lp", "--clear-groups"] + command
    }

    private func run(_ program: String, _ arguments: String..., port: Int) async throws -> ProgramRun {
        try await ProgramRun(
            program, arguments, environment: ["CUPS_SERVER": "localhost:\(port)", "PATH": "/usr/bin:/bin"],
            in: folder.path("."))
    }

    /// Asks until cupsd answers: nothing says when it is ready.
    private func untilAnswering(port: Int) async throws {
        for _ in 0..<200 {
            if try await run("/usr/bin/lpstat", "-r", port: port).output.contains("is running") { return }
            try await Task.sleep(for: .milliseconds(50))
        }
        Issue.record("cupsd does not answer")
    }

    /// Runs a test while a printer of that file is the queue `q` of a cupsd; the test gets its URI and cupsd's port.
    ///
    /// - Parameter isOfFilters: whether cups-filters looks at the printer, rather than cupsd itself.
    private func withQueue(
        _ printer: String, scheme: String = "ipp", portOffset: Int, isOfFilters: Bool = false,
        _ test: (_ uri: String, _ port: Int) async throws -> Void
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

        let port = 20_000 + Int(getpid()) % 20_000 + portOffset
        let command = try cupsd(port: port)
        let cups = try DetachedProcess(
            program: command[0], arguments: Array(command.dropFirst()), log: folder.path("cupsd.log"))
        defer { kill(cups.pid, SIGTERM) }
        try await untilAnswering(port: port)
        var model = ("-m", "everywhere")
        if isOfFilters {
            let description = try await run("/usr/bin/driverless", uri, port: port)
            model = ("-P", folder.path("sim.ppd"))
            try description.output.write(toFile: model.1, atomically: true, encoding: .utf8)
        }
        let added = try await run(
            "/usr/sbin/lpadmin", "-p", "q", "-E", "-v", uri, model.0, model.1, port: port)
        try #require(added.code == 0, "\(added.complaints)")
        try await test(uri, port)
    }

    /// The colour of a page image at a place, in pixels from the upper left.
    private func color(ofPage number: Int, x: Int, y: Int) throws -> [UInt8] {
        let page = try PagePixels(png: folder.path("out/sim/job-000001/page-000\(number).png"))
        let start = (y * page.width + x) * 3
        return Array(page.bytes[start..<(start + 3)])
    }

    private func isNear(_ seen: [UInt8], _ wanted: [UInt8]) -> Bool {
        zip(seen, wanted).allSatisfy { abs(Int($0) - Int($1)) < 40 }
    }

    /// What cups-filters makes of `printer-output-tray`: the last page goes first to a printer whose sheets lie face up.
    /// (cupsd's own `everywhere` does not look at it.)
    @Test(arguments: [(faces: "up", first: [0, 0, 255]), (faces: "down", first: [255, 0, 0])] as [(String, [UInt8])])
    func `a cups queue knows how sheets lie in the bin, and has the first page on top`(
        faces: String, first: [UInt8]
    ) async throws {
        try await withQueue(
            """
            { name: 'sim', makeAndModel: 'Sim', media: ['A4'], color: true, formats: ['application/pdf', 'image/pwg-raster'],
              outputBins: [{ name: 'tray', faces: '\(faces)' }] }
            """, portOffset: faces == "up" ? 11 : 12, isOfFilters: true
        ) { uri, port in
            var pdf = PDFBuilder()
            for ink in [PDFBuilder.Ink.red, .green, .blue] {
                pdf.addPage(.a4) { $0.fill(ink, x: 100, y: 100, width: 300, height: 300) }
            }
            try pdf.write(to: folder.path("three.pdf"))
            let sent = try await run(
                "/usr/bin/lp", "-d", "q", "-o", "print-color-mode=color", folder.path("three.pdf"), port: port)
            #expect(sent.code == 0, "\(sent.complaints)")
            let waited = try await ProgramRun(
                Programs.besideTests("printsim"), ["wait", "--jobs", "1", "--timeout", "90"],
                environment: ["PRINTSIM_URI": uri], in: folder.path("."))
            #expect(waited.code == 0, "\(waited.output)\(waited.complaints)")
            let seen = try color(ofPage: 1, x: 300, y: 900)
            #expect(isNear(seen, first), "\(seen)")
            // So that, taken out of the bin, the red page is on top either way.
            let report = try JobReport(folder: folder.path("out/sim/job-000001")).job
            #expect(report.stack == (faces == "up" ? .lastOnTop : .firstOnTop))
        }
    }

    @Test(arguments: [
        ("ipp", ["application/pdf", "image/jpeg", "image/pwg-raster", "image/urf"], ["pdf", "jpg", "pdf"]),
        ("ipp", ["image/jpeg", "image/pwg-raster"], ["pwg", "jpg", "pwg"]),
        ("ipps", ["application/pdf", "image/jpeg", "image/pwg-raster"], ["pdf", "jpg", "pdf"]),
    ])
    func `cupsd adds the printer by itself, and what lp sends comes out on the right paper, sides and copies`(
        scheme: String, formats: [String], files: [String]
    ) async throws {
        let list = formats.map { "'\($0)'" }.joined(separator: ", ")
        try await withQueue(
            """
            { name: 'sim', makeAndModel: 'Sim Laser', media: ['A4', 'Letter'], color: true, formats: [\(list)],
              sides: ['one-sided', 'two-sided-long-edge', 'two-sided-short-edge'], resolutions: [150],
              sheetBack: 'rotated', supplies: [{ name: 'Toner', color: 'black', yield: 1000 }] }
            """, scheme: scheme, portOffset: formats.count
        ) { uri, port in
            try await printThree(uri, port: port, formats: formats, files: files)
        }
    }

    private func printThree(_ uri: String, port: Int, formats: [String], files: [String]) async throws {
        var pdf = PDFBuilder()
        for ink in [PDFBuilder.Ink.red, .blue] {
            pdf.addPage(.a4) { $0.fill(ink, x: 100, y: 100, width: 100, height: 100) }
        }
        try pdf.write(to: folder.path("two.pdf"))
        let suite = try await IPPTool(folder: folder.path("suite"))
        try "Hello\n".write(toFile: folder.path("hello.txt"), atomically: true, encoding: .utf8)
        for path in [folder.path("two.pdf"), "\(suite.folder)/color.jpg", folder.path("hello.txt")] {
            let sent = try await run(
                "/usr/bin/lp", "-d", "q", "-o", "sides=two-sided-long-edge", "-o", "media=A4", "-o",
                "print-color-mode=color", "-n", "2", path, port: port)
            #expect(sent.code == 0, "\(sent.complaints)")
        }
        let waited = try await ProgramRun(
            Programs.besideTests("printsim"), ["wait", "--jobs", "3", "--timeout", "90"],
            environment: ["PRINTSIM_URI": uri],
            in: folder.path("."))
        #expect(waited.code == 0, "\(waited.output)\(waited.complaints)")
        // Both sides stand upright, though the back was sent turned.
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
            // Copies are made by the printer, or have been by the filters. Of a JPEG that a printer without PDF takes as it
            // is, cupsd 2.4.2 asks for one copy only: its request says nothing of copies.
            let isAsked = file != "jpg" || formats.contains("application/pdf")
            #expect(report.impressions == (isAsked ? 4 : 2), "job \(index + 1)")
            #expect(report.sheets == (isAsked ? 2 : 1))
        }
        try await expectClone(of: "ipp://localhost:\(port)/printers/q", port: port)
    }

    /// cupsd's queue is cloned, by itself and by a dump, to the same file.
    private func expectClone(of queue: String, port: Int) async throws {
        let printsim = Programs.besideTests("printsim")
        let clone = try await run(printsim, "clone", queue, port: port)
        #expect(clone.code == 0, "\(clone.complaints)")
        let dump = try await run("/usr/bin/ipptool", "-tv", queue, "get-printer-attributes.test", port: port)
        try dump.output.write(toFile: folder.path("dump"), atomically: true, encoding: .utf8)
        let read = try await run(printsim, "clone", "--dump", folder.path("dump"), port: port)
        // cupsd takes over the printer's supplies at some moment of its own.
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
