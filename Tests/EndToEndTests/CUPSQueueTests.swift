import Foundation
import PrintTestSupport
import Testing

/// Tests with a real cupsd that uses printd's printers as IPP Everywhere printers (`lpadmin -m everywhere`).
@Suite(.serialized, .timeLimit(.minutes(4)))
struct CUPSQueueTests {
    private let spooler: TestSpooler
    private let cups: PrivateCupsd
    private let host: String

    init() async throws {
        spooler = try TestSpooler()
        host = try spooler.start(tcp: true).host
        cups = try PrivateCupsd()
        try await cups.addQueue("office", to: "ipp://\(host)/ipp/print/color-laser", "-m", "everywhere")
    }

    /// Prints with `lp` through cupsd, and returns the output of the simulated printer.
    private func printed(_ options: String..., file: String, job id: Int) async throws -> (PrintedJob, LogLine) {
        // cupsd runs as another user and must be able to read the file.
        chmod(spooler.folder.path, 0o755)
        let sent: ProgramRun
        switch options.count {
        case 0: sent = try await cups.run("lp", "-d", "office", file)
        default: sent = try await cups.run("lp", "-d", "office", "-o", options[0], "-o", options[1], file)
        }
        expect(sent)
        try await spooler.eventually("the job reaches printd and ends: \(cups.log)") {
            try await spooler.jobs("--all").first { $0.id == id }.map { $0.state == "completed" } ?? false
        }
        let job = PrintedJob(folder: try #require(try await spooler.job(id).folder))
        return (job, try #require(try spooler.log(of: "color-laser").last))
    }

    @Test func `the options 'sides', 'copies' and 'number-up' are applied exactly once if lp prints through cupsd`()
        async throws
    {
        var pdf = PDFBuilder()
        for ink in [PDFBuilder.Ink.red, .green, .blue] { pdf.addPage(.a4) { $0.fill(ink) } }
        let path = try spooler.file("three.pdf", pdf)
        let (two, line) = try await printed("sides=two-sided-long-edge", "copies=2", file: path, job: 1)
        let sides = try two.pages.map { pixelLetters(of: $0, columns: 1, rows: 1).prefix(1) }
        #expect(sides.prefix(3) == ["R", "G", "B"], "\(sides)")
        #expect(line.sides == "two-sided-long-edge" && line.sheets == 4, "\(line)")

        let (imposed, one) = try await printed("number-up=2", "sides=one-sided", file: path, job: 2)
        let pages = try imposed.pages.map { pixelLetters(of: $0, columns: 1, rows: 2).replacing("\n", with: "") }
        #expect(pages.count == 2 && Set(pages[0]) == ["R", "G"], "\(pages)")
        #expect(one.sheets == 2 && one.sides == "one-sided" && one.copies == 1, "\(one)")
    }

    @Test func `after cups-filters converts text and images, printd prints the pages on the requested paper`()
        async throws
    {
        let text = try spooler.file("hello.txt", Array("Hello from CUPS\n".utf8))
        let (job, line) = try await printed("media=A4", "sides=one-sided", file: text, job: 1)
        #expect(line.sheets == 1)
        #expect(try job.sheets.pageCount == 1)
        let page = try #require(try job.pages.first)
        let ratio = Double(page.height) / Double(page.width)
        #expect((1.41...1.42).contains(ratio), "the paper is A4 and not Letter: \(ratio)")
        #expect(Self.hasInk(page), "the page contains the text")

        let suite = try await IPPTool(folder: spooler.folder.path("suite"))
        let (picture, sent) = try await printed("media=A4", "copies=2", file: "\(suite.folder)/color.jpg", job: 2)
        #expect(sent.sheets == 2, "the two copies are made only once: \(sent)")
        #expect(try picture.pages.count == 1 && Self.hasInk(try #require(try picture.pages.first)))
    }

    /// Returns whether a page has any ink.
    private static func hasInk(_ page: PrintedPage) -> Bool {
        stride(from: 0, to: page.height, by: 2).contains { y in
            stride(from: 0, to: page.width, by: 2).contains { x in page.rgb(x: x, y: y).green < 128 }
        }
    }

    @Test(arguments: [
        "ipps://%/ipp/print/color-laser", "ipps://%/printers/color-laser", "ipp://%/printers/color-laser",
    ])
    func `PDF, PNG, JPEG and text files are printed through CUPS queues with each form of printd's device URI`(
        uri: String
    )
        async throws
    {
        try await cups.addQueue("office", to: uri.replacing("%", with: host), "-m", "everywhere")
        let suite = try await IPPTool(folder: spooler.folder.path("suite"))
        let pdf = try spooler.file("a.pdf", .marked)
        let (pages, _) = try await printed(file: pdf, job: 1)
        let (page, png) = (try #require(try pages.pages.first), "\(pages.folder)/page-0001.png")
        #expect(Self.hasInk(page))
        // cupsd runs as another user and must be able to read the file.
        try FileManager.default.copyItem(atPath: png, toPath: spooler.folder.path("page.png"))
        chmod(spooler.folder.path("page.png"), 0o644)
        let files = [
            spooler.folder.path("page.png"), "\(suite.folder)/color.jpg",
            try spooler.file("hello.txt", Array("Hello from CUPS\n".utf8)),
        ]
        for (number, file) in files.enumerated() {
            let (job, line) = try await printed(file: file, job: number + 2)
            #expect(line.sheets == 1 && line.state == "completed", "\(file): \(line)")
            #expect(Self.hasInk(try #require(try job.pages.first)), "\(file)")
        }
    }

    @Test func `cupsd shows the queue's options, and if a job is canceled at cupsd, the job is canceled at printd`()
        async throws
    {
        let options = try await cups.run("lpoptions", "-p", "office", "-l")
        expect(options)
        for words in ["Duplex/", "PageSize/", "ColorModel/"] {
            #expect(options.output.contains(words), "\(options)")
        }
        expect(try await spooler.printq("printers", "pause", "color-laser"))
        chmod(spooler.folder.path, 0o755)
        let path = try spooler.file("a.pdf", .numbered(pages: 1))
        expect(try await cups.run("lp", "-d", "office", path))
        try await spooler.eventually("the job is waiting at printd") {
            try await spooler.jobs().first?.state == "pending"
        }
        expect(try await cups.run("cancel", "office-1"))
        try await spooler.eventually("the job is canceled at printd too") { try await spooler.jobs().isEmpty }
        #expect(try await spooler.job(1).state == "canceled")
    }

    @Test func `a job that lp submits through cupsd with a PIN waits at printd until the PIN is entered`() async throws
    {
        chmod(spooler.folder.path, 0o755)
        let path = try spooler.file("a.pdf", .numbered(pages: 1))
        expect(
            try await cups.run(
                "lp", "-d", "office", "-o", "job-password=4815", "-o", "job-password-encryption=none", path))
        try await spooler.eventually("the job waits for its PIN: \(cups.log)") {
            try await spooler.jobs().first?.reasons.contains("job-password-wait") ?? false
        }
        expect(try await spooler.printq("release", "--printer", "color-laser", input: "4815\n"))
        try await spooler.waitForEnd(of: 1)
        #expect(try await spooler.job(1).state == "completed")
    }
}
