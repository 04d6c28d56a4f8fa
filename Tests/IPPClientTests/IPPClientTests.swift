import Glibc
import IPP
import IPPClient
import Synchronization
import Testing

struct IPPClientTests {
    @Test func `no socket, or nobody behind a port, is unreachable and surely not received`() async throws {
        for address in [IPPAddress.unix(path: "/nonexistent/s"), .tcp(host: "127.0.0.1", port: 1)] {
            let error = await failure { try await IPPClient(address: address).send(.getJobs) }
            #expect(error?.code == .unreachable)
            #expect(error?.mayHaveBeenReceived == false)
        }
    }

    @Test func `the client chooses the request id, names localhost and says application/ipp`() async throws {
        let header = Mutex("")
        let server = try ScriptedServer { peer in
            let text = peer.readHeader()
            header.withLock { $0 = text }
            let attributes = peer.read(until: [3])
            peer.answer(attributes[4..<8].reduce(0) { $0 << 8 | Int32($1) })
        }
        let answer = try await client(of: server).send(.getJobs)
        #expect(answer.requestID == 1)
        let lines = header.withLock { $0 }.split(separator: "\r\n")
        #expect(lines.first == "POST / HTTP/1.1")
        #expect(lines.contains("Host: localhost"))
        #expect(lines.contains("Content-Type: application/ipp"))
        #expect(lines.contains { $0.hasPrefix("Content-Length: ") })
    }

    @Test func `a server on another machine is called by its name, for cupsd refuses others`() async throws {
        let header = Mutex("")
        let server = try ScriptedServer { peer in
            let text = peer.readHeader()
            header.withLock { $0 = text }
            let attributes = peer.read(until: [3])
            peer.answer(attributes[4..<8].reduce(0) { $0 << 8 | Int32($1) })
        }
        // Linux leads this address to the loopback, though it is not one of its own.
        _ = try await IPPClient(address: .tcp(host: "0.0.0.0", port: server.port)).send(.getJobs)
        #expect(header.withLock { $0 }.split(separator: "\r\n").contains("Host: 0.0.0.0:\(server.port)"))
    }

    @Test func `a server that goes in the middle of its answer may have done the work`() async throws {
        let server = try ScriptedServer { peer in
            peer.readRequest()
            peer.write("HTTP/1.1 200 OK\r\nContent-Type: application/ipp\r\nContent-Length: 900\r\n\r\n\u{2}\u{0}")
        }
        let error = await failure { try await client(of: server).send(.getJobs) }
        #expect(error?.code == .connectionLost || error?.code == .badResponse)
        #expect(error?.mayHaveBeenReceived == true)
    }

    @Test func `a server that closes without a word has lost the connection`() async throws {
        let server = try ScriptedServer { $0.readRequest() }
        let error = await failure { try await client(of: server).send(.getJobs) }
        #expect(error?.code == .connectionLost)
        #expect(error?.mayHaveBeenReceived == true)
    }

    @Test func `an HTTP refusal keeps its status`() async throws {
        let server = try ScriptedServer { peer in
            peer.readRequest()
            peer.write("HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n")
        }
        #expect(await failure { try await client(of: server).send(.getJobs) }?.code == .httpStatus(403))
    }

    @Test(arguments: [
        "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Type: application/ipp\r\nContent-Length: 3\r\n\r\nabc",
        "HTTP/1.1 200 OK\r\nContent-Type: application/ipp\r\nContent-Length: 9\r\n\r\n\u{2}\0\0\0\0\0\0\u{9}\u{3}",
        "SSH-2.0-OpenSSH_9.2\r\n",
    ])
    func `what is no answer to this request is not taken for one`(answer: String) async throws {
        let server = try ScriptedServer { peer in
            peer.readRequest()
            peer.write(answer)
        }
        #expect(await failure { try await client(of: server).send(.getJobs) }?.code == .badResponse)
    }

    @Test func `an answer past the limit is not collected`() async throws {
        let server = try ScriptedServer { peer in
            peer.readRequest()
            peer.write("HTTP/1.1 200 OK\r\nContent-Type: application/ipp\r\nContent-Length: 100000000\r\n\r\n")
            for _ in 0..<1000 { peer.write(.init(repeating: 0, count: 100_000)) }
        }
        let error = await failure { try await client(of: server) { $0.answerBytes = 50_000 }.send(.getJobs) }
        #expect(error?.code == .tooLarge)
    }

    @Test func `a server that never answers is given up`() async throws {
        let server = try ScriptedServer { peer in peer.read(until: Array("never".utf8)) }
        let error = await failure { try await client(of: server) { $0.answer = .milliseconds(100) }.send(.getJobs) }
        #expect(error?.code == .timedOut)
        #expect(error?.mayHaveBeenReceived == true)
    }

    @Test func `a server that stops taking the document is given up`() async throws {
        let server = try ScriptedServer { peer in
            peer.readHeader()
            // Reads no document, only waits until the client closes (POLLRDHUP, which glibc shows to GNU C alone).
            var wait = pollfd(fd: peer.descriptor, events: 0x2000, revents: 0)
            while poll(&wait, 1, -1) < 0, errno == EINTR {}
        }
        let error = await failure {
            try await client(of: server) { $0.sending = .milliseconds(100) }.send(
                .getJobs, document: .stream(length: nil) { ArraySlice(repeating: 0, count: 1 << 20) })
        }
        #expect(error?.code == .timedOut)
    }

    @Test func `a canceled task stops waiting`() async throws {
        let (received, note) = AsyncStream.makeStream(of: Void.self)
        let server = try ScriptedServer { peer in
            peer.readRequest()
            note.yield()
            peer.read(until: Array("never".utf8))
        }
        let client = client(of: server)
        let task = Task { await failure { try await client.send(.getJobs) } }
        _ = await received.first { true }
        task.cancel()
        #expect(await task.value?.code == .canceled)
    }

    @Test func `a canceled task stops connecting to where nobody answers`() async throws {
        let silent = try SilentPort()
        var bounds = IPPClient.Bounds()
        bounds.connect = .hours(1)
        let client = IPPClient(address: .tcp(host: "127.0.0.1", port: silent.port), bounds: bounds)
        let task = Task { await failure { try await client.send(.getJobs) } }
        while !silent.isBeingAsked { await Task.yield() }
        task.cancel()
        let error = await task.value
        #expect(error?.code == .canceled && error?.mayHaveBeenReceived == false)
    }

    @Test func `a connection that the server closed is replaced`() async throws {
        let server = try ScriptedServer { peer in peer.answer(peer.readRequest(), extraHeader: "X-Y: z\r\n") }
        let client = client(of: server)
        var answers = 0
        for _ in 1...20 {
            let error = await failure { try await client.send(.getJobs) }
            // The server's close may cross the request on its way; then nobody can know, and the error says so.
            #expect(error == nil || error?.code == .connectionLost)
            if error == nil { answers += 1 }
        }
        #expect(answers >= 10)
    }

    @Test func `requests on one connection get ids of their own`() async throws {
        let connections = Mutex(0)
        let server = try ScriptedServer { peer in
            connections.withLock { $0 += 1 }
            while case let id = peer.readRequest(), id > 0 { peer.answer(id) }
        }
        let client = client(of: server)
        for id in 1...5 as ClosedRange<Int32> {
            let answer = try await client.send(.getJobs)
            #expect(answer.requestID == id)
        }
        await client.close()
        #expect(connections.withLock { $0 } == 1)
    }

    @Test func `a silent pipe does not keep a client from seeing an early answer`() async throws {
        var ends: [Int32] = [0, 0]
        #expect(pipe(&ends) == 0)
        defer { for end in ends { close(end) } }
        let server = try ScriptedServer { peer in
            let header = peer.readHeader()
            peer.read(until: [3])
            if header.lowercased().contains("transfer-encoding: chunked") { peer.answer(1) }
            peer.read(until: Array("never".utf8))
        }
        let answer = try await client(of: server).send(.getJobs, document: .fileDescriptor(ends[0]))
        #expect(answer.status == .successfulOk)
    }

    @Test(arguments: ["/nonexistent/file", "/tmp"])
    func `a document that cannot be opened is never begun`(path: String) async throws {
        let server = try ScriptedServer { $0.readHeader() }
        let error = await failure { try await client(of: server).send(.getJobs, document: .file(path: path)) }
        #expect(error?.code == .documentUnreadable)
        #expect(error?.mayHaveBeenReceived == false)
    }

    @Test(arguments: [2, 4])
    func `a document of another length than announced is no document`(length: Int) async throws {
        let server = try ScriptedServer { peer in peer.read(until: Array("never".utf8)) }
        let pieces = Mutex<[ArraySlice<UInt8>]>([[1, 2, 3]])
        let source = DocumentSource.stream(length: length) { pieces.withLock { $0.popLast() } }
        let error = await failure { try await client(of: server).send(.getJobs, document: source) }
        #expect(error?.code == .documentUnreadable)
    }

    @Test func `a document that fails half way breaks off the request`() async throws {
        struct Broken: Error {}
        let server = try ScriptedServer { peer in peer.read(until: Array("never".utf8)) }
        let pieces = Mutex(0)
        let error = await failure {
            try await client(of: server).send(
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
    }
}

extension Message {
    fileprivate static let getJobs = Message(
        operation: .getJobs, requestID: 0,
        groups: [AttributeGroup(.operation, [Attribute("attributes-charset", .charset("utf-8"))])])
}

private func client(of server: ScriptedServer, _ change: (inout IPPClient.Bounds) -> Void = { _ in }) -> IPPClient {
    var bounds = IPPClient.Bounds()
    change(&bounds)
    return IPPClient(address: .tcp(host: "127.0.0.1", port: server.port), bounds: bounds)
}

private func failure(_ body: () async throws -> Message) async -> IPPClientError? {
    do {
        _ = try await body()
        return nil
    } catch {
        return error as? IPPClientError
    }
}
