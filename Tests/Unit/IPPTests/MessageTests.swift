import IPP
import Testing

struct MessageTests {
    @Test func `unusual but valid messages are unchanged after encoding and decoding`() throws {
        #expect(try Message.decode(Samples.oddities.encoded()).message == Samples.oddities)
    }

    @Test func `the subscript of a message replaces, appends or removes the attribute group with the given tag`() {
        var message = Message(operation: .printJob, requestID: 1)
        message[.job] = AttributeGroup(.job, [Attribute("copies", .integer(1))])
        message[.operation] = AttributeGroup(.operation)
        message[.job]?.append("sides", .keyword("one-sided"))
        #expect(message.groups.map(\.tag) == [.job, .operation])
        #expect(message[.job]?.attributes.map(\.name) == ["copies", "sides"])
        message[.job] = nil
        #expect(message.groups.map(\.tag) == [.operation])
        #expect(message[.printer] == nil)
    }

    @Test func `the subscript of an attribute group replaces, appends or removes the attribute with the given name`() {
        var job = AttributeGroup(.job)
        job["copies"] = Attribute("copies", .integer(1))
        job["sides"] = Attribute("ignored", .keyword("one-sided"))
        job["copies"] = Attribute("copies", .integer(2))
        #expect(job.attributes == [Attribute("copies", .integer(2)), Attribute("sides", .keyword("one-sided"))])
        job["copies"] = nil
        #expect(job.attributes.map(\.name) == ["sides"])
    }

    @Test func `an attribute accessor returns a value of the matching type, and nil for a value of another type`() {
        let group = AttributeGroup(
            .printer,
            [
                Attribute("state", .enumeration(3)), Attribute("up", .boolean(true)),
                Attribute("info", .textWithLanguage(LocalizedString("bonjour", language: "fr"))),
                Attribute("media", .keyword("iso_a4_210x297mm"), .name("ours"), .integer(1)),
                Attribute("copies-supported", .range(IntegerRange(1...99))),
                Attribute("location", .outOfBand(.noValue)),
            ])
        #expect(group.integer("state") == 3)
        #expect(group.boolean("up") == true)
        #expect(group.string("info") == "bonjour")
        #expect(group.keywords("media") == ["iso_a4_210x297mm", "ours"])
        #expect(group["copies-supported"]?.rangeValue?.closedRange == 1...99)
        #expect(Value.integer(4).rangeValue == IntegerRange(4...4))
        #expect(group["location"]?.first?.outOfBandValue == .noValue)
        #expect(group.string("location") == nil)
        #expect(group.integer("info") == nil)
        #expect(group.integer("absent") == nil)
        #expect(group.keywords("absent").isEmpty)
        #expect(IntegerRange(lower: 2, upper: 1).closedRange == nil)
    }

    @Test(arguments: [
        (Attribute("", .integer(1)), EncodingError.Code.emptyName), (Attribute("a", []), .noValues),
        (Attribute("a", .text(String(repeating: "x", count: 32_768))), .tooLong),
        (Attribute(String(repeating: "x", count: 32_768), .integer(1)), .tooLong),
        (
            Attribute("a", .nameWithLanguage(LocalizedString(String(repeating: "x", count: 32_762), language: "en"))),
            .tooLong
        ),
        (Attribute("a", .unknown(tag: 0x03, bytes: [])), .badTag),
        (Attribute("a", .unknown(tag: 0x37, bytes: [])), .badTag),
        (Attribute("a", .collection(Collection([Attribute("m", [])]))), .noValues),
    ])
    func `if an attribute is invalid, the encoder throws an error whose code identifies the problem`(
        attribute: Attribute, code: EncodingError.Code
    ) throws {
        let message = Message(operation: .printJob, requestID: 1, groups: [AttributeGroup(.job, [attribute])])
        #expect(try #require(throws: EncodingError.self) { try message.encoded() }.code == code)
    }

    @Test func `a group cannot be encoded if its group tag is invalid`() throws {
        for tag in [GroupTag.endOfAttributes, GroupTag(rawValue: 0), GroupTag(rawValue: 0x10)] {
            let message = Message(operation: .printJob, requestID: 1, groups: [AttributeGroup(tag)])
            #expect(try #require(throws: EncodingError.self) { try message.encoded() }.code == .badTag)
        }
    }

    @Test func `a value of the maximum length is unchanged after encoding and decoding`() throws {
        let text = Attribute("a", .text(String(repeating: "é", count: 16_383) + "x"))
        let message = Message(operation: .printJob, requestID: 1, groups: [AttributeGroup(.job, [text])])
        #expect(try Message.decode(message.encoded()).message == message)
    }

    @Test func `operations, statuses and group tags without a registered name are shown as numbers`() {
        #expect(Operation.printJob.description == "Print-Job")
        #expect(Operation(rawValue: 0x7ABC).description == "0x7abc")
        #expect(Status.clientErrorBadRequest.description == "client-error-bad-request")
        #expect(Status(rawValue: 0x04FF).description == "0x4ff")
        #expect(GroupTag.job.description == "job-attributes-tag")
        #expect(GroupTag(rawValue: 0x0F).description == "0xf")
        #expect(Status.successfulOkEventsComplete.isSuccess)
        #expect(!Status.redirectionOtherSite.isSuccess)
        #expect(OutOfBand(rawValue: 0x20) == nil)
    }
}
