import AsyncPrimitives
import DestinationTrials
import FoundationEssentials
// This file imports PrintGraphics and PrintKit, to check that `Printer` is not ambiguous.
import PrintGraphics
import PrintKit
import PrintTestSupport
import Testing

/// Tests of printing to PDF files.
struct PDFFileDestinationTests {
    let folder: TemporaryFolder
    let controller = PrintInteractionController()

    init() throws {
        folder = try TemporaryFolder()
        controller.printInfo.jobName = "a/report.pdf"
    }

    private var files: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() }
    }

    @Test func `PDFFileDestination passes the tests for all print destinations`() async throws {
        try await expectDestination(PDFFileDestination(folder: folder.path))
        #expect(try files == ["Later.pdf", "Trial.pdf"])
    }

    @Test func `if a job is printed to a file, the file is created at the given path`() async throws {
        controller.printFormatter = SimpleTextPrintFormatter(text: "hello file")
        #expect(try await controller.print(to: .file(folder.path("out.pdf"))))
        #expect(try PrintedPages(folder.path("out.pdf")).text(0).contains("hello file"))
        #expect(try files == ["out.pdf"])
        #expect(Printer.file("out.pdf").supportsColor && !Printer.file("out.pdf").supportsDuplex)
    }

    @Test func `the pages of a job are drawn on a thread that Swift's tasks do not share`() async throws {
        // A page can block its thread while it waits for the layout of HTML.
        let renderer = ThreadRenderer()
        controller.printPageRenderer = renderer
        #expect(try await controller.print(to: .file(folder.path("out.pdf"))))
        #expect(renderer.usedSharedThread == [false, false])
        #expect(BlockingCall.isSharedByTasks)
    }

    @Test func `if jobs are printed to a folder, each job creates one file with the name of the job`() async throws {
        controller.destination = PDFFileDestination(folder: folder.path)
        for _ in 1...2 {
            controller.printFormatter = SimpleTextPrintFormatter(text: "hello folder")
            try await controller.print(to: try await controller.printer(named: nil))
        }
        #expect(try files == ["report 2.pdf", "report.pdf"])
    }

    @Test func `if jobs with one title are printed to a folder at the same time, each job keeps its file`() async throws
    {
        let destination = PDFFileDestination(folder: folder.path)
        let printer = try #require(try await destination.printers().first)
        let scratch = try TemporaryFolder()
        for pages in 1...24 { try PDFBuilder.numbered(pages: pages).write(to: scratch.path("\(pages).pdf")) }
        try await withThrowingTaskGroup(of: PrintEnd.self) { group in
            for pages in 1...24 {
                group.addTask {
                    let request = PrintRequest(
                        documentPath: scratch.path("\(pages).pdf"), title: "Invoice", pageCount: pages)
                    return try await destination.submit(request, to: printer) { _ in }
                }
            }
            for try await end in group { #expect(end == .completed) }
        }
        #expect(try files.map { try PDFFile(path: folder.path($0)).pageCount }.sorted() == Array(1...24))
    }

    @Test
    func `without a page range, a PDF is copied unchanged; with a page range, only the pages in the range are written`()
        async throws
    {
        let bytes = Data(PDFBuilder.numbered(pages: 4).bytes)
        controller.printingItem = .data(bytes)
        try await controller.print(to: .file(folder.path("all.pdf")))
        #expect(try Data(contentsOf: URL(filePath: folder.path("all.pdf"))) == bytes)
        controller.printingItem = .data(bytes)
        try await controller.print(to: .file(folder.path("some.pdf")), pages: PageRanges("2,4"))
        let some = try PrintedPages(folder.path("some.pdf"))
        #expect(some.count == 2)
        #expect(try some.text(0).contains("2") && some.text(1).contains("4"))
    }

    @Test func `if a PDF is printed with a page range, the links to pages in the range are kept`() async throws {
        let path = folder.path("links.pdf")
        try PDFContext.write(to: path, bounds: Rect(x: 0, y: 0, width: 200, height: 100)) { pdf in
            for number in 1...4 {
                pdf.beginPage()
                "page \(number)".draw(at: Point(x: 10, y: 10), with: .system(ofSize: 12))
                pdf.addDestination("p\(number)", at: Point(x: 0, y: 20))
                pdf.setURL(
                    URL(string: "https://example.org/\(number)")!, for: Rect(x: 10, y: 40, width: 50, height: 10))
                for target in 1...4 {
                    pdf.setDestination("p\(target)", for: Rect(x: Double(target) * 20, y: 60, width: 15, height: 10))
                }
            }
        }
        controller.printingItem = .url(URL(filePath: path))
        try await controller.print(to: .file(folder.path("some.pdf")), pages: PageRanges("2,4"))
        let pages = try await linksOfPages(folder.path("some.pdf"))
        #expect(
            pages == [["https://example.org/2", "page 1", "page 2"], ["https://example.org/4", "page 1", "page 2"]])
        #expect(try PrintedPages(folder.path("some.pdf")).text(1).contains("page 4"))
    }

    /// Returns the link targets of each page, as reported by `qpdf`.
    private func linksOfPages(_ path: String) async throws -> [[String]] {
        let run = try await ProgramRun("/usr/bin/qpdf", ["--json=2", path], environment: [:], in: folder.path)
        #expect(run.code == 0, "\(run.complaints)")
        return try LinkReader(json: Data(run.output.utf8)).links
    }

    @Test func `if several items are printed to a PDF file, each item after the first is written to a numbered file`()
        async throws
    {
        controller.printingItems = (1...3).map { .data(Data(PDFBuilder.numbered(pages: $0).bytes)) }
        try await controller.print(to: .file(folder.path("out.pdf")))
        #expect(try files == ["out 2.pdf", "out 3.pdf", "out.pdf"])
        #expect(try PrintedPages(folder.path("out 3.pdf")).count == 3)
    }

    @Test func `an image fills the printable area of one page, and the paper has the orientation of the image`()
        async throws
    {
        let bitmap = try BitmapContext(size: Size(width: 20, height: 10))
        bitmap.fillColor = .red
        bitmap.fill(Rect(x: 0, y: 0, width: 10, height: 10))
        let delegate = NotingDelegate()
        delegate.paper = { _ in smallPaper }
        controller.delegate = delegate
        controller.printingItem = .image(try bitmap.makeImage())
        try await controller.print(to: .file(folder.path("a.pdf")))
        let sheet = try PrintedPages(folder.path("a.pdf")).sheet(0)
        #expect(sheet.width == 288 && sheet.height == 144)
        // The image has 230.4 × 115.2 points in the middle of a page of 288 × 144 points.
        let (ink, empty) = ("__RRRRRRRR__________\n", "____________________\n")
        expectPixels(sheet, empty + String(repeating: ink, count: 8) + empty)
    }

    @Test func `if the folder is missing, printing fails with a message and leaves no files`() async throws {
        controller.printFormatter = SimpleTextPrintFormatter(text: "a")
        let error = await #expect(throws: PrintError.self) {
            try await controller.print(to: .file(folder.path("none/out.pdf")))
        }
        #expect(error?.code == .jobFailed && error?.message.contains("none/out.pdf'; check its folder") == true)
        #expect(error?.description.hasSuffix("(No such file or directory)") == true)
        #expect(try files.isEmpty)
    }
}

/// A renderer that records the kind of thread that draws each page.
private final class ThreadRenderer: PrintPageRenderer {
    private(set) var usedSharedThread: [Bool] = []

    override var numberOfPages: Int { 2 }

    override func drawContentForPage(at index: Int, in contentRect: Rect) {
        usedSharedThread.append(BlockingCall.isSharedByTasks)
    }
}
