import CZlib
import IPP
import IPPClient
import IPPNetworkClient
import IPPServer
import PrintIPP
import Testing

struct HostileInputTests {
    @Test func `the response to truncated attributes is a bad-request error with the ID of the request`() async throws {
        try await withServer { server in
            let message = try request().encoded()
            let answer = try await post(Array(message.dropLast(10)), to: server)
            #expect(answer.status == .clientErrorBadRequest)
            #expect(answer.requestID == 77)
            #expect(answer.version == .v2_0)
        }
    }

    @Test func `a request is a bad HTTP request if its body has no IPP header`() async throws {
        try await withServer { server in
            let connection = RawConnection(port: server.port)
            connection.send(head("Content-Length: 4") + "\u{2}\u{0}\u{0}\u{2}")
            #expect(await connection.receive(until: "\r\n\r\n").hasPrefix("HTTP/1.1 400"))
        }
    }

    @Test func `the server stops reading attributes at the size limit`() async throws {
        try await withServer(limits: { $0.attributeBytes = 100_000 }) { server in
            let connection = RawConnection(port: server.port)
            connection.send(head("Content-Length: 1000000000"))
            connection.send(Array(try request().encoded().dropLast()))
            let attribute: [UInt8] = [0x44, 0, 1, 0x61, 0, 200] + .init(repeating: 0x62, count: 200)
            connection.send(Array(repeatElement(attribute, count: 1000).joined()))
            let answer = await connection.receive(until: "\r\n\r\n")
            #expect(answer.hasPrefix("HTTP/1.1 200"))
            #expect(answer.lowercased().contains("connection: close"))
        }
    }

    @Test func `a request with too many attribute bytes is rejected with 'request-entity-too-large'`() async throws {
        try await withServer(limits: { $0.attributeBytes = 10_000 }) { server in
            let flood = request(
                .printJob, Attribute("x", Array(repeating: .octetString(.init(repeating: 1, count: 900)), count: 20)))
            let answer = try await IPPClient(address: server.unix).send(flood)
            #expect(answer.status == .clientErrorRequestEntityTooLarge)
        }
    }

    @Test func `an HTTP header is rejected if the header is larger than the limit`() async throws {
        try await withServer(limits: { $0.headerBytes = 4096 }) { server in
            let connection = RawConnection(port: server.port)
            connection.send(head("X: " + String(repeating: "x", count: 10_000)))
            #expect(await connection.receive().hasPrefix("HTTP/1.1 400"))
        }
    }

    @Test func `a client is disconnected if the client never ends its header`() async throws {
        try await withServer(deadlines: { $0.head = .milliseconds(100) }) { server in
            let connection = RawConnection(port: server.port)
            connection.send("POST / HTTP/1.1\r\nHost: loc")
            #expect(await connection.isClosedByServer())
        }
    }

    @Test func `if a client stops sending within the attributes, the client receives status 408 and is disconnected`()
        async throws
    {
        try await withServer(deadlines: { $0.bodyIdle = .milliseconds(100) }) { server in
            let connection = RawConnection(port: server.port)
            connection.send(head("Content-Length: 1000"))
            connection.send(Array(try request().encoded().prefix(20)))
            #expect(await connection.receive().hasPrefix("HTTP/1.1 408"))
        }
    }

    @Test
    func `if a client stops sending its document, the reader of the document receives a timeout error`() async throws {
        let reasons = Happening(DocumentStreamError.Code?.self)
        try await withServer(failing(reasons), deadlines: { $0.bodyIdle = .milliseconds(100) }) { server in
            let connection = RawConnection(port: server.port)
            connection.send(head("Content-Length: 100000"))
            connection.send(try request().encoded() + [1, 2, 3])
            #expect(await reasons.next() == .timedOut)
            #expect(await connection.receive().contains("HTTP/1.1 200"))
        }
    }

    @Test func `a slow client is disconnected at the request deadline`() async throws {
        let reasons = Happening(DocumentStreamError.Code?.self)
        try await withServer(failing(reasons), deadlines: { $0.request = .milliseconds(200) }) { server in
            let connection = RawConnection(port: server.port)
            connection.send(head("Content-Length: 100000"))
            connection.send(try request().encoded() + [1])
            #expect(await reasons.next() == .timedOut)
        }
    }

    @Test(arguments: ["Content-Length: 5000", "Transfer-Encoding: chunked"])
    func `the reader of an interrupted upload receives an error`(framing: String) async throws {
        let reasons = Happening(DocumentStreamError.Code?.self)
        try await withServer(failing(reasons)) { server in
            for halfClose in [true, false] {
                var connection: RawConnection? = RawConnection(port: server.port)
                let bytes = try request().encoded() + [1, 2, 3]
                connection?.send(head(framing))
                if framing.contains("chunked") { connection?.send("\(String(bytes.count, radix: 16))\r\n") }
                connection?.send(bytes)
                if framing.contains("chunked") { connection?.send("\r\n") }
                if halfClose { connection?.finish() } else { connection = nil }
                #expect(await reasons.next() == .interrupted)
            }
        }
    }

    @Test(arguments: [(16 + 15, "gzip"), (15, "deflate"), (-15, "deflate")])
    func `the server decompresses a document with any supported compression`(windowBits: Int, name: String) async throws
    {
        let data = (0..<900_000).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 9) }
        let compressed = deflated(data, windowBits: windowBits)
        #expect(compressed.count < data.count)
        let responder = Responder { request in
            let same = (try? await request.document.collect(upTo: .max)) == data
            return reply(to: request, [Attribute("same", .boolean(same))])
        }
        try await withServer(responder) { server in
            let answer = try await IPPClient(address: server.unix).send(
                request(.printJob, Attribute("compression", .keyword(name))), document: .bytes(compressed))
            #expect(answer[.printer]?.boolean("same") == true)
        }
    }

    @Test func `several gzip members are decompressed to one document`() async throws {
        try await withServer { server in
            let members = deflated([1, 2, 3], windowBits: 31) + deflated([4, 5], windowBits: 31)
            let answer = try await IPPClient(address: server.unix).send(
                request(.printJob, Attribute("compression", .keyword("gzip"))), document: .bytes(members))
            #expect(answer[.printer]?.integer("length") == 5)
        }
    }

    @Test func `a document with excessive compression is rejected before the decompression is complete`() async throws {
        let read = Happening(Int.self)
        let reasons = Happening(DocumentStreamError.Code?.self)
        let responder = Responder { request in
            let (length, failure) = await measure(request.document)
            reasons.note(failure)
            read.note(length)
            return reply(to: request, .clientErrorCompressionError)
        }
        try await withServer(responder) { server in
            let bomb = deflated(.init(repeating: 0, count: 16 << 20), windowBits: 31)
            let answer = try await IPPClient(address: server.unix).send(
                request(.printJob, Attribute("compression", .keyword("gzip"))), document: .bytes(bomb))
            #expect(answer.status == .clientErrorCompressionError)
            #expect(await reasons.next() == .excessiveCompression)
            #expect(await read.next() ?? .max < 4 << 20)
        }
    }

    @Test func `truncated or invalid compressed data causes an error, and an unknown compression is rejected`()
        async throws
    {
        let reasons = Happening(DocumentStreamError.Code?.self)
        try await withServer(failing(reasons)) { server in
            let client = IPPClient(address: server.unix)
            let gzip = request(.printJob, Attribute("compression", .keyword("gzip")))
            let whole = deflated(.init(repeating: 9, count: 5000), windowBits: 31)
            _ = try await client.send(gzip, document: .bytes(Array(whole.dropLast(3))))
            #expect(await reasons.next() == .badCompression)
            _ = try await client.send(gzip, document: .bytes([1, 2, 3, 4]))
            #expect(await reasons.next() == .badCompression)
            _ = try await client.send(gzip, document: .bytes(whole + [0]))
            #expect(await reasons.next() == .badCompression)
            _ = try await client.send(gzip)
            #expect(await reasons.next() == .some(nil))
            let answer = try await client.send(request(.printJob, Attribute("compression", .keyword("compress"))))
            #expect(answer.status == .clientErrorCompressionNotSupported)
        }
    }

    @Test func `the reader of a document receives the error '.tooLarge' if the document exceeds the server's limit`()
        async throws
    {
        let reasons = Happening(DocumentStreamError.Code?.self)
        try await withServer(failing(reasons), limits: { $0.documentBytes = 1000 }) { server in
            _ = try await IPPClient(address: server.tcp).send(
                request(), document: .bytes(.init(repeating: 0, count: 1001)))
            #expect(await reasons.next() == .tooLarge)
        }
    }
}

/// Returns a responder that reads the document and records the error, or `nil` if there is no error.
private func failing(_ reasons: Happening<DocumentStreamError.Code?>) -> Responder {
    Responder { request in
        reasons.note(await measure(request.document).failure)
        return reply(to: request, [])
    }
}

/// Posts bytes that are not a complete request, and returns the decoded response.
private func post(_ body: [UInt8], to server: TestServer) async throws -> Message {
    let connection = RawConnection(port: server.port)
    connection.send(Array(head("Content-Length: \(body.count)", "Connection: close").utf8) + body)
    let bytes = await connection.receiveBytes()
    let end = try #require(bytes.indices.first { bytes[$0...].starts(with: Array("\r\n\r\n".utf8)) })
    return try Message.decode(Array(bytes[(end + 4)...])).message
}

private func deflated(_ bytes: [UInt8], windowBits: Int) -> [UInt8] {
    var stream = z_stream()
    var output = [UInt8](repeating: 0, count: bytes.count + 1000)
    var bytes = bytes
    deflateInit2_(
        &stream, 6, Z_DEFLATED, Int32(windowBits), 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
        Int32(MemoryLayout<z_stream>.size))
    let count = bytes.withUnsafeMutableBufferPointer { input in
        output.withUnsafeMutableBufferPointer { output in
            stream.next_in = input.baseAddress
            stream.avail_in = uInt(input.count)
            stream.next_out = output.baseAddress
            stream.avail_out = uInt(output.count)
            deflate(&stream, Z_FINISH)
            return Int(stream.total_out)
        }
    }
    deflateEnd(&stream)
    return Array(output[..<count])
}
