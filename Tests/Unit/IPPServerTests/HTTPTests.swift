import IPP
import IPPServer
import PrintIPP
import Testing

struct HTTPTests {
    @Test func `the server sends 100 Continue before the client sends the body`() async throws {
        try await withServer { server in
            let connection = RawConnection(port: server.port)
            let message = try request().encoded()
            connection.send(head("Content-Length: \(message.count + 3)", "Expect: 100-continue"))
            let interim = await connection.receive(until: "\r\n\r\n")
            #expect(interim.hasPrefix("HTTP/1.1 100 "))
            connection.send(message + [1, 2, 3])
            #expect(await connection.receive(until: "application/ipp").hasPrefix("HTTP/1.1 200 OK"))
        }
    }

    @Test func `the 100 Continue response to a pipelined request is sent after the previous response`() async throws {
        let gate = Happening(Void.self)
        let responder = Responder { request in
            if request.message.operation == .getJobs { await gate.next() }
            return reply(to: request, [Attribute("who", .text("\(request.message.operation)"))])
        }
        try await withServer(responder) { server in
            let connection = RawConnection(port: server.port)
            let first = try request(.getJobs).encoded()
            let second = try request(.printJob).encoded()
            connection.send(Array(head("Content-Length: \(first.count)").utf8) + first)
            connection.send(head("Content-Length: \(second.count)", "Expect: 100-continue"))
            gate.note(())
            let answers = await connection.receive(until: "HTTP/1.1 100 ")
            #expect(answers.hasPrefix("HTTP/1.1 200 OK"))
            connection.send(second)
            #expect(await connection.receive(until: "Print-Job").contains("HTTP/1.1 200 OK"))
        }
    }

    @Test func `a chunked body is read even if a chunk ends within the IPP message`() async throws {
        try await withServer { server in
            let connection = RawConnection(port: server.port)
            let message = try request().encoded()
            connection.send(head("Transfer-Encoding: chunked"))
            for piece in [Array(message[..<5]), Array(message[5...]) + [1], [2, 3]] {
                connection.send("\(String(piece.count, radix: 16))\r\n")
                connection.send(piece)
                connection.send("\r\n")
            }
            connection.send("0\r\n\r\n")
            #expect(await connection.receive(until: "length").contains("200 OK"))
        }
    }

    @Test(arguments: [
        ("evil.example", "403"), ("localhost.evil.example", "403"), ("localhost:x", "403"), ("", "403"),
        ("127.0.0.1@evil.example", "403"), ("localhost", "200"), ("LOCALHOST.:631", "200"), ("127.0.0.1:1", "200"),
        ("[::1]:631", "200"), ("printer.lan", "200"),
    ])
    func `only a Host header that names this machine is accepted`(host: String, status: String) async throws {
        try await withServer(hostNames: ["Printer.LAN"]) { server in
            let connection = RawConnection(port: server.port)
            let message = try request(.getJobs).encoded()
            connection.send(Array(head("Content-Length: \(message.count)", host: host).utf8) + message)
            #expect(await connection.receive(until: "\r\n\r\n").hasPrefix("HTTP/1.1 \(status)"))
        }
    }

    @Test(arguments: [
        ("evil.example", "403"), ("evil.local.example", "403"), ("1.2.3", "403"), ("[::1", "403"), ("localhost", "200"),
        ("pluto.local:8000", "200"), ("192.0.2.1:8000", "200"), ("[2001:db8::1]:8000", "200"),
    ])
    func `a network listener also accepts a Host header with an IP address or mDNS name`(host: String, status: String)
        async throws
    {
        try await withServer(listen: "0.0.0.0") { server in
            let connection = RawConnection(port: server.port)
            let message = try request(.getJobs).encoded()
            connection.send(Array(head("Content-Length: \(message.count)", host: host).utf8) + message)
            #expect(await connection.receive(until: "\r\n\r\n").hasPrefix("HTTP/1.1 \(status)"))
        }
    }

    @Test func `a loopback listener rejects a Host header that contains a network address or an mDNS name`()
        async throws
    {
        for host in ["pluto.local", "192.0.2.1"] {
            try await withServer { server in
                let connection = RawConnection(port: server.port)
                let message = try request(.getJobs).encoded()
                connection.send(Array(head("Content-Length: \(message.count)", host: host).utf8) + message)
                #expect(await connection.receive(until: "\r\n\r\n").hasPrefix("HTTP/1.1 403"))
            }
        }
    }

    @Test(arguments: [
        ("Origin: http://evil.example", "403"), ("Origin: null", "403"), ("Origin: https://localhost", "403"),
        ("Origin: http://localhost:8000", "403"), ("Origin: http://localhost\r\nOrigin: http://evil.example", "403"),
        ("Sec-Fetch-Site: cross-site", "403"), ("Sec-Fetch-Site: same-site", "403"),
        ("Sec-Fetch-Site: none\r\nSec-Fetch-Site: cross-site", "403"), ("Origin: http://localhost", "200"),
        ("Origin: http://LOCALHOST\r\nSec-Fetch-Site: same-origin", "200"), ("Sec-Fetch-Site: none", "200"),
    ])
    func `an IPP request from a web page of another origin is refused`(lines: String, status: String) async throws {
        try await withServer { server in
            let connection = RawConnection(port: server.port)
            let message = try request(.getJobs).encoded()
            connection.send(Array(head(lines, "Content-Length: \(message.count)").utf8) + message)
            #expect(await connection.receive(until: "\r\n\r\n").hasPrefix("HTTP/1.1 \(status)"))
        }
    }

    @Test(arguments: ["", "Host: localhost\r\nHost: evil.example\r\n"])
    func `a request without a Host header or with two Host headers is a bad request`(lines: String) async throws {
        try await withServer { server in
            let connection = RawConnection(port: server.port)
            connection.send("POST / HTTP/1.1\r\n\(lines)Content-Type: application/ipp\r\nContent-Length: 0\r\n\r\n")
            #expect(await connection.receive(until: "\r\n\r\n").hasPrefix("HTTP/1.1 400"))
        }
    }

    @Test(arguments: [
        ("GET", "application/ipp", "405"), ("PUT", "application/ipp", "405"), ("POST", "text/plain", "415"),
        ("POST", "application/ippx", "415"), ("POST", "Application/IPP; charset=x", "400"),
    ])
    func `a request with an unsupported method or media type is rejected`(method: String, type: String, status: String)
        async throws
    {
        try await withServer { server in
            let connection = RawConnection(port: server.port)
            connection.send(
                "\(method) / HTTP/1.1\r\nHost: localhost\r\nContent-Type: \(type)\r\nContent-Length: 0\r\n\r\n")
            let answer = await connection.receive(until: "\r\n\r\n")
            #expect(answer.hasPrefix("HTTP/1.1 \(status)"))
            #expect(answer.lowercased().contains("allow: post") == (status == "405"))
        }
    }

    @Test func `ipptool accepts the response of the server`() async throws {
        let responder = Responder { request in
            reply(
                to: request,
                [
                    Attribute("printer-name", .name("x")), Attribute("printer-state", .enumeration(3)),
                    Attribute("operations-supported", .enumeration(2), .enumeration(0x0B)),
                ])
        }
        try await withTemporaryFolder { folder in
            try await withServer(responder) { server in
                let test = """
                    {
                    OPERATION Get-Printer-Attributes
                    GROUP operation-attributes-tag
                    ATTR charset attributes-charset utf-8
                    ATTR naturalLanguage attributes-natural-language en
                    ATTR uri printer-uri $uri
                    STATUS successful-ok
                    EXPECT printer-name OF-TYPE name WITH-VALUE x
                    EXPECT operations-supported OF-TYPE enum COUNT 2
                    }
                    """
                _ = try await DocumentStream(bytes: Array(test.utf8)).save(toPath: "\(folder)/test")
                let output = try await run(
                    "ipptool", "-tv", "ipp://localhost:\(server.port)/ipp/print", "\(folder)/test")
                #expect(output.contains("[PASS]"), "\(output)")
                #expect(output.contains("printer-state (enum) = idle"))
            }
        }
    }

    @Test func `if ipptool compresses a document, the server decompresses the document`() async throws {
        try await withTemporaryFolder { folder in
            let document = [UInt8](repeating: 66, count: 70_000)
            _ = try await DocumentStream(bytes: document).save(toPath: "\(folder)/document")
            let lengths = Happening(Int.self)
            let responder = Responder { request in
                lengths.note((try? await request.document.collect(upTo: 100_000))?.count ?? -1)
                return reply(to: request, [])
            }
            try await withServer(responder) { server in
                for compression in ["gzip", "deflate", "none"] {
                    let test = """
                        {
                        OPERATION Print-Job
                        GROUP operation-attributes-tag
                        ATTR charset attributes-charset utf-8
                        ATTR naturalLanguage attributes-natural-language en
                        ATTR uri printer-uri $uri
                        ATTR keyword compression \(compression)
                        COMPRESSION \(compression)
                        FILE \(folder)/document
                        STATUS successful-ok
                        }
                        """
                    _ = try await DocumentStream(bytes: Array(test.utf8)).save(toPath: "\(folder)/test")
                    defer { remove("\(folder)/test") }
                    let output = try await run(
                        "ipptool", "-tv", "ipp://localhost:\(server.port)/ipp/print", "\(folder)/test")
                    #expect(output.contains("[PASS]"), "\(output)")
                    #expect(await lengths.next() == document.count)
                }
            }
        }
    }
}
