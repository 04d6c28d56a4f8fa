// Tests the conversion between printer capabilities and attributes, including invalid attributes.

import IPP
import PrintIPP
import PrintModel
import Testing

struct PrinterCapabilitiesIPPTests {
    private let every = Set(PrintOption.all.map(\.name))

    private func group(_ capabilities: PrinterCapabilities) -> AttributeGroup {
        var group = AttributeGroup(.printer, capabilities.templateAttributes(options: every))
        group.append("printer-make-and-model", .text(capabilities.makeAndModel))
        group.append(Attribute("document-format-supported", capabilities.formats.map { .mimeMediaType($0.rawValue) }))
        return group
    }

    @Test func `printer capabilities round-trip through IPP attributes`() {
        var sample = PrinterCapabilities.sample
        (sample.mediaSources, sample.outputBins) = (["tray-1"], ["face-down"])
        #expect(PrinterCapabilities(attributes: group(sample)) == sample)
        // The tray of the loaded paper.
        sample.readySources = ["tray-1"]
        #expect(group(sample)["media-col-ready"]?.collectionValue?.string("media-source") == "tray-1")
        #expect(PrinterCapabilities(attributes: group(sample)) == sample)
    }

    @Test func `borderless papers are listed in addition to papers with margins`() {
        let read = PrinterCapabilities(attributes: group(.sample))
        #expect(read.papers.filter { $0.media == .a4 }.map(\.isBorderless) == [false, true])
        let names = group(.sample)["media-supported"]?.values.filter { $0 == .keyword("iso_a4_210x297mm") }
        #expect(names?.count == 1)
    }

    @Test func `a paper with a custom size keeps the name that the printer uses`() throws {
        let label = try #require(Media(name: "oe_small-label_2.25x1.25in"))
        var capabilities = PrinterCapabilities.sample
        capabilities.papers = [PrintPaper(media: label)]
        #expect(PrinterCapabilities(attributes: group(capabilities)).papers.map(\.media.name) == [label.name])
    }

    @Test func `attributes of unsupported options are omitted`() {
        let names = PrinterCapabilities.sample.templateAttributes(options: ["sides"]).map(\.name)
        #expect(names.contains("sides-supported"))
        #expect(!names.contains { $0.hasPrefix("media") || $0.hasPrefix("copies") || $0.hasPrefix("print-quality") })
    }

    @Test func `the capabilities of a printer can be encoded even if the printer reports no attributes`() throws {
        let silent = PrinterCapabilities(attributes: AttributeGroup(.printer))
        #expect(silent.papers == [])
        let attributes = silent.templateAttributes(options: every)
        #expect(!attributes.contains { $0.values.isEmpty })
        #expect(attributes["media-supported"]?.values == [.keyword(silent.defaultMedia.name)])
    }

    @Test func `empty capabilities never produce an attribute without values`() {
        var nothing = PrinterCapabilities(
            makeAndModel: "", papers: [], defaultMedia: .a4, duplexModes: [], colorModes: [], qualities: [],
            resolutions: [], formats: [], maxCopies: 0)
        nothing.resolutions = [.max, -1]
        let attributes = nothing.templateAttributes(options: every)
        #expect(!attributes.contains { $0.values.isEmpty })
        #expect(attributes["copies-supported"]?.rangeValue?.closedRange != nil)
    }

    @Test func `the sizes in 'media-supported' are read as papers, except for the limits of custom sizes`() {
        let group = AttributeGroup(
            .printer,
            [
                Attribute(
                    "media-supported",
                    [
                        "iso_a4_210x297mm", "custom_min_50x89mm", "custom_max_215.9x600mm", "na_letter_8.5x11in",
                        "nonsense",
                    ].map { .keyword($0) })
            ])
        let read = PrinterCapabilities(attributes: group)
        #expect(read.papers.map(\.media) == [.a4, .letter])
        #expect(read.customMedia?.width == 5_000...21_590)
        #expect(read.customMedia?.height == 8_900...60_000)
    }

    @Test(arguments: [("main-roll", true), ("roll-2", true), ("tray-1", false), ("auto", false)])
    func `a roll is recognized by the media source of its custom sizes, even after printq forwards the attributes`(
        source: String, isRoll: Bool
    ) throws {
        let size = IPP.Collection([
            Attribute("x-dimension", .range(IntegerRange(lower: 2_540, upper: 10_800))),
            Attribute("y-dimension", .range(IntegerRange(lower: 2_000, upper: 200_000))),
        ])
        let entry = IPP.Collection([
            Attribute("media-size", .collection(size)), Attribute("media-source", .keyword(source)),
        ])
        let read = PrinterCapabilities(
            attributes: AttributeGroup(.printer, [Attribute("media-col-database", .collection(entry))]))
        #expect(read.customMedia?.isRoll == isRoll)
        let passedOn = PrinterCapabilities(
            attributes: AttributeGroup(.printer, read.templateAttributes(options: ["media"])))
        #expect(passedOn.customMedia == read.customMedia)
        let sources = AttributeGroup(
            .printer,
            [
                Attribute("media-supported", .keyword("custom_min_25x20mm"), .keyword("custom_max_108x2000mm")),
                Attribute("media-source-supported", .keyword("auto"), .keyword(source)),
            ])
        #expect(PrinterCapabilities(attributes: sources).customMedia?.isRoll == isRoll)
    }

    @Test func `a printer that reports its trays has no other trays, even if it reports only 'auto' or rolls`() throws {
        func read(_ sources: String...) -> PrinterCapabilities {
            PrinterCapabilities(
                attributes: AttributeGroup(
                    .printer,
                    [
                        Attribute("media-supported", .keyword("iso_a4_210x297mm")),
                        Attribute("media-source-supported", sources.map { .keyword($0) }),
                    ]))
        }
        var ticket = JobTicket()
        try ticket.set("media-source", to: "attic", at: 0)
        for printer in [read("auto"), read("auto", "roll-1"), read("main-roll"), read("tray-1")] {
            #expect(ticket.plan(for: printer).conflicts.map(\.option) == ["media-source"])
        }
        let unknown = PrinterCapabilities(attributes: AttributeGroup(.printer, []))
        #expect(ticket.plan(for: unknown).conflicts == [])
        let passedOn = AttributeGroup(.printer, read("roll-1").templateAttributes(options: ["media"]))
        #expect(passedOn.keywords("media-source-supported") == ["auto", "roll-1"])
    }

    @Test func `the output bins of a printer are read, the default first`() {
        let bins = Attribute("output-bin-supported", .keyword("auto"), .keyword("top"), .keyword("mailbox-1"))
        let group = AttributeGroup(.printer, [bins, Attribute("output-bin-default", .keyword("mailbox-1"))])
        #expect(PrinterCapabilities(attributes: group).outputBins == ["mailbox-1", "top"])
    }

    @Test func `a 'media-col-database' of 100,000 papers is truncated quickly`() {
        let entries = (0..<100_000).map { number -> Value in
            let size = IPP.Collection([
                Attribute("x-dimension", .integer(Int32(10_000 + number))), Attribute("y-dimension", .integer(50_000)),
            ])
            return .collection(IPP.Collection([Attribute("media-size", .collection(size))]))
        }
        var read = PrinterCapabilities(attributes: AttributeGroup(.printer, [Attribute("media-col-database", entries)]))
        #expect(read.papers.count == 4096)
        read.customMedia = nil
        let names = read.templateAttributes(options: ["media"])["media-supported"]?.values
        #expect(names.map(Set.init)?.count == names?.count)
    }

    @Test func `invalid margins, ranges and resolutions of a printer are ignored, and repeated values are merged`() {
        let size = IPP.Collection([
            Attribute("x-dimension", .range(IntegerRange(lower: 9_000, upper: 1_000))),
            Attribute("y-dimension", .range(IntegerRange(lower: -5, upper: .max))),
        ])
        let a4 = IPP.Collection([
            Attribute("media-size", .collection(Media.a4.mediaSize)), Attribute("media-top-margin", .integer(.min)),
            Attribute("media-left-margin", .integer(-1)), Attribute("media-right-margin", .integer(.max)),
        ])
        let read = PrinterCapabilities(
            attributes: AttributeGroup(
                .printer,
                [
                    Attribute(
                        "media-col-database", .collection(IPP.Collection([Attribute("media-size", .collection(size))])),
                        .collection(a4)),
                    Attribute("copies-supported", .range(IntegerRange(lower: 9, upper: -9))),
                    Attribute("sides-supported", Array(repeating: .keyword("one-sided"), count: 1000)),
                    Attribute(
                        "print-color-mode-supported", Array(repeating: .keyword("color"), count: 1000)),
                    Attribute(
                        "printer-resolution-supported",
                        .resolution(Resolution(crossFeed: -1, feed: -1)),
                        .resolution(Resolution(crossFeed: 600, feed: 600))),
                    Attribute("pages-per-minute", .integer(-7)),
                    Attribute("printer-make-and-model", .text(String(repeating: "x", count: 30_000))),
                ]))
        #expect(read.papers.map(\.media) == [.a4])
        #expect(read.papers.first?.margins.top == .zero)
        #expect(read.customMedia == nil)
        #expect(read.maxCopies == 1)
        #expect(read.duplexModes == [.none])
        #expect(read.colorModes == [.color])
        #expect(read.resolutions == [600])
        #expect(read.pagesPerMinute == nil)
        #expect(read.makeAndModel.utf8.count == 127)
        #expect(!read.templateAttributes(options: every).contains { $0.values.isEmpty })
    }

    @Test func `the length of the texts and the number of state reasons in a printer's status are limited`() {
        let status = PrinterStatus(
            attributes: AttributeGroup(
                .printer,
                [
                    Attribute("printer-state", .enumeration(5)),
                    Attribute(
                        "printer-state-reasons",
                        [.keyword("none"), .keyword("media-empty-error")]
                            + Array(repeating: .keyword("other"), count: 9_000)),
                    Attribute("printer-state-message", .text(String(repeating: "ä", count: 9_000))),
                    Attribute("printer-is-accepting-jobs", .boolean(false)),
                ]))
        #expect(status.state == .stopped)
        #expect(status.reasons == ["media-empty-error", "other"])
        #expect(status.message.utf8.count <= 1023)
        #expect(!status.isAccepting)
    }

    @Test func `if a printer reports no valid status, the printer is treated as idle and as accepting jobs`() {
        let status = PrinterStatus(attributes: AttributeGroup(.printer, [Attribute("printer-state", .enumeration(77))]))
        #expect(status.state == .idle)
        #expect(status.isAccepting)
    }
}
