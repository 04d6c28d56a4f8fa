// Tests of requests other than IPP: their bodies, their responses, and the end of their connections.

import HTTPTypes
import IPPServer
import Synchronization
import Testing

struct WebContentTests {
    /// Returns the header of a request for a path.
    private func head(_ method: String, _ path: String, _ lines: String..., version: String = "1.1") -> String {
        (["\(method) \(path) HTTP/\(version)", "Host: localhost"] + lines).joined(separator: "\r\n") + "\r\n\r\n"
    }

    /// Returns a response that the server sends in parts of unknown total length.
    private func parts(_ parts: String...) -> WebAnswer {
        WebAnswer(.ok, body: .stream(length: nil) { send in for part in parts { try await send(Array(part.utf8)) } })
    }

    @Test func `a response to HEAD has the length of the content and no body`() async throws {
        try await withServer(content: { request in
            switch request.path {
            case "/bytes": WebAnswer(.ok, body: .bytes(Array("hello".utf8)))
            case "/known": WebAnswer(.ok, body: .stream(length: 7) { try await $0(Array("goodbye".utf8)) })
            default: WebAnswer(.ok, body: .stream(length: nil) { try await $0(Array("end".utf8)) })
            }
        }) { server in
            let connection = RawConnection(port: server.port)
            connection.send(
                head("HEAD", "/bytes") + head("HEAD", "/known") + head("HEAD", "/unknown")
                    + head("GET", "/known", "Connection: close"))
            let answers = await connection.receive()
            #expect(
                answers.matches(of: /content-length: (\d+)/).map(\.1) == ["5", "7", "0", "7"], "\(answers)")
            #expect(answers.components(of: "HTTP/1.1 200") == 4 && answers.components(of: "\r\n\r\nHTTP") == 3)
            #expect(answers.hasSuffix("\r\n\r\ngoodbye"))
        }
    }

    @Test func `a response of unknown length is chunked, and ends with the connection for HTTP 1.0`() async throws {
        try await withServer(content: { _ in parts("one", "two") }) { server in
            let new = RawConnection(port: server.port)
            new.send(head("GET", "/") + head("GET", "/", "Connection: close"))
            let chunked = await new.receive()
            #expect(chunked.components(of: "\r\n\r\n3\r\none\r\n3\r\ntwo\r\n0\r\n\r\n") == 2, "\(chunked)")
            let old = RawConnection(port: server.port)
            old.send(head("GET", "/", "Connection: keep-alive", version: "1.0"))
            let plain = await old.receive()
            #expect(plain.hasSuffix("\r\n\r\nonetwo") && !plain.contains("chunked"), "\(plain)")
        }
    }

    @Test func `a response without content has no length`() async throws {
        try await withServer(content: { _ in WebAnswer(.noContent) }) { server in
            let connection = RawConnection(port: server.port)
            connection.send(head("GET", "/") + head("GET", "/", "Connection: close"))
            let answers = await connection.receive()
            #expect(answers.components(of: "HTTP/1.1 204 No Content") == 2 && !answers.contains("content-length"))
        }
    }

    @Test func `if a response fails after its first part, the client does not receive the end`() async throws {
        struct Failure: Error {}
        try await withServer(content: { _ in
            WebAnswer(
                .ok,
                body: .stream(length: nil) { send in
                    try await send(Array("one".utf8))
                    throw Failure()
                })
        }) { server in
            let connection = RawConnection(port: server.port)
            connection.send(head("GET", "/"))
            #expect(await connection.receive().hasSuffix("\r\n\r\n3\r\none\r\n"))
        }
    }

    @Test func `an endless response waits for its client, and ends when the client disconnects`() async throws {
        let sent = Mutex(0)
        let ended = Happening(Void.self)
        try await withServer(content: { _ in
            WebAnswer(
                .ok,
                body: .stream(length: nil) { send in
                    defer { ended.note(()) }
                    while true {
                        try await send([UInt8](repeating: 0x61, count: 64 << 10))
                        sent.withLock { $0 += 1 }
                    }
                })
        }) { server in
            do {
                let connection = RawConnection(port: server.port)
                connection.send(head("GET", "/"))
                _ = await connection.receive(until: "aaaa")
                // Other clients are served, while the response fills the buffers of the sockets.
                for _ in 0..<50 {
                    let other = RawConnection(port: server.port)
                    other.send(head("OPTIONS", "/", "Connection: close"))
                    #expect(await other.receive().contains("200 OK"))
                }
            }
            await ended.next()
            // The buffers of both sockets have at most 16 MiB.
            #expect(sent.withLock { $0 } < 320)
        }
    }

    @Test(arguments: ["Content-Length: 300000", "Transfer-Encoding: chunked"])
    func `the body of a request is read in parts`(framing: String) async throws {
        try await withServer(content: { request in
            var count = 0
            do {
                try await request.body.forEach { count += $0.count }
            } catch {
                return WebAnswer(.badRequest, body: .bytes(Array("\(error)".utf8)))
            }
            return WebAnswer(.ok, body: .bytes(Array("\(request.body.length ?? -1) \(count)".utf8)))
        }) { server in
            let connection = RawConnection(port: server.port)
            let isChunked = framing.contains("chunked")
            connection.send(head("PUT", "/", framing, "Expect: 100-continue"))
            #expect(await connection.receive(until: "\r\n\r\n").hasPrefix("HTTP/1.1 100 Continue"))
            let piece = String(repeating: "x", count: 100_000)
            for _ in 0..<3 { connection.send(isChunked ? "186a0\r\n\(piece)\r\n" : piece) }
            if isChunked { connection.send("0\r\n\r\n") }
            let answer = await connection.receive(until: " 300000")
            #expect(answer.hasSuffix(isChunked ? "-1 300000" : "300000 300000"), "\(answer)")
        }
    }

    @Test func `an unread body is discarded, and the connection can be reused`() async throws {
        try await withServer(content: { _ in WebAnswer(.ok, body: .bytes(Array("unread".utf8))) }) { server in
            let connection = RawConnection(port: server.port)
            for _ in 0..<3 {
                connection.send(head("PUT", "/", "Content-Length: 200000"))
                connection.send(String(repeating: "x", count: 200_000))
                #expect(await connection.receive(until: "unread").hasPrefix("HTTP/1.1 200"))
            }
        }
    }

    @Test func `if a client disconnects during its request, the reader of the body receives an error`() async throws {
        let failures = Happening(String.self)
        try await withServer(content: { request in
            do {
                try await request.body.forEach { _ in }
            } catch {
                failures.note("\(error)")
            }
            return WebAnswer(.ok)
        }) { server in
            do {
                let connection = RawConnection(port: server.port)
                connection.send(head("PUT", "/", "Content-Length: 10") + "12345")
            }
            #expect(await failures.next()?.contains("connection was lost") == true)
        }
    }

    @Test func `a stopping server ends a response that waits for the end of the server`() async throws {
        try await withServer(content: { request in
            WebAnswer(
                .ok,
                body: .stream(length: nil) { send in
                    try await send(Array("begun".utf8))
                    await request.disconnection.wait()
                    try await send(Array("ended".utf8))
                })
        }) { server in
            let connection = RawConnection(port: server.port)
            connection.send(head("GET", "/"))
            _ = await connection.receive(until: "begun")
            await server.group.triggerGracefulShutdown()
            #expect(await connection.receive().hasSuffix("5\r\nended\r\n0\r\n\r\n"))
        }
    }

    @Test func `a request without content receives a description of the server`() async throws {
        try await withServer { server in
            let connection = RawConnection(port: server.port)
            connection.send(
                head("GET", "/none") + head("GET", "/printers/x.ppd") + head("POST", "/", "Content-Length: 0")
                    + head("OPTIONS", "*", "Connection: close"))
            let answers = await connection.receive()
            #expect(answers.matches(of: /HTTP\/1.1 (\d+)/).map(\.1) == ["405", "404", "415", "200"], "\(answers)")
        }
    }
}
