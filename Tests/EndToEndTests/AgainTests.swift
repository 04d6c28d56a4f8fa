import Foundation
import IPP
import PrintTestSupport
import Testing

/// Tests that suspend, resume, reprint and move jobs with the real programs.
@Suite(.serialized, .timeLimit(.minutes(4)))
struct AgainTests {
    private static let inks: [(ink: PDFBuilder.Ink, letter: String)] = [
        (.red, "R"), (.green, "G"), (.blue, "B"), (.cyan, "C"), (.magenta, "M"), (.yellow, "Y"), (.black, "K"),
    ]

    /// A document with pages in seven colors: `RGBCMYK`.
    private static let colored: PDFBuilder = {
        var pdf = PDFBuilder()
        for (ink, _) in inks { pdf.addPage(.a4) { $0.fill(ink) } }
        return pdf
    }()

    /// Returns one letter for each page that a printer printed.
    private func letters(_ folder: String) throws -> String {
        try PrintedJob(folder: folder).pages.map { pixelLetters(of: $0, columns: 1, rows: 1) }.joined()
    }

    /// Kills a printer in the middle of a job and moves the printer's output folder; the job is then suspended.
    ///
    /// - Returns: The folder with the printed pages, and the number of sides reported as printed.
    private func lose(_ id: Int, after sides: Int, at spooler: TestSpooler) async throws -> (folder: String, seen: Int)
    {
        try await spooler.eventually("pages are printed") { (try await spooler.job(id).impressions ?? 0) >= sides }
        let output = "\(spooler.spool)/output/color-laser"
        let pids = spooler.processes(of: "printsim")
        let name = try #require(try await spooler.job(id).folder.map { ($0 as NSString).lastPathComponent })
        for pid in pids { kill(pid, SIGSTOP) }
        let state = try await spooler.job(id).state
        try #require(state == "processing", "the printer was stopped too late")
        let lost = spooler.folder.path("lost-\(UUID().uuidString)")
        try FileManager.default.moveItem(atPath: output, toPath: lost)
        for pid in pids { kill(pid, SIGKILL) }
        try await spooler.eventually("the job is suspended", within: .seconds(100)) {
            try await spooler.job(id).reasons == ["job-suspended"]
        }
        return ("\(lost)/\(name)", try #require(try await spooler.job(id).impressions))
    }

    @Test
    func `after a printer is killed, 'printq resume' continues with the first page that was not reported as printed`()
        async throws
    {
        let spooler = try TestSpooler(retryInterval: 0.5)
        try spooler.start(speed: "x4")
        let id = try await spooler.submit(try spooler.file("a.pdf", Self.colored))
        let (before, seen) = try await lose(id, after: 2, at: spooler)
        try #require((2...6).contains(seen))
        let why = try await spooler.printq("why", "\(id)").output
        #expect(
            why.contains("\(seen) pages were printed; check the printed sheets, then 'printq resume \(id)' continues"),
            "\(why)")
        let shown = try await spooler.printq("show", "\(id)").output
        let commands = ["resume \(id)", "reprint \(id)", "move \(id) PRINTER", "cancel \(id)"]
        #expect(shown.contains("commands   " + commands.map { "printq \($0)" }.joined(separator: ", ")), "\(shown)")

        let run = try await spooler.printq("resume", "\(id)")
        expect(run)
        #expect(run.output == "job \(id) continues with page \(seen + 1) of 7 on color-laser\n")
        try await spooler.waitForEnd(of: id)
        let job = try await spooler.job(id)
        #expect((job.state, job.impressions, job.sheets) == ("completed", 7, 7))
        #expect(try letters(try #require(job.folder)) == String("RGBCMYK".dropFirst(seen)))
        // Both parts together are the whole job. The pages printed before the kill begin with the reported pages.
        #expect(try letters(before).hasPrefix(String("RGBCMYK".prefix(seen))))
        expect(try await spooler.printq("resume", "\(id)"), code: 1)
    }

    @Test func `a program with SpoolerClient resumes a suspended job from a page`() async throws {
        let spooler = try TestSpooler(retryInterval: 0.5)
        try spooler.start(speed: "x4")
        let id = try await spooler.submit(try spooler.file("a.pdf", Self.colored))
        _ = try await lose(id, after: 2, at: spooler)
        let program = spooler.program("QueueCommands")
        let beyond = try await spooler.run(program, ["resume", "\(id)", "8"])
        #expect(beyond.output.hasPrefix("notDone: job \(id) is processing-stopped and cannot be resumed"), "\(beyond)")
        expect(try await spooler.run(program, ["resume", "\(id)", "6"]))
        try await spooler.waitForEnd(of: id)
        let job = try await spooler.job(id)
        #expect(job.state == "completed")
        #expect(try letters(try #require(job.folder)) == "YK")
    }

    @Test func `a two-sided job with several copies resumes at the front of the sheet that contains the given page`()
        async throws
    {
        let spooler = try TestSpooler(retryInterval: 0.5)
        try spooler.start(speed: "x4")
        // Two copies of four sheets, each with seven pages and a blank back: 14 pages.
        let id = try await spooler.submit(try spooler.file("a.pdf", Self.colored), "-n", "2", "--duplex", "long")
        _ = try await lose(id, after: 2, at: spooler)
        let beyond = try await spooler.printq("resume", "\(id)", "--from", "15")
        expect(
            beyond, code: 1,
            says: "printq: job \(id) is processing-stopped and cannot be resumed from page 15: the job has 14 pages; "
                + "'printq reprint \(id)' prints the job again, 'printq cancel \(id)' cancels the job")
        let run = try await spooler.printq("resume", "\(id)", "--from", "6")
        expect(run)
        #expect(
            run.output
                == "job \(id) continues with page 5 of 14, the front of the sheet with page 6 on color-laser\n")
        try await spooler.waitForEnd(of: id)
        let job = try await spooler.job(id)
        #expect((job.state, job.impressions, job.sheets) == ("completed", 14, 8))
        let folder = try #require(job.folder)
        #expect(try letters(folder) == "MYK_RGBCMYK_")
        #expect(try spooler.log(of: "color-laser").map(\.sheets) == [6])
    }

    @Test func `a suspended job can be restarted with the same job number, or moved to another printer and resumed`()
        async throws
    {
        let spooler = try TestSpooler(retryInterval: 0.5)
        try spooler.start(speed: "x4")
        let path = try spooler.file("a.pdf", Self.colored)
        let id = try await spooler.submit(path)
        let (_, seen) = try await lose(id, after: 1, at: spooler)
        let moved = try await spooler.printq("move", "\(id)", "inkjet")
        expect(moved)
        #expect(moved.output.hasPrefix("job \(id) is suspended on inkjet: The job was moved from color-laser, where "))
        expect(try await spooler.printq("resume", "\(id)"))
        try await spooler.waitForEnd(of: id)
        let job = try await spooler.job(id)
        #expect(job.state == "completed")
        #expect(try letters(try #require(job.folder)) == String("RGBCMYK".dropFirst(seen)))

        let other = try await spooler.submit(path)
        _ = try await lose(other, after: 1, at: spooler)
        let again = try await spooler.printq("reprint", "\(other)", "--wait")
        expect(again)
        #expect(try letters(try #require(try await spooler.job(other).folder)) == "RGBCMYK")
        #expect(try await spooler.jobs("--all").count == 2)
    }

    @Test
    func `if an ended job is reprinted, a new job is created, optionally with changed options or from a given page`()
        async throws
    {
        let spooler = try TestSpooler(retryInterval: 0.5)
        try spooler.start()
        let path = try spooler.file("a.pdf", Self.colored)
        expect(try await spooler.printq("submit", "--wait", "--pages", "1-3", path))
        let again = try await spooler.printq("reprint", "1", "--wait", "--json")
        expect(again)
        let second = try JSONDecoder().decode(QueuedJob.self, from: Data(again.output.utf8))
        #expect((second.id, second.state, second.impressions) == (2, "completed", 3))
        #expect(try letters(try #require(second.folder)) == "RGB")
        expect(try await spooler.printq("reprint", "1", "--wait", "-d", "mono-laser", "--pages", "4-5", "-n", "2"))
        #expect(try spooler.log(of: "mono-laser").map(\.impressions) == [4])
        expect(try await spooler.printq("reprint", "1", "--wait", "--from", "3"))
        let last = try await spooler.job(4)
        #expect((last.state, last.impressions) == ("completed", 3))
        #expect(try letters(try #require(last.folder)) == "B")
        let shown = try await spooler.printq("show", "4").output
        #expect(shown.contains("reprint of      1\ncontinued with  page 3 of 3\n"), "\(shown)")
        #expect(shown.contains("commands        printq reprint 4\n"), "\(shown)")
        // Reprinting a waiting job by mistake must not print it twice.
        let held = try await spooler.submit(path, "--hold")
        expect(
            try await spooler.printq("reprint", "\(held)"), code: 1,
            says: "printq: job \(held) is pending-held and cannot be reprinted: the job is not printed yet")
    }

    @Test
    func `if a client repeats a reprint request after printd is killed, the job of the first request is returned`()
        async throws
    {
        let spooler = try TestSpooler(retryInterval: 0.5)
        try spooler.start()
        expect(try await spooler.printq("submit", "--wait", try spooler.file("a.pdf", .numbered(pages: 1))))
        let reprint = Message.again(.resubmitJob, job: 1, [Attribute("printq-submission-id", .name("once more"))])
        let first = try await spooler.client.send(reprint, document: nil)
        let id = try #require(first[.job]?.integer("job-id"))
        spooler.stop(SIGKILL)
        try spooler.start()
        let second = try await spooler.client.send(reprint, document: nil)
        #expect(second[.job]?.integer("job-id") == id)
        try await spooler.waitForEnd(of: Int(id))
        #expect(try await spooler.jobs("--all").map(\.id).sorted() == [1, Int(id)])
        #expect(try spooler.log(of: "color-laser").count == 2)
    }

    @Test func `if a waiting job is moved, the job keeps its queue position and is prepared for the new printer`()
        async throws
    {
        let spooler = try TestSpooler(retryInterval: 0.5)
        try spooler.start()
        for printer in ["color-laser", "mono-laser"] { expect(try await spooler.printq("printers", "pause", printer)) }
        let path = try spooler.file("a.pdf", Self.colored)
        let first = try await spooler.submit(path, "--pages", "1")
        let second = try await spooler.submit(path, "-d", "mono-laser", "--pages", "2")
        let moved = try await spooler.printq("move", "\(first)", "mono-laser")
        expect(moved)
        #expect(moved.output == "job \(first) is waiting on mono-laser\n")
        #expect(try await spooler.jobs("-d", "mono-laser").map(\.id) == [first, second])
        expect(try await spooler.printq("printers", "resume", "mono-laser"))
        for id in [first, second] { try await spooler.waitForEnd(of: id) }
        #expect(try spooler.log(of: "mono-laser").count == 2)
        // The red page is printed in gray.
        let pages = try PrintedJob(folder: try #require(try await spooler.job(first).folder)).pages
        let pixel = pages[0].rgb(x: pages[0].width / 2, y: pages[0].height / 2)
        #expect(pixel.red == pixel.green && pixel.green == pixel.blue)
        #expect(try await spooler.printq("show", "\(first)").output.contains("moved from   color-laser\n"))
        expect(try await spooler.printq("move", "\(first)", "color-laser"), code: 1)
        expect(
            try await spooler.printq("move", "\(second)", "attic"), code: 64,
            says:
                "printq: there is no printer 'attic'; the printers are color-laser, mono-laser, inkjet, inkjet-duplex, photo, label, roll"
        )
    }

    @Test func `lpmove moves one job or all jobs of a printer, and 'lp -H restart' restarts a job`() async throws {
        let spooler = try TestSpooler(retryInterval: 0.5)
        let host = try spooler.start(tcp: true).host
        for printer in ["color-laser", "mono-laser"] { expect(try await spooler.printq("printers", "pause", printer)) }
        let path = try spooler.file("a.pdf", .numbered(pages: 1))
        expect(try await spooler.run("lp", ["-h", host, "-d", "color-laser", path]))
        expect(try await spooler.run("/usr/sbin/lpmove", ["-h", host, "color-laser-1", "mono-laser"]))
        #expect(try await spooler.jobs("-d", "mono-laser").map(\.id) == [1])
        if geteuid() == 0 {
            let all = try await spooler.runAsStranger("/usr/sbin/lpmove", "-h", host, "mono-laser", "inkjet")
            #expect(all.code != 0)
            #expect(all.complaints.contains("CUPS-Move-Job requires an administrator"), "\(all)")
        }
        expect(try await spooler.run("/usr/sbin/lpmove", ["-h", spooler.socket, "mono-laser", "inkjet"]))
        try await spooler.waitForEnd(of: 1)
        #expect(try spooler.log(of: "inkjet").count == 1)

        expect(try await spooler.run("lp", ["-h", host, "-i", "inkjet-1", "-H", "restart"]))
        try await spooler.waitForEnd(of: 2)
        #expect(try spooler.log(of: "inkjet").count == 2)
    }
}

extension Message {
    /// Creates a request about a job without printq.
    fileprivate static func again(_ operation: IPP.Operation, job: Int32, _ attributes: [Attribute]) -> Message {
        var group = AttributeGroup.operation([
            Attribute("printer-uri", .uri("ipp://localhost/")), Attribute("job-id", .integer(job)),
        ])
        group.append(contentsOf: attributes)
        return Message(operation: operation, requestID: 1, groups: [group])
    }
}
