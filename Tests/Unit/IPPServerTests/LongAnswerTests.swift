// Answers that come in parts.

import IPP
import IPPClient
import IPPServer
import PrintIPP
import Synchronization
import Testing

/// Answers with numbered jobs, page by page, and fails after some of them if it is told to.
private struct PagedResponder: IPPResponder {
    let pages: Int
    var failsAfter = Int.max
    /// Called before each page.
    var onPage: @Sendable (Int) -> Void = { _ in }
    /// Called when nobody will ask for another page.
    var onEnd: @Sendable () -> Void = {}

    /// Lives as long as somebody may ask for a page.
    private final class Reader: Sendable {
        let next = Atomic(0)
        let onEnd: @Sendable () -> Void

        init(_ onEnd: @escaping @Sendable () -> Void) { self.onEnd = onEnd }

        deinit { onEnd() }
    }

    func answer(to request: IPPRequest) async -> IPPAnswer {
        let reader = Reader(onEnd)
        return IPPAnswer(IPPServerTests.reply(to: request, [])) { () async throws(IPPFailure) in
            let page = reader.next.add(1, ordering: .relaxed).oldValue
            onPage(page)
            guard page < pages else { return nil }
            guard page < failsAfter else { throw IPPFailure(.serverErrorInternalError, "the disk broke") }
            return (0..<100).map { AttributeGroup(.job, [Attribute("job-id", .integer(Int32(page * 100 + $0 + 1)))]) }
        }
    }
}

struct LongAnswerTests {
    @Test func `an answer in parts arrives as one message, and the connection is good for the next`() async throws {
        try await withServer(PagedResponder(pages: 50)) { server in
            let client = IPPClient(address: server.unix)
            for _ in 0..<2 {
                let answer = try await client.send(request(.getJobs))
                #expect(answer.groups(.job).compactMap { $0.integer("job-id") } == Array(1...5000))
            }
        }
    }

    @Test func `an answer that fails on the way breaks the connection, and is never taken for whole`() async throws {
        try await withServer(PagedResponder(pages: 50, failsAfter: 3)) { server in
            let error = await #expect(throws: IPPClientError.self) {
                try await IPPClient(address: server.unix).send(request(.getJobs))
            }
            #expect(error?.code == .connectionLost)
        }
    }

    @Test func `pages are made as the client takes them, and no more when it has gone`() async throws {
        let ended = Happening(Void.self)
        let latest = Mutex(0)
        let responder = PagedResponder(
            pages: 1_000_000, onPage: { page in latest.withLock { $0 = page } }, onEnd: { ended.note(()) })
        try await withServer(responder, deadlines: { $0.answerIdle = .milliseconds(200) }) { server in
            let connection = RawConnection(port: server.port)
            let message = try request(.getJobs).encoded()
            connection.send(Array(head("Content-Length: \(message.count)").utf8) + message)
            // It reads nothing: as many pages are made as the sockets hold, then the server gives the client up.
            #expect(await ended.next() != nil)
            #expect(latest.withLock { $0 } < 100_000)
        }
    }
}
