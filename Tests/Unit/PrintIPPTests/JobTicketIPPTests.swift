// Tests the conversion between tickets and IPP job template attributes.

import IPP
import PrintIPP
import PrintModel
import Testing

struct JobTicketIPPTests {
    @Test(arguments: [
        ("copies", "3"), ("page-ranges", "1-3,7,9-"), ("sides", "two-sided-short-edge"), ("media", "iso_a5_148x210mm"),
        ("media", "custom_62x100mm_62x100mm"), ("media-type", "photographic"), ("media-source", "tray-2"),
        ("orientation-requested", "5"), ("number-up", "16"), ("presentation-direction-number-up", "tobottom-toleft"),
        ("page-border", "single"), ("print-scaling", "fill"), ("print-color-mode", "monochrome"),
        ("print-quality", "5"), ("output-type", "photo-grayscale"), ("page-delivery", "reverse-order"),
        ("multiple-document-handling", "separate-documents-uncollated-copies"), ("collate", "false"),
        ("job-priority", "77"), ("job-hold-until", "indefinite"), ("job-hold-until", "no-hold"),
        ("job-hold-until", "@1700000000"), ("page-border", "double-thick"),
        ("multiple-document-handling", "single-document"), ("multiple-document-handling", "single-document-new-sheet"),
        ("imposition-template", "signature"), ("printq-booklet-signature-size", "4"),
        ("printq-booklet-binding", "right-edge"), ("printq-booklet-sides", "back"), ("printq-poster", "3x2"),
        ("printq-poster-overlap", "12.5mm"), ("printq-page-numbers", "top-right"),
        ("printq-page-number-format", "n-of-m"), ("printq-watermark", "Entwurf \u{2013} 草稿"),
        ("printq-watermark-layer", "under"), ("printq-page-header", "{title} {page}"),
        ("cpi", "12"), ("lpi", "7.5"), ("wrap", "false"), ("line-numbers", "true"),
        ("prettyprint", "true"), ("columns", "2"), ("tab-width", "4"), ("document-charset", "utf-8"),
        ("printq-office", "active-sheet"), ("printq-sheets", "1-2,4"),
        ("scaling", "80"), ("mirror", "true"), ("page-set", "even"),
        ("media", "A4.Fullbleed"),
    ])
    func `a job ticket round-trips through IPP attributes`(option: String, value: String) throws {
        var ticket = JobTicket()
        try ticket.set(option, to: value, at: 0)
        let reading = JobTicket.read(ticket.attributes, at: 0)
        #expect(reading.ticket == ticket)
        #expect(reading.unsupported == [])
    }

    @Test func `a job ticket with many options round-trips through an encoded IPP message`() throws {
        var ticket = JobTicket()
        for (option, value) in [
            ("copies", "2"), ("media", "a4"), ("media-type", "stationery"), ("media-source", "tray-1"),
            ("number-up", "4"), ("presentation-direction-number-up", "totop-toleft"), ("page-border", "single"),
            ("page-ranges", "2-"), ("sides", "two-sided-long-edge"), ("job-hold-until", "@1700000000"),
        ] { try ticket.set(option, to: value, at: 0) }
        let message = Message(
            operation: .printJob, requestID: 1,
            groups: [AttributeGroup(.operation, .preamble), AttributeGroup(.job, ticket.attributes)])
        let decoded = try Message.decode(try message.encoded()).message
        #expect(JobTicket.read(decoded[.job]?.attributes ?? [], at: 0).ticket == ticket)
    }

    @Test func `uncollated copies of a single document round-trip through IPP attributes`() throws {
        var ticket = JobTicket()
        try ticket.set("multiple-document-handling", to: "single-document", at: 0)
        try ticket.set("collate", to: "false", at: 0)
        #expect(JobTicket.read(ticket.attributes, at: 0).ticket == ticket)
    }

    @Test(arguments: [
        (Attribute("media", .keyword("A4")), "media", "iso_a4_210x297mm"),
        (Attribute("media", .name("A4,tray-1")), "media", "iso_a4_210x297mm"),
        (Attribute("media", .name("A4,tray-1")), "media-source", "tray-1"),
        (Attribute("media", .name("stationery-heavyweight,A4,manual")), "media-type", "stationery-heavyweight"),
        (Attribute("media", .name("stationery-heavyweight,A4,manual")), "media-source", "manual"),
        (Attribute("media", .keyword("A4"), .keyword("tray-2")), "media-source", "tray-2"),
        (Attribute("media", .name("manual")), "media-source", "manual"),
        (Attribute("fit-to-page", .boolean(true)), "print-scaling", "fit"),
        (Attribute("landscape", .boolean(true)), "orientation-requested", "4"),
        (Attribute("landscape", .name("")), "orientation-requested", "4"),
        (Attribute("number-up", .integer(2)), "number-up", "2"),
        (Attribute("page-ranges", .name("1-2,5")), "page-ranges", "1-2,5"),
        (Attribute("page-ranges", .keyword("1-2"), .keyword("5")), "page-ranges", "1-2,5"),
        (Attribute("outputorder", .name("reverse")), "page-delivery", "reverse-order"),
        (Attribute("collate", .boolean(true)), "multiple-document-handling", "separate-documents-collated-copies"),
        (Attribute("sides", .keyword("two-sided-long-edge")), "sides", "two-sided-long-edge"),
        (Attribute("job-hold-until", .keyword("00:00:20")), "job-hold-until", "@20"),
    ])
    func `options that lp sends as text are read into the job ticket`(
        attribute: Attribute, option: String, value: String
    ) {
        let reading = JobTicket.read([attribute], at: 0)
        #expect(reading.problems == [])
        #expect(PrintOption.named(option)?.value(in: reading.ticket) == value)
    }

    @Test
    func `in 'media', the printer's names for trays and paper types are recognized, and unknown names are reported`() {
        let attribute = Attribute("media", .name("A5,labels,upstairs,velvet"))
        let reading = JobTicket.read([attribute], at: 0, mediaNames: MediaNames(sources: ["labels"], types: ["velvet"]))
        #expect(reading.ticket.media == .a5)
        #expect(reading.ticket.mediaSource == "labels" && reading.ticket.mediaType == "velvet")
        #expect(reading.unsupported == [attribute])
        #expect(reading.problems == ["media has unknown or repeated values: 'upstairs'; use one size, tray and type"])
        // If the printer has no tray 'labels', the name is a standard paper type.
        #expect(JobTicket.read([attribute], at: 0).ticket.mediaType == "labels")
    }

    @Test(arguments: [
        Attribute("copies", .keyword("many")), Attribute("copies", .integer(0)), Attribute("copies", .integer(-1)),
        Attribute("copies", .integer(.max)), Attribute("copies", .integer(1), .integer(2)),
        Attribute("copies", .outOfBand(.noValue)), Attribute("number-up", .integer(3)),
        Attribute("number-up", .integer(.min)), Attribute("sides", .keyword("three-sided")),
        Attribute("print-quality", .enumeration(99)), Attribute("orientation-requested", .enumeration(-4)),
        Attribute("media", .keyword("bathtub")), Attribute("media", .integer(4)),
        Attribute("media-col", .keyword("iso_a4_210x297mm")), Attribute("page-ranges", .boolean(true)),
        Attribute("job-hold-until-time", .integer(3)), Attribute("job-priority", .integer(101)),
        Attribute("job-hold-until", .keyword("someday")),
        // printq does not support stapling and banner files, and must report requests for them to the client.
        Attribute("finishings", .enumeration(4)), Attribute("job-sheets", .name("our-banner")),
        Attribute("job-sheets", .keyword("none"), .keyword("none"), .keyword("none")),
        Attribute(
            "job-sheets-col",
            .collection(
                IPP.Collection([Attribute("job-sheets", .keyword("standard")), Attribute("media", .keyword("a"))]))),
    ])
    func `a job attribute with an unsupported value is returned as unsupported, with an explanation`(
        attribute: Attribute
    ) {
        let reading = JobTicket.read([attribute], at: 0)
        #expect(reading.unsupported == [attribute])
        #expect(reading.problems.count == 1 && reading.problems.first?.isEmpty == false)
        #expect(reading.ticket == JobTicket())
    }

    @Test func `a job attribute is ignored if the attribute requests the default behavior`() {
        let attributes = [
            Attribute("job-sheets", .keyword("none"), .keyword("none")),
            Attribute("output-bin", .keyword("auto")), Attribute("job-name", .name("x")),
        ]
        let reading = JobTicket.read(attributes, at: 0)
        #expect(reading.unsupported == [])
        #expect(reading.ticket == JobTicket())
    }

    @Test(arguments: [
        ([Value.name("standard")], ["standard", "none"]), ([.name("none"), .name("secret")], ["none", "secret"]),
        ([.keyword("standard,topsecret")], ["standard", "topsecret"]),
        ([.keyword("job-both-sheet")], ["standard", "standard"]), ([.keyword("job-end-sheet")], ["none", "standard"]),
        ([.keyword("job-start-sheet")], ["standard", "none"]),
    ])
    func `the values of 'job-sheets' are CUPS' names of the sheets before and after the documents, or PWG keywords`(
        values: [Value], sheets: [String]
    ) {
        let members = IPP.Collection([Attribute("job-sheets", values)])
        for attribute in [Attribute("job-sheets", values), Attribute("job-sheets-col", .collection(members))] {
            let reading = JobTicket.read([attribute], at: 0)
            #expect(reading.unsupported == [])
            #expect(reading.ticket.attributes == [Attribute("job-sheets", sheets.map { .keyword($0) })])
        }
    }

    @Test func `'job-sheets=none' replaces the default of the printer`() {
        var usual = JobTicket()
        usual.coverSheets = CoverSheets(start: .standard)
        let none = Attribute("job-sheets", .keyword("none"), .keyword("none"))
        #expect(JobTicket.read([none], at: 0, onto: usual).ticket == JobTicket())
    }

    @Test func `the value of 'finishings' selects when a roll is cut`() {
        let reading = JobTicket.read([Attribute("finishings", .enumeration(60))], at: 0)
        #expect(reading.ticket.trimming == .afterPages)
        #expect(reading.ticket.attributes == [Attribute("finishings", .enumeration(60))])
        #expect(JobTicket.read([Attribute("finishings", .enumeration(3))], at: 0).ticket.trimming == .never)
    }

    @Test func `an unknown job attribute is returned as unsupported`() {
        let reading = JobTicket.read([Attribute("job-perfume", .keyword("rose"))], at: 0)
        #expect(reading.unsupported == [Attribute("job-perfume", .outOfBand(.unsupported))])
        #expect(reading.problems == ["the attribute 'job-perfume' is not supported"])
    }

    @Test(arguments: [
        [(3, 2)], [(0, 2)], [(-5, 2)], [(1, 4), (3, 6)], [(5, 6), (1, 2)], [(1, 3), (3, 4)],
    ])
    func `page ranges are rejected if the ranges descend, overlap or start below 1`(bounds: [(Int, Int)]) {
        let values = bounds.map { Value.range(IntegerRange(lower: Int32($0.0), upper: Int32($0.1))) }
        let attribute = Attribute("page-ranges", values)
        #expect(JobTicket.read([attribute], at: 0).unsupported == [attribute])
    }

    @Test func `'media-col' takes precedence over 'media' regardless of the attribute order`() {
        let col = Attribute(
            "media-col",
            .collection(
                IPP.Collection([
                    Attribute("media-size", .collection(Media.a5.mediaSize)),
                    Attribute("media-type", .keyword("labels")),
                ])))
        let media = Attribute("media", .keyword("iso_a4_210x297mm"))
        for attributes in [[col, media], [media, col]] {
            let ticket = JobTicket.read(attributes, at: 0).ticket
            #expect(ticket.media == .a5)
            #expect(ticket.mediaType == "labels")
        }
    }

    @Test func `if 'media-col' has no size, the size in 'media' is used`() {
        let col = IPP.Collection([Attribute("media-source", .keyword("tray-3"))])
        let ticket = JobTicket.read(
            [Attribute("media-col", .collection(col)), Attribute("media", .keyword("iso_a5_148x210mm"))], at: 0
        ).ticket
        #expect(ticket.media == .a5)
        #expect(ticket.mediaSource == "tray-3")
    }

    @Test(arguments: [(0, 100), (-1, 29_700), (21_000, 2_000_000), (Int32.max, Int32.max)])
    func `a 'media-col' with an invalid size is rejected`(width: Int32, height: Int32) {
        let size = IPP.Collection([
            Attribute("x-dimension", .integer(width)), Attribute("y-dimension", .integer(height)),
        ])
        let attribute = Attribute(
            "media-col", .collection(IPP.Collection([Attribute("media-size", .collection(size))])))
        #expect(JobTicket.read([attribute], at: 0).unsupported == [attribute])
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity, 1e300, -1e300])
    func `a hold time is encoded without a crash even if the time is not a valid date`(moment: Double) {
        var ticket = JobTicket()
        ticket.holdUntil = .time(moment)
        #expect(ticket.attributes.map(\.name) == ["job-hold-until-time"])
    }

    @Test
    func `the printer receives the size, margins and type of the paper, but no media-key or media-size-name`() throws {
        let options = DeviceOptions(paper: PrintPaper(media: .a4, type: "labels"), copies: 2, mediaSource: "tray-1")
        let col = try #require(options.attributes["media-col"]?.collectionValue)
        #expect(Set(col.members.map(\.name)).isDisjoint(with: ["media-key", "media-size-name"]))
        #expect(Media(mediaCol: col) == .a4)
        #expect(col.string("media-type") == "labels")
        #expect(col.string("media-source") == "tray-1")
        #expect(col.integer("media-top-margin") == 0)
    }

    @Test(arguments: [
        (118, Resolution.Units.dotsPerCentimeter, 300), (236, .dotsPerCentimeter, 599), (600, .dotsPerInch, 600),
    ])
    func `a requested resolution in dots per centimeter is rounded to dots per inch`(
        dots: Int32, units: Resolution.Units, dpi: Int
    ) {
        let value = Resolution(crossFeed: dots, feed: dots, units: units)
        let reading = JobTicket.read([Attribute("printer-resolution", .resolution(value))], at: 0)
        #expect(reading.ticket.resolution == RasterResolution(dpi))
    }

    @Test func `a requested resolution with an unknown unit is refused`() {
        let value = Resolution(crossFeed: 600, feed: 600, units: Resolution.Units(rawValue: 9))
        let reading = JobTicket.read([Attribute("printer-resolution", .resolution(value))], at: 0)
        #expect(reading.ticket.resolution == nil)
        #expect(reading.unsupported.map(\.name) == ["printer-resolution"])
    }
}
