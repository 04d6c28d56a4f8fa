// What every transport has to keep to, tried on each.

import Glibc
public import IPP
public import IPPClient
import Synchronization
public import Testing

/// How long a transport waits, and how much it takes, where a trial wants it otherwise than usual.
public struct TransportLimits: Sendable {
    /// From the end of a request to the end of its answer, in seconds.
    public var answer = 60.0
    /// For the server to take a piece of a document, in seconds.
    public var sending = 60.0
    /// Bytes of an answer.
    public var answerBytes = 64 << 20
}

/// One thing that a transport has to keep to.
///
///     @Test(arguments: TransportTrial.all) func `the transport keeps to`(trial: TransportTrial) async throws {
///         try await trial.run { address, limits in … }
///     }
public struct TransportTrial: Sendable, CustomTestStringConvertible {
    /// Makes a transport to a server.
    public typealias Make = @Sendable (IPPAddress, TransportLimits) -> any IPPTransport

    private let name: String
    private let trial: @Sendable (Make) async throws -> Void

    /// Tries it with transports made by a closure.
    public func run(_ make: Make) async throws { try await trial(make) }

    /// What it keeps to, with the condition.
    public var testDescription: String { name }

    private init(_ name: String, _ trial: @escaping @Sendable (Make) async throws -> Void) {
        self.name = name
        self.trial = trial
    }

    /// All of them.
    public static let all: [TransportTrial] = [
        TransportTrial("no socket, or nobody behind a port, is unreachable and surely not received") { make in
            for address in [IPPAddress.unix(path: "/nonexistent/s"), .tcp(host: "127.0.0.1", port: 1)] {
                let error = await failure { try await make(address, TransportLimits()).send(.getJobs) }
                #expect(error?.code == .unreachable)
                #expect(error?.mayHaveBeenReceived == false)
            }
        },
        TransportTrial("the client chooses the request id, names localhost and says application/ipp") { make in
            let header = Mutex("")
            let server = try ScriptedServer { peer in
                let text = peer.readHeader()
                header.withLock { $0 = text }
                let attributes = peer.read(until: [3])
                peer.answer(attributes[4..<8].reduce(0) { $0 << 8 | Int32($1) })
            }
            let answer = try await client(of: server, make).send(.getJobs)
            #expect(answer.requestID == 1)
            let lines = header.withLock { $0 }.split(separator: "\r\n")
            #expect(lines.first == "POST / HTTP/1.1")
            #expect(lines.contains { $0 == "Host: localhost" || $0 == "Host: localhost:\(server.port)" })
            #expect(lines.contains("Content-Type: application/ipp"))
            #expect(lines.contains { $0.hasPrefix("Content-Length: ") })
        },
        TransportTrial("a server on another machine is called by its name, for cupsd refuses others") { make in
            let header = Mutex("")
            let server = try ScriptedServer { peer in
                let text = peer.readHeader()
                header.withLock { $0 = text }
                let attributes = peer.read(until: [3])
                peer.answer(attributes[4..<8].reduce(0) { $0 << 8 | Int32($1) })
            }
            // Linux leads this address to the loopback, though it is not one of its own.
            _ = try await make(.tcp(host: "0.0.0.0", port: server.port), TransportLimits()).send(.getJobs)
            #expect(header.withLock { $0 }.split(separator: "\r\n").contains("Host: 0.0.0.0:\(server.port)"))
        },
        TransportTrial("a server that goes in the middle of its answer may have done the work") { make in
            let server = try ScriptedServer { peer in
                peer.readRequest()
                peer.write("HTTP/1.1 200 OK\r\nContent-Type: application/ipp\r\nContent-Length: 900\r\n\r\n\u{2}\u{0}")
            }
            let error = await failure { try await client(of: server, make).send(.getJobs) }
            #expect(error?.code == .connectionLost || error?.code == .badResponse)
            #expect(error?.mayHaveBeenReceived == true)
        },
        TransportTrial("a server that closes without a word has lost the connection") { make in
            let server = try ScriptedServer { $0.readRequest() }
            let error = await failure { try await client(of: server, make).send(.getJobs) }
            #expect(error?.code == .connectionLost)
            #expect(error?.mayHaveBeenReceived == true)
        },
        TransportTrial("an HTTP refusal keeps its status") { make in
            let server = try ScriptedServer { peer in
                peer.readRequest()
                peer.write("HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n")
            }
            #expect(await failure { try await client(of: server, make).send(.getJobs) }?.code == .httpStatus(403))
        },
        TransportTrial("what is no answer to this request is not taken for one") { make in
            for answer in [
                "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 0\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Type: application/ipp\r\nContent-Length: 3\r\n\r\nabc",
                "HTTP/1.1 200 OK\r\nContent-Type: application/ipp\r\nContent-Length: 9\r\n\r\n\u{2}\0\0\0\0\0\0\u{9}\u{3}",
                "SSH-2.0-OpenSSH_9.2\r\n",
            ] {
                let server = try ScriptedServer { peer in
                    peer.readRequest()
                    peer.write(answer)
                }
                #expect(await failure { try await client(of: server, make).send(.getJobs) }?.code == .badResponse)
            }
        },
        TransportTrial("an answer past the limit is not collected") { make in
            let server = try ScriptedServer { peer in
                peer.readRequest()
                peer.write("HTTP/1.1 200 OK\r\nContent-Type: application/ipp\r\nContent-Length: 100000000\r\n\r\n")
                for _ in 0..<1000 { peer.write(.init(repeating: 0, count: 100_000)) }
            }
            let error = await failure { try await client(of: server, make) { $0.answerBytes = 50_000 }.send(.getJobs) }
            #expect(error?.code == .tooLarge)
        },
        TransportTrial("a server that never answers is given up") { make in
            let server = try ScriptedServer { peer in peer.read(until: Array("never".utf8)) }
            let error = await failure { try await client(of: server, make) { $0.answer = 0.1 }.send(.getJobs) }
            #expect(error?.code == .timedOut)
            #expect(error?.mayHaveBeenReceived == true)
        },
        TransportTrial("a server that stops taking the document is given up") { make in
            let server = try ScriptedServer { peer in
                peer.readHeader()
                // Reads no document, only waits until the client closes (POLLRDHUP, which glibc shows to GNU C alone).
                var wait = pollfd(fd: peer.descriptor, events: 0x2000, revents: 0)
                while poll(&wait, 1, -1) < 0, errno == EINTR {}
            }
            let error = await failure {
                try await client(of: server, make) { $0.sending = 0.1 }.send(
                    .getJobs, document: .stream(length: nil) { ArraySlice(repeating: 0, count: 1 << 20) })
            }
            #expect(error?.code == .timedOut)
        },
        TransportTrial("a canceled task stops waiting") { make in
            let (received, note) = AsyncStream.makeStream(of: Void.self)
            let server = try ScriptedServer { peer in
                peer.readRequest()
                note.yield()
                peer.read(until: Array("never".utf8))
            }
            let client = client(of: server, make)
            let task = Task { await failure { try await client.send(.getJobs) } }
            _ = await received.first { true }
            task.cancel()
            #expect(await task.value?.code == .canceled)
        },
        TransportTrial("a connection that the server closed is replaced") { make in
            let server = try ScriptedServer { peer in peer.answer(peer.readRequest(), extraHeader: "X-Y: z\r\n") }
            let client = client(of: server, make)
            var answers = 0
            for _ in 1...20 {
                let error = await failure { try await client.send(.getJobs) }
                // The server's close may cross the request on its way; then nobody can know, and the error says so.
                #expect(error == nil || error?.code == .connectionLost)
                if error == nil { answers += 1 }
            }
            #expect(answers >= 10)
        },
        TransportTrial("requests on one connection get ids of their own") { make in
            let connections = Mutex(0)
            let server = try ScriptedServer { peer in
                connections.withLock { $0 += 1 }
                while case let id = peer.readRequest(), id > 0 { peer.answer(id) }
            }
            let client = client(of: server, make)
            for id in 1...5 as ClosedRange<Int32> {
                let answer = try await client.send(.getJobs)
                #expect(answer.requestID == id)
            }
            #expect(connections.withLock { $0 } == 1)
        },
        TransportTrial("a document that cannot be opened is never begun") { make in
            for path in ["/nonexistent/file", "/tmp"] {
                let server = try ScriptedServer { $0.readHeader() }
                let error = await failure {
                    try await client(of: server, make).send(.getJobs, document: .file(path: path))
                }
                #expect(error?.code == .documentUnreadable)
                #expect(error?.mayHaveBeenReceived == false)
            }
        },
        TransportTrial("a document of another length than announced is no document") { make in
            for length in [2, 4] {
                let server = try ScriptedServer { peer in peer.read(until: Array("never".utf8)) }
                let pieces = Mutex<[ArraySlice<UInt8>]>([[1, 2, 3]])
                let source = DocumentSource.stream(length: length) { pieces.withLock { $0.popLast() } }
                let error = await failure { try await client(of: server, make).send(.getJobs, document: source) }
                #expect(error?.code == .documentUnreadable)
            }
        },
        TransportTrial("a document that fails half way breaks off the request") { make in
            struct Broken: Error {}
            let server = try ScriptedServer { peer in peer.read(until: Array("never".utf8)) }
            let pieces = Mutex(0)
            let error = await failure {
                try await client(of: server, make).send(
                    .getJobs,
                    document: .stream(length: 1000) {
                        let piece = pieces.withLock { pieces in
                            pieces += 1
                            return pieces
                        }
                        guard piece < 3 else { throw Broken() }
                        return [1, 2, 3]
                    })
            }
            #expect(error?.code == .documentUnreadable)
            #expect(error?.mayHaveBeenReceived == true)
        },
    ]
}

extension Message {
    fileprivate static let getJobs = Message(
        operation: .getJobs, requestID: 0,
        groups: [AttributeGroup(.operation, [Attribute("attributes-charset", .charset("utf-8"))])])
}

private func client(
    of server: ScriptedServer, _ make: TransportTrial.Make, _ change: (inout TransportLimits) -> Void = { _ in }
) -> any IPPTransport {
    var limits = TransportLimits()
    change(&limits)
    return make(.tcp(host: "127.0.0.1", port: server.port), limits)
}

private func failure(_ body: () async throws -> Message) async -> IPPClientError? {
    do {
        _ = try await body()
        return nil
    } catch {
        return error as? IPPClientError
    }
}
