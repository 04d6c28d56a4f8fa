import FoundationEssentials
import Glibc
import IPP
import IPPClient
import IPPNetworkClient
import IPPServer
import NIOCore
import PrintTestSupport
import Synchronization
import Testing

@testable import IPPServerTLS

/// Tests of TLS in front of a real HTTP server, with curl, openssl and `IPPClient`.
@Suite(.timeLimit(.minutes(2))) struct OptionalTLSTests {
    @Test func `one port accepts http and https, and the certificate is valid only for the names of the machine`()
        async throws
    {
        try await TLSServer.serving { server in
            #expect(try await server.curl("http").output == "hello\n")
            for host in ["localhost", "127.0.0.1"] {
                let page = try await server.curl("https", host: host)
                #expect(page.output == "hello\n", "\(page)")
            }
            let other = try await server.curl(
                "https", "--resolve", "elsewhere:\(server.port):127.0.0.1", host: "elsewhere")
            #expect(other.code == 60 && other.complaints.contains("subject name"), "\(other)")
        }
    }

    @Test func `TLS versions before 1.2 are rejected`() async throws {
        try await TLSServer.serving { server in
            for version in ["-tls1", "-tls1_1"] {
                let old = try await server.openssl(version, "-cipher", "DEFAULT:@SECLEVEL=0")
                #expect(old.code == 1 && old.complaints.contains("alert protocol version"), "\(old)")
            }
            for (option, version) in [("-tls1_2", "TLSv1.2"), ("-tls1_3", "TLSv1.3")] {
                let shaken = try await server.openssl(option)
                #expect(shaken.code == 0 && shaken.output.contains("New, \(version)"), "\(shaken)")
                #expect(shaken.output.contains("Verify return code: 0 (ok)"))
            }
        }
    }

    @Test func `a client with a plain connection can upgrade the connection to TLS`() async throws {
        try await TLSServer.serving { server in
            let wire = Wire(port: server.port)
            wire.send(
                Array(
                    "OPTIONS * HTTP/1.1\r\nHost: localhost\r\nConnection: upgrade\r\nUpgrade: TLS/1.0\r\n\r\n".utf8))
            let answer = wire.next()
            #expect(answer.hasPrefix("HTTP/1.1 101 ") && answer.hasSuffix("\r\n\r\n"), "\(answer)")
            // The server now expects TLS, so this plain text must not become a request.
            wire.send(Array("GET /hello HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8))
            let rest = await wire.rest()
            #expect(!String(decoding: rest, as: UTF8.self).contains("HTTP"))
        }
    }

    @Test func `a plain request is rejected if TLS is required`() async throws {
        try await TLSServer.serving(configure: { $0.requiresTLS = true }) { server in
            let plain = try await server.curl("http", "-w", "%{http_code} %header{upgrade}")
            #expect(plain.output.hasSuffix("426 TLS/1.2, HTTP/1.1"), "\(plain)")
            let client = IPPClient(address: server.address)
            let error = await #expect(throws: IPPClientError.self) { try await client.send(TLSServer.request) }
            #expect(error?.message.contains("426") == true)
            #expect(try await server.curl("https").output == "hello\n")
        }
    }

    @Test func `100 connections with TLS and 100 connections without TLS are served at the same time`() async throws {
        // As a server does: with 1,024 open files, a client could have only 192 connections.
        OpenFiles.prepare()
        try await TLSServer.serving { server in
            let tls = try UncheckedTLS()
            let clients = (0..<200).map { number in
                IPPClient(address: server.address, channelSetup: number % 2 == 0 ? tls.stand : nil)
            }
            for _ in 0..<3 {
                try await withThrowingTaskGroup(of: Status.self) { tasks in
                    for client in clients { tasks.addTask { try await client.send(TLSServer.request).status } }
                    for try await status in tasks { #expect(status == .successfulOk) }
                }
            }
            for client in clients { await client.close() }
        }
    }

    @Test func `a long document is received completely over TLS`() async throws {
        try await TLSServer.serving { server in
            let client = IPPClient(address: server.address, channelSetup: try UncheckedTLS().stand)
            let document = [UInt8](repeating: 7, count: 200_000)
            for _ in 0..<3 {
                #expect(try await client.send(TLSServer.request, document: .bytes(document)).status == .successfulOk)
            }
            await client.close()
        }
    }

    @Test func `4 MiB arrive unchanged in each direction, at two connections at the same time`() async throws {
        try await TLSServer.serving { server in
            let client = IPPClient(address: server.address, channelSetup: try UncheckedTLS().stand)
            async let upload = client.send(TLSServer.request, document: .bytes(TLSServer.large))
            async let download = server.curl("https", "-o", server.folder.path("copy"), path: "large")
            let (sent, received) = try await (upload, download)
            let sum = sent[.printer]?.integer("sum")
            #expect(sum == TLSServer.sum(TLSServer.large[...]))
            #expect(received.code == 0, "\(received)")
            let copy = try Data(contentsOf: URL(filePath: server.folder.path("copy")))
            #expect(copy.elementsEqual(TLSServer.large))
            await client.close()
        }
    }

    @Test func `renegotiation is refused`() async throws {
        try await TLSServer.serving { server in
            let run = try await server.openssl("-tls1_2", input: "R\n")
            #expect(run.complaints.contains("no renegotiation"), "\(run)")
        }
    }

    @Test func `a client that ends its side after the request still receives the response`() async throws {
        try await TLSServer.serving { server in
            let wire = Wire(port: server.port)
            let session = try TLSSession(.client, settings: TLSSettings())
            while try !session.shakeHands() {
                wire.send(Array(buffer: session.takeOutput()))
                session.feed(ByteBuffer(bytes: wire.nextBytes()))
            }
            try session.send(ByteBuffer(string: "GET /hello HTTP/1.1\r\nHost: localhost\r\n\r\n"))
            session.end()
            wire.send(Array(buffer: session.takeOutput()))
            session.feed(ByteBuffer(bytes: await wire.rest()))
            var answer = ByteBuffer()
            #expect(try session.receive(into: &answer))  // with `close_notify`
            #expect(String(buffer: answer).hasSuffix("\r\n\r\nhello\n"), "\(String(buffer: answer))")
        }
    }

    // MARK: - Deadlines

    @Test(arguments: [[], [0x16], [0x16, 3, 1, 1, 0, 1, 0, 0, 0xFC, 3, 3], Array("OPTIONS * HT".utf8)] as [[UInt8]])
    func `if a client sends an incomplete TLS handshake, the client is disconnected at the header deadline`(
        bytes: [UInt8]
    )
        async throws
    {
        try await TLSServer.serving(configure: { $0.deadlines.head = .seconds(3) }) { server in
            let wire = Wire(port: server.port)
            if !bytes.isEmpty { wire.send(bytes) }
            _ = await wire.rest()
            // Other clients are served as before.
            let page = try await server.curl("https")
            #expect(page.output == "hello\n")
        }
    }

    @Test func `the header deadline is not extended if a client sends the ClientHello byte by byte`() async throws {
        try await TLSServer.serving(configure: { $0.deadlines.head = .milliseconds(200) }) { server in
            let wire = Wire(port: server.port)
            wire.send([0x16, 3, 1, 0x20, 0, 1, 0, 0x1F, 0xFC, 3, 3])
            while !wire.hasNews(within: 5) { wire.send([1]) }
        }
    }

    // MARK: - Renewal

    @Test func `a certificate is renewed while the server runs, its pin holds, and no connection is closed`()
        async throws
    {
        let now = Mutex(time(nil))
        try await TLSServer.serving(clock: { now.withLock { $0 } }) { server in
            let before = try Data(contentsOf: URL(filePath: server.certificate))
            let pin = try await server.pin()
            // curl verifies the dates with the real clock.
            func page() async throws -> ProgramRun { try await server.curl("https", "-k", "--pinnedpubkey", pin) }
            let wire = Wire(port: server.port)
            let session = try TLSSession(.client, settings: TLSSettings())
            while try !session.shakeHands() {
                wire.send(Array(buffer: session.takeOutput()))
                session.feed(ByteBuffer(bytes: wire.nextBytes()))
            }
            wire.send(Array(buffer: session.takeOutput()))
            now.withLock { $0 += TLSIdentity.lifetime - 86_400 }
            let first = try await page()
            #expect(first.output == "hello\n", "\(first)")
            // The files are replaced by renaming, which changes the folder.
            try await eventually("the certificate is renewed", in: server.folder.path) {
                try Data(contentsOf: URL(filePath: server.certificate)) != before
            }
            let second = try await page()
            #expect(second.output == "hello\n", "\(second)")
            try session.send(ByteBuffer(string: "GET /hello HTTP/1.1\r\nHost: localhost\r\n\r\n"))
            session.end()
            wire.send(Array(buffer: session.takeOutput()))
            session.feed(ByteBuffer(bytes: await wire.rest()))
            var answer = ByteBuffer()
            #expect(try session.receive(into: &answer))
            #expect(String(buffer: answer).hasSuffix("\r\n\r\nhello\n"), "\(String(buffer: answer))")
        }
    }

    // MARK: - Faulty handshakes

    @Test
    func `a failed handshake or a wrong certificate causes a TLS error, and the next handshake succeeds`() async throws
    {
        let plans = Mutex<[OptionalTLS.Handshake]>([])
        try await TLSServer.serving(plan: { plans.withLock { $0.isEmpty ? .proper : $0.removeFirst() } }) { server in
            plans.withLock { $0 = [.alert(40)] }
            let failed = try await server.curl("https")
            #expect(failed.code == 35 && failed.complaints.contains("alert handshake failure"), "\(failed)")

            let own = try TLSIdentity.stored(in: server.folder.path, for: .thisMachine)
            let other = try own.another(for: CertificateNames(hosts: ["x.invalid"]), from: 0, until: 4_000_000_000)
            plans.withLock { $0 = [.with(other)] }
            let wrong = try await server.curl("https")
            #expect(wrong.code == 60 && wrong.complaints.contains("subject name"), "\(wrong)")

            let expired = try own.another(for: .thisMachine, from: 0, until: 1_000_000_000)
            plans.withLock { $0 = [.with(expired)] }
            let late = try await server.curl("https")
            #expect(late.code == 60 && late.complaints.contains("certificate has expired"), "\(late)")
            #expect(try await server.curl("https").output == "hello\n")
        }
    }

    @Test
    func `a client still receives the response if the server delays the TLS handshake beyond the header deadline`()
        async throws
    {
        let gate = AsyncStream.makeStream(of: Void.self)
        let begun = AsyncStream.makeStream(of: Void.self)
        let waits = Mutex([true])
        try await TLSServer.serving(
            plan: {
                let isFirst = waits.withLock { $0.popLast() } ?? false
                if isFirst { begun.continuation.yield() }
                return isFirst ? .after { for await _ in gate.stream { return } } : .proper
            },
            configure: { $0.deadlines.head = .seconds(3) }
        ) { server in
            async let page = server.curl("https")
            for await _ in begun.stream { break }
            // A silent client is disconnected in the meantime.
            _ = await Wire(port: server.port).rest()
            gate.continuation.yield()
            let said = try await page
            #expect(said.output == "hello\n", "\(said)")
        }
    }
}
