// Many connections, and slow ones.

import IPP
import IPPClient
import IPPServer
import PrintIPP
import Testing

struct ManyConnectionsTests {
    @Test func `300 connections in the middle of a request keep nobody from being served, and are served too`()
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

    @Test func `whoever has as many connections as anyone may gets no more until one is closed`() async throws {
        try await withServer(limits: { $0.connectionsPerPeer = 3 }) { server in
            var held = (0..<3).map { _ in RawConnection(port: server.port) }
            for connection in held {
                connection.send(try head("Content-Length: \(request().encoded().count)"))
                connection.send(try request().encoded())
                #expect(await connection.receive(until: "length").hasPrefix("HTTP/1.1 200 OK"))
            }
            #expect(await RawConnection(port: server.port).isClosedByServer())
            // A user of the Unix socket is somebody else.
            #expect(
                try await IPPClient(address: server.unix).send(request(), document: .bytes([1])).status == .successfulOk
            )
            held.removeLast()
            var isServed = false
            while !isServed {
                isServed = (try? await IPPClient(address: server.tcp).send(request(), document: .bytes([1]))) != nil
            }
            #expect(held.count == 2)
        }
    }

    @Test func `a client that sends a byte now and then is cut off by its pace`() async throws {
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
