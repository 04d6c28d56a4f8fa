import IPP
import Testing

/// The messages of RFC 8010, Appendix A, byte by byte.
struct RFC8010ExampleTests {
    @Test func `example A1 of RFC 8010, a Print-Job request, is followed by its document`() throws {
        let document = Wire("%!PDF...")
        let bytes = octets(
            .u2(0x0101), .u2(0x0002), .u4(1), 0x01, .charsetAndLanguage, .printerURI,
            0x42, .u2(0x0008), "job-name", .u2(0x0006), "foobar",
            0x22, .u2(0x0016), "ipp-attribute-fidelity", .u2(0x0001), 0x01,
            0x02,
            0x21, .u2(0x0006), "copies", .u2(0x0004), .u4(20),
            0x44, .u2(0x0005), "sides", .u2(0x0013), "two-sided-long-edge",
            0x03, document)
        let (message, length) = try Message.decode(bytes)
        #expect(message.operation == .printJob)
        #expect(message.version == .v1_1)
        #expect(message[.operation]?.string("job-name") == "foobar")
        #expect(message[.operation]?.boolean("ipp-attribute-fidelity") == true)
        #expect(message[.job]?.integer("copies") == 20)
        #expect(message[.job]?.keywords("sides") == ["two-sided-long-edge"])
        #expect(Array(bytes[length...]) == document.bytes)
        #expect(try message.encoded() + document.bytes == bytes)
    }

    @Test func `example A2 of RFC 8010, a successful response, contains the job`() throws {
        let bytes = octets(
            .u2(0x0101), .u2(0x0000), .u4(1), 0x01, .charsetAndLanguage,
            0x41, .u2(0x000E), "status-message", .u2(0x000D), "successful-ok",
            0x02,
            0x21, .u2(0x0006), "job-id", .u2(0x0004), .u4(147),
            0x45, .u2(0x0007), "job-uri", .u2(0x0030), "ipp://printer.example.com/ipp/print/pinetree/147",
            0x23, .u2(0x0009), "job-state", .u2(0x0004), .u4(3),
            0x03)
        let message = try Message.decode(bytes).message
        #expect(message.status == .successfulOk)
        #expect(message[.job]?.integer("job-id") == 147)
        #expect(message[.job]?["job-state"]?.values == [.enumeration(3)])
        #expect(try message.encoded() == bytes)
    }

    @Test func `example A3 of RFC 8010, a rejection, contains the unsupported attributes`() throws {
        let bytes = octets(
            .u2(0x0101), .u2(0x040B), .u4(1), 0x01, .charsetAndLanguage,
            0x41, .u2(0x000E), "status-message", .u2(0x002F), "client-error-attributes-or-values-not-supported",
            0x05,
            0x21, .u2(0x0006), "copies", .u2(0x0004), .u4(20),
            0x10, .u2(0x0005), "sides", .u2(0x0000),
            0x03)
        let message = try Message.decode(bytes).message
        #expect(message.status == .clientErrorAttributesOrValuesNotSupported)
        #expect(message[.operation]?.string("status-message") == message.status.description)
        #expect(message[.unsupported]?["sides"]?.values == [.outOfBand(.unsupported)])
        #expect(try message.encoded() == bytes)
    }

    @Test func `example A7 of RFC 8010, a Create-Job request, contains a paper as nested collections`() throws {
        let bytes = octets(
            .u2(0x0101), .u2(0x0005), .u4(1), 0x01, .charsetAndLanguage, .printerURI,
            0x02,
            0x34, .u2(0x0009), "media-col", .u2(0),
            0x4A, .u2(0), .u2(0x000A), "media-size",
            0x34, .u2(0), .u2(0),
            0x4A, .u2(0), .u2(0x000B), "x-dimension", 0x21, .u2(0), .u2(4), .u4(21000),
            0x4A, .u2(0), .u2(0x000B), "y-dimension", 0x21, .u2(0), .u2(4), .u4(29700),
            0x37, .u2(0), .u2(0),
            0x4A, .u2(0), .u2(0x000A), "media-type", 0x44, .u2(0), .u2(0x000A), "stationery",
            0x37, .u2(0), .u2(0),
            0x03)
        let message = try Message.decode(bytes).message
        let media = try #require(message[.job]?.collection("media-col"))
        #expect(media.collection("media-size")?.integer("x-dimension") == 21000)
        #expect(media.collection("media-size")?.integer("y-dimension") == 29700)
        #expect(media.string("media-type") == "stationery")
        #expect(try message.encoded() == bytes)
    }

    @Test func `example A8 of RFC 8010, a Get-Jobs request, has an attribute with three values`() throws {
        let bytes = octets(
            .u2(0x0101), .u2(0x000A), .u4(123), 0x01, .charsetAndLanguage, .printerURI,
            0x21, .u2(0x0005), "limit", .u2(0x0004), .u4(50),
            0x44, .u2(0x0014), "requested-attributes", .u2(0x0006), "job-id",
            0x44, .u2(0x0000), .u2(0x0008), "job-name",
            0x44, .u2(0x0000), .u2(0x000F), "document-format",
            0x03)
        let message = try Message.decode(bytes).message
        #expect(message.requestID == 123)
        #expect(message[.operation]?.keywords("requested-attributes") == ["job-id", "job-name", "document-format"])
        #expect(try message.encoded() == bytes)
    }

    @Test func `example A9 of RFC 8010, a Get-Jobs response, has one group per job, including an empty group`() throws {
        let bytes = octets(
            .u2(0x0101), .u2(0x0000), .u4(123), 0x01, .charsetAndLanguage,
            0x41, .u2(0x000E), "status-message", .u2(0x000D), "successful-ok",
            0x02,
            0x21, .u2(0x0006), "job-id", .u2(0x0004), .u4(147),
            0x36, .u2(0x0008), "job-name", .u2(0x000C), .u2(0x0005), "fr-ca", .u2(0x0003), "fou",
            0x02,
            0x02,
            0x21, .u2(0x0006), "job-id", .u2(0x0004), .u4(149),
            0x36, .u2(0x0008), "job-name", .u2(0x0012), .u2(0x0005), "de-CH", .u2(0x0009), "isch guet",
            0x03)
        let message = try Message.decode(bytes).message
        #expect(message.groups(.job).map { $0.integer("job-id") } == [147, nil, 149])
        let name = LocalizedString("isch guet", language: "de-CH")
        #expect(message.groups(.job)[2]["job-name"]?.first == .nameWithLanguage(name))
        #expect(try message.encoded() == bytes)
    }
}
