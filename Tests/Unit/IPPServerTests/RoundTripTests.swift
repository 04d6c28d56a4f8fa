import Glibc
import IPP
import IPPClient
import IPPNetworkClient
import IPPServer
import PrintIPP
import Synchronization
import Testing

struct RoundTripTests {
    @Test func `a request and its document arrive over TCP and over a Unix socket`() async throws {
        try await withServer { server in
            for address in [server.tcp, server.unix] {
                let client = IPPClient(address: address)
                let answer = try await client.send(request(), document: .bytes(.init(repeating: 7, count: 300_000)))
                #expect(answer.status == .successfulOk)
                #expect(answer[.printer]?.integer("length") == 300_000)
                let second = try await client.send(request(.getPrinterAttributes))
                #expect(second[.printer]?.integer("length") == 0)
                await client.close()
            }
        }
    }

    @Test func `over a Unix socket, the server identifies the process and the user of the client`() async throws {
        let peers = Happening(Peer.self)
        let responder = Responder { request in
            peers.note(request.peer)
            return reply(to: request, [])
        }
        try await withServer(responder) { server in
            _ = try await IPPClient(address: server.unix).send(request(.getJobs))
            #expect(await peers.next() == .unix(uid: getuid(), gid: getgid(), pid: getpid()))
        }
    }

    @Test func `two requests of a client use one connection`() async throws {
        let peers = Happening(Peer.self)
        let responder = Responder { request in
            peers.note(request.peer)
            return reply(to: request, [])
        }
        try await withServer(responder) { server in
            let client = IPPClient(address: server.tcp)
            _ = try await client.send(request(.getJobs))
            let first = await peers.next()
            _ = try await client.send(request(), document: .bytes([1, 2, 3]))
            let second = await peers.next()
            #expect(first != nil)
            #expect(first == second)
        }
    }

    @Test func `a document from a pipe is sent in chunks`() async throws {
        try await withServer { server in
            var ends: [Int32] = [0, 0]
            #expect(pipe(&ends) == 0)
            let data = [UInt8](repeating: 65, count: 5000)
            #expect(write(ends[1], data, data.count) == data.count)
            close(ends[1])
            let answer = try await IPPClient(address: server.unix).send(request(), document: .fileDescriptor(ends[0]))
            close(ends[0])
            #expect(answer[.printer]?.integer("length") == 5000)
        }
    }

    @Test func `the client stops sending an endless document after an early response`() async throws {
        let responder = Responder { reply(to: $0, .clientErrorNotAuthorized) }
        try await withServer(responder) { server in
            for address in [server.tcp, server.unix] {
                let sent = Mutex(0)
                let endless = DocumentSource.stream(length: nil) {
                    sent.withLock { $0 += 1 }
                    return ArraySlice(repeating: 0, count: 1 << 16)
                }
                let client = IPPClient(address: address)
                let answer = try await client.send(request(), document: endless)
                #expect(answer.status == .clientErrorNotAuthorized)
                #expect(sent.withLock { $0 } > 0)
                // The next request gets a connection without the rest of the old document.
                let next = try await client.send(request(.getJobs))
                #expect(next.status == .clientErrorNotAuthorized)
            }
        }
    }

    @Test func `the connection stays open if the request handler does not read a small document`() async throws {
        let peers = Happening(Peer.self)
        let responder = Responder { request in
            peers.note(request.peer)
            return reply(to: request, [])
        }
        try await withServer(responder) { server in
            let connection = RawConnection(port: server.port)
            let message = try request().encoded()
            let document = [UInt8](repeating: 1, count: 200_000)
            for _ in 0..<2 {
                connection.send(head("Content-Length: \(message.count + document.count)"))
                connection.send(message)
                connection.send(document)
                #expect(await connection.receive(until: "application/ipp").contains("200 OK"))
            }
            #expect(await peers.next() == peers.next())
        }
    }

    @Test func `content other than IPP is served, and its closure receives the peer of the connection`()
        async throws
    {
        try await withServer(content: { request in
            request.path == "/hello" ? WebAnswer(.ok, body: .bytes(Array("hello \(request.peer)".utf8))) : nil
        }) { server in
            let connection = RawConnection(port: server.port)
            connection.send("GET /hello HTTP/1.1\r\nHost: localhost\r\n\r\n")
            #expect(await connection.receive(until: "hello 127.0.0.1:").contains("200 OK"))
        }
    }
}
