import FoundationEssentials
import PrintKit
import PrintTestSupport
import Synchronization
import Testing

/// Tests of several printing items, each of which is a separate job.
final class SeveralItemsTests: ControllerSuite {
    private struct Jam: Error, CustomStringConvertible {
        let item: Int
        var description: String { "item \(item) is jammed" }
    }

    /// Returns PDFs as printing items.
    ///
    /// The first PDF has one page, and each PDF has one page more than the previous PDF.
    private func items(_ count: Int) -> [PrintingItem] {
        (1...count).map { .data(Data(PDFBuilder.numbered(pages: $0).bytes)) }
    }

    /// A gate that opens when `count` jobs are waiting at the gate.
    private final class Gate: Sendable {
        private let waiting = Mutex<(arrived: Int, held: [CheckedContinuation<Void, Never>])>((0, []))
        private let count: Int

        init(_ count: Int) { self.count = count }

        func pass() async {
            await withCheckedContinuation { continuation in
                let released = waiting.withLock { waiting -> [CheckedContinuation<Void, Never>] in
                    waiting.arrived += 1
                    waiting.held.append(continuation)
                    return waiting.arrived < count ? [] : waiting.held
                }
                for one in released { one.resume() }
            }
        }
    }

    @Test(.timeLimit(.minutes(1)))
    func `several items are accepted in order before the job of the first item ends`() async throws {
        // The gate delays the end of all jobs until four jobs are submitted.
        let gate = Gate(4)
        let queue = FakeDestination(accepting: { _ in
            await gate.pass()
            return .completed
        })
        controller.printingItems = items(4)
        #expect(try await controller.print(to: queue.printer()))
        #expect(queue.jobs.map(\.request.itemNumber) == [1, 2, 3, 4])
        #expect(queue.jobs.map(\.texts.count) == [1, 2, 3, 4])
        #expect(delegate.reports == Array(repeating: .accepted(jobID: nil), count: 4))
        #expect(delegate.notes == ["will start", "choose paper", "did finish"])
    }

    @Test func `an item is submitted only after the previous item was accepted or has ended`() async throws {
        // If the printer does not report that a job is accepted, the job counts as accepted when it ends.
        let running = Mutex(0)
        let silent = FakeDestination(answer: {
            #expect(
                running.withLock {
                    $0 += 1; return $0
                } == 1)
            for _ in 1...20 { await Task.yield() }
            running.withLock { $0 -= 1 }
            return .completed
        })
        controller.printingItems = items(3)
        #expect(try await controller.print(to: silent.printer()))
        #expect(silent.jobs.map(\.request.itemNumber) == [1, 2, 3])
    }

    @Test func `the file of each item is deleted when the printer accepts the item`() async throws {
        let queue = FakeDestination(accepting: { _ in .completed })
        var left: [Bool] = []
        delegate.onReport = { _ in
            let paths = queue.jobs.map(\.request.documentPath)
            left.append(FileManager.default.fileExists(atPath: paths[left.count]))
        }
        controller.printingItems = items(3)
        try await controller.print(to: queue.printer())
        #expect(left == [false, false, false])
        let folder = try #require(queue.jobs.first?.request.documentPath.split(separator: "/").dropLast())
        #expect(!FileManager.default.fileExists(atPath: "/" + folder.joined(separator: "/")))
    }

    @Test(.timeLimit(.minutes(1))) func `if several items fail, the first error is thrown after all items have ended`()
        async throws
    {
        let ended = Mutex<[Int]>([])
        let (failed, fail) = AsyncStream<Void>.makeStream()
        let queue = FakeDestination(accepting: { request in
            switch request.itemNumber {
            case 3:
                defer { fail.finish() }
                throw Jam(item: 3)
            case 2:
                // Item 2 fails after item 3 has failed.
                for await _ in failed {}
                throw Jam(item: 2)
            default:
                for await _ in failed {}
                for _ in 1...20 { await Task.yield() }
                ended.withLock { $0.append(request.itemNumber) }
                return .completed
            }
        })
        controller.printingItems = items(4)
        let error = try await failure(of: queue)
        #expect(error?.description.contains("item 2 is jammed") == true, "the error of the first failed item is thrown")
        #expect(ended.withLock { $0.sorted() } == [1, 4])
        #expect(delegate.notes.last == "did finish" && controller.printingItems == nil)
    }

    @Test func `if one of several items is refused or canceled at the printer, the other items are not affected`()
        async throws
    {
        let refusing = FakeDestination(answer: { throw Jam(item: 0) })
        controller.printingItems = items(3)
        #expect(try await failure(of: refusing) != nil)
        #expect(refusing.jobs.count == 3)
        let canceling = FakeDestination(accepting: { $0.itemNumber == 1 ? .canceled : .completed })
        controller.printingItems = items(3)
        #expect(try await controller.print(to: canceling.printer()) == false)
        #expect(canceling.jobs.count == 3)
    }

    @Test(.timeLimit(.minutes(1)))
    func `if the task is canceled, the jobs of all items that have not ended are canceled`() async throws {
        let (waiting, wait) = AsyncStream<Int>.makeStream()
        let canceled = Mutex<[Int]>([])
        let queue = FakeDestination(accepting: { request in
            if request.itemNumber == 1 { return .completed }
            wait.yield(request.itemNumber)
            let (never, keep) = AsyncStream<Void>.makeStream()
            for await _ in never {}
            keep.finish()
            canceled.withLock { $0.append(request.itemNumber) }
            throw CancellationError()
        })
        let items = items(3)
        let task = Task.detached {
            let controller = PrintInteractionController()
            controller.printingItems = items
            return try await controller.print(to: queue.printer())
        }
        for await item in waiting where item == 3 { break }
        task.cancel()
        #expect(try await task.value == false)
        #expect(canceled.withLock { $0.sorted() } == [2, 3])
    }

    @Test(.timeLimit(.minutes(1)))
    func `after the task is canceled, no more printing items are submitted`() async throws {
        let (waiting, wait) = AsyncStream<Void>.makeStream()
        let slow = FakeDestination(answer: {
            wait.yield()
            let (never, keep) = AsyncStream<Void>.makeStream()
            for await _ in never {}
            keep.finish()
            throw CancellationError()
        })
        let items = items(3)
        let task = Task.detached {
            let controller = PrintInteractionController()
            controller.printingItems = items
            return try await controller.print(to: slow.printer())
        }
        for await _ in waiting { break }
        task.cancel()
        #expect(try await task.value == false)
        #expect(slow.jobs.count == 1)
    }

    @Test func `if several items are printed to files, the files are numbered in the order of the items`() async throws
    {
        controller.printingItems = items(4)
        #expect(try await controller.print(to: .file(folder.path("out.pdf"))))
        controller.destination = PDFFileDestination(folder: folder.path)
        controller.printingItems = items(4)
        #expect(try await controller.print(to: try await controller.printer(named: nil)))
        for name in ["out", "Test"] {
            let counts = try [".pdf", " 2.pdf", " 3.pdf", " 4.pdf"].map {
                try PDFFile(path: folder.path(name + $0)).pageCount
            }
            #expect(counts == [1, 2, 3, 4])
        }
    }

    @Test @MainActor func `the delegate receives reports of several items on the controller's actor`() async throws {
        let queue = FakeDestination(accepting: { _ in .completed })
        let controller = PrintInteractionController()
        let delegate = NotingDelegate()
        delegate.onReport = { _ in MainActor.assertIsolated() }
        controller.delegate = delegate
        controller.printingItems = items(3)
        #expect(try await controller.print(to: queue.printer()))
        #expect(delegate.reports.count == 3)
    }
}
