import AsyncPrimitives
import FoundationEssentials
import Glibc
import PrintKit
import PrintTestSupport
import Synchronization
import Testing

/// A count that several tasks share.
///
/// `@unchecked Sendable`: the count is accessed only while the lock is held.
private final class SharedCount: @unchecked Sendable {
    private let lock = ThreadLock()
    private let change: ThreadCondition
    private var count = 0

    init() { change = ThreadCondition(lock) }

    var value: Int { lock.locked { count } }

    func increase() {
        lock.locked {
            count += 1
            change.wakeAll()
        }
    }

    /// Blocks the thread until the count has increased by a number; returns false after the time limit.
    func waitForIncrease(by number: Int, within limit: Duration) -> Bool {
        let end = ContinuousClock.now + limit
        return lock.locked {
            let goal = count + number
            while count < goal, ContinuousClock.now < end { change.wait(until: end) }
            return count >= goal
        }
    }
}

/// Tests that the layout and the drawing of documents delay no other task.
@Suite(.timeLimit(.minutes(3)))
struct ResponsivenessTests {
    /// A web server that answers only after a task has made progress.
    private final class HoldingServer: Sendable {
        let address: String
        /// The number of steps of the task.
        let steps = Mutex(0)
        /// The number of clients that closed their connection because they got no answer in time.
        let impatient = Mutex(0)
        /// One element for each request.
        let arrivals: AsyncStream<Void>
        private let socket: Int32

        init() throws {
            let (arrivals, arrival) = AsyncStream.makeStream(of: Void.self)
            self.arrivals = arrivals
            let place = try LoopbackPort()
            address = "http://127.0.0.1:\(place.number)"
            socket = place.socket
            try place.serve { [weak self] connection in
                var buffer = [UInt8](repeating: 0, count: 8192)
                _ = read(connection, &buffer, buffer.count)
                arrival.yield()
                let before = self?.steps.withLock { $0 } ?? 0
                while let self, steps.withLock({ $0 }) < before + 2000 {
                    var state = pollfd(fd: connection, events: Int16(POLLIN), revents: 0)
                    guard poll(&state, 1, 5) == 0 else { return impatient.withLock { $0 += 1 } }
                }
                let answer = Array("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".utf8)
                _ = write(connection, answer, answer.count)
                shutdown(connection, Int32(SHUT_RDWR))
            }
        }

        deinit {
            shutdown(socket, Int32(SHUT_RDWR))
            close(socket)
        }
    }

    private actor Desk {
        private let formatter: MarkupTextPrintFormatter

        init(_ server: HoldingServer) { formatter = ResponsivenessTests.formatter(server) }

        var pageCount: Int { formatter.pageCount }

        func prepare() async { await formatter.prepareLayout() }

        func change() { formatter.markupText = "<p>one<p style='break-before: page'>two" }
    }

    private static func formatter(_ server: HoldingServer) -> MarkupTextPrintFormatter {
        let formatter = MarkupTextPrintFormatter(markupText: "<img src='\(server.address)/a.png'><p>text")
        (formatter.allowsNetwork, formatter.allowsPrivateNetworks) = (true, true)
        return formatter
    }

    /// Runs more layouts than there are threads for tasks, while another task makes steps.
    private func expectSteps(_ layout: @escaping @Sendable (HoldingServer) async throws -> Void) async throws {
        let server = try HoldingServer()
        let ticking = Task.detached {
            while !Task.isCancelled {
                server.steps.withLock { $0 += 1 }
                await Task.yield()
            }
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<2 * ProcessInfo.processInfo.activeProcessorCount + 2 {
                group.addTask { try await layout(server) }
            }
            try await group.waitForAll()
        }
        ticking.cancel()
        #expect(server.impatient.withLock { $0 } == 0, "a layout waited in vain for steps of another task")
    }

    @Test func `other tasks continue while HTML is laid out for a file`() async throws {
        let folder = try TemporaryFolder()
        let number = Atomic(0)
        try await expectSteps { server in
            let renderer = PrintPageRenderer()
            renderer.printFormatters = [Self.formatter(server)]
            let path = folder.path("\(number.add(1, ordering: .relaxed).newValue).pdf")
            try await renderer.write(to: path, on: PrintPaper(media: .a4))
            #expect(try PDFFile(path: path).pageCount == 1)
        }
    }

    /// A renderer whose pages are drawn only while another task makes steps.
    private final class HoldingRenderer: PrintPageRenderer {
        private let steps: SharedCount
        private let hasWaitedTooLong: SharedCount

        init(_ steps: SharedCount, _ hasWaitedTooLong: SharedCount) {
            (self.steps, self.hasWaitedTooLong) = (steps, hasWaitedTooLong)
        }

        override var numberOfPages: Int { 3 }

        override func drawContentForPage(at index: Int, in contentRect: Rect) {
            if !steps.waitForIncrease(by: 100, within: .seconds(20)) { hasWaitedTooLong.increase() }
        }
    }

    @Test func `other tasks continue while the pages of many documents are drawn`() async throws {
        let folder = try TemporaryFolder()
        let (steps, late) = (SharedCount(), SharedCount())
        let ticking = Task.detached {
            while !Task.isCancelled {
                steps.increase()
                await Task.yield()
            }
        }
        let documents = 2 * ProcessInfo.processInfo.activeProcessorCount + 2
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<documents {
                group.addTask {
                    let renderer = HoldingRenderer(steps, late)
                    try await renderer.write(to: folder.path("\(number).pdf"), on: PrintPaper(media: .a4))
                }
            }
            try await group.waitForAll()
        }
        ticking.cancel()
        #expect(late.value == 0, "a page waited in vain for steps of another task")
    }

    @Test func `a program chooses how many HTML documents are laid out at once`() async throws {
        let usual = HTMLEngine.shared
        HTMLEngine.shared = HTMLEngine(concurrent: 3)
        defer {
            HTMLEngine.shared.coolDown()
            HTMLEngine.shared = usual
        }
        // Each document loads an image, and no image is answered before all three were requested.
        let (arrivals, arrival) = AsyncStream.makeStream(of: Void.self)
        let (isComplete, late) = (SharedCount(), SharedCount())
        let place = try LoopbackPort()
        try place.serve(isConcurrent: true) { connection in
            var buffer = [UInt8](repeating: 0, count: 8192)
            _ = read(connection, &buffer, buffer.count)
            arrival.yield()
            while isComplete.value == 0 {
                var state = pollfd(fd: connection, events: Int16(POLLIN), revents: 0)
                guard poll(&state, 1, 5) == 0 else { return late.increase() }
            }
            let answer = Array("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".utf8)
            _ = write(connection, answer, answer.count)
            shutdown(connection, Int32(SHUT_RDWR))
        }
        let counts = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<3 {
                group.addTask {
                    let formatter = MarkupTextPrintFormatter(
                        markupText: "<img src='http://127.0.0.1:\(place.number)/a.png'><p>text")
                    (formatter.allowsNetwork, formatter.allowsPrivateNetworks) = (true, true)
                    await formatter.prepareLayout()
                    return formatter.pageCount
                }
            }
            var number = 0
            for await _ in arrivals {
                number += 1
                if number == 3 { break }
            }
            isComplete.increase()
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(counts == [1, 1, 1])
        #expect(late.value == 0)
    }

    @Test func `other tasks continue while a web view is laid out for its width`() async throws {
        try await expectSteps { server in
            let view = WebView(html: "<img src='\(server.address)/a.png'><p>text")
            (view.allowsNetwork, view.allowsPrivateNetworks) = (true, true)
            await view.prepareLayout(forWidth: 300)
            #expect(view.failure == nil)
            #expect(view.height(forWidth: 300) > 10)
        }
    }

    @Test func `other tasks continue while a web view is printed`() async throws {
        let destination = FakeDestination(accepting: { _ in .completed })
        try await expectSteps { server in
            let controller = PrintInteractionController()
            let view = WebView(html: "<img src='\(server.address)/a.png'><p>text")
            (view.allowsNetwork, view.allowsPrivateNetworks) = (true, true)
            controller.printFormatter = view.viewPrintFormatter()
            let isCompleted = try await controller.print(to: destination.printer())
            #expect(isCompleted)
        }
    }

    @Test func `a formatter whose content changes during its layout is laid out again`() async throws {
        let server = try HoldingServer()
        let desk = Desk(server)
        let preparing = Task { await desk.prepare() }
        for await _ in server.arrivals { break }
        await desk.change()
        server.steps.withLock { $0 += 10_000 }
        await preparing.value
        #expect(await desk.pageCount == 2)
    }

    @Test func `other tasks continue while the options form waits for the pages of HTML`() async throws {
        try await expectSteps { server in
            let controller = PrintInteractionController()
            controller.destination = FakeDestination()
            controller.showsPageRange = true
            controller.optionsPresenter = FakePresenter { options in
                #expect(options.pageCount == 1)
                return nil
            }
            controller.printFormatter = Self.formatter(server)
            let isPrinted = try await controller.present()
            #expect(!isPrinted)
        }
    }
}
