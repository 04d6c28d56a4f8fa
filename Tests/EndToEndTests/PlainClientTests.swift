import Foundation
import PrintTestSupport
import Testing

@Suite(.serialized, .timeLimit(.minutes(3)))
struct PlainClientTests {
    private let spooler: Spooler
    private let host: String

    init() throws {
        spooler = try Spooler()
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

    @Test func `lp's options are carried out`() async throws {
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

    @Test func `lpstat and cancel see the queue`() async throws {
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
        // On TCP a name is only claimed, so nobody there may cancel the jobs of all.
        let purge = try await spooler.run("cancel", ["-h", host, "-a", "mono-laser"])
        expect(purge, code: 1)
        #expect(purge.complaints.contains("only an administrator may cancel everybody's jobs"), "\(purge)")
        #expect(try await spooler.jobs().map(\.id) == [2])
    }

    @Test(.enabled(if: access("/usr/bin/lpq", X_OK) == 0, "lpq (cups-bsd) is not installed"))
    func `lpq sees the queue`() async throws {
        expect(try await spooler.printq("printers", "pause", "color-laser"))
        expect(try await spooler.printq("submit", try spooler.file("a.pdf", .numbered(pages: 1))))
        let run = try await spooler.run("lpq", ["-h", host])
        expect(run)
        #expect(run.output.contains("a.pdf"), "\(run)")
    }

    @Test func `lp's mistakes are told`() async throws {
        let path = try spooler.file("a.pdf", .numbered(pages: 1))
        let run = try await spooler.run("lp", ["-h", host, "-d", "nobody", path])
        #expect(run.code != 0)
        #expect(run.complaints.contains("nobody") || run.complaints.contains("does not exist"), "\(run)")
        #expect(try await spooler.jobs("--all").isEmpty)
    }
}
