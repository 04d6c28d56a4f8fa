// Tests the requirements of IPP transports.

import Glibc
import IPP
public import IPPClient
import Synchronization
public import Testing

/// The timeouts and limits of a transport in a trial.
public struct TransportLimits: Sendable {
    /// The timeout from the end of a request to the end of its response, in seconds.
    public var answer = 60.0
    /// The timeout for sending a piece of a document, in seconds.
    public var sending = 60.0
    /// The maximum size of a response in bytes.
    public var answerBytes = 64 << 20
}

/// A requirement of IPP transports.
///
///     @Test(arguments: TransportTrial.all) func `the transport keeps to`(trial: TransportTrial) async throws {
///         try await trial.run { address, limits in … }
///     }
public struct TransportTrial: Sendable, CustomTestStringConvertible {
    /// A function that creates a transport to a server.
    public typealias Make = @Sendable (IPPAddress, TransportLimits) -> any IPPTransport

    private let name: String
    /// Whether the trial requires TCP.
    public let requiresTCP: Bool
    private let trial: @Sendable (Make) async throws -> Void

    /// Runs the trial with transports from a function.
    public func run(_ make: Make) async throws { try await trial(make) }

    /// The condition and the required result.
    public var testDescription: String { name }

    private init(
        _ name: String, requiresTCP: Bool = false, _ trial: @escaping @Sendable (Make) async throws -> Void
    ) {
        (self.name, self.requiresTCP) = (name, requiresTCP)
        self.trial = trial
    }

    /// All trials.
    public static let all: [TransportTrial] = [
        TransportTrial("a missing socket or a closed port is unreachable, and the request was not received") { make in
            for address in [IPPAddress.unix(path: "/nonexistent/s"), .tcp(host: "127.0.0.1", port: 1)] {
                let error = await failure { try await make(address, TransportLimits()).send(.getJobs) }
                #expect(error?.code == .unreachable)
                #expect(error?.mayHaveBeenReceived == false)
            }
        },
        TransportTrial("a request has a request ID, the host localhost and the type application/ipp") { make in
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
        TransportTrial("a request to another machine contains its host name, which cupsd requires", requiresTCP: true) {
            make in
            let header = Mutex("")
            let server = try ScriptedServer { peer in
                let text = peer.readHeader()
                header.withLock { $0 = text }
                let attributes = peer.read(until: [3])
                peer.answer(attributes[4..<8].reduce(0) { $0 << 8 | Int32($1) })
            }
            // Linux routes this address to the loopback interface, although it is not a loopback address.
            _ = try await make(.tcp(host: "0.0.0.0", port: server.port), TransportLimits()).send(.getJobs)
            #expect(header.withLock { $0 }.split(separator: "\r\n").contains("Host: 0.0.0.0:\(server.port)"))
        },
        TransportTrial("after a connection lost during the response, the request may have been executed") { make in
            let server = try ScriptedServer { peer in
                peer.readRequest()
                peer.write("HTTP/1.1 200 OK\r\nContent-Type: application/ipp\r\nContent-Length: 900\r\n\r\n\u{2}\u{0}")
            }
            let error = await failure { try await client(of: server, make).send(.getJobs) }
            #expect(error?.code == .connectionLost || error?.code == .badResponse)
            #expect(error?.mayHaveBeenReceived == true)
        },
        TransportTrial("a connection closed without a response is reported as lost") { make in
            let server = try ScriptedServer { $0.readRequest() }
            let error = await failure { try await client(of: server, make).send(.getJobs) }
            #expect(error?.code == .connectionLost)
            #expect(error?.mayHaveBeenReceived == true)
        },
        TransportTrial("an HTTP error keeps its status") { make in
            let server = try ScriptedServer { peer in
                peer.readRequest()
                peer.write("HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n")
            }
            #expect(await failure { try await client(of: server, make).send(.getJobs) }?.code == .httpStatus(403))
        },
        TransportTrial("a response that does not match the request is rejected") { make in
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
        TransportTrial("a response that exceeds the limit is not read completely") { make in
            let server = try ScriptedServer { peer in
                peer.readRequest()
                peer.beginEndlessAnswer()
                while peer.write(ScriptedServer.Peer.moreValues) {}
            }
            let error = await failure { try await client(of: server, make) { $0.answerBytes = 50_000 }.send(.getJobs) }
            #expect(error?.code == .tooLarge)
        },
        TransportTrial("a response is rejected at its first invalid byte, before the rest has arrived") { make in
            let server = try ScriptedServer { peer in
                peer.readRequest()
                peer.beginEndlessAnswer()
                peer.write([UInt8](repeating: 0, count: 100))
                peer.read(until: Array("never".utf8))
            }
            #expect(await failure { try await client(of: server, make).send(.getJobs) }?.code == .badResponse)
        },
        TransportTrial("a server that never responds causes a timeout") { make in
            let server = try ScriptedServer { peer in peer.read(until: Array("never".utf8)) }
            let error = await failure { try await client(of: server, make) { $0.answer = 0.1 }.send(.getJobs) }
            #expect(error?.code == .timedOut)
            #expect(error?.mayHaveBeenReceived == true)
        },
        TransportTrial("a server that stops reading the document causes a timeout") { make in
            let server = try ScriptedServer { peer in
                peer.readHeader()
                // Wait until the client closes (POLLRDHUP, which glibc defines only for GNU C).
                var wait = pollfd(fd: peer.descriptor, events: 0x2000, revents: 0)
                while poll(&wait, 1, -1) < 0, errno == EINTR {}
            }
            let error = await failure {
                try await client(of: server, make) { $0.sending = 0.1 }.send(
                    .getJobs, document: .stream(length: nil) { ArraySlice(repeating: 0, count: 1 << 20) })
            }
            #expect(error?.code == .timedOut)
        },
        TransportTrial("a canceled task stops waiting for the response") { make in
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
        TransportTrial("a connection that the server has closed is replaced") { make in
            let server = try ScriptedServer { peer in peer.answer(peer.readRequest(), extraHeader: "X-Y: z\r\n") }
            let client = client(of: server, make)
            var answers = 0
            for _ in 1...20 {
                let error = await failure { try await client.send(.getJobs) }
                // The request may be sent while the server closes. The error then reports a lost connection.
                #expect(error == nil || error?.code == .connectionLost)
                if error == nil { answers += 1 }
            }
            #expect(answers >= 10)
        },
        TransportTrial("requests on one connection have different request IDs") { make in
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
        TransportTrial("a document that cannot be opened is not sent") { make in
            for path in ["/nonexistent/file", "/tmp"] {
                let server = try ScriptedServer { $0.readHeader() }
                let error = await failure {
                    try await client(of: server, make).send(.getJobs, document: .file(path: path))
                }
                #expect(error?.code == .documentUnreadable)
                #expect(error?.mayHaveBeenReceived == false)
            }
        },
        TransportTrial("a document with a wrong declared length causes an error") { make in
            for length in [2, 4] {
                let server = try ScriptedServer { peer in peer.read(until: Array("never".utf8)) }
                let pieces = Mutex<[ArraySlice<UInt8>]>([[1, 2, 3]])
                let source = DocumentSource.stream(length: length) { pieces.withLock { $0.popLast() } }
                let error = await failure { try await client(of: server, make).send(.getJobs, document: source) }
                #expect(error?.code == .documentUnreadable)
            }
        },
        TransportTrial("a read error in the document aborts the request") { make in
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
    return make(server.address, limits)
}

private func failure(_ body: () async throws -> Message) async -> IPPClientError? {
    do {
        _ = try await body()
        return nil
    } catch {
        return error as? IPPClientError
    }
}
