import NIOCore
import Testing

@testable import IPPServerTLS

/// Tests of a TLS server and a TLS client that exchange bytes in memory.
struct TLSSessionTests {
    /// A server and a client, and the bytes that they have received.
    private struct Pair {
        let server: TLSSession
        let client: TLSSession
        var received = (server: ByteBuffer(), client: ByteBuffer())
        var isEnded = (server: false, client: false)

        init() throws {
            let identity = try TLSIdentity.selfSigned(
                for: CertificateNames(hosts: ["localhost"]), from: 0, until: 4_000_000_000)
            server = try TLSSession(.server, settings: identity.settings, protocols: ["http/1.1"])
            client = try TLSSession(.client, settings: TLSSettings(), protocols: ["h2", "http/1.1"])
        }

        /// Performs the handshake; each end receives `size` bytes at a time.
        func shakeHands(inPiecesOf size: Int = .max) throws {
            var isComplete = (server: false, client: false)
            isComplete.client = try client.shakeHands()
            var rounds = 0
            while !isComplete.server || !isComplete.client {
                rounds += 1
                try #require(rounds < 10)
                for piece in pieces(client.takeOutput(), size) {
                    server.feed(piece)
                    if !isComplete.server { isComplete.server = try server.shakeHands() }
                }
                for piece in pieces(server.takeOutput(), size) {
                    client.feed(piece)
                    if !isComplete.client { isComplete.client = try client.shakeHands() }
                }
            }
        }

        /// Delivers the output of each end to the other end.
        mutating func deliver(inPiecesOf size: Int = .max) throws {
            for piece in pieces(client.takeOutput(), size) {
                server.feed(piece)
                isEnded.server = try server.receive(into: &received.server)
            }
            for piece in pieces(server.takeOutput(), size) {
                client.feed(piece)
                isEnded.client = try client.receive(into: &received.client)
            }
        }

        private func pieces(_ bytes: ByteBuffer, _ size: Int) -> [ByteBuffer] {
            var (rest, pieces) = (bytes, [ByteBuffer]())
            while let piece = rest.readSlice(length: min(size, rest.readableBytes)), piece.readableBytes > 0 {
                pieces.append(piece)
            }
            return pieces
        }
    }

    private func noise(_ count: Int, seed: UInt64) -> ByteBuffer {
        var state = seed
        return ByteBuffer(
            bytes: (0..<count).map { _ in
                state = state &* 6_364_136_223_846_793_005 &+ 1
                return UInt8(truncatingIfNeeded: state >> 56)
            })
    }

    @Test(arguments: [1, 2, 5, 1000, Int.max])
    func `a handshake and data that arrive in pieces of any size are understood`(size: Int) throws {
        var pair = try Pair()
        try pair.shakeHands(inPiecesOf: size)
        #expect(pair.server.applicationProtocol == "http/1.1")
        let (question, answer) = (noise(50_001, seed: 1), noise(40_000, seed: 2))
        try pair.client.send(question)
        try pair.server.send(answer)
        try pair.deliver(inPiecesOf: size)
        #expect(pair.received.server == question && pair.received.client == answer)
        #expect(pair.server.unread == 0 && pair.client.unread == 0)
    }

    @Test func `an end that has ended its side still receives data`() throws {
        var pair = try Pair()
        try pair.shakeHands()
        try pair.client.send(ByteBuffer(string: "the request"))
        pair.client.end()
        try pair.deliver()
        #expect(pair.isEnded.server && String(buffer: pair.received.server) == "the request")
        try pair.server.send(ByteBuffer(string: "the answer"))
        pair.server.end()
        try pair.deliver()
        #expect(pair.isEnded.client && String(buffer: pair.received.client) == "the answer")
    }

    @Test func `data that precedes a damaged record is delivered before the failure`() throws {
        var pair = try Pair()
        try pair.shakeHands()
        try pair.client.send(ByteBuffer(string: "intact"))
        var records = pair.client.takeOutput()
        try pair.client.send(ByteBuffer(string: "damaged"))
        var damaged = pair.client.takeOutput()
        let last = damaged.writerIndex - 1
        damaged.setInteger(~damaged.getInteger(at: last, as: UInt8.self)!, at: last)
        records.writeBuffer(&damaged)
        pair.server.feed(records)
        let failure = #expect(throws: TLSFailure.self) { try pair.server.receive(into: &pair.received.server) }
        #expect(String(buffer: pair.received.server) == "intact")
        // The client is told the reason.
        pair.server.sendAlert(for: try #require(failure))
        let told = #expect(throws: TLSFailure.self) { try pair.deliver() }
        #expect(told?.description.contains("Bad record MAC") == true, "\(told?.description ?? "")")
    }

    @Test(arguments: ["GET / HTTP/1.1\r\n\r\n", "\u{16}\u{3}\u{1}\u{0}\u{5}hello", "\u{16}\u{3}\u{1}\u{0}\u{0}"])
    func `data other than a handshake causes an alert`(bytes: String) throws {
        let pair = try Pair()
        pair.server.feed(ByteBuffer(bytes: bytes.unicodeScalars.map { UInt8($0.value) }))
        pair.server.feed(ByteBuffer(repeating: 0, count: 64))
        let failure = #expect(throws: TLSFailure.self) { while try !pair.server.shakeHands() {} }
        pair.server.sendAlert(for: try #require(failure))
        let alert = Array(buffer: pair.server.takeOutput())
        #expect(alert.count == 7 && alert.first == 0x15 && alert[5] == 2, "\(alert)")
    }

    @Test func `a handshake message without end is rejected`() throws {
        let pair = try Pair()
        // A ClientHello of 16 MiB in records of 16 KiB.
        var message = [1, 0xFF, 0xFF, 0xFF] + [UInt8](repeating: 0, count: (16 << 10) - 4)
        #expect(throws: TLSFailure.self) {
            for _ in 0..<9 {
                pair.server.feed(ByteBuffer(bytes: [0x16, 3, 1, 0x40, 0] + message))
                _ = try pair.server.shakeHands()
                message = [UInt8](repeating: 0, count: 16 << 10)
            }
        }
    }
}
