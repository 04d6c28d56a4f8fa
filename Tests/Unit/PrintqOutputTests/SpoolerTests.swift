// Tests the client when the connection to printd is lost.

import FoundationEssentials
import IPP
import IPPClient
import SpoolerClient
import PrintTestSupport
import Synchronization
import Testing

@Suite struct QueueTests {
    /// A transport that fails as scripted, and then returns responses with job number 7.
    private final class Line: IPPTransport {
        private let script: Mutex<[IPPClientError]>
        private let log = Mutex<[Message]>([])
        var sent: [Message] { log.withLock { $0 } }

        init(_ script: [IPPClientError]) { self.script = Mutex(script) }

        func send(
            _ request: Message, document: DocumentSource?, path: String
        ) async throws(IPPClientError) -> Message {
            log.withLock { $0.append(request) }
            if let failure = script.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) { throw failure }
            return Message(
                version: .v2_0, status: .successfulOk, requestID: 1,
                groups: [AttributeGroup(.operation), AttributeGroup(.job, [Attribute("job-id", .integer(7))])])
        }
    }

    private final class Starts: Sendable {
        private let number = Mutex(0)
        var count: Int { number.withLock { $0 } }
        func add() { number.withLock { $0 += 1 } }
    }

    private let lost = IPPClientError(.connectionLost, "the connection broke", mayHaveBeenReceived: true)
    private let absent = IPPClientError(.unreachable, "nobody is there", mayHaveBeenReceived: false)

    private func submission(_ folder: TemporaryFolder) throws -> JobSubmission {
        let path = folder.path("a.pdf")
        try "%PDF-a".write(toFile: path, atomically: true, encoding: .utf8)
        return JobSubmission(documents: [try DocumentFile(path: path)], id: "once")
    }

    @Test func `a file is sent again with the same submission ID if the response is lost`() async throws {
        let (line, starts) = (Line([absent, lost]), Starts())
        let queue = Spooler(client: line, user: "ann") { starts.add() }
        let id = try await queue.submit(try submission(try TemporaryFolder()))
        #expect(id == 7)
        #expect(starts.count == 2)
        #expect(line.sent.map { $0[.operation]?.string("printq-submission-id") } == ["once", "once", "once"])
    }

    @Test
    func `options are sent in job-mandatory-attributes, and ipp-attribute-fidelity is sent only if requested`()
        async throws
    {
        let line = Line([])
        let queue = Spooler(client: line, user: "ann") {}
        let folder = try TemporaryFolder()
        var submission = try submission(folder)
        submission.ticket.copies = 2
        submission.ticket.duplex = .longEdge
        _ = try await queue.submit(submission)
        submission.ticket.requiresFidelity = true
        _ = try await queue.submit(submission)
        let operations = line.sent.map { $0[.operation] }
        #expect(
            operations.map { $0?.keywords("job-mandatory-attributes") } == [["copies", "sides"], ["copies", "sides"]])
        #expect(operations.map { $0?.boolean("ipp-attribute-fidelity") } == [nil, true])
    }

    @Test func `Cancel-Job is not repeated if the response is lost, and the error explains how to check the job`()
        async throws
    {
        let line = Line([lost])
        let queue = Spooler(client: line, user: "ann") {}
        let error = try await #require(throws: SpoolerClientError.self) { try await queue.ask(.cancelJob, job: 3) }
        #expect(error.code == .temporary)
        #expect(error.message == "the connection broke; check with 'printq queue' whether printd processed the request")
        #expect(line.sent.count == 1)
    }

    @Test func `a request fails after several lost connections`() async throws {
        let line = Line([absent, absent, absent, absent])
        let queue = Spooler(client: line, user: "ann") {}
        let error = try await #require(throws: SpoolerClientError.self) { try await queue.job(3, ["all"]) }
        #expect(error.code == .unavailable)
        #expect(line.sent.count == 3)
    }
}
