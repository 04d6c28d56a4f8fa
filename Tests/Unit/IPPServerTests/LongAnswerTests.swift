// Tests responses that are sent in several parts.

import IPP
import IPPClient
import IPPNetworkClient
import IPPServer
import PrintIPP
import Synchronization
import Testing

/// A responder that returns numbered jobs in pages.
///
/// The responder can fail after a given number of pages.
private struct PagedResponder: IPPResponder {
    let pages: Int
    var failsAfter = Int.max
    /// A closure that the responder calls before each page.
    var onPage: @Sendable (Int) -> Void = { _ in }
    /// A closure that is called when no more pages will be requested.
    var onEnd: @Sendable () -> Void = {}

    /// An object that exists as long as a page can be requested.
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
            return IPPAnswer.Part(
                (0..<100).map { AttributeGroup(.job, [Attribute("job-id", .integer(Int32(page * 100 + $0 + 1)))]) })
        }
    }
}

struct LongAnswerTests {
    @Test func `if a response is sent in parts, the client receives one message, and the connection can be reused`()
        async throws
    {
        try await withServer(PagedResponder(pages: 50)) { server in
            let client = IPPClient(address: server.unix)
            for _ in 0..<2 {
                let answer = try await client.send(request(.getJobs))
                #expect(answer.groups(.job).compactMap { $0.integer("job-id") } == Array(1...5000))
            }
        }
    }

    @Test func `if a response fails after its first part, the server closes the connection`() async throws {
        try await withServer(PagedResponder(pages: 50, failsAfter: 3)) { server in
            let error = await #expect(throws: IPPClientError.self) {
                try await IPPClient(address: server.unix).send(request(.getJobs))
            }
            #expect(error?.code == .connectionLost)
        }
    }

    @Test
    func `if a client does not read a response, the server stops producing the response and disconnects the client`()
        async throws
    {
        let ended = Happening(Void.self)
        let latest = Mutex(0)
        let responder = PagedResponder(
            pages: 1_000_000, onPage: { page in latest.withLock { $0 = page } }, onEnd: { ended.note(()) })
        try await withServer(responder, deadlines: { $0.answerIdle = .milliseconds(200) }) { server in
            let connection = RawConnection(port: server.port)
            let message = try request(.getJobs).encoded()
            connection.send(Array(head("Content-Length: \(message.count)").utf8) + message)
            // The client reads nothing. The server produces as many pages as the sockets hold, then disconnects the
            // client.
            #expect(await ended.next() != nil)
            #expect(latest.withLock { $0 } < 100_000)
        }
    }
}
