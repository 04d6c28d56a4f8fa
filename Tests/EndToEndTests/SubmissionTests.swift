import DestinationTrials
import Foundation
import PrintKit
import PrintSubmission
import PrintTestSupport
import Synchronization
import Testing

/// Tests that print from PrintKit through printd's socket on a simulated printer.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct SubmissionTests {
    /// A renderer with a header, a ruled content area and text.
    final class Report: PrintPageRenderer {
        override init() {
            super.init()
            (headerHeight, footerHeight) = (36, 18)
        }

        override func drawHeaderForPage(at index: Int, in headerRect: Rect) throws {
            GraphicsContext.current?.fillColor = .red
            GraphicsContext.current?.fill(headerRect)
        }
    }

    /// A delegate that returns configurable values and records the calls.
    final class Desk: PrintInteractionControllerDelegate {
        var length: Double?
        var cutter = CutterBehavior.printerDefault
        private let heard = Mutex<[PrintReport]>([])
        var onReport: (PrintReport) -> Void = { _ in }
        var reports: [PrintReport] { heard.withLock { $0 } }

        func printInteractionController(
            _ controller: PrintInteractionController, choosePaper papers: [PrintPaper]
        ) -> PrintPaper { length == nil ? controller.defaultPaper(from: papers) : papers[0] }

        func printInteractionController(
            _ controller: PrintInteractionController, cutLengthFor paper: PrintPaper
        ) -> Double { length ?? paper.paperSize.height }

        func printInteractionController(
            _ controller: PrintInteractionController, chooseCutterBehavior behaviors: [CutterBehavior]
        ) -> CutterBehavior { cutter }

        func printInteractionController(_ controller: PrintInteractionController, didReceive report: PrintReport) {
            heard.withLock { $0.append(report) }
            onReport(report)
        }
    }

    private func controller(_ spooler: TestSpooler, _ desk: Desk? = nil) -> PrintInteractionController {
        let controller = PrintInteractionController()
        controller.destination = SpoolerDestination(spool: spooler.spool)
        controller.delegate = desk
        controller.printInfo.jobName = "Report"
        return controller
    }

    private func folder(_ spooler: TestSpooler, _ printer: String, job: Int = 1) -> PrintedJob {
        PrintedJob(folder: "\(spooler.spool)/output/\(printer)/job-00000\(job)")
    }

    @Test func `a page renderer with a header and a text formatter prints its pages on the color laser`() async throws {
        let spooler = try TestSpooler()
        try spooler.start()
        let desk = Desk()
        let controller = controller(spooler, desk)
        let report = Report()
        let text = (1...100).map { "Line \($0)" }.joined(separator: "\n")
        report.addPrintFormatter(SimpleTextPrintFormatter(text: text), startingAtPageAt: 0)
        controller.printPageRenderer = report
        controller.printInfo.duplex = .longEdge
        let printer = try await controller.printer(named: "color-laser")
        #expect(printer.supportsColor && printer.supportsDuplex)
        #expect(try await controller.print(to: printer, copies: 2))

        let job = folder(spooler, "color-laser")
        let pages = try job.pages
        #expect(pages.count == 2)
        let red = pages[0].rgb(x: pages[0].width / 2, y: pages[0].height / 40)
        #expect(red.red > 180 && red.green < 80)
        #expect(pages[0].rgb(x: pages[0].width / 2, y: pages[0].height - 60).red > 240)
        #expect(try job.sheets.text(at: 0).isEmpty)
        let record = try job.record
        #expect(record["name"] as? String == "Report")
        #expect(record["copies"] as? Int == 2)
        #expect(record["sides"] as? String == "two-sided-long-edge")
        #expect(desk.reports.first == .accepted(jobID: 1))
        // The job has two copies of two pages. The progress counts the pages of the document.
        #expect(desk.reports.last == .progress(page: 2, of: 2))
        #expect(controller.printPageRenderer == nil)
    }

    @Test func `SpoolerDestination passes the tests for all print destinations`() async throws {
        let spooler = try TestSpooler()
        try spooler.start()
        try await expectDestination(SpoolerDestination(spool: spooler.spool))
    }

    @Test func `HTML is printed as text and vector graphics, not as an image`() async throws {
        let spooler = try TestSpooler()
        try spooler.start()
        let controller = controller(spooler)
        let formatter = MarkupTextPrintFormatter(
            markupText: "<div style='background: red; height: 4in'></div><h1 style='break-before: page'>Second</h1>")
        formatter.contentInsets = EdgeInsets(top: 72, left: 72, bottom: 72, right: 72)
        controller.printFormatter = formatter
        #expect(try await controller.print(to: controller.printer(named: "color-laser")))
        let job = folder(spooler, "color-laser")
        #expect(try job.pages.count == 2)
        let page = try job.pages[0]
        #expect(page.rgb(x: page.width / 2, y: page.height / 4).green < 80)
        #expect(page.rgb(x: page.width / 20, y: page.height / 4).green > 240)
        let original = try #require(FileManager.default.contents(atPath: "\(job.folder)/original.pdf"))
        let path = try spooler.file("original.pdf", Array(original))
        let text = try await spooler.run("pdftotext", [path, "-"])
        #expect(text.output.contains("Second"))
    }

    @Test func `a page on a roll has the length that the delegate returns`() async throws {
        let spooler = try TestSpooler()
        try spooler.start()
        let desk = Desk()
        desk.length = 300
        let controller = controller(spooler, desk)
        controller.printFormatter = SimpleTextPrintFormatter(text: "A label")
        #expect(try await controller.print(to: controller.printer(named: "roll")))
        let page = try #require(try folder(spooler, "roll").pages.first)
        // The page is as wide as the roll's paper, and 300 points long.
        #expect(abs(Double(page.height) / Double(page.width) - 300 / 288) < 0.02)
    }

    @Test(arguments: [
        (CutterBehavior.printerDefault, "trim-after-pages", 2), (.cutAfterEachPage, "trim-after-pages", 2),
        (.cutAfterEachJob, "trim-after-job", 1), (.noCut, "none", 1),
    ])
    func `a roll is cut according to the cutter behavior that the delegate returns`(
        behavior: CutterBehavior, cut: String, pieces: Int
    ) async throws {
        let spooler = try TestSpooler()
        try spooler.start()
        let desk = Desk()
        (desk.length, desk.cutter) = (144, behavior)
        let controller = controller(spooler, desk)
        let renderer = PrintPageRenderer()
        for page in 0..<2 {
            renderer.addPrintFormatter(SimpleTextPrintFormatter(text: "Label \(page)"), startingAtPageAt: page)
        }
        controller.printPageRenderer = renderer
        #expect(try await controller.print(to: controller.printer(named: "roll")))
        let record = try folder(spooler, "roll").record
        #expect((record["rollCut"] as? String ?? "none") == cut)
        #expect((record["pieces"] as? [Any])?.count == pieces)
    }

    @Test func `an empty tray is reported as an alert, and the job continues after paper is loaded`() async throws {
        let spooler = try TestSpooler()
        try spooler.start()
        let desk = Desk()
        let controller = controller(spooler, desk)
        controller.printFormatter = SimpleTextPrintFormatter(text: "Text")
        let printer = try await controller.printer(named: "color-laser")
        #expect(try await controller.print(to: printer))
        let address = [
            "--socket", "\(spooler.spool)/printsim.sock", "--at", "ipp://localhost/printers/color-laser",
        ]
        let empty = try await spooler.run(spooler.program("printsim"), ["fault"] + address + ["media-empty"])
        #expect(empty.code == 0, "\(empty.complaints)")
        desk.onReport = { report in
            guard case .alert = report else { return }
            Task {
                _ = try await spooler.run(spooler.program("printsim"), ["clear"] + address)
            }
        }
        controller.printFormatter = SimpleTextPrintFormatter(text: "More")
        #expect(try await controller.print(to: printer))
        // The state of the printer that the spooler knows can be older than the state of the job, so that the alert is
        // reported again, but never twice without its end.
        let news = desk.reports.filter { [.alert("Out of paper; load paper"), .alertCleared].contains($0) }
        #expect(news.count >= 2)
        for (index, report) in news.enumerated() { #expect((report == .alertCleared) == (index % 2 == 1)) }
        #expect(news.last == .alertCleared)
    }

    @Test func `if the task that submitted a job is canceled, the job is canceled, and no page of the job is printed`()
        async throws
    {
        let spooler = try TestSpooler()
        try spooler.start()
        #expect(try await spooler.printq("printers", "pause", "color-laser").code == 0)
        let desk = Desk()
        let controller = controller(spooler, desk)
        controller.printFormatter = SimpleTextPrintFormatter(text: "Text")
        let printer = try await controller.printer(named: "color-laser")
        let printing = Task { @Sendable in
            try await SpoolerDestination(spool: spooler.spool).submit(
                PrintRequest(documentPath: try spooler.file("a.pdf", .numbered(pages: 3)), title: "a", pageCount: 3),
                to: printer
            ) { _ in }
        }
        try await spooler.eventually("the job is in the queue") { try await spooler.jobs().count == 1 }
        printing.cancel()
        #expect(try await printing.value == .canceled)
        #expect(try await spooler.job(1).state == "canceled")
        // After the printer resumes, the next job is its first job. The folder is named after the job's number in the
        // queue.
        #expect(try await spooler.printq("printers", "resume", "color-laser").code == 0)
        controller.printFormatter = SimpleTextPrintFormatter(text: "Text")
        #expect(try await controller.print(to: printer))
        #expect(try folder(spooler, "color-laser", job: 2).record["name"] as? String == "Report")
        #expect(try folder(spooler, "color-laser", job: 2).pages.count == 1)
        #expect(!FileManager.default.fileExists(atPath: folder(spooler, "color-laser", job: 1).folder))
    }

    @Test func `an unknown printer, an unsupported option and a missing spooler are reported with messages`()
        async throws
    {
        let spooler = try TestSpooler()
        try spooler.start()
        let controller = controller(spooler)
        let unknown = await #expect(throws: PrintError.self) { try await controller.printer(named: "nowhere") }
        #expect(unknown?.code == .printingNotAvailable)
        #expect(unknown?.message.contains("there is no printer 'nowhere'") == true)

        let destination = SpoolerDestination(spool: spooler.spool)
        let printer = try await controller.printer(named: "mono-laser")
        var request = PrintRequest(
            documentPath: try spooler.file("a.pdf", .numbered(pages: 3)), title: "a", pageCount: 3)
        request.ticket.mediaType = "papyrus"
        let refused = await #expect(throws: PrintError.self) {
            try await destination.submit(request, to: printer) { _ in }
        }
        #expect(refused?.code == .jobFailed)
        #expect(try await spooler.jobs("--all").isEmpty)

        let elsewhere = SpoolerDestination(spool: "/proc/nowhere")
        let none = await #expect(throws: PrintError.self) { try await elsewhere.printers() }
        #expect(none?.code == .printingNotAvailable)
    }
}
