// Tests requests that wait for their response until the client disconnects or the server stops.

import IPP
import IPPClient
import IPPNetworkClient
import IPPServer
import PrintIPP
import Testing

@Suite(.timeLimit(.minutes(1)))
struct HangUpTests {
    /// Returns a responder that waits until the client disconnects or the server stops, and then sends a response.
    ///
    /// The responder reports the start and the end of the wait.
    private func patient(_ begun: Happening<Void>, _ ended: Happening<Void>) -> Responder {
        Responder { request in
            begun.note(())
            await request.disconnection.wait()
            ended.note(())
            return reply(to: request)
        }
    }

    @Test(arguments: [false, true]) func `a waiting request ends when its connection closes`(overTCP: Bool) async throws
    {
        let (begun, ended) = (Happening<Void>(), Happening<Void>())
        try await withServer(patient(begun, ended)) { server in
            let client = IPPClient(address: overTCP ? server.tcp : server.unix)
            let task = Task { try await client.send(request()) }
            _ = await begun.next()
            task.cancel()  // closes the connection
            #expect(await ended.next() != nil)
            await #expect(throws: IPPClientError.self) { try await task.value }
        }
    }

    @Test func `the response to a waiting request is sent immediately when the server stops`() async throws {
        let (begun, ended) = (Happening<Void>(), Happening<Void>())
        try await withServer(patient(begun, ended)) { server in
            let client = IPPClient(address: server.unix)
            async let answer = client.send(request())
            _ = await begun.next()
            await server.group.triggerGracefulShutdown()
            let status = try await answer.status
            #expect(status == .successfulOk)
            await client.close()
        }
    }

    @Test func `if a document is arriving when the server stops, the whole document is received`() async throws {
        let begun = Happening<Void>()
        let responder = Responder { request in
            begun.note(())
            let (length, failure) = await measure(request.document)
            return reply(to: request, [Attribute("length", .text("\(length) \(failure == nil)"))])
        }
        try await withServer(responder) { server in
            let connection = RawConnection(port: server.port)
            let bytes = try request().encoded()
            connection.send(head("Content-Length: \(bytes.count + 5000)"))
            connection.send(bytes + [UInt8](repeating: 1, count: 2000))
            _ = await begun.next()
            await server.group.triggerGracefulShutdown()
            connection.send([UInt8](repeating: 1, count: 1500))
            connection.send([UInt8](repeating: 1, count: 1500))
            #expect(await connection.receive().contains("5000 true"))
        }
    }

    @Test func `if a client closes only its sending side, the client receives its response`() async throws {
        let (begun, ended) = (Happening<Void>(), Happening<Void>())
        try await withServer(patient(begun, ended)) { server in
            let connection = RawConnection(port: server.port)
            let bytes = try request().encoded()
            connection.send(head("Content-Length: \(bytes.count)"))
            connection.send(bytes)
            _ = await begun.next()
            connection.finish()
            #expect(await connection.receive(until: "\r\n\r\n").hasPrefix("HTTP/1.1 200"))
        }
    }
}
