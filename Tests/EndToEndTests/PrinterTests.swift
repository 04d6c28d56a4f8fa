import Foundation
import IPP
import PrintRaster
import PrintTestSupport
import ProcessLaunch
import Testing

/// Tests that add, change and remove printers with the real programs and Debian's CUPS programs.
@Suite(.serialized, .timeLimit(.minutes(4)))
struct PrinterTests {
    private let spooler: TestSpooler

    init() throws { spooler = try TestSpooler() }

    /// Starts a simulated printer on TCP that is independent of the spooler, and returns its URI.
    private func startPrinter() throws -> (program: ChildProgram, uri: String) {
        let program = try ChildProgram(
            "env",
            [
                spooler.program("printsim"), "color-laser", "--port", "0", "--no-dns-sd", "--speed", "instant",
                "--output",
                spooler.folder.path("stranger"),
            ])
        while let line = program.readLine() {
            if let uri = line.firstMatch(of: /ipp:\/\/localhost:\d+[^"]*/) { return (program, String(uri.0)) }
        }
        throw ChildProgram.Failure(description: "printsim was not ready")
    }

    private func makeFolder(_ name: String) throws -> String {
        let path = spooler.folder.path(name)
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        return path
    }

    private func pdfs(in folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".pdf") }.sorted()
    }

    private func document(_ name: String) throws -> String {
        var pdf = PDFBuilder()
        pdf.addPage(.a4) { $0.fill(.red) }
        return try spooler.file(name, pdf)
    }

    @Test func `'printq printers add' queries the printer and shows the printer's model and formats`() async throws {
        try spooler.start()
        let (printer, uri) = try startPrinter()
        let added = try await spooler.printq(
            "printers", "add", "office", uri, "--location", "Upstairs", "--default", "-o", "sides=two-sided-long-edge")
        expect(added)
        #expect(added.lines.first == "added office as the default printer")
        #expect(added.output.contains("printq Color Laser") && added.output.contains("formats: pdf"))
        let again = try await spooler.printq("printers", "add", "office", uri)
        expect(again, code: 1)
        let options = try await spooler.printq("printers", "options", "office")
        #expect(options.output.contains(/sides +two-sided-long-edge/))
        let run = try await spooler.printq("submit", "--wait", try document("a.pdf"))
        expect(run)
        let ticket = try await spooler.printq("show", "1", "--json").output
        #expect(ticket.contains(/"sides" ?: ?"two-sided-long-edge"/), "\(ticket)")
        withExtendedLifetime(printer) {}
    }

    @Test func `'printers add' refuses each unusable URI with a specific message and exit code`() async throws {
        try spooler.start()
        let (printer, uri) = try startPrinter()
        let wrong = try await spooler.printq("printers", "add", "x", "lpd://host/queue")
        expect(wrong, code: 64)
        #expect(wrong.complaints.contains("unsupported URI scheme in 'lpd://host/queue'; use ipp://HOST/PATH"))
        let silent = try await spooler.printq("printers", "add", "x", "ipp://localhost:1/ipp/print")
        expect(silent, code: 75)
        #expect(silent.complaints.contains("add the printer when it is on, or now with --no-check"))
        let refused = try await spooler.printq("printers", "add", "x", uri + "-none")
        expect(refused, code: 69)
        let missing = try await spooler.printq("printers", "add", "x", "folder:/nowhere/at/all")
        expect(missing, code: 75)
        #expect(missing.complaints.contains("the folder '/nowhere/at/all' does not exist; create the folder"))
        #expect(try await spooler.printq("printers", "default", "x").code != 0)
        expect(try await spooler.printq("printers", "add", "x", "ipp://localhost:1/ipp/print", "--no-check"))
        expect(try await spooler.printq("printers", "remove", "x"))
        withExtendedLifetime(printer) {}
    }

    @Test func `after the default printer is removed, all commands report that there is no default printer`()
        async throws
    {
        try spooler.start()
        let path = try document("a.pdf")
        let names = ["inkjet", "inkjet-duplex", "photo", "label"]
        for name in names { expect(try await spooler.printq("printers", "remove", name)) }
        let removed = try await spooler.printq("printers", "remove", "color-laser")
        let choice = "choose one with 'printq printers default NAME'"
        #expect(removed.output == "removed color-laser; there is no default printer now: \(choice)\n")
        for command in [["submit", path], ["printers", "default"], ["papers"]] {
            let run = try await spooler.run(spooler.program("printq"), command)
            expect(run, code: 64)
            #expect(
                run.complaints.contains(
                    "no default printer; select a printer with -d, or choose a default printer with "
                        + "'printq printers default NAME'; the printers are "), "\(run)")
        }
        let doctor = try await spooler.printq("doctor")
        #expect(doctor.output.contains("warning: there is no default printer"), "\(doctor)")
        let lp = try await spooler.run("lp", ["-h", spooler.socket, path])
        #expect(lp.code != 0 && lp.complaints.lowercased().contains("no default destination"), "\(lp)")
        #expect(try await spooler.printq("printers").lines.allSatisfy { !$0.hasPrefix("*") })

        expect(try await spooler.printq("printers", "default", "roll"))
        let last = try await spooler.printq("printers", "remove", "roll")
        #expect(last.output == "removed roll; the default printer is now mono-laser, the only remaining printer\n")
        expect(try await spooler.printq("submit", "--wait", path))
        #expect(try await spooler.printq("printers").lines.contains { $0.contains(/^\* +mono-laser/) })
        let none = try await spooler.printq("printers", "remove", "mono-laser")
        #expect(none.output == "removed mono-laser; no printers remain\n")
        #expect(try await spooler.printq("doctor").output.contains("warning: there are no printers"))
    }

    @Test func `a printer of another printd can be added, but a printer of the same printd is rejected`() async throws {
        let own = try spooler.start(tcp: true)
        let other = try TestSpooler()
        let there = try other.start(tcp: true)
        expect(try await spooler.printq("printers", "add", "far", "ipp://\(there.host)/ipp/print/mono-laser"))
        expect(try await spooler.printq("submit", "--wait", "-d", "far", try document("a.pdf")))
        #expect(try await other.job(1).state == "completed")
        let loop = try await spooler.printq("printers", "add", "loop", "ipp://\(own.host)/ipp/print/loop", "--no-check")
        #expect(loop.code != 0 && loop.complaints.contains("is this spooler itself"), "\(loop)")
    }

    @Test func `lpadmin adds and removes printers, and is refused for an ordinary user over TCP`() async throws {
        let ready = try spooler.start(tcp: true)
        let (printer, uri) = try startPrinter()
        let socket = spooler.socket
        func lpadmin(_ host: String, _ arguments: String...) async throws -> ProgramRun {
            try await spooler.run("/usr/sbin/lpadmin", ["-h", host] + arguments)
        }
        expect(try await lpadmin(socket, "-p", "office", "-E", "-v", uri, "-m", "everywhere"))
        expect(try await lpadmin(socket, "-p", "office", "-L", "Upstairs", "-D", "The office", "-o", "sides=one-sided"))
        let shown = try await spooler.printq("printers", "--json").output
        #expect(shown.contains(uri.replacingOccurrences(of: "/", with: "\\/")) || shown.contains(uri))
        #expect(shown.contains("The office"))
        expect(try await spooler.run("lp", ["-h", ready.host, "-d", "office", try document("a.pdf")]))
        try await spooler.eventually("the job is printed") { try await spooler.job(1).state == "completed" }
        if geteuid() == 0 {
            let refused = try await spooler.runAsStranger(
                "/usr/sbin/lpadmin", "-h", ready.host, "-U", "root", "-x", "office")
            #expect(refused.code != 0)
            #expect(
                refused.complaints.contains("CUPS-Delete-Printer requires an administrator"), "\(refused)")
        }
        expect(try await lpadmin(socket, "-x", "office"))
        #expect(try await lpadmin(socket, "-x", "office").complaints.contains("there is no printer 'office'"))
        expect(try await spooler.run("/usr/sbin/lpinfo", ["-h", socket, "-v"]))
        withExtendedLifetime(printer) {}
    }

    @Test
    func `if a job is moved from a simulated printer to a folder or an IPP printer, printd prepares the job again`()
        async throws
    {
        try spooler.start()
        let (printer, uri) = try startPrinter()
        let folder = try makeFolder("pdfs")
        expect(try await spooler.printq("printers", "add", "pdfs", "folder:\(folder)"))
        expect(try await spooler.printq("printers", "add", "office", uri))
        expect(try await spooler.printq("printers", "pause", "mono-laser", "--message", "No toner"))
        let first = try #require(try await spooler.printq("submit", "-d", "mono-laser", try document("one.pdf")).jobID)
        let second = try #require(try await spooler.printq("submit", "-d", "mono-laser", try document("two.pdf")).jobID)
        #expect(try await spooler.printq("why", "\(first)").output.contains("No toner"))
        let kept = try await spooler.printq("printers", "remove", "mono-laser")
        expect(kept, code: 1)
        #expect(kept.complaints.contains("has 2 jobs and cannot be removed"))
        expect(try await spooler.printq("move", "\(first)", "pdfs"))
        expect(try await spooler.printq("printers", "remove", "mono-laser", "--move-jobs-to", "office"))
        for id in [first, second] {
            try await spooler.eventually("job \(id) is printed") { try await spooler.job(id).state == "completed" }
        }
        #expect(try pdfs(in: folder) == ["one.pdf"])
        #expect(try PDFDocument(path: "\(folder)/one.pdf").pageCount == 1)
        let stranger = spooler.folder.path("stranger/color-laser/job-000001/page-0001.png")
        #expect(FileManager.default.fileExists(atPath: stranger))
        withExtendedLifetime(printer) {}
    }

    @Test
    func `if a printer is removed and its name is used again, no job lists output files of the removed printer`()
        async throws
    {
        try spooler.start()
        let folder = try makeFolder("pdfs")
        let document = try document("letter.pdf")
        let old = try await spooler.printq("submit", "--wait", "-d", "mono-laser", document)
        #expect(old.output.contains("output/mono-laser/job-000001"))
        expect(try await spooler.printq("printers", "remove", "mono-laser"))
        #expect(try await spooler.printq("show", "1").output.contains("output/mono-laser/job-000001"))
        expect(try await spooler.printq("printers", "add", "mono-laser", "folder:\(folder)"))
        for (id, name) in [(2, "letter.pdf"), (3, "letter-2.pdf")] {
            let run = try await spooler.printq("submit", "--wait", "-d", "mono-laser", document)
            #expect(run.lines.last == "\(folder)/\(name)", "\(run)")
            let shown = try await spooler.printq("show", "\(id)").output
            #expect(shown.contains(/output +/) && shown.contains("\(folder)/\(name)\n"), "\(shown)")
        }
        #expect(!(try await spooler.printq("show", "1").output.contains("job-000001")))
        // The first job of another simulated printer with the same name is also a different job.
        expect(try await spooler.printq("printers", "remove", "mono-laser"))
        #expect(!(try await spooler.printq("show", "2").output.contains("job-000001")))
    }

    @Test func `if the folder of a folder printer is missing, a job waits with a reason until the folder is created`()
        async throws
    {
        try spooler.start()
        let path = spooler.folder.path("later")
        expect(try await spooler.printq("printers", "add", "pdfs", "folder:\(path)", "--no-check"))
        let id = try #require(try await spooler.printq("submit", "-d", "pdfs", try document("a.pdf")).jobID)
        try await spooler.eventually("the delivery was tried") {
            try await spooler.printq("why", "\(id)").output.contains("; create the folder to resume the jobs")
        }
        _ = try makeFolder("later")
        try await spooler.eventually("the job is printed", within: .seconds(90)) {
            try await spooler.job(id).state == "completed"
        }
        #expect(try pdfs(in: path) == ["a.pdf"])
    }

    @Test func `even if printd is killed repeatedly, each job of a folder printer is printed exactly once`()
        async throws
    {
        try spooler.start()
        let folder = try makeFolder("pdfs")
        expect(try await spooler.printq("printers", "add", "pdfs", "folder:\(folder)"))
        let document = try document("a.pdf")
        var jobs: [Int] = []
        for round in 1...8 {
            for _ in 0..<3 {
                jobs.append(try #require(try await spooler.printq("submit", "-d", "pdfs", document).jobID))
            }
            // In each round, printd is killed after one more document is printed.
            try await eventually("\(round) documents are printed", in: folder) { try pdfs(in: folder).count >= round }
            spooler.stop(SIGKILL)
            try spooler.start()
        }
        for id in jobs {
            try await spooler.eventually("job \(id) is printed") { try await spooler.job(id).state == "completed" }
        }
        #expect(try pdfs(in: folder).count == jobs.count)
    }

    @Test func `a test page has the size of the default paper, and --save replaces a file only with --force`()
        async throws
    {
        try spooler.start()
        let folder = try makeFolder("pdfs")
        expect(try await spooler.printq("printers", "add", "pdfs", "folder:\(folder)", "-o", "number-up=2"))
        expect(try await spooler.printq("printers", "test-page", "pdfs", "--wait"))
        expect(try await spooler.printq("printers", "test-page", "pdfs", "--wait"))
        #expect(try pdfs(in: folder) == ["Test page-2.pdf", "Test page.pdf"])
        let page = try PDFDocument(path: "\(folder)/Test page.pdf")
        #expect(try page.text(at: 0).contains("iso_a4_210x297mm"))
        expect(try await spooler.printq("printers", "test-page", "label", "--save", spooler.folder.path("label.pdf")))
        let label = try PDFDocument(path: spooler.folder.path("label.pdf"))
        #expect(try label.pageSize(at: 0).width < 300)
        let kept = try Data(contentsOf: URL(filePath: spooler.folder.path("label.pdf")))
        let again = try await spooler.printq("printers", "test-page", "--save", spooler.folder.path("label.pdf"))
        expect(again, code: 74)
        #expect(again.complaints.hasSuffix("label.pdf' already exists; choose another name, or use --force\n"))
        #expect(try Data(contentsOf: URL(filePath: spooler.folder.path("label.pdf"))) == kept)
        expect(
            try await spooler.printq("printers", "test-page", "--save", spooler.folder.path("label.pdf"), "--force"))
        #expect(try Data(contentsOf: URL(filePath: spooler.folder.path("label.pdf"))) != kept)
    }

    @Test(.enabled(if: PrivateAvahi.isPossible, Comment(rawValue: PrivateAvahi.requirement)))
    func `'printers discover' lists printers that are published on the network`() async throws {
        let avahi = try PrivateAvahi()
        let printsim = try avahi.start(
            spooler.program("printsim"),
            ["color-laser", "--port", "0", "--dns-sd", "--output", spooler.folder.path("stranger")])
        while let line = printsim.readLine(), !line.contains("is published") {}
        let printd = try avahi.start(spooler.program("printd"), ["--spool", spooler.spool, "--no-tcp"])
        while let line = printd.readLine(), !line.contains("\"ready\":true") {}
        let found = try await spooler.printq("printers", "discover", "--json")
        expect(found)
        #expect(found.output.contains("printq Color Laser"))
        #expect(found.output.contains(/ipps?:\\?\/\\?\/127\.0\.0\.1:\d+|ipps?:\\?\/\\?\/localhost\.local:\d+/))
        let table = try await spooler.printq("printers", "discover")
        let uri = try #require(table.output.firstMatch(of: /ipp:\/\/\S+/).map { String($0.0) })
        expect(try await spooler.printq("printers", "add", "found", uri))
        avahi.killDaemon()
        let silent = try await spooler.printq("printers", "discover")
        expect(silent)
        #expect(silent.complaints.contains("no Avahi daemon is running"))
        withExtendedLifetime((printsim, printd)) {}
    }
}
