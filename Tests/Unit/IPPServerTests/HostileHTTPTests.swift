// Tests that malformed HTTP is not treated as a request and does not affect other clients.

import IPP
import IPPServer
import PrintIPP
import Testing

struct HostileHTTPTests {
    /// A responder whose response contains the request ID.
    private let echoing = Responder { request in
        reply(to: request, [Attribute("id", .text("answer \(request.message.requestID)"))])
    }

    private func post(_ id: Int32, _ lines: String...) throws -> [UInt8] {
        var message = request(.getJobs)
        message.requestID = id
        let body = try message.encoded()
        return Array(head((["Content-Length: \(body.count)"] + lines).joined(separator: "\r\n")).utf8) + body
    }

    @Test(arguments: [
        "", "P", "POST /ipp/print", "POST / HTTP/1.1\r\nHost: loc", "POST / HTTP/1.1\r\nHost: localhost\r\n",
        "\r\n\r\n\r\n",
    ])
    func `an incomplete header is not treated as a request`(beginning: String) async throws {
        try await withServer(echoing) { server in
            let connection = RawConnection(port: server.port)
            connection.send(beginning)
            connection.finish()
            #expect(!(await connection.receive()).contains("200 OK"))
        }
    }

    @Test(arguments: [
        "Content-Length: 40\r\nTransfer-Encoding: chunked", "Transfer-Encoding: chunked\r\nContent-Length: 40",
        "Content-Length: 40\r\nContent-Length: 41", "Content-Length: -1", "Content-Length: 0x40", "Content-Length: 4,4",
        "Content-Length: 99999999999999999999999", "Transfer-Encoding: chunked, chunked2",
        "Transfer-Encoding: \u{b}chunked",
        "Host : localhost", "X\u{0}: y",
    ])
    func `a request with an ambiguous body length is rejected, and the following bytes are not parsed as a request`(
        lines: String
    ) async throws {
        try await withServer(echoing) { server in
            let connection = RawConnection(port: server.port)
            connection.send(Array(head(lines).utf8) + Array("0\r\n\r\n".utf8) + (try post(2)))
            let answer = await connection.receive()
            #expect(answer.hasPrefix("HTTP/1.1 400"))
            #expect(!answer.contains("answer 2"))
        }
    }

    @Test(arguments: ["zz", "-1", "fffffffffffffffffffff", "", "5;\u{0}", "5 5"])
    func `an invalid chunk size ends the document with an error and closes the connection`(
        size: String
    ) async throws {
        let reasons = Happening(DocumentStreamError.Code?.self)
        let responder = Responder { request in
            reasons.note(await measure(request.document).failure)
            return reply(to: request)
        }
        try await withServer(responder) { server in
            let connection = RawConnection(port: server.port)
            let message = try request().encoded()
            connection.send(head("Transfer-Encoding: chunked") + "\(String(message.count, radix: 16))\r\n")
            connection.send(message + Array("\r\n\(size)\r\nhello\r\n0\r\n\r\n".utf8) + (try post(2)))
            let answers = await connection.receive()
            #expect(answers.hasPrefix("HTTP/1.1 200"))
            #expect(answers.components(of: "HTTP/1.1 ") == 1)
            #expect(await reasons.next() == .interrupted)
        }
    }

    @Test func `if a chunk is longer than its declared size, the request is rejected as a bad request`() async throws {
        try await withServer(echoing) { server in
            let connection = RawConnection(port: server.port)
            connection.send(Array(head("Transfer-Encoding: chunked").utf8) + Array("4\r\n".utf8))
            connection.send(try request().encoded())
            #expect(await connection.receive().hasPrefix("HTTP/1.1 400"))
        }
    }

    @Test func `if invalid bytes follow a request, the server responds to the request and then rejects the bytes`()
        async throws
    {
        let gate = Happening(Void.self)
        let responder = Responder { request in
            await gate.next()
            return reply(to: request, [Attribute("id", .text("answer \(request.message.requestID)"))])
        }
        try await withServer(responder) { server in
            let connection = RawConnection(port: server.port)
            connection.send(try post(1) + Array("GARBAGE\u{1}\u{2}\r\n\r\n".utf8) + (try post(2)))
            gate.note(())
            let answers = await connection.receive()
            #expect(answers.hasPrefix("HTTP/1.1 200"))
            #expect(answers.contains("answer 1") && !answers.contains("answer 2"))
            #expect(answers.contains("HTTP/1.1 400"))
        }
    }

    @Test func `pipelined requests for IPP and for web pages receive their responses in order`() async throws {
        try await withServer(
            echoing, content: { _ in WebAnswer(.ok, body: .bytes(Array("a page of text".utf8))) }
        ) { server in
            let connection = RawConnection(port: server.port)
            var all: [UInt8] = []
            for id in 1...300 {
                all += try post(Int32(id))
                if id % 100 == 0 { all += Array("GET /page HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8) }
            }
            connection.send(all + (try post(301)))
            let answers = await connection.receive(until: "answer 301")
            let found = answers.matches(of: /answer (\d+)|a page of text/).map { $0.1.flatMap { Int($0) } ?? 0 }
            #expect(found == Array(1...100) + [0] + Array(101...200) + [0] + Array(201...300) + [0, 301])
        }
    }

    @Test func `if a client closes its sending side after several requests, the client receives all responses`()
        async throws
    {
        try await withServer(echoing) { server in
            let connection = RawConnection(port: server.port)
            connection.send(try post(1) + (try post(2)) + (try post(3)))
            connection.finish()
            let answers = await connection.receive()
            #expect((1...3).allSatisfy { answers.contains("answer \($0)") })
        }
    }

    @Test(arguments: [("1.0", ""), ("1.1", "Connection: close\r\n")])
    func `the connection closes after the response if the client requests the close`(version: String, line: String)
        async throws
    {
        try await withServer(echoing) { server in
            let connection = RawConnection(port: server.port)
            let body = try request(.getJobs).encoded()
            connection.send(
                Array(
                    "POST / HTTP/\(version)\r\nHost: localhost\r\n\(line)Content-Type: application/ipp\r\nContent-Length: \(body.count)\r\n\r\n"
                        .utf8) + body)
            let answer = await connection.receive()
            #expect(answer.contains("200 OK") && answer.contains("answer 77"))
        }
    }

    @Test
    func `if a client disconnects before its responses are sent, the connections of other clients are not affected`()
        async throws
    {
        try await withServer(echoing) { server in
            for _ in 0..<20 {
                let connection = RawConnection(port: server.port)
                for id in 1...50 { connection.send(try post(Int32(id))) }
            }
            let connection = RawConnection(port: server.port)
            connection.send(try post(7))
            #expect(await connection.receive(until: "answer 7").contains("200 OK"))
        }
    }

    @Test func `every response has a Date header`() async throws {
        try await withServer(echoing) { server in
            let connection = RawConnection(port: server.port)
            connection.send(try post(1))
            let answer = await connection.receive(until: "answer 1")
            #expect(answer.contains(/[Dd]ate: [A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT\r\n/))
        }
    }
}

extension String {
    /// Returns the number of occurrences of a text.
    func components(of text: String) -> Int { ranges(of: text).count }
}
