// Prints from printq through a real cupsd.

import Foundation
import PrintRaster
import PrintTestSupport
import ProcessLaunch
import Testing

@Suite(.serialized, .timeLimit(.minutes(5)))
struct CUPSTests {
    @Test(arguments: [["application/pdf"], ["image/pwg-raster"]])
    func `a job has the same pages through cupsd as in direct printing, regardless of the queue's defaults`(
        formats: [String]
    ) async throws {
        let site = try await CUPSSite(formats: formats)
        try await site.cups.addQueue(
            "sim", to: site.printerURI, "-o", "number-up-default=2", "-o", "print-scaling-default=fill", "-o",
            "orientation-requested-default=4", "-o", "sides-default=two-sided-short-edge", "-o",
            "page-border-default=double", "-o", "copies-default=3", "-o", "page-delivery-default=reverse-order")
        let spooler = try await site.start("sim")
        try await site.addPrinter("direct", at: site.directURI)
        let path = try spooler.file("three.pdf", .marked)
        let options = ["--duplex", "long", "-n", "2", "--paper", "A4", "--pages", "1-3"]
        for printer in ["sim", "direct"] {
            let run = try await spooler.run(
                spooler.program("printq"), ["submit", "--wait", "-d", printer] + options + [path])
            expect(run)
        }
        let log = try site.log() + site.log(of: "direct")
        // If filters make the copies, each copy has a blank back.
        #expect(log.map(\.impressions).allSatisfy { (6...8).contains($0) }, "\(log)")
        #expect(log.map(\.sheets) == [4, 4])
        #expect(log.map(\.sides) == ["two-sided-long-edge", "two-sided-long-edge"])
        let (behind, direct) = (site.printed(1), site.printed(1, on: "direct"))
        let paper = try behind.record["paper"] as? [String: Any]
        #expect(paper?["media"] as? String == "iso_a4_210x297mm")
        let pairs = zip(try behind.pages, try direct.pages)
        #expect(try behind.pages.count >= 3)
        for (number, (seen, wanted)) in pairs.enumerated() {
            let difference = seen.bitmap.difference(from: wanted.bitmap, tolerance: 64)
            // Ghostscript draws the edges of letters slightly differently: allow less than 1% of the pixels to differ.
            let tolerated = formats == ["application/pdf"] ? 0 : seen.width * seen.height / 100
            #expect(difference.pixelCount <= tolerated, "page \(number + 1): \(difference)")
        }
    }

    @Test func `printq reports an empty tray of a CUPS printer, a stopped CUPS queue and a job that CUPS holds`()
        async throws
    {
        let site = try await CUPSSite()
        let spooler = try await site.start("sim")
        let path = try spooler.file("a.pdf", .marked)
        try await site.printsim("fault", "media-empty")
        let id = try await spooler.submit(path, "-d", "sim")
        try await site.eventually(id, says: "Out of paper", state: "processing-stopped")
        try await site.printsim("clear", "media-empty")
        #expect(try await site.ended(id).state == "completed")
        let told = try await site.told(id)
        #expect(told.contains { $0.contains("out of paper") }, "\(told)")
        #expect(told.last == "job \(id) (a.pdf) on sim: completed: 3 pages", "\(told)")

        _ = try await site.cups.run("cupsdisable", "sim")
        let next = try await spooler.submit(path, "-d", "sim")
        try await site.eventually(next, says: "The CUPS queue sim is stopped; start the queue with 'cupsenable sim'")
        let listed = try await site.cups.run("lpstat", "-o").output
        let remote = try #require(listed.split(separator: " ").first.map(String.init), "\(listed)")
        expect(try await site.cups.run("lp", "-i", remote, "-H", "hold"))
        _ = try await site.cups.run("cupsenable", "sim")
        try await site.eventually(next, says: "release the job with 'lp -i \(remote) -H resume'")
        expect(try await site.cups.run("lp", "-i", remote, "-H", "resume"))
        #expect(try await site.ended(next).state == "completed")
        #expect(try site.log().map(\.state) == ["completed", "completed"])
    }

    @Test func `if a job is canceled while waiting for paper, cupsd also cancels the job, and the next job is printed`()
        async throws
    {
        let site = try await CUPSSite()
        let spooler = try await site.start("sim")
        let path = try spooler.file("a.pdf", .marked)
        try await site.printsim("fault", "media-empty")
        let id = try await spooler.submit(path, "-d", "sim")
        try await site.eventually(id, says: "Out of paper")
        expect(try await spooler.printq("cancel", "\(id)"))
        #expect(try await site.ended(id).state == "canceled")
        #expect(try await site.cups.run("lpstat", "-o").output == "")
        try await site.printsim("clear", "media-empty")
        let run = try await spooler.printq("submit", "--wait", "-d", "sim", path)
        expect(run)
    }

    @Test func `if the printer of a CUPS queue is unreachable, printq reports the problem and can cancel the job`()
        async throws
    {
        let site = try await CUPSSite()
        try await site.cups.addQueue("dead", to: "ipp://127.0.0.1:9/ipp/print")
        let spooler = try await site.start("sim", "dead")
        let path = try spooler.file("a.pdf", .marked)
        let id = try await spooler.submit(path, "-d", "dead")
        try await site.eventually(
            id, says: "The printer may not exist or is unavailable at this time.", state: "processing-stopped")
        // Printing on other queues is not blocked.
        expect(try await spooler.printq("submit", "--wait", "-d", "sim", path))
        expect(try await spooler.printq("cancel", "\(id)"))
        #expect(try await site.ended(id).state == "canceled")
    }

    @Test func `a job waits while cupsd is not running, and is printed or suspended after cupsd starts again`()
        async throws
    {
        let site = try await CUPSSite()
        let spooler = try await site.start("sim")
        let path = try spooler.file("a.pdf", .marked)
        expect(try await spooler.printq("submit", "--wait", "-d", "sim", path))
        site.cups.stop()
        let id = try await spooler.submit(path, "-d", "sim")
        try await site.eventually(id, says: "cups.sock")
        try site.cups.start()
        #expect(try await site.ended(id).state == "completed")

        // If cupsd stops during a job and does not report how the job ended, the job is suspended.
        try await site.printsim("fault", "media-empty")
        let next = try await spooler.submit(path, "-d", "sim")
        try await site.eventually(next, says: "Out of paper")
        site.cups.stop()
        try await site.eventually(next, says: "Waiting for the printer's response")
        try site.cups.start()
        try await site.printsim("clear", "media-empty")
        try await spooler.eventually("the job has ended or is suspended") {
            let job = try await spooler.job(next)
            return job.state == "completed" || job.reasons.contains("job-suspended")
        }
    }

    @Test func `if a job is lost because cupsd is killed, printd suspends the job and does not print the job again`()
        async throws
    {
        let site = try await CUPSSite(isDurable: false)
        let spooler = try await site.start("sim")
        let path = try spooler.file("a.pdf", .marked)
        _ = try await site.cups.run("cupsdisable", "sim")
        let id = try await spooler.submit(path, "-d", "sim")
        try await site.eventually(id, says: "The CUPS queue sim is stopped")
        site.cups.kill()
        try site.cups.start()
        try await spooler.eventually("the job is suspended") {
            try await spooler.job(id).reasons.contains("job-suspended")
        }
        #expect(try site.log().isEmpty)
    }

    /// The default policy of cupsd: only the owner may cancel a job.
    private static let ownersOnly = """
        DefaultPolicy owners
        <Policy owners>
          <Limit Cancel-Job>
            Require user @OWNER
            Order deny,allow
          </Limit>
          <Limit All>
            Allow from all
          </Limit>
        </Policy>
        """

    @Test
    func `after printd is killed, the next printd tracks the job at cupsd, and the job's owner can cancel the job`()
        async throws
    {
        let site = try await CUPSSite(settings: Self.ownersOnly)
        let spooler = try await site.start("sim")
        let path = try spooler.file("a.pdf", .marked)
        for isCanceled in [false, true] {
            try await site.printsim("fault", "media-empty at page 2")
            let id = try await spooler.submit(path, "-d", "sim")
            try await site.eventually(id, says: "Out of paper", state: "processing-stopped")
            spooler.stop(SIGKILL)
            try spooler.start("--cups", site.cups.socket)
            if isCanceled {
                expect(try await spooler.printq("cancel", "\(id)"))
            } else {
                try await site.printsim("clear", "media-empty")
            }
            #expect(try await site.ended(id).state == (isCanceled ? "canceled" : "completed"))
            #expect(try await site.cups.run("lpstat", "-o").output == "")
        }
        try await eventually("the printer has ended both jobs", in: site.output) { try site.log().count == 2 }
        #expect(try site.log().map(\.state) == ["completed", "canceled"])
        #expect(try site.log().map(\.impressions) == [3, 1])
    }

    @Test func `'lpinfo -v' lists the CUPS queues, except for the queues that forward jobs to printd`() async throws {
        let site = try await CUPSSite()
        try await site.cups.addClass("floor", of: "sim")
        let ready = try site.spooler.start("--cups", site.cups.socket, tcp: true)
        try await site.cups.addQueue("loop", to: "ipp://\(ready.host)/printers/color-laser")
        let run = try await site.spooler.run(
            "/usr/sbin/lpinfo", ["-v"], environment: ["CUPS_SERVER": site.spooler.socket])
        expect(run)
        #expect(run.lines.filter { $0.contains("cups:") }.sorted() == ["network cups:floor", "network cups:sim"])
    }

    @Test func `a CUPS class prints on its member printer and offers the papers and sides of that printer`()
        async throws
    {
        let site = try await CUPSSite()
        try await site.cups.addClass("floor", of: "sim")
        let spooler = try await site.start("floor")
        let papers = try await spooler.printq("papers", "-d", "floor")
        #expect(papers.output.contains("A5"), "\(papers.output)\(papers.complaints)")
        let path = try spooler.file("a.pdf", .marked)
        expect(try await spooler.printq("submit", "--wait", "-d", "floor", "--paper", "A5", "--duplex", "short", path))
        let line = try #require(try site.log().first)
        #expect(line.sides == "two-sided-short-edge" && line.sheets == 2)
        let paper = try site.printed(1).record["paper"] as? [String: Any]
        #expect(paper?["media"] as? String == "iso_a5_148x210mm")
    }

    @Test
    func `saved options of a CUPS instance are job defaults, and the options of a job override the defaults`()
        async throws
    {
        let site = try await CUPSSite()
        let spooler = site.spooler
        let saved = try await site.cups.run(
            "lpoptions", "-p", "sim/draft", "-o", "sides=two-sided-long-edge", "-o", "number-up=2", "-o",
            "print-color-mode=monochrome")
        expect(saved)
        // lpoptions writes to the home folder of its user; printd reads the home folder of its own user.
        try FileManager.default.createDirectory(
            atPath: spooler.folder.path(".cups"), withIntermediateDirectories: true)
        let file = try #require(site.cups.savedOptions, "lpoptions wrote nothing")
        try FileManager.default.copyItem(atPath: file, toPath: spooler.folder.path(".cups/lpoptions"))
        let path = try spooler.file("a.pdf", .marked)
        // printd inherits the environment of printq, including CUPS_SERVER.
        let variables = ["CUPS_SERVER": site.cups.socket]
        let printq = spooler.program("printq")
        expect(try await spooler.run(printq, ["queue"], environment: variables))
        try await site.addPrinter("plain", at: "cups:sim")
        try await site.addPrinter("draft", at: "cups:sim/draft")
        for arguments in [["-d", "draft"], ["-d", "draft", "--duplex", "none", "--color", "color"], ["-d", "plain"]] {
            expect(try await spooler.run(printq, ["submit", "--wait"] + arguments + [path], environment: variables))
        }
        let log = try site.log()
        #expect(log.map(\.sides) == ["two-sided-long-edge", "one-sided", "one-sided"])
        #expect(log.map(\.sheets) == [1, 2, 3])
        #expect(try site.printed(1).pages.allSatisfy(\.bitmap.isGray))
        #expect(try !site.printed(2).pages.allSatisfy(\.bitmap.isGray))
    }

    @Test func `if the device of a CUPS queue is a file, a job is printed only if the queue has a driver`() async throws
    {
        let site = try await CUPSSite()
        let (folder, ppd) = (site.cups.printedFolder, "/usr/share/ppd/cupsfilters/Generic-PDF_Printer-PDF.ppd")
        try await site.cups.addQueue("paper", to: "file://\(folder)/out.pdf", "-P", ppd)
        try await site.cups.addQueue("hole", to: "file://\(folder)/hole")
        let spooler = try await site.start("paper", "hole")
        let path = try spooler.file("a.pdf", .marked)
        expect(try await spooler.printq("submit", "--wait", "-d", "paper", "--pages", "2-3", path))
        let written = try await spooler.run("pdftotext", ["\(folder)/out.pdf", "-"])
        #expect(written.output.contains("page 2") && written.output.contains("page 3"), "\(written)")
        #expect(!written.output.contains("page 1"))
        let refused = try await spooler.printq("submit", "--wait", "-d", "hole", path)
        #expect(refused.code != 0)
        #expect(
            refused.complaints.contains("CUPS does not write the jobs of the raw queue hole to"),
            "\(refused.complaints)")
        #expect(!FileManager.default.fileExists(atPath: "\(folder)/hole"))
    }

    @Test func `a CUPS queue is refused if the queue forwards jobs back to printd`() async throws {
        let site = try await CUPSSite()
        let ready = try site.spooler.start("--cups", site.cups.socket, tcp: true)
        try await site.cups.addQueue("loop", to: "ipp://\(ready.host)/printers/color-laser")
        try await site.cups.addClass("round", of: "sim", "loop")
        for queue in ["loop", "round"] {
            let added = try await site.spooler.printq("printers", "add", "loop", "cups:\(queue)")
            expect(added, code: 69)
            #expect(added.complaints.contains("the CUPS queue loop sends its jobs back to this spooler"), "\(added)")
        }
        try await site.addPrinter("loop", at: "cups:loop")
        let path = try site.spooler.file("a.pdf", .marked)
        let run = try await site.spooler.printq("submit", "--wait", "-d", "loop", path)
        #expect(run.code != 0)
        #expect(run.complaints.contains("sends its jobs back to this spooler"), "\(run.complaints)")
        #expect(try await site.cups.run("lpstat", "-W", "all", "-o").output == "")
    }
}

extension PrivateCupsd {
    /// The file that `lpoptions` wrote.
    fileprivate var savedOptions: String? {
        [folder.path(".cups/lpoptions"), folder.path("conf/lpoptions"), "\(NSHomeDirectory())/.cups/lpoptions"].first {
            FileManager.default.fileExists(atPath: $0)
        }
    }
}
