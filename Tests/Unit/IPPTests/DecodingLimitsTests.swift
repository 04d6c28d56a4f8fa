import IPP
import Testing

struct DecodingLimitsTests {
    @Test func `ten thousand nested collections are rejected as too deep`() throws {
        let nest = octets(0x4A, .u2(0), .u2(1), "m", 0x34, .u2(0), .u2(0))
        let bytes = octets(.header, 0x02, 0x34, .u2(1), "a", .u2(0)) + (0..<10_000).flatMap { _ in nest }
        for limits in [DecodingLimits.default, DecodingLimits(maxDepth: .max)] {
            let error = try #require(throws: DecodingError.self) { try Message.decode(bytes, limits: limits) }
            #expect(error.code == .tooDeep)
        }
    }

    @Test func `collections can nest up to the limit but not deeper`() throws {
        let bytes = try nested(5).encoded()
        #expect(try Message.decode(bytes, limits: DecodingLimits(maxDepth: 5)).message == nested(5))
        #expect(throws: DecodingError.self) { try Message.decode(bytes, limits: DecodingLimits(maxDepth: 4)) }
    }

    @Test func `collections are not encoded if their nesting exceeds the maximum`() throws {
        let deepest = try nested(Collection.maximumDepth).encoded()
        #expect(try Message.decode(deepest, limits: DecodingLimits(maxDepth: Collection.maximumDepth)).length > 0)
        let error = try #require(throws: EncodingError.self) { try nested(Collection.maximumDepth + 1).encoded() }
        #expect(error.code == .tooDeep)
    }

    @Test func `200,000 attributes are rejected by default and decoded with higher limits`() throws {
        let attributes = (0..<200_000).map { Attribute("a\($0)", .integer(Int32($0))) }
        let message = Message(operation: .getJobs, requestID: 1, groups: [AttributeGroup(.job, attributes)])
        let bytes = try message.encoded()
        let error = try #require(throws: DecodingError.self) { try Message.decode(bytes) }
        #expect(error.code == .tooMany)
        #expect(try Message.decode(bytes, limits: .response).message == message)
    }

    @Test func `a message is rejected if the message exceeds the limit for bytes, groups, attributes or values`() throws
    {
        let values = [Value](repeating: .integer(1), count: 4)
        let groups = [AttributeGroup](
            repeating: AttributeGroup(.job, [Attribute("a", values), Attribute("b", .integer(1))]), count: 3)
        let bytes = try Message(operation: .getJobs, requestID: 1, groups: groups).encoded()
        let enough = DecodingLimits(maxBytes: bytes.count, maxGroups: 3, maxAttributes: 6, maxValues: 15)
        #expect(try Message.decode(bytes, limits: enough).message.groups == groups)
        for (path, code) in [
            (\DecodingLimits.maxBytes, DecodingError.Code.tooLarge), (\.maxGroups, .tooMany),
            (\.maxAttributes, .tooMany), (\.maxValues, .tooMany),
        ] {
            var limits = enough
            limits[keyPath: path] -= 1
            let error = try #require(throws: DecodingError.self) { try Message.decode(bytes, limits: limits) }
            #expect(error.code == code)
        }
    }

    @Test func `a message is rejected as soon as a length field exceeds the size limit`() throws {
        var decoder = MessageDecoder(limits: DecodingLimits(maxBytes: 100))
        let error = try #require(throws: DecodingError.self) {
            try decoder.feed(octets(.header, 0x01, 0x41, .u2(1), "a", .u2(1000))[...])
        }
        #expect(error.code == .tooLarge)
    }

    private func nested(_ depth: Int) -> Message {
        var collection = Collection()
        for _ in 1..<depth { collection = Collection([Attribute("m", .collection(collection))]) }
        let group = AttributeGroup(.job, [Attribute("a", .collection(collection))])
        return Message(operation: .createJob, requestID: 1, groups: [group])
    }
}
