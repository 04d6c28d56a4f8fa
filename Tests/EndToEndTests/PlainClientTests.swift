import Foundation
import PrintTestSupport
import Testing

@Suite(.serialized, .timeLimit(.minutes(3)))
struct PlainClientTests {
    private let spooler: TestSpooler
    private let host: String

    init() throws {
        spooler = try TestSpooler()
        host = try spooler.start(tcp: true).host
    }

    @Test func `lp prints two documents as one job`() async throws {
        let first = try spooler.file("a.pdf", .numbered(pages: 1))
        let second = try spooler.file("b.pdf", .numbered(pages: 2))
        let run = try await spooler.run("lp", ["-h", host, "-d", "color-laser", first, second])
        expect(run)
        #expect(run.output == "request id is color-laser-1 (2 file(s))\n")
        try await spooler.waitForEnd(of: 1)
        let job = try await spooler.job(1)
        #expect(job.state == "completed")
        #expect(job.impressions == 3)
        #expect(try PrintedJob(folder: try #require(job.folder)).pages.count == 3)
    }

    @Test func `printd applies lp's options for copies, sides, paper, page ranges and pages per side`() async throws {
        var pdf = PDFBuilder()
        for ink in [PDFBuilder.Ink.red, .green, .blue] { pdf.addPage(.a4) { $0.fill(ink) } }
        let run = try await spooler.run(
            "lp",
            [
                "-h", host, "-d", "color-laser", "-n", "2", "-o", "sides=two-sided-long-edge", "-o", "media=A4", "-P",
                "1-2", "-o", "number-up=2", try spooler.file("a.pdf", pdf),
            ])
        expect(run)
        try await spooler.waitForEnd(of: 1)
        let job = PrintedJob(folder: try #require(try await spooler.job(1).folder))
        let pages = try job.pages.map { pixelLetters(of: $0, columns: 1, rows: 2).replacing("\n", with: "") }
        #expect(pages == ["GR", "__"], "the back of the sheet is blank")
        let line = try #require(try spooler.log(of: "color-laser").first)
        #expect(line.copies == 2)
        #expect(line.sides == "two-sided-long-edge")
        #expect(line.sheets == 2)
        let fit = try await spooler.run(
            "lp", ["-h", host, "-o", "fit-to-page", "-o", "landscape", try spooler.file("b.pdf", pdf)])
        expect(fit)
        #expect(fit.output == "request id is color-laser-2 (1 file(s))\n")
        try await spooler.waitForEnd(of: 2)
        #expect(try await spooler.job(2).state == "completed")
    }

    @Test func `lpstat shows the queue, and the command 'cancel' cancels jobs`() async throws {
        expect(try await spooler.printq("printers", "pause", "mono-laser"))
        let path = try spooler.file("a.pdf", .numbered(pages: 1))
        expect(try await spooler.run("lp", ["-h", host, "-d", "mono-laser", path]))
        expect(try await spooler.run("lp", ["-h", host, "-d", "mono-laser", path]))

        let jobs = try await spooler.run("lpstat", ["-h", host, "-o"])
        expect(jobs)
        #expect(jobs.lines.map { $0.prefix { $0 != " " } } == ["mono-laser-1", "mono-laser-2"], "\(jobs)")
        let printers = try await spooler.run("lpstat", ["-h", host, "-p"])
        expect(printers)
        #expect(printers.output.contains("printer color-laser is idle.  enabled since"), "\(printers)")
        #expect(printers.output.contains("printer mono-laser disabled since"), "\(printers)")
        #expect(
            try await spooler.run("lpstat", ["-h", host, "-d"]).output
                == "system default destination: color-laser\n")
        let accepting = try await spooler.run("lpstat", ["-h", host, "-a"])
        #expect(accepting.lines.count == 7, "\(accepting)")
        #expect(accepting.lines.allSatisfy { $0.contains(" accepting requests since ") }, "\(accepting)")
        let all = try await spooler.run("lpstat", ["-h", host, "-t"])
        expect(all)
        for words in ["scheduler is running", "system default destination", "device for inkjet", "mono-laser-2"] {
            #expect(all.output.contains(words), "\(words) in \(all)")
        }

        expect(try await spooler.run("cancel", ["-h", host, "mono-laser-1"]))
        #expect(try await spooler.job(1).state == "canceled")
        #expect(try await spooler.jobs().map(\.id) == [2])
        guard geteuid() == 0 else { return }
        // An ordinary user may not cancel all jobs, even with another claimed name.
        let purge = try await spooler.runAsStranger("cancel", "-h", host, "-U", "root", "-a", "mono-laser")
        expect(purge, code: 1)
        #expect(purge.complaints.contains("requires an administrator"), "\(purge)")
        #expect(try await spooler.jobs().map(\.id) == [2])
    }

    @Test func `'cancel PRINTER' cancels the current job, and 'cancel -u USER PRINTER' cancels all jobs of the user`()
        async throws
    {
        expect(try await spooler.printq("printers", "pause", "mono-laser"))
        let path = try spooler.file("a.pdf", .numbered(pages: 1))
        for _ in 1...2 { expect(try await spooler.run("lp", ["-h", host, "-d", "mono-laser", path])) }
        expect(try await spooler.run("cancel", ["-h", host, "mono-laser"]))
        #expect(try await spooler.jobs().map(\.id) == [2])
        expect(try await spooler.run("lp", ["-h", host, "-d", "mono-laser", path]))
        expect(try await spooler.run("cancel", ["-h", host, "-u", NSUserName(), "mono-laser"]))
        #expect(try await spooler.jobs().isEmpty)
        let none = try await spooler.run("cancel", ["-h", host, "mono-laser"])
        #expect(none.code == 1 && none.complaints.contains("mono-laser has no waiting or printing job"), "\(none)")
    }

    @Test func `lp holds, releases, changes, moves and reprints jobs`() async throws {
        let path = try spooler.file("a.pdf", .numbered(pages: 1))
        expect(try await spooler.run("lp", ["-h", host, "-d", "mono-laser", "-H", "hold", "-t", "my title", path]))
        expect(try await spooler.run("lp", ["-h", host, "-i", "mono-laser-1", "-n", "3"]))
        expect(try await spooler.run("/usr/sbin/lpmove", ["-h", host, "mono-laser-1", "inkjet"]))
        expect(try await spooler.run("lp", ["-h", host, "-i", "1", "-H", "resume"]))
        try await spooler.waitForEnd(of: 1)
        #expect(try spooler.log(of: "inkjet").map(\.copies) == [3])
        expect(try await spooler.run("lp", ["-h", host, "-i", "1", "-H", "restart"]))
        try await spooler.waitForEnd(of: 2)
        let ended = try await spooler.run("lpstat", ["-h", host, "-W", "completed", "-o"])
        #expect(ended.lines.map { $0.prefix { $0 != " " } } == ["inkjet-2", "inkjet-1"], "\(ended)")
    }

    @Test func `cupsreject, cupsdisable, cupsenable and cupsaccept require an authenticated administrator`()
        async throws
    {
        let socket = spooler.socket
        if geteuid() == 0 {
            for program in ["cupsreject", "cupsdisable", "cupsenable", "cupsaccept"] {
                let refused = try await spooler.runAsStranger("/usr/sbin/\(program)", "-h", host, "-U", "root", "label")
                #expect(refused.code != 0, "a claimed user name has no rights: \(refused)")
            }
        }
        expect(try await spooler.run("/usr/sbin/cupsreject", ["-h", socket, "label"]))
        let path = try spooler.file("a.pdf", .numbered(pages: 1))
        let refused = try await spooler.run("lp", ["-h", host, "-d", "label", path])
        #expect(refused.code == 1 && refused.complaints.contains("label does not accept jobs now"), "\(refused)")
        let accepting = try await spooler.run("lpstat", ["-h", host, "-a", "label"])
        #expect(accepting.output.hasPrefix("label not accepting requests since"), "\(accepting)")
        expect(try await spooler.run("/usr/sbin/cupsaccept", ["-h", socket, "label"]))
        expect(try await spooler.run("/usr/sbin/cupsdisable", ["-h", socket, "-r", "the roll is torn", "label"]))
        let stopped = try await spooler.run("lpstat", ["-h", host, "-p", "label"])
        #expect(stopped.output.contains("printer label disabled since"), "\(stopped)")
        #expect(stopped.output.contains("the roll is torn"), "\(stopped)")
        let again = try await spooler.run("lpstat", ["-h", host, "-p", "label"])
        #expect(again.output == stopped.output, "the time in 'since' does not change")
        expect(try await spooler.run("/usr/sbin/cupsenable", ["-h", socket, "label"]))
        #expect(try await spooler.run("lpstat", ["-h", host, "-p", "label"]).output.contains("is idle"))
    }

    @Test func `in responses to libcups programs, the printer URIs contain the host and port of the request`()
        async throws
    {
        let options = try await spooler.run("lpoptions", ["-h", host, "-p", "color-laser"])
        expect(options)
        #expect(options.output.contains("printer-uri-supported=ipp://\(host)/printers/color-laser"), "\(options)")
        #expect(options.output.contains("printer-type="), "\(options)")
        // Over a Unix socket, libcups requests the PPD file from port 631.
        let list = try await spooler.run("lpoptions", ["-h", host, "-p", "color-laser", "-l"])
        #expect(list.lines.first?.hasPrefix("PageSize/Paper Size: *A4 Letter") == true, "\(list)")
    }

    @Test(.enabled(if: access("/usr/bin/lpq", X_OK) == 0, "lpq (cups-bsd) is not installed"))
    func `lpq lists the jobs in the queue`() async throws {
        expect(try await spooler.printq("printers", "pause", "color-laser"))
        expect(try await spooler.printq("submit", try spooler.file("a.pdf", .numbered(pages: 1))))
        let run = try await spooler.run("lpq", ["-h", host])
        expect(run)
        #expect(run.output.contains("a.pdf"), "\(run)")
    }

    @Test func `lp shows the error messages of printd`() async throws {
        let path = try spooler.file("a.pdf", .numbered(pages: 1))
        let run = try await spooler.run("lp", ["-h", host, "-d", "nobody", path])
        #expect(run.code != 0)
        #expect(run.complaints.contains("nobody") || run.complaints.contains("does not exist"), "\(run)")
        #expect(try await spooler.jobs("--all").isEmpty)
    }

    @Test func `if printd refuses the document, lp leaves no job in the queue`() async throws {
        let path = spooler.folder.path("notes.xyz")
        try "just words".write(toFile: path, atomically: true, encoding: .utf8)
        let run = try await spooler.run(
            "lp", ["-h", host, "-d", "color-laser", "-o", "document-format=text/x-unknown", path])
        #expect(run.code == 1)
        #expect(run.complaints.contains("lp: "), "\(run)")
        #expect(try await spooler.printq("queue", "--all", "--json").output == "[]\n")
        #expect(try await spooler.printq("log", "--json").output == "[]\n")
    }

    @Test func `every printer accepts the custom size that 'printq papers' shows as an example`() async throws {
        let document = try spooler.file("a.pdf", .numbered(pages: 1))
        var offering = 0
        let words = #/such as (\S+)mm$/#
        for printer in ["color-laser", "mono-laser", "inkjet", "inkjet-duplex", "photo", "label", "roll"] {
            expect(try await spooler.printq("printers", "pause", printer))
            let papers = try await spooler.printq("papers", "-d", printer)
            guard let found = papers.lines.last?.firstMatch(of: words) else { continue }
            offering += 1
            expect(try await spooler.printq("submit", "-d", printer, "--paper", "\(found.1)mm", document))
        }
        #expect(offering >= 3)
    }
}
