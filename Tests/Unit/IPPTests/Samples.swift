// Messages with every type of value.

import IPP

enum Samples {
    /// Values of every type that libcups can write: single values, multiple values and collections.
    static let everyType = Message(
        operation: .createJob, requestID: 0x1234_5678,
        groups: [
            AttributeGroup(
                .operation,
                [
                    Attribute("attributes-charset", .charset("utf-8")),
                    Attribute("attributes-natural-language", .naturalLanguage("en-us")),
                    Attribute("printer-uri", .uri("ipp://localhost/printers/büro")),
                    Attribute("requesting-user-name", .name("Zoë 山田")),
                    Attribute("job-name", .nameWithLanguage(LocalizedString("fou", language: "fr-ca"))),
                    Attribute(
                        "messages", .textWithLanguage(LocalizedString("isch guet", language: "de-ch")),
                        .textWithLanguage(LocalizedString("uf Widerluege", language: "de-ch"))),
                    Attribute("requested-attributes", .keyword("job-id"), .keyword("job-state"), .keyword("a")),
                    Attribute("document-format", .mimeMediaType("application/pdf")),
                    Attribute("uri-schemes", .uriScheme("ipp"), .uriScheme("ipps")),
                    Attribute("ipp-attribute-fidelity", .boolean(true)),
                    Attribute("flags", .boolean(false), .boolean(true)),
                    Attribute("status-message", .text("")),
                    Attribute("secret", .octetString([0, 255, 128, 7])),
                    Attribute("secrets", .octetString([1]), .octetString([2, 3])),
                ]),
            AttributeGroup(
                .job,
                [
                    Attribute("copies", .integer(-1)),
                    Attribute("numbers", .integer(.min), .integer(0), .integer(.max)),
                    Attribute("finishings", .enumeration(4), .enumeration(5)),
                    Attribute("page-ranges", .range(IntegerRange(1...3)), .range(IntegerRange(lower: 7, upper: 9))),
                    Attribute("printer-resolution", .resolution(Resolution(crossFeed: 600, feed: 1200))),
                    Attribute(
                        "resolutions", .resolution(Resolution(crossFeed: 118, feed: 118, units: .dotsPerCentimeter)),
                        .resolution(Resolution(crossFeed: 300, feed: 300))),
                    Attribute(
                        "date-time-at-creation",
                        .dateTime(
                            DateTime(
                                year: 2024, month: 2, day: 29, hour: 13, minute: 5, second: 59, decisecond: 7,
                                direction: UInt8(ascii: "-"), offsetHours: 3, offsetMinutes: 30))),
                    Attribute("media-col", .collection(mediaCol)),
                    Attribute("media-cols", .collection(mediaCol), .collection(Collection([mediaCol.members[1]]))),
                ]),
            AttributeGroup(
                .unsupported,
                [
                    Attribute("sides", .outOfBand(.unsupported)), Attribute("job-hold-until", .outOfBand(.noValue)),
                    Attribute("output-bin", .outOfBand(.unknown)), Attribute("a1", .outOfBand(.notSettable)),
                    Attribute("a2", .outOfBand(.deleteAttribute)), Attribute("a3", .outOfBand(.adminDefine)),
                ]),
            AttributeGroup(.printer, [Attribute("printer-name", .name("first"))]),
            AttributeGroup(.printer, [Attribute("printer-name", .name("second"))]),
            AttributeGroup(.subscription, [Attribute("notify-events", .keyword("job-completed"))]),
        ])

    private static let mediaCol = Collection([
        Attribute(
            "media-size",
            .collection(
                Collection([Attribute("x-dimension", .integer(21000)), Attribute("y-dimension", .integer(29700))]))
        ),
        Attribute("media-type", .keyword("stationery")),
        Attribute("media-margins", .integer(423), .integer(500)),
    ])

    /// Values that libcups changes or cannot write: mixed types, unregistered tags and invalid strings.
    static let oddities = Message(
        version: .v1_1, status: .successfulOkIgnoredOrSubstitutedAttributes, requestID: 0,
        groups: [
            AttributeGroup(.operation),
            AttributeGroup(
                .job,
                [
                    Attribute("mixed", .keyword("na_letter"), .name("our paper"), .integer(1), .outOfBand(.noValue)),
                    Attribute("extension", .unknown(tag: 0x7F, bytes: [0x40, 0, 0, 1, 9])),
                    Attribute("latin-1", .unknown(tag: 0x41, bytes: [0x66, 0xFC, 0x72])),
                    Attribute("no-value-with-bytes", .unknown(tag: 0x13, bytes: [1])),
                    Attribute("empty", .collection(Collection()), .octetString([]), .unknown(tag: 0xFF, bytes: [])),
                    Attribute("other-reason", .outOfBand(OutOfBand(rawValue: 0x1F)!)),
                    Attribute("upside-down", .range(IntegerRange(lower: 9, upper: 1))),
                    Attribute("never", .dateTime(DateTime(year: 0, month: 0, day: 0, direction: 0))),
                    Attribute("twice", .integer(1)), Attribute("twice", .integer(2)),
                ]),
            AttributeGroup(GroupTag(rawValue: 0x0F), [Attribute("x", .integer(1))]),
            AttributeGroup(.job), AttributeGroup(.job),
        ])
}
