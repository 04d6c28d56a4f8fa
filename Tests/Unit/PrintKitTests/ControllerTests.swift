import FoundationEssentials
import PrintKit
import PrintTestSupport
import Testing

/// Tests of jobs that a controller runs.
final class ControllerTests: ControllerSuite {
    // MARK: Content

    @Test func `if one kind of content of a print interaction controller is set, all other kinds become nil`() throws {
        controller.printingItem = .data(Data())
        controller.printingItems = [.data(Data())]
        #expect(controller.printingItem == nil && controller.printingItems?.count == 1)
        controller.printFormatter = text()
        #expect(controller.printingItems == nil && controller.printFormatter != nil)
        controller.printPageRenderer = PrintPageRenderer()
        #expect(controller.printFormatter == nil && controller.printPageRenderer != nil)
        controller.printingItem = nil
        #expect(controller.printPageRenderer != nil, "setting other content to nil changes nothing")
        controller.printPageRenderer = nil
        #expect(controller.printPageRenderer == nil)
    }

    @Test func `printing without content throws '.noContent'`() async throws {
        #expect(try await failure()?.code == .noContent)
        #expect(destination.jobs.isEmpty && delegate.notes.isEmpty)
        await #expect(throws: PrintError.self) { try await controller.present() }
    }

    @Test func `if a formatter is moved from a renderer to the controller, the renderer's header is not printed`()
        async throws
    {
        final class Headed: PrintPageRenderer {
            override func drawHeaderForPage(at index: Int, in rect: Rect) {
                "HEADER".draw(at: rect.origin, with: .system(ofSize: 10))
            }
        }
        let renderer = Headed()
        renderer.headerHeight = 40
        let formatter = text()
        renderer.addPrintFormatter(formatter, startingAtPageAt: 0)
        controller.printFormatter = formatter
        #expect(renderer.printFormatters.isEmpty && formatter.printPageRenderer == nil)
        // The result is the same if the formatter is added to the renderer again before the job is printed.
        renderer.addPrintFormatter(formatter, startingAtPageAt: 0)
        try await controller.print(to: destination.printer())
        let page = try #require(destination.jobs.first?.texts.first)
        #expect(page.contains("hello") && !page.contains("HEADER"))
    }

    @Test func `when a job is accepted, the job's temporary files are deleted and the app's document is kept`()
        async throws
    {
        let accepting = FakeDestination(reports: [.accepted(jobID: 1)])
        var left: [Bool] = []
        delegate.onReport = { _ in
            guard let path = accepting.jobs.last?.request.documentPath else { return }
            let folder = String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
            left += [FileManager.default.fileExists(atPath: path), FileManager.default.fileExists(atPath: folder)]
        }
        controller.printFormatter = text()
        try await controller.print(to: accepting.printer())
        #expect(left == [false, false])
        let own = folder.path("own.pdf")
        try PDFBuilder.numbered(pages: 1).write(to: own)
        controller.printingItem = .url(URL(filePath: own))
        try await controller.print(to: accepting.printer())
        #expect(accepting.jobs.last?.request.documentPath == own && FileManager.default.fileExists(atPath: own))
    }

    @Test func `when a job ends, the print interaction controller releases the content but keeps the delegate`()
        async throws
    {
        weak var formatter: SimpleTextPrintFormatter?
        do {
            let text = text()
            formatter = text
            controller.printFormatter = text
        }
        #expect(formatter != nil)
        #expect(try await controller.print(to: destination.printer()))
        #expect(formatter == nil && controller.printFormatter == nil)
        #expect(controller.delegate === delegate)
        #expect(delegate.notes == ["will start", "choose paper", "did finish"])
    }

    @Test func `if new content is set during a job, the new content is kept when the job ends`() async throws {
        final class Next: PrintPageRenderer {
            var controller: PrintInteractionController?
            override var numberOfPages: Int { 1 }
            override func drawContentForPage(at index: Int, in rect: Rect) {
                controller?.printFormatter = SimpleTextPrintFormatter(text: "next")
            }
        }
        let renderer = Next()
        renderer.controller = controller
        controller.printPageRenderer = renderer
        try await controller.print(to: destination.printer())
        #expect(controller.printFormatter != nil)
    }

    // MARK: Jobs

    @Test func `a formatter is drawn on the paper that the delegate chose`() async throws {
        controller.printFormatter = text("hello paper")
        delegate.paper = { papers in PrintPaper.bestPaper(forPageSize: Media.a5.size, from: papers) }
        #expect(try await controller.print(to: destination.printer(), copies: 3))
        let job = try #require(destination.jobs.first)
        #expect(destination.jobs.count == 1 && job.texts.count == 1 && job.texts[0].contains("hello paper"))
        #expect(job.request.title == "Test" && job.request.ticket.media == .a5 && job.request.ticket.copies == 3)
        #expect(job.request.ticket.scaling == PrintScaling.none && job.request.ticket.pageRanges == nil)
        #expect(job.pageSize.isNearly(Media.a5.size))
        #expect(controller.printPaper.media == .a5)
        #expect(
            !FileManager.default.fileExists(atPath: job.request.documentPath),
            "the job's files are deleted when the job ends")
    }

    @Test func `the orientation option rotates drawn pages and has no effect on a printing item`() async throws {
        controller.printInfo.orientation = .landscape
        controller.printFormatter = text()
        try await controller.print(to: destination.printer())
        controller.printingItem = .data(Data(PDFBuilder.numbered(pages: 1).bytes))
        try await controller.print(to: destination.printer())
        let jobs = destination.jobs
        #expect(jobs[0].pageSize.width > jobs[0].pageSize.height)
        #expect(jobs[1].pageSize.width < jobs[1].pageSize.height)
        #expect(jobs.allSatisfy { $0.request.ticket.orientation == nil })
    }

    @Test func `each printing item is a separate job, and no item is sent if one of the items is invalid`()
        async throws
    {
        let good = PrintingItem.data(Data(PDFBuilder.numbered(pages: 2).bytes))
        controller.printingItems = [good, .image(try picture(width: 8, height: 4)), good]
        #expect(try await controller.print(to: destination.printer(), pages: PageRanges("1")))
        #expect(destination.jobs.map(\.texts.count) == [2, 1, 2], "the page range is ignored for several items")
        #expect(destination.jobs.allSatisfy { $0.request.ticket.pageRanges == nil })
        controller.printingItems = [good, .data(Data("nothing known".utf8))]
        let error = try await failure()
        #expect(error?.code == .unknownImageFormat && destination.jobs.count == 3)
        controller.printingItems = []
        #expect(try await failure()?.code == .noContent)
    }

    @Test func `the job ticket contains the page range of a printing item, but no page range for drawn pages`()
        async throws
    {
        controller.printingItem = .data(Data(PDFBuilder.numbered(pages: 5).bytes))
        try await controller.print(to: destination.printer(), pages: PageRanges("2-3"))
        let renderer = NotingRenderer()
        renderer.printFormatters = [Fill(.red, pages: 5)]
        controller.printPageRenderer = renderer
        try await controller.print(to: destination.printer(), pages: PageRanges("2-3"))
        let jobs = destination.jobs
        #expect(jobs[0].texts.count == 5 && jobs[0].request.ticket.pageRanges?.description == "2-3")
        #expect(jobs[1].texts.count == 2 && jobs[1].request.ticket.pageRanges == nil)
        #expect(renderer.notes.filter { $0.hasPrefix("page") } == ["page 1", "page 2"])
    }

    @Test func `the job ticket requests two-sided printing only if the printer supports two-sided printing`()
        async throws
    {
        controller.printInfo.duplex = .longEdge
        controller.printFormatter = text()
        try await controller.print(to: destination.printer())
        let photo = FakeDestination([("photo", .photo)])
        controller.printFormatter = text()
        try await controller.print(to: photo.printer("photo"))
        #expect(destination.jobs[0].request.ticket.duplex == .longEdge)
        #expect(photo.jobs[0].request.ticket.duplex == Duplex.none)
    }

    @Test func `the default paper depends on the output type, the locale and the printer`() async throws {
        let photo = FakeDestination([("photo", .photo)])
        controller.printInfo.outputType = .photo
        controller.printingItem = .image(try picture(width: 300, height: 200))
        try await controller.print(to: photo.printer("photo"))
        // The default photo paper is 4 × 6 inches in regions that use Letter, and A6 in other regions.
        let usesLetter = ["US", "CA", "MX"].contains(PrintPaper.currentRegion ?? "")
        let media = usesLetter ? Media.photo4x6 : .a6
        #expect(controller.printPaper.media == media && controller.printPaper.isBorderless)
        #expect(photo.jobs[0].pageSize.isNearly(media.size.turned), "the paper is turned to landscape for a wide image")
        controller.printInfo.outputType = .general
        controller.printFormatter = text()
        try await controller.print(to: destination.printer())
        #expect(controller.printPaper.media == (usesLetter ? Media.letter : .a4))
        #expect(!controller.printPaper.isBorderless, "the laser printer's paper has margins")
    }

    @Test func `the default job name is the name of the program`() async throws {
        controller.printInfo.jobName = ""
        controller.printFormatter = text()
        try await controller.print(to: destination.printer())
        let program = try #require(CommandLine.arguments.first?.split(separator: "/").last)
        #expect(destination.jobs[0].request.title == String(program))
    }

    @Test func `a roll is cut with the cut length and the cutter behavior that the delegate returns`() async throws {
        let roll = FakeDestination([("roll", .roll)])
        delegate.cutLength = 500
        delegate.cutter = .cutAfterEachPage
        controller.printFormatter = text()
        try await controller.print(to: roll.printer("roll"))
        let job = try #require(roll.jobs.first)
        #expect(job.pageSize.isNearly(Size(width: 288, height: 500), tolerance: 0.1))
        #expect(job.request.cutterBehavior == .cutAfterEachPage)
        delegate.cutLength = 10
        controller.printFormatter = text("a")
        try await controller.print(to: roll.printer("roll"))
        #expect(
            roll.jobs[1].request.ticket.media?.height == .millimeters(20),
            "the shortest length that the cutter supports")
        delegate.cutLength = 1e6
        controller.printFormatter = text()
        let printer = try await roll.printer("roll")
        await #expect(throws: PrintError.self) { try await controller.print(to: printer) }
    }

    @Test(arguments: [PrinterCapabilities.laser, .anySize])
    func `on a sheet printer, the delegate is not asked for a cut length or a cutter behavior`(
        laser: PrinterCapabilities
    )
        async throws
    {
        let sheets = FakeDestination([("laser", laser)])
        delegate.cutLength = 500
        delegate.cutter = .cutAfterEachPage
        delegate.paper = { $0.first }
        controller.printFormatter = text()
        try await controller.print(to: sheets.printer())
        let job = try #require(sheets.jobs.first)
        #expect(delegate.cutLengthQuestions == 0 && delegate.cutterQuestions == 0)
        #expect(job.pageSize.isNearly(Media.a4.size) && job.request.cutterBehavior == .printerDefault)
    }

    @Test func `a page in a PDF file has the delegate's cut length only if the paper is continuous`() async throws {
        let paper = PrintPaper(media: .of(width: .millimeters(62), height: .millimeters(100)))
        let continuous = PrintPaper(media: paper.media, type: "continuous")
        delegate.cutLength = 400
        for (paper, height) in [(paper, paper.paperSize.height), (continuous, 400)] {
            delegate.paper = { _ in paper }
            controller.printFormatter = text()
            try await controller.print(to: .file(folder.path("a.pdf")))
            let page = try #require(try PDFFile(path: folder.path("a.pdf")).page(at: 0))
            #expect(abs(page.size.height - height) < 0.1)
        }
        #expect(delegate.cutLengthQuestions == 1)
    }

    @Test func `the delegate receives the reports of a job in order`() async throws {
        let news: [PrintReport] = [
            .accepted(jobID: 7), .progress(page: 1, of: 2), .alert("Out of Paper"), .alertCleared,
            .progress(page: 2, of: 2),
        ]
        let talking = FakeDestination(reports: news)
        controller.printFormatter = text()
        try await controller.print(to: talking.printer())
        #expect(delegate.reports == news)
    }

    @Test func `'print' returns false if the destination reports the job as canceled`() async throws {
        let canceling = FakeDestination(answer: { .canceled })
        controller.printFormatter = text()
        #expect(try await controller.print(to: canceling.printer()) == false)
        #expect(delegate.notes.last == "did finish")
    }

    @Test func `if the task is canceled while pages are drawn, no job is submitted`() async throws {
        let destination = destination
        let task = Task.detached {
            final class Slow: PrintPageRenderer {
                override var numberOfPages: Int { 100_000 }
                override func drawContentForPage(at index: Int, in rect: Rect) {
                    // A canceled task stays canceled, so the second page is never drawn.
                    withUnsafeCurrentTask { $0?.cancel() }
                    precondition(index == 0)
                }
            }
            let controller = PrintInteractionController()
            controller.printPageRenderer = Slow()
            return try await controller.print(to: destination.printer())
        }
        #expect(try await task.value == false)
        #expect(destination.jobs.isEmpty)
    }

    @Test func `if the task is canceled, the job is canceled at the printer`() async throws {
        let (started, continuation) = AsyncStream<Void>.makeStream()
        let destination = FakeDestination(answer: {
            continuation.yield()
            let (never, keep) = AsyncStream<Void>.makeStream()
            for await _ in never {}
            keep.finish()
            throw CancellationError()
        })
        let task = Task.detached {
            let controller = PrintInteractionController()
            controller.printFormatter = SimpleTextPrintFormatter(text: "a")
            return try await controller.print(to: destination.printer())
        }
        for await _ in started { break }
        task.cancel()
        #expect(try await task.value == false)
    }

    @Test @MainActor func `while a job is drawn, a second job is refused, and the first job completes`() async throws {
        final class Telling: PrintPageRenderer {
            let (drawing, continuation) = AsyncStream<Void>.makeStream()
            override var numberOfPages: Int { 500 }
            override func prepare(forDrawingPages range: Range<Int>) { continuation.yield() }
        }
        let renderer = Telling()
        let controller = PrintInteractionController()
        controller.printPageRenderer = renderer
        let printer = try await destination.printer()
        let first = Task { @MainActor in try await controller.print(to: printer) }
        for await _ in renderer.drawing { break }
        let error = await #expect(throws: PrintError.self) { try await controller.print(to: printer) }
        #expect(error?.message.contains("drawing another job") == true)
        #expect(try await first.value)
        #expect(destination.jobs.map(\.texts.count) == [500])
    }

    @Test func `12 tasks can print different texts concurrently`() async throws {
        let destination = destination
        try await withThrowingTaskGroup { group in
            for number in 1...12 {
                group.addTask {
                    let controller = PrintInteractionController()
                    controller.destination = destination
                    controller.showsPageRange = true
                    controller.optionsPresenter = FakePresenter { $0 }
                    controller.printInfo.jobName = "\(number)"
                    // Plain text and text for Pango, with different words in each task, so that every task shapes text.
                    let lines = (1...150).map { "word\(number)x\($0) and \(number)ü\($0) 紙\(number)" }
                    let text = lines.joined(separator: "\n")
                    controller.printFormatter =
                        number % 2 == 0
                        ? SimpleTextPrintFormatter(text: text) : TextView(text: text).viewPrintFormatter()
                    let isCompleted = try await controller.present()
                    #expect(isCompleted)
                }
            }
            try await group.waitForAll()
        }
        #expect(destination.jobs.count == 12)
        for job in destination.jobs {
            let all = job.texts.joined(separator: "\n")
            for line in [1, 75, 150] { #expect(all.contains("word\(job.request.title)x\(line) and")) }
        }
    }
}
