import AsyncPrimitives
import HTTPTypes
import IPPServer
import Synchronization
import Testing

@testable import PrintCenter

struct EventStreamTests {
    /// The text that a stream has sent, and a wait for a part of it.
    private final class Received: Sendable {
        private let state = Mutex((text: "", waiters: [(String, CheckedContinuation<Void, Never>)]()))

        var text: String { state.withLock { $0.text } }

        func add(_ piece: [UInt8]) {
            let ready = state.withLock { state in
                state.text += String(decoding: piece, as: UTF8.self)
                let ready = state.waiters.filter { state.text.contains($0.0) }
                state.waiters.removeAll { state.text.contains($0.0) }
                return ready.map(\.1)
            }
            for waiter in ready { waiter.resume() }
        }

        func wait(for part: String) async {
            await withCheckedContinuation { continuation in
                let isThere = state.withLock { state in
                    if state.text.contains(part) { return true }
                    state.waiters.append((part, continuation))
                    return false
                }
                if isThere { continuation.resume() }
            }
        }
    }

    private func stream(
        _ request: WebRequest, of bench: CenterBench, _ body: (Received) async throws -> Void
    ) async throws {
        let answer = await bench.center.answer(to: request)
        guard case .stream(_, let produce) = answer.body else {
            Issue.record("no stream: \(answer.status) \(answer.text)")
            return
        }
        #expect(answer.headers[.contentType] == "text/event-stream")
        let received = Received()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await produce { received.add($0) } }
            try await body(received)
            request.disconnection.give()
            try await group.waitForAll()
        }
    }

    private func request(after: Int? = nil) -> WebRequest {
        WebRequest(
            .get, "/api/v1/events", headers: after.map { [.lastEventID: "\($0)"] } ?? [:],
            peer: .unix(uid: CenterBench.ann, gid: 1, pid: 1))
    }

    @Test(.timeLimit(.minutes(1)))
    func `an event stream starts with the latest event number and then contains each new event`() async throws {
        let bench = try await CenterBench()
        let start = try await bench.spool.latestEventSequence()
        try await stream(request(), of: bench) { received in
            await received.wait(for: "event: hello\ndata: {\"event\":\(start)}\n\n")
            let id = try await bench.addJob("secret")
            await received.wait(for: "\"job-id\":\(id)")
            await received.wait(for: "id: \(start + 1)\nevent: job\n")
            #expect(received.text.contains(#""kind":"job-created""#), "\(received.text)")
            #expect(!received.text.contains("secret"))
        }
    }

    @Test(.timeLimit(.minutes(1)))
    func `an event stream resumes after the last event that the client received`() async throws {
        let bench = try await CenterBench()
        let start = try await bench.spool.latestEventSequence()
        for _ in 0..<3 { try await bench.addJob() }
        try await stream(request(after: start + 1), of: bench) { received in
            await received.wait(for: "id: \(start + 3)\n")
            #expect(!received.text.contains("id: \(start + 1)\n") && received.text.contains("id: \(start + 2)\n"))
        }
    }

    @Test(.timeLimit(.minutes(1)))
    func `if a client requests an unknown event number, the client receives a reset event`() async throws {
        let bench = try await CenterBench()
        let latest = try await bench.spool.latestEventSequence()
        try await stream(request(after: 1_000_000), of: bench) { received in
            await received.wait(for: "id: \(latest)\nevent: reset\n")
        }
    }

    @Test(.timeLimit(.minutes(1)))
    func `an event stream ends when the session of the client ends`() async throws {
        let bench = try await CenterBench()
        let browser = try await bench.signIn()
        let answer = await browser.send(.get, "/api/v1/events")
        guard case .stream(_, let produce) = answer.body else {
            Issue.record("no stream: \(answer.text)")
            return
        }
        let received = Received()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await produce { received.add($0) } }
            await received.wait(for: "hello")
            _ = await browser.send(.delete, "/api/v1/session")
            try await group.waitForAll()
        }
    }

    @Test(.timeLimit(.minutes(1)))
    func `if a user has the maximum number of event streams, a new stream is refused with 429 Too Many Requests`()
        async throws
    {
        let bench = try await CenterBench()
        for _ in 0..<EventStreams.mostPerUser { #expect(bench.center.streams.open(.local(CenterBench.ann))) }
        #expect(await bench.center.answer(to: request()).status == .tooManyRequests)
        bench.center.streams.close(.local(CenterBench.ann))
        guard case .stream = await bench.center.answer(to: request()).body else {
            Issue.record("a stream is free")
            return
        }
    }

    @Test(.timeLimit(.minutes(1)))
    func `the producer of an event stream waits until a slow client has read the previous piece`() async throws {
        let queue = PieceQueue()
        #expect(await queue.put([1]))
        queue.offer([9])
        let second = Task { await queue.put([2]) }
        #expect(await queue.next() == [1])
        #expect(await queue.next() == [2])
        #expect(await second.value)
        let third = Task { [queue] in
            let first = await queue.put([3])
            return await queue.put([4]) == false && first
        }
        while await queue.next() != [3] {}
        queue.finish()
        _ = await third.value
        while await queue.next() != nil {}
        #expect(await !queue.put([5]))
    }
}
