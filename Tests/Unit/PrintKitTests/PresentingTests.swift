import FoundationEssentials
import PrintTestSupport
import Synchronization
import Testing

@testable import PrintKit

/// Tests of showing and hiding the printer options.
final class PresentingTests: ControllerSuite {
    @Test func `if the user accepts options in the presenter, the options are applied to the job`() async throws {
        controller.showsPageRange = true
        controller.printInfo.duplex = .shortEdge
        controller.printInfo.printerID = "second"
        controller.destination = FakeDestination([("laser", .photo), ("second", .laser)])
        controller.optionsPresenter = FakePresenter { options in
            #expect(options.title == "Test" && options.printer.id == "second" && options.duplex == .shortEdge)
            #expect(options.pageCount == 3 && options.allowsPageRange && options.maximumCopies == 9)
            var options = options
            (options.copies, options.pages) = (2, try PageRanges("3"))
            return options
        }
        let renderer = NotingRenderer()
        renderer.printFormatters = [Fill(.red, pages: 3)]
        controller.printPageRenderer = renderer
        #expect(try await controller.present())
        let job = try #require((controller.destination as? FakeDestination)?.jobs.first)
        #expect(job.printer == "second" && job.request.ticket.copies == 2 && job.request.ticket.duplex == .shortEdge)
        #expect(renderer.notes.filter { $0.hasPrefix("page") } == ["page 2"])
        #expect(
            delegate.notes.filter { $0 != "choose paper" }
                == ["will present", "did present", "will dismiss", "did dismiss", "will start", "did finish"])
    }

    @Test func `if the user chooses a different printer, the pages are counted again for the paper of this printer`()
        async throws
    {
        controller.showsPageRange = true
        controller.destination = FakeDestination([("laser", .laser), ("photo", .photo)])
        let counts = Mutex<[Int?]>([])
        controller.optionsPresenter = FakePresenter { options in
            var options = options
            counts.withLock { $0.append(options.pageCount) }
            for index in [1, 0, 1] {
                options.printerIndex = index
                await options.recountPages()
                counts.withLock { [options] in $0.append(options.pageCount) }
            }
            return options
        }
        controller.printFormatter = SimpleTextPrintFormatter(text: String(repeating: "A line of text.\n", count: 100))
        #expect(try await controller.present())
        let job = try #require((controller.destination as? FakeDestination)?.jobs.first)
        let (laser, photo) = (counts.withLock { $0[0] } ?? 0, job.texts.count)
        #expect(laser < photo && counts.withLock { $0 } == [laser, photo, laser, photo], "\(laser) \(photo)")
    }

    @Test func `the page range is hidden if there are several items or only one page, or if 'showsPageRange' is false`()
        async throws
    {
        let seen = Mutex<[Bool]>([])
        controller.optionsPresenter = FakePresenter { options in
            seen.withLock { $0.append(options.allowsPageRange) }
            return nil
        }
        let item = PrintingItem.data(Data(PDFBuilder.numbered(pages: 4).bytes))
        controller.printingItem = item
        try await controller.present()
        controller.showsPageRange = true
        try await controller.present()
        controller.printingItems = [item, item]
        try await controller.present()
        controller.printingItem = .data(Data(PDFBuilder.numbered(pages: 1).bytes))
        try await controller.present()
        #expect(seen.withLock { $0 } == [false, true, false, false])
    }

    @Test func `the options form preselects the printer that the user chose before`() async throws {
        controller.destination = FakeDestination([("a", .laser), ("b", .laser)])
        controller.optionsPresenter = FakePresenter { options in
            var options = options
            options.printerIndex = 1
            return options
        }
        controller.printInfo.printerID = "gone"
        controller.printFormatter = text()
        #expect(try await controller.present() && controller.printInfo.printerID == "b")
        controller.optionsPresenter = FakePresenter { options in
            #expect(options.printer.id == "b")
            return nil
        }
        controller.printFormatter = text()
        try await controller.present()
    }

    @Test func `a canceled presentation returns false and keeps the content`() async throws {
        controller.optionsPresenter = FakePresenter { _ in nil }
        controller.printFormatter = text()
        #expect(try await controller.present() == false)
        #expect(controller.printFormatter != nil && destination.jobs.isEmpty)
        #expect(delegate.notes == ["will present", "did present", "will dismiss", "did dismiss"])
    }

    @Test func `a second call of 'present' hides the options, and a third call shows the options again`() async throws {
        let (shown, continuation) = AsyncStream<Void>.makeStream()
        let controller = PrintInteractionController()
        controller.destination = destination
        controller.optionsPresenter = FakePresenter { _ in
            continuation.yield()
            let (never, keep) = AsyncStream<Void>.makeStream()
            for await _ in never {}
            keep.finish()
            return nil
        }
        controller.printFormatter = SimpleTextPrintFormatter(text: "a")
        let presented = Presented(controller)
        for _ in 1...2 {
            async let first = presented.present()
            for await _ in shown { break }
            #expect(try await presented.present() == false)
            #expect(try await first == false)
        }
        #expect(destination.jobs.isEmpty)
    }

    @Test func `after options are hidden, a new presentation waits until the previous presentation has closed`()
        async throws
    {
        let (shown, continuation) = AsyncStream<Void>.makeStream()
        let onScreen = Mutex((now: 0, most: 0))
        let controller = PrintInteractionController()
        controller.destination = destination
        controller.optionsPresenter = FakePresenter { _ in
            onScreen.withLock { ($0.now, $0.most) = ($0.now + 1, max($0.most, $0.now + 1)) }
            defer { onScreen.withLock { $0.now -= 1 } }
            continuation.yield()
            let (never, keep) = AsyncStream<Void>.makeStream()
            for await _ in never {}
            keep.finish()
            return nil
        }
        controller.printFormatter = SimpleTextPrintFormatter(text: "a")
        let presented = Presented(controller)
        async let first = presented.present()
        for await _ in shown { break }
        // The options are hidden and presented again before the first call continues.
        async let third = presented.presentTwice()
        for await _ in shown { break }
        #expect(try await first == false)
        await presented.dismiss()
        #expect(try await third == [false, false])
        #expect(onScreen.withLock { $0.most } == 1)
    }

    @Test
    func `if the print options are dismissed during their preparation, they are not shown, and can be presented again`()
        async throws
    {
        let count = Mutex(0)
        controller.optionsPresenter = FakePresenter { _ in
            count.withLock { $0 += 1 }
            return nil
        }
        // The pages are counted while the options are prepared.
        final class Hiding: PrintPageRenderer {
            weak var controller: PrintInteractionController?
            override var numberOfPages: Int {
                controller?.dismiss()
                return 2
            }
        }
        let renderer = Hiding()
        renderer.controller = controller
        controller.showsPageRange = true
        controller.printPageRenderer = renderer
        #expect(try await controller.present() == false && count.withLock { $0 } == 0)
        renderer.controller = nil
        #expect(try await controller.present() == false && count.withLock { $0 } == 1)
    }

    @Test func `the delegate selects the paper and the cut length once, even if the options show the page count`()
        async throws
    {
        controller.destination = FakeDestination([("roll", .roll)])
        controller.optionsPresenter = FakePresenter { $0 }
        controller.showsPageRange = true
        delegate.cutLength = 500
        controller.printFormatter = text()
        #expect(try await controller.present())
        #expect(delegate.notes.filter { $0 == "choose paper" }.count == 1)
        #expect(delegate.cutLengthQuestions == 1)
    }

    @Test func `the options are shown by the presenter that the delegate returns`() async throws {
        delegate.parent = FakePresenter { $0 }
        controller.optionsPresenter = FakePresenter { _ in nil }
        controller.printFormatter = text()
        #expect(try await controller.present())
    }

    @Test @MainActor func `completion closures are called on the main actor with the result`() async throws {
        let shared = PrintInteractionController.shared
        shared.optionsPresenter = FakePresenter { _ in nil }
        var ends: [(Bool, PrintError.Code?)] = []
        await shared.present { _, isCompleted, error in ends.append((isCompleted, error?.code)) }.value
        shared.printFormatter = SimpleTextPrintFormatter(text: "a")
        await shared.present { _, isCompleted, error in ends.append((isCompleted, error?.code)) }.value
        await shared.print(to: try destination.printer(), copies: 2, pages: try PageRanges("1")) {
            _, isCompleted, error in
            ends.append((isCompleted, error?.code))
        }.value
        #expect(destination.jobs.first?.request.ticket.copies == 2)
        #expect(ends.map(\.0) == [false, false, true] && ends.map(\.1) == [.noContent, nil, nil])
    }

    @Test func `'presentAndSubmit' returns the job when the destination has accepted it, before it has ended`()
        async throws
    {
        let (ends, end) = AsyncStream<Never>.makeStream()
        controller.destination = FakeDestination { _ in
            for await _ in ends {}
            return .completed
        }
        controller.optionsPresenter = FakePresenter { $0 }
        controller.printFormatter = text()
        let job = try #require(try await controller.presentAndSubmit())
        #expect(controller.printInfo.printerID == "laser" && controller.printFormatter == nil)
        end.finish()
        #expect(try await job.wait() == .completed)
        controller.optionsPresenter = FakePresenter { _ in nil }
        controller.printFormatter = text()
        let canceled = try await controller.presentAndSubmit()
        #expect(canceled == nil)
    }

    @Test func `without a linked presenter, the error names the product that contains a presenter`() async throws {
        controller.optionsPresenter = MissingOptionsPresenter()
        controller.printFormatter = text()
        let error = await #expect(throws: PrintError.self) { try await controller.present() }
        #expect(error?.code == .printingNotAvailable)
        #expect(
            error?.message == "cannot show the printer options because the program has no presenter; link the product "
                + "PrintKitTerminal, set the controller's optionsPresenter, or print with print(to:)")
        let picker = PrinterPicker(destination: destination)
        picker.presenter = MissingOptionsPresenter()
        await #expect(throws: PrintError.self) { try await picker.present() }
    }

    @Test func `a printer picker returns the chosen printer`() async throws {
        let picker = PrinterPicker(destination: FakeDestination([("a", .laser), ("b", .photo), ("c", .laser)]))
        picker.presenter = FakePresenter { $0 }
        picker.shouldShow = { $0.supportsDuplex || $0.id == "b" }
        #expect(try await picker.present() && picker.selectedPrinter?.id == "c")
        #expect(picker.selectedPrinter?.supportsColor == true)
        picker.shouldShow = { _ in false }
        await #expect(throws: PrintError.self) { try await picker.present() }
    }
}

/// An actor that owns a controller, so that two calls can present at the same time.
private actor Presented {
    private let controller: PrintInteractionController

    init(_ controller: sending PrintInteractionController) { self.controller = controller }

    func present() async throws -> Bool { try await controller.present() }

    /// Presents the options twice.
    ///
    /// The first of the two calls hides the options that are shown.
    func presentTwice() async throws -> [Bool] {
        [try await controller.present(), try await controller.present()]
    }

    func dismiss() { controller.dismiss() }
}
