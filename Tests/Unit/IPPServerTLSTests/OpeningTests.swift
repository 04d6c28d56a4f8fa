import Testing

@testable import IPPServerTLS

struct OpeningTests {
    @Test func `the first byte of a connection determines whether the client uses TLS or HTTP`() {
        #expect(Opening([]) == .unclear)
        #expect(Opening([0x16]) == .tls)
        #expect(Opening([0x16, 3, 1, 0, 200]) == .tls)
        #expect(Opening(Array("P".utf8)) == .plain)
        #expect(Opening([0x80]) == .plain)
    }

    @Test func `a request to upgrade to TLS is detected when its last byte arrives`() {
        let request = Array(
            "OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: upgrade\r\nUpgrade: TLS/1.2,TLS/1.1,TLS/1.0\r\n\r\n".utf8)
        for count in 1..<request.count { #expect(Opening(request.prefix(count)) == .unclear) }
        #expect(Opening(request) == .upgrade(request.count))
        #expect(Opening(request + [0x16, 3]) == .upgrade(request.count))
        #expect(
            Opening.withoutUpgrade(String(decoding: request, as: UTF8.self))
                == "OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n")
    }

    @Test(arguments: [
        "OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n", "OPTIONS * HTTP/1.1\r\nUpgrade: TLS/1.2\r\n\r\n",
        "OPTIONS * HTTP/1.1\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n", "OPTIONX", "OP\r\n\r\n",
    ])
    func `a request without a valid upgrade to TLS is treated as plain HTTP`(request: String) {
        #expect(Opening(Array(request.utf8)) == .plain)
    }

    @Test func `a request is treated as plain HTTP if its header is too long`() {
        let long = Array("OPTIONS * HTTP/1.1\r\nX: ".utf8) + [UInt8](repeating: 0x61, count: Opening.longest)
        #expect(Opening(long) == .plain)
        #expect(Opening(long.prefix(Opening.longest - 1)) == .unclear)
    }
}
