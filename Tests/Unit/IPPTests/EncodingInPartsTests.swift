import IPP
import Testing

struct EncodingInPartsTests {
    @Test func `a message that is encoded in parts has the same bytes as a message that is encoded at once`() throws {
        let jobs = (1...3).map { AttributeGroup(.job, [Attribute("job-id", .integer($0))]) }
        let operation = AttributeGroup(.operation, [Attribute("attributes-charset", .charset("utf-8"))])
        let whole = Message(version: .v2_0, status: .successfulOk, requestID: 7, groups: [operation] + jobs)
        var beginning = whole
        beginning.groups = [operation, jobs[0]]
        let parts = try beginning.encodedBeginning() + jobs[1].encoded() + jobs[2].encoded() + Message.encodedEnd
        #expect(parts == (try whole.encoded()))
    }

    @Test func `the encoder throws an error for an invalid group`() {
        #expect(throws: EncodingError.self) { try AttributeGroup(.job, [Attribute("", .integer(1))]).encoded() }
        #expect(throws: EncodingError.self) { try AttributeGroup(.endOfAttributes).encoded() }
    }
}
