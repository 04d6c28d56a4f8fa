import IPP
import Testing

struct MalformedMessageTests {
    @Test(arguments: [Samples.everyType, Samples.oddities])
    func `if a message is truncated at any byte, the decoding error contains the offset of the truncation`(
        message: Message
    )
        throws
    {
        let bytes = try message.encoded()
        for count in bytes.indices {
            let error = try #require(throws: DecodingError.self) { try Message.decode(bytes[..<count]) }
            #expect(error.code == .truncated)
            #expect(error.offset == count)
        }
    }

    @Test func `error offsets are counted from the start of the decoded slice`() throws {
        let bytes = [9, 9, 9] + octets(.header, 0x00)
        #expect(try #require(throws: DecodingError.self) { try Message.decode(bytes[3...]) }.offset == 8)
    }

    @Test func `a group tag of zero is rejected`() throws {
        try expect(.badTag, at: 8, octets(.header, 0x00, 0x03))
    }

    @Test func `an attribute before the first group is rejected`() throws {
        try expect(.badTag, at: 8, octets(.header, 0x21, .u2(1), "a", .u2(4), .u4(1), 0x03))
    }

    @Test func `an additional value is rejected if the value follows no attribute`() throws {
        try expect(.badName, at: 9, octets(.header, 0x01, 0x21, .u2(0), .u2(4), .u4(1), 0x03))
        let inSecondGroup = octets(
            .header, 0x01, 0x21, .u2(1), "a", .u2(4), .u4(1), 0x02, 0x21, .u2(0), .u2(4), .u4(1), 0x03)
        try expect(.badName, at: 20, inSecondGroup)
    }

    @Test func `the error for a negative length contains the offset of the length`() throws {
        try expect(.badLength, at: 10, octets(.header, 0x01, 0x21, .u2(0x8000), "a"))
        try expect(.badLength, at: 13, octets(.header, 0x01, 0x21, .u2(1), "a", .u2(0xFFFF)))
    }

    @Test(arguments: [
        (ValueTag.integer, 3), (.integer, 5), (.enumeration, 0), (.boolean, 0), (.boolean, 2), (.dateTime, 10),
        (.resolution, 8), (.range, 9), (.beginCollection, 1), (.textWithLanguage, 1), (.nameWithLanguage, 3),
        (.textWithLanguage, 5),
    ])
    func `the error for a value of the wrong length contains the offset of the value`(tag: ValueTag, length: Int) throws
    {
        let value = Wire(bytes: [UInt8](repeating: 0, count: length))
        let tagByte = Wire(bytes: [tag.rawValue])
        try expect(.badLength, at: 15, octets(.header, 0x01, tagByte, .u2(1), "a", .u2(UInt16(length)), value, 0x03))
    }

    @Test func `a boolean other than 0 or 1 is rejected`() throws {
        try expect(.badValue, at: 15, octets(.header, 0x01, 0x22, .u2(1), "a", .u2(1), 2, 0x03))
    }

    @Test func `a name that is not UTF-8 is rejected`() throws {
        try expect(.badName, at: 12, octets(.header, 0x01, 0x21, .u2(1), 0xFF, .u2(4), .u4(1), 0x03))
    }

    @Test func `collection tags in the wrong order are rejected`() throws {
        let begin = Wire(bytes: octets(.header, 0x02, 0x34, .u2(1), "a", .u2(0)))
        let member = Wire(bytes: octets(0x4A, .u2(0), .u2(1), "m"))
        let end = Wire(bytes: octets(0x37, .u2(0), .u2(0)))
        let integer = Wire(bytes: octets(0x21, .u2(0), .u2(4), .u4(1)))
        try expect(.badTag, at: 15, octets(begin, 0x03))
        try expect(.badName, at: 15, octets(begin, integer, end, 0x03))
        try expect(.badTag, at: 21, octets(begin, member, end, 0x03))
        try expect(.badTag, at: 21, octets(begin, member, member, integer, end, 0x03))
        try expect(.badName, at: 21, octets(begin, member, 0x21, .u2(1), "x", .u2(4), .u4(1), end, 0x03))
        try expect(.badName, at: 15, octets(begin, 0x4A, .u2(1), "x", .u2(1), "m", integer, end, 0x03))
        try expect(.badName, at: 20, octets(begin, 0x4A, .u2(0), .u2(0), integer, end, 0x03))
        try expect(.badTag, at: 20, octets(begin, end, end, 0x03))
        try expect(.badTag, at: 20, octets(begin, end, member, integer, 0x03))
        #expect(try Message.decode(octets(begin, member, integer, end, 0x03)).message[.job] != nil)
    }

    private func expect(
        _ code: DecodingError.Code, at offset: Int, _ bytes: [UInt8], sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let error = try #require(throws: DecodingError.self, sourceLocation: sourceLocation) {
            try Message.decode(bytes)
        }
        #expect(error.code == code, "\(error)", sourceLocation: sourceLocation)
        #expect(error.offset == offset, "\(error)", sourceLocation: sourceLocation)
        #expect(error.description.hasSuffix("(at byte \(offset))"), sourceLocation: sourceLocation)
    }
}
