import Glibc
import IPP
import IPPClient
import PrintTestSupport
import Synchronization
import Testing
import TransportTrials

struct UnixSocketClientTests {
    @Test(arguments: TransportTrial.all.filter { !$0.requiresTCP })
    func `the client of a Unix socket passes the tests for all transports`(trial: TransportTrial) async throws {
        let folder = try TemporaryFolder()
        try await ScriptedServer.$socketFolder.withValue(folder.path) {
            try await trial.run { address, limits in
                var bounds = UnixSocketClient.Bounds()
                bounds.answer = .seconds(limits.answer)
                bounds.sending = .seconds(limits.sending)
                bounds.answerBytes = limits.answerBytes
                guard case .unix(let path) = address else { return UnixSocketClient(path: folder.path("missing")) }
                return UnixSocketClient(path: path, bounds: bounds)
            }
        }
        withExtendedLifetime(folder) {}
    }

    @Test func `the client returns an early response even if the document's pipe sends no data`() async throws {
        var ends: [Int32] = [0, 0]
        #expect(pipe(&ends) == 0)
        defer { for end in ends { close(end) } }
        let answer = try await client { peer in
            let header = peer.readHeader()
            peer.read(until: [3])
            if header.contains("Transfer-Encoding: chunked") { peer.answer(1) }
            peer.read(until: Array("never".utf8))
        }.send(.getJobs, document: .fileDescriptor(ends[0]))
        #expect(answer.status == .successfulOk)
    }

    @Test func `the client returns an early response to a document that exceeds the socket's buffer`() async throws {
        let document = DocumentSource.bytes(Array(repeating: 0, count: 8 << 20))
        let answer = try await client { peer in
            peer.readHeader()
            peer.read(until: [3])
            peer.answer(1)
            peer.read(until: Array("never".utf8))
        }.send(.getJobs, document: document)
        #expect(answer.status == .successfulOk)
    }

    @Test func `a document of known or unknown length arrives completely`() async throws {
        let document = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        for isPiece in [false, true] {
            let received = Mutex<[UInt8]>([])
            let client = try client { peer in
                peer.readHeader()
                let bytes = peer.read(until: Array("END".utf8))
                received.withLock { $0 = bytes }
                peer.answer(1)
            }
            let pieces = Mutex([document + Array("END".utf8)])
            let source: DocumentSource =
                isPiece
                ? .stream(length: nil) { pieces.withLock { $0.popLast().map { $0[...] } } }
                : .bytes(document + Array("END".utf8))
            _ = try await client.send(.getJobs, document: source)
            let bytes = received.withLock { $0 }
            #expect(bytes.suffix(document.count + 3).elementsEqual(document + Array("END".utf8)))
        }
    }

    @Test func `a chunked response in small parts is one response`() async throws {
        let answer = try await client { peer in
            let id = UInt8(peer.readRequest())
            for byte in "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n".utf8 {
                peer.write([byte])
            }
            peer.write("Content-Type: application/ipp\r\n\r\n3;name=value\r\n")
            peer.write([2, 0, 0])
            peer.write("\r\n6\r\n")
            peer.write([0, 0, 0, 0, id, 3])
            peer.write("\r\n0\r\nTrailer: x\r\n\r\n")
        }.send(.getJobs)
        #expect(answer.status == .successfulOk)
    }

    @Test func `a response later than the short wait of the calling thread is received`() async throws {
        let (go, late) = AsyncStream.makeStream(of: Void.self)
        let answers = DispatchGate()
        let client = try client { peer in
            let id = peer.readRequest()
            late.yield()
            answers.wait()
            peer.answer(id)
        }
        async let answer = client.send(.getJobs)
        // The server responds only after another task has run, which requires that the client does not block.
        _ = await go.first { true }
        answers.open()
        #expect(try await answer.status == .successfulOk)
    }

    @Test func `a connection that the server has closed is replaced before a document is read`() async throws {
        let visits = Mutex(0)
        let (closings, closing) = AsyncStream.makeStream(of: Void.self)
        let client = try client { peer in
            visits.withLock { $0 += 1 }
            peer.answer(peer.readRequest())
            shutdown(peer.descriptor, Int32(SHUT_RDWR))
            closing.yield()
        }
        _ = try await client.send(.getJobs)
        _ = await closings.first { true }
        let pieces = Mutex([[UInt8](repeating: 7, count: 10)])
        let answer = try await client.send(
            .getJobs, document: .stream(length: 10) { pieces.withLock { $0.popLast().map { $0[...] } } })
        #expect(answer.status == .successfulOk)
        #expect(visits.withLock { $0 } == 2)
    }

    /// Creates a client of a server that runs a script for each connection.
    private func client(_ script: @escaping @Sendable (ScriptedServer.Peer) -> Void) throws -> UnixSocketClient {
        let folder = try TemporaryFolder()
        let server = try ScriptedServer.$socketFolder.withValue(folder.path) {
            try ScriptedServer { peer in withExtendedLifetime(folder) { script(peer) } }
        }
        guard case .unix(let path) = server.address else {
            throw IPPClientError(.unreachable, "", mayHaveBeenReceived: false)
        }
        return UnixSocketClient(path: path)
    }
}

extension Message {
    fileprivate static let getJobs = Message(
        operation: .getJobs, requestID: 0,
        groups: [AttributeGroup(.operation, [Attribute("attributes-charset", .charset("utf-8"))])])
}

/// A gate that a thread waits for.
private final class DispatchGate: Sendable {
    private let isOpen = Mutex(false)

    func open() { isOpen.withLock { $0 = true } }

    func wait() { while !isOpen.withLock({ $0 }) { sched_yield() } }
}
