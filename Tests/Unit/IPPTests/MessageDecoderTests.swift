import IPP
import Testing

struct MessageDecoderTests {
    private static let document = Array("%PDF-1.7".utf8)

    @Test(arguments: [Samples.everyType, Samples.oddities], [1, 2, 3, 7, 64, 1000, .max])
    func `the decoded message and document do not depend on the sizes of the received chunks`(
        message: Message, size: Int
    ) throws {
        let encoded = try message.encoded()
        let bytes = encoded + Self.document
        var decoder = MessageDecoder()
        var fed = 0
        while fed < bytes.count {
            let chunk = bytes[fed...].prefix(size)
            fed += chunk.count
            if let (decoded, rest) = try decoder.feed(chunk) {
                #expect(decoded == message)
                #expect(fed - rest.count == encoded.count)
                #expect(rest + bytes[fed...] == Self.document[...])
                try decoder.finish()
                return
            }
        }
        Issue.record("no message was found")
    }

    @Test func `empty chunks do not change the state of the decoder`() throws {
        var decoder = MessageDecoder()
        #expect(try decoder.feed([])?.message == nil)
        #expect(try decoder.feed([2, 0, 0])?.message == nil)
        #expect(try decoder.feed([])?.message == nil)
        #expect(try decoder.feed([2, 0, 0, 0, 1, 3])?.message == Message(operation: .printJob, requestID: 1))
    }

    @Test func `the decoder throws an error if the input ends before the end of the message`() throws {
        var decoder = MessageDecoder()
        #expect(try #require(throws: DecodingError.self) { try decoder.finish() }.offset == 0)
        decoder = MessageDecoder()
        _ = try decoder.feed(octets(.header, 0x01, 0x21, .u2(1))[...])
        let error = try #require(throws: DecodingError.self) { try decoder.finish() }
        #expect(error.code == .truncated)
        #expect(error.offset == 12)
    }

    @Test func `after an error, every call of the decoder throws the same error`() throws {
        var decoder = MessageDecoder()
        _ = try decoder.feed(octets(.header, 0x01)[...])
        let first = try #require(throws: DecodingError.self) { try decoder.feed([0x00]) }
        #expect(first.code == .badTag)
        #expect(first.offset == 9)
        #expect(throws: first) { try decoder.feed([0x03]) }
        #expect(throws: first) { try decoder.finish() }
    }
}
