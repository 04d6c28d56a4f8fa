// Tests many connections and slow connections.

import IPP
import IPPClient
import IPPNetworkClient
import IPPServer
import PrintIPP
import Testing

struct ManyConnectionsTests {
    @Test func `300 incomplete requests do not block other connections, and are served after the last bytes arrive`()
        async throws
    {
        OpenFiles.raise(to: 4096)
        try await withServer { server in
            let message = try request().encoded()
            let opening = Array(head("Content-Length: \(message.count + 2)").utf8) + message
            let slow = (0..<300).map { _ in RawConnection(port: server.port) }
            for connection in slow { connection.send(Array(opening.prefix(200))) }
            for connection in slow { connection.send(Array(opening.dropFirst(200).prefix(1))) }
            let client = IPPClient(address: server.unix)
            for length in 1...50 {
                let answer = try await client.send(request(), document: .bytes([UInt8](repeating: 1, count: length)))
                #expect(answer[.printer]?.integer("length") == Int32(length))
            }
            for connection in slow { connection.send(Array(opening.dropFirst(201)) + [1, 2]) }
            for connection in slow {
                #expect(await connection.receive(until: "length").hasPrefix("HTTP/1.1 200 OK"))
            }
        }
    }

    @Test func `if a user opens too many connections, the server closes the connection that was idle longest`()
        async throws
    {
        try await withServer(limits: { $0.connectionsPerPeer = 3 }) { server in
            let held = (0..<3).map { _ in RawConnection(port: server.port) }
            for connection in held {
                connection.send(try head("Content-Length: \(request().encoded().count)"))
                connection.send(try request().encoded())
                #expect(await connection.receive(until: "length").hasPrefix("HTTP/1.1 200 OK"))
            }
            // The Unix socket and the loopback interface count for the same user.
            let client = IPPClient(address: server.unix)
            #expect(try await client.send(request(), document: .bytes([1])).status == .successfulOk)
            #expect(await held[0].isClosedByServer())
        }
    }

    @Test
    func `if all connections that a user can open are in use, the server closes a new connection of the user`()
        async throws
    {
        try await withServer(limits: { $0.connectionsPerPeer = 3 }) { server in
            let held = (0..<3).map { _ in RawConnection(port: server.port) }
            let message = try request().encoded()
            for connection in held {
                connection.send(head("Content-Length: \(message.count + 1)", "Expect: 100-continue"))
                #expect(await connection.receive(until: "100 Continue").hasPrefix("HTTP/1.1 100"))
            }
            #expect(await RawConnection(port: server.port).isClosedByServer())
            for connection in held { connection.send(message + [1]) }
            for connection in held {
                #expect(await connection.receive(until: "length").contains("HTTP/1.1 200 OK"))
            }
        }
    }

    @Test func `500 idle connections do not delay other clients`() async throws {
        OpenFiles.raise(to: 4096)
        try await withServer(limits: { $0.connections = 300 }) { server in
            let idle = (0..<500).map { _ in RawConnection(port: server.port) }
            let client = IPPClient(address: server.tcp)
            let answer = try await client.send(request(), document: .bytes([1]))
            #expect(answer.status == .successfulOk)
            #expect(idle.count == 500)
        }
    }

    @Test func `a large incomplete request is rejected if its user has too many large requests`() async throws {
        try await withServer(limits: { $0.attributeBytesPerPeer = 300_000 }) { server in
            var held: [RawConnection] = []
            var message = request()
            let values = [Value](repeating: .name(String(repeating: "x", count: 200)), count: 600)
            message.groups[0].append(Attribute("job-name", values))
            let large = try message.encoded()
            for _ in 0..<3 {
                let connection = RawConnection(port: server.port)
                connection.send(head("Content-Length: \(large.count + 1)"))
                connection.send(large.dropLast(1))
                held.append(connection)
            }
            // The third request exceeds the memory limit.
            #expect(await held[2].receive(until: "later").contains("too many large requests"))
            held[0].send(large.suffix(1) + [1])
            #expect(await held[0].receive(until: "length").hasPrefix("HTTP/1.1 200 OK"))
            // The memory of the answered request is available again.
            let next = RawConnection(port: server.port)
            next.send(head("Content-Length: \(large.count + 1)"))
            next.send(large + [1])
            #expect(await next.receive(until: "length").hasPrefix("HTTP/1.1 200 OK"))
        }
    }

    @Test
    func `if a client sends a document below the minimum rate, the reader of the document receives a timeout error`()
        async throws
    {
        let reasons = Happening(DocumentStreamError.Code?.self)
        let responder = Responder { request in
            reasons.note(await measure(request.document).failure)
            return reply(to: request, [])
        }
        try await withServer(responder, deadlines: { $0.pace = .milliseconds(100) }, limits: { $0.paceBytes = 5000 }) {
            server in
            let connection = RawConnection(port: server.port)
            connection.send(head("Content-Length: 100000"))
            connection.send(try request().encoded() + [1, 2, 3])
            #expect(await reasons.next() == .timedOut)
            #expect(await connection.receive().contains("HTTP/1.1 200"))
        }
    }
}
