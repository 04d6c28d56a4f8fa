import AsyncPrimitives
import Foundation
import PrintTestSupport
import SpoolerClient
import Synchronization
import Testing

/// Tests of the events of `SpoolerClient` at a real printd.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct QueueEventsTests {
    private let spooler: TestSpooler
    private let queue: Spooler
    private let file: String

    init() async throws {
        spooler = try TestSpooler()
        try spooler.start()
        queue = try Spooler(spool: spooler.spool)
        file = try spooler.file("letter.pdf", .numbered(pages: 2))
        try await queue.pausePrinter("color-laser")
    }

    /// Waits until printd has no subscription.
    private func waitForNoSubscription() async throws {
        try await PrintTestSupport.eventually("the subscription has ended") { try await spooler.subscriptions() == 0 }
    }

    /// Holds a job, and reads the events until the job is held.
    private func hold(_ id: Int) async throws {
        let events = try await queue.events(ofJobs: [id])
        #expect(try await spooler.subscriptions() == 1)
        try await queue.hold(id)
        for try await event in events where event.state == .pendingHeld {
            #expect(event.jobID == id && event.printer == "color-laser" && event.number > 0)
            break
        }
    }

    @Test func `an event after the call is in the sequence, and the release of the sequence ends the subscription`()
        async throws
    {
        try await hold(queue.submit(JobSubmission(files: [file], printer: "color-laser")))
        try await waitForNoSubscription()
    }

    @Test func `a canceled task ends its subscription, and the job stays in the queue`() async throws {
        let id = try await queue.submit(JobSubmission(files: [file], printer: "color-laser"))
        let (started, start) = AsyncStream.makeStream(of: Void.self)
        let tasks = [
            Task { [queue] in
                for try await _ in queue.watch(id) { start.yield() }
            },
            Task { [queue] in _ = try await queue.wait(for: id) },
            Task { [queue] in
                for try await _ in try await queue.events(after: 0) {}
            },
        ]
        for await _ in started { break }
        // `spooler.eventually` would have a subscription too.
        try await PrintTestSupport.eventually("each task has a subscription") {
            try await spooler.subscriptions() == 3
        }
        for task in tasks { task.cancel() }
        for task in tasks { _ = await task.result }
        try await waitForNoSubscription()
        #expect(try await spooler.job(id).state == "pending")
    }

    @Test func `a watch has the states of a job to its end, and 'wait' returns the ended job`() async throws {
        let id = try await queue.submit(JobSubmission(files: [file], printer: "color-laser"))
        async let ended = queue.wait(for: id)
        var states: [String] = []
        for try await job in queue.watch(id) {
            if states.isEmpty { try await queue.resumePrinter("color-laser") }
            states.append("\(job.state, default: "")")
        }
        #expect(states.first == "pending" && states.last == "completed", "\(states)")
        let job = try await ended
        #expect(job.state == .completed && job.pages == "2" && job.outputFolder != nil)
        #expect(try await queue.job(id).timeline.last?.kind == .completed)
    }

    @Test func `the sequence continues after a restart of printd without missing or repeating an event`() async throws {
        let notices = Notices()
        let events = try await queue.events(at: "color-laser", after: 0) { notices.add($0) }
        let reading = Task {
            var numbers: [Int] = []
            for try await event in events {
                numbers.append(event.number)
                if event.kind == "job-completed" { break }
            }
            return numbers
        }
        let id = try await queue.submit(JobSubmission(files: [file], printer: "color-laser"))
        spooler.stop(SIGKILL)
        try await PrintTestSupport.eventually("the connection is lost") { notices.all == [.lost] }
        try spooler.start()
        try await queue.resumePrinter("color-laser")
        #expect(try await queue.wait(for: id).state == .completed)
        let numbers = try await reading.value
        #expect(numbers == numbers.sorted() && Set(numbers).count == numbers.count, "\(numbers)")
        let jobs = try await spooler.sql("SELECT sequence FROM events WHERE job_id = \(id) ORDER BY sequence")
        #expect(jobs.compactMap { Int($0) }.allSatisfy(numbers.contains), "\(jobs) \(numbers)")
        guard case .reconnected? = notices.all.last, notices.all.count == 2 else {
            Issue.record("\(notices.all)")
            return
        }
    }
}

/// Tests of the first request of a program to a spool without printd.
@Suite(.timeLimit(.minutes(2)))
struct QueueStartTests {
    @Test func `the start of printd is noticed, and blocks no thread that tasks share`() async throws {
        let spooler = try TestSpooler()
        let seen = Starts()
        let queue = try Spooler(spool: spooler.spool) { seen.add($0) }
        #expect(try await queue.printers().contains { $0.name == "color-laser" })
        let notices = seen.all
        #expect(notices.map(\.isShared) == [false])
        #expect(notices.first?.text.hasPrefix("started printd, which listens on \(spooler.socket)") == true)
    }
}

private final class Starts: Sendable {
    private let list = Mutex<[(text: String, isShared: Bool)]>([])

    var all: [(text: String, isShared: Bool)] { list.withLock { $0 } }

    func add(_ text: String) { list.withLock { $0.append((text, BlockingCall.isSharedByTasks)) } }
}

private final class Notices: Sendable {
    private let list = Mutex<[EventNotice]>([])

    var all: [EventNotice] { list.withLock { $0 } }

    func add(_ notice: EventNotice) { list.withLock { $0.append(notice) } }
}
