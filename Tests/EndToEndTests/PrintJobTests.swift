import Foundation
import PrintKit
import PrintSubmission
import PrintTestSupport
import Synchronization
import Testing

/// Tests of jobs as values: programs that submit without waiting, repeat submissions, and find their jobs again.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct PrintJobTests {
    private func controller(_ spooler: TestSpooler) -> PrintInteractionController {
        let controller = PrintInteractionController()
        controller.destination = SpoolerDestination(spool: spooler.spool)
        controller.printInfo.jobName = "Report"
        return controller
    }

    /// Returns a spooler whose color laser is paused.
    private func pausedSpooler() async throws -> TestSpooler {
        let spooler = try TestSpooler()
        try spooler.start()
        #expect(try await spooler.printq("printers", "pause", "color-laser").code == 0)
        return spooler
    }

    @Test(arguments: [1, 3])
    func `two processes that submit the same identifier 100 times at once create one job`(documents: Int) async throws {
        let spooler = try await pausedSpooler()
        let files = try (1...documents).map { try spooler.file("\($0).pdf", .numbered(pages: 1)) }
        let arguments = ["order", "invoice 4711", "100", "color-laser", spooler.spool] + files
        let program = spooler.program("app-load")
        async let first = spooler.run(program, arguments)
        async let second = spooler.run(program, arguments)
        for run in try await [first, second] {
            #expect(run.code == 0 && run.output == "1\n", "\(run.output) \(run.complaints)")
        }
        #expect(try await spooler.jobs("--all").map(\.id) == [1])
        #expect(try await spooler.sql("SELECT count(*) FROM documents") == ["\(documents)"])
        // The identifier is unique for each user, and another identifier is another job.
        let other = ["order", "invoice 4712", "2", "color-laser", spooler.spool] + files
        let again = try await spooler.run(program, other)
        #expect(again.output == "2\n", "\(again.complaints)")
        #expect(try await spooler.printq("printers", "resume", "color-laser").code == 0)
        let job = try #require(try await SpoolerDestination(spool: spooler.spool).job(number: 1))
        #expect(try await job.wait() == .completed)
        #expect(try await job.status().page == documents)
    }

    @Test func `a job is found again by its number after printd restarts, and reports its progress and its end`()
        async throws
    {
        let spooler = try await pausedSpooler()
        let controller = controller(spooler)
        controller.printPageRenderer = {
            let renderer = PrintPageRenderer()
            for page in 0..<2 {
                renderer.addPrintFormatter(SimpleTextPrintFormatter(text: "Page \(page)"), startingAtPageAt: page)
            }
            return renderer
        }()
        let printer = try await controller.printer(named: "color-laser")
        let submitted = try await controller.submit(to: printer)
        #expect(submitted.number == 1 && controller.printPageRenderer == nil)
        #expect(try await submitted.status().state == .pending)
        #expect(try await spooler.jobs().map(\.id) == [1])
        spooler.stop()
        try spooler.start()

        let destination = SpoolerDestination(spool: spooler.spool)
        let job = try #require(try await destination.job(number: 1))
        #expect(try await job.status().state == .pending)
        #expect(try await destination.job(number: 2) == nil)
        let reading = Task {
            var reports: [PrintReport] = []
            for try await report in job.reports { reports.append(report) }
            return reports
        }
        // Canceling a wait leaves the job in the queue.
        let waiting = Task { try await job.wait() }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        #expect(try await spooler.printq("printers", "resume", "color-laser").code == 0)
        #expect(try await reading.value.last == .progress(page: 2, of: 2))
        #expect(try await job.wait() == .completed)
        let status = try await job.status()
        #expect(status.state == .completed && status.page == 2 && status.pageCount == 2 && status.alert == nil)
    }

    @Test func `a submitted job can be canceled, and a job that ended stays as it is`() async throws {
        let spooler = try await pausedSpooler()
        let controller = controller(spooler)
        controller.printFormatter = SimpleTextPrintFormatter(text: "Text")
        let job = try await controller.submit(to: controller.printer(named: "color-laser"))
        try await job.cancel()
        #expect(try await job.wait() == .canceled)
        try await job.cancel()
        #expect(try await job.status().state == .canceled)
    }

    @Test func `a job with a damaged document ends with an error that explains the damage`() async throws {
        let spooler = try TestSpooler()
        try spooler.start()
        let destination = SpoolerDestination(spool: spooler.spool)
        let printer = try #require(try await destination.printer(withID: "color-laser"))
        let path = try spooler.file("a.pdf", Array("%PDF-1.4 nothing".utf8))
        let job = try await destination.submit(PrintRequest(documentPath: path, title: "a", pageCount: 1), to: printer)
        let error = await #expect(throws: PrintError.self) { try await job.wait() }
        #expect(error?.code == .jobFailed && error?.message.hasPrefix("job 1 failed: ") == true)
        let status = try await job.status()
        #expect(status.state == .aborted && !status.message.isEmpty && !status.reasons.isEmpty)
    }

    @Test func `several printing items become one job with several documents`() async throws {
        let spooler = try TestSpooler()
        try spooler.start()
        let controller = controller(spooler)
        let bitmap = try BitmapContext(size: Size(width: 20, height: 30), isOpaque: true)
        controller.printingItems = [
            .data(Data(PDFBuilder.numbered(pages: 2).bytes)), .image(try bitmap.makeImage()), .data(Data("text".utf8)),
        ]
        #expect(try await controller.print(to: controller.printer(named: "color-laser")))
        #expect(try await spooler.jobs("--all").map(\.id) == [1])
        #expect(try await spooler.sql("SELECT format FROM documents ORDER BY number").count == 3)
        #expect(try PrintedJob(folder: "\(spooler.spool)/output/color-laser/job-000001").pages.count == 4)
    }

    @Test func `a refusal of the spooler keeps its IPP status and its explanation`() async throws {
        let spooler = try TestSpooler()
        try spooler.start()
        let destination = SpoolerDestination(spool: spooler.spool)
        let printer = try #require(try await destination.printer(withID: "mono-laser"))
        var request = PrintRequest(
            documentPath: try spooler.file("a.pdf", .numbered(pages: 1)), title: "a", pageCount: 1)
        request.ticket.mediaType = "papyrus"
        let error = await #expect(throws: PrintError.self) { try await destination.submit(request, to: printer) }
        let refusal = try #require(error?.cause as? SpoolerError)
        #expect(refusal.status == 0x040B && refusal.keyword == "client-error-attributes-or-values-not-supported")
        #expect(refusal.message == error?.message && refusal.message.contains("papyrus"))
        #expect(!refusal.unsupportedAttributes.isEmpty)
        request.submissionID = String(repeating: "x", count: 256)
        let long = await #expect(throws: PrintError.self) { try await destination.submit(request, to: printer) }
        #expect(long?.message.contains("use 1 to 255 bytes") == true)
    }

    @Test func `a program prints to the queue by default only if it is linked with PrintSubmission`() async throws {
        let spooler = try TestSpooler()
        let queue = try await spooler.run(spooler.program("app-load"), ["default"])
        #expect(queue.output == "SpoolerDestination true\n", "\(queue.complaints)")
        // PDF files take no text, so 'canPrint' returns false.
        let files = try await spooler.run(spooler.program("printing-load"), ["default"])
        #expect(files.output == "PDFFileDestination false\n", "\(files.complaints)")
    }

    @Test func `two processes that print one title into a folder at once lose no file`() async throws {
        let spooler = try TestSpooler()
        let folder = try TemporaryFolder()
        let arguments = ["file", try spooler.file("a.pdf", .numbered(pages: 1)), "50", folder.path]
        async let one = spooler.run(spooler.program("app-load"), arguments)
        async let other = spooler.run(spooler.program("app-load"), arguments)
        for run in try await [one, other] { #expect(run.code == 0, "\(run.complaints)") }
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(Set(names) == Set(["Invoice.pdf"] + (2...100).map { "Invoice \($0).pdf" }))
    }
}
