import CCups
import IPP
import Testing

struct LibcupsTests {
    @Test func `printq decodes values of every type in a message that libcups encoded`() throws {
        let bytes = try #require(LibcupsOracle.encode(Samples.everyType))
        let (message, length) = try Message.decode(bytes)
        #expect(message == Samples.everyType)
        #expect(length == bytes.count)
    }

    @Test func `libcups decodes values of every type in a message that printq encoded`() throws {
        let message = try #require(LibcupsOracle.decode(Samples.everyType.encoded()))
        #expect(message == Samples.everyType)
    }

    @Test func `libcups and printq encode the same message to the same bytes`() throws {
        #expect(try Samples.everyType.encoded() == LibcupsOracle.encode(Samples.everyType))
    }

    @Test func `libcups decodes the status and request ID of a response`() throws {
        let response = Message(
            version: .v1_1, status: .clientErrorNotFound, requestID: 42,
            groups: [AttributeGroup(.operation, [Attribute("attributes-charset", .charset("utf-8"))])])
        let read = try #require(LibcupsOracle.decode(response.encoded()))
        #expect(read.status == .clientErrorNotFound)
        #expect(read.requestID == 42)
        #expect(read.version == .v1_1)
    }

    @Test func `operation names match the names in libcups`() {
        var known = 0
        for number in Array(UInt16(0x0001)...0x0100) + Array(UInt16(0x4001)...0x4100) {
            let ours = Operation(rawValue: number).description
            let theirs = String(cString: ippOpString(ipp_op_t(rawValue: Int32(number))))
            // libcups names unknown operations `0x…` and withdrawn operations `(name)`. libcups has no names for
            // operations from 0x0065.
            guard theirs.first?.isLetter == true else { continue }
            known += 1
            #expect(ours == theirs)
        }
        #expect(known > 110)
    }

    @Test func `status keywords match the keywords in libcups`() {
        var known = 0
        for number in UInt16(0)...0x1002 {
            let theirs = String(cString: ippErrorString(ipp_status_t(rawValue: Int32(number))))
            guard theirs.first?.isLetter == true else { continue }
            known += 1
            #expect(Status(rawValue: number).description == theirs)
        }
        #expect(known > 50)
    }

    @Test func `value tag names match the names in libcups`() {
        for (name, tag) in [
            ("integer", ValueTag.integer), ("boolean", .boolean), ("enum", .enumeration), ("octetString", .octetString),
            ("dateTime", .dateTime), ("resolution", .resolution), ("rangeOfInteger", .range),
            ("collection", .beginCollection), ("textWithLanguage", .textWithLanguage),
            ("nameWithLanguage", .nameWithLanguage), ("textWithoutLanguage", .text), ("nameWithoutLanguage", .name),
            ("keyword", .keyword), ("uri", .uri), ("uriScheme", .uriScheme), ("charset", .charset),
            ("naturalLanguage", .naturalLanguage), ("mimeMediaType", .mimeMediaType),
            ("no-value", ValueTag(rawValue: 0x13)),
        ] {
            #expect(tag.description == name)
            #expect(ippTagValue(name).rawValue == Int32(tag.rawValue))
        }
    }
}
