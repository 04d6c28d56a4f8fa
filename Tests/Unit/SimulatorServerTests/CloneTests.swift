import FoundationEssentials
import IPP
import PrintTestSupport
import PrinterSimulator
import SimulatorServer
import Testing

/// Tests of clones that are made from the attributes of printers.
struct CloneTests {
    private static let names = [
        "color-laser", "inkjet", "inkjet-duplex", "label", "mono-laser", "photo", "roll",
    ]

    private func file(_ name: String) throws -> String {
        try String(contentsOfFile: "\(packageFolder)/Simulators/\(name).json5", encoding: .utf8)
    }

    /// Returns the attributes of a printer that is described by a printer file.
    private func attributes(of file: String, named name: String) async throws -> AttributeGroup {
        let box = Answer()
        try await TestPrinters.serving(printers: [file]) { printers in
            let answer = try await printers.ask(
                .getPrinterAttributes, at: "ipp://localhost/ipp/print/\(name)",
                [Attribute("requested-attributes", PrinterClone.requestedAttributes.map { .keyword($0) })])
            box.group = answer[.printer]
        }
        return try #require(box.group)
    }

    private final class Answer { var group: AttributeGroup? }

    /// Returns the names of the attributes that differ between two groups.
    private func differences(_ one: AttributeGroup, _ other: AttributeGroup) -> [String] {
        Set((one.attributes + other.attributes).map(\.name)).filter { one[$0]?.values != other[$0]?.values }.sorted()
    }

    @Test(arguments: names)
    func `the clone of a shipped printer has the same attributes as the printer, except the UUID and serial number`(
        name: String
    )
        async throws
    {
        let original = try await attributes(of: file(name), named: name)
        let clone = try PrinterClone(of: original, source: "a test")
        #expect(clone.name == name && clone.notes.isEmpty, "\(clone.notes)")
        let copy = try await attributes(of: clone.text, named: name)
        // The clone is another printer, so its UUID and its serial number differ.
        #expect(differences(original, copy) == ["printer-device-id", "printer-uuid"], "\(clone.text)")
    }

    @Test(arguments: names)
    func `the clone of an ipptool dump is equal to the clone of the printer's response`(name: String) async throws {
        let box = Answer()
        let dump = DumpBox()
        try await TestPrinters.serving(printers: [try file(name)]) { printers in
            let uri = "ipp://localhost:\(printers.port)/ipp/print/\(name)"
            let run = try await ProgramRun(
                "/usr/bin/ipptool", ["-tv", uri, "get-printer-attributes.test"], environment: ["PATH": "/usr/bin"],
                in: printers.folder.path("."))
            dump.text = run.output
            box.group = try await printers.ask(
                .getPrinterAttributes, at: uri,
                [Attribute("requested-attributes", PrinterClone.requestedAttributes.map { .keyword($0) })])[.printer]
        }
        let told = try #require(box.group)
        let read = IPPToolDump(dump.text).attributes
        #expect(read.attributes.count > 100, "\(dump.text.prefix(500))")
        // The clone of the dump is equal to the clone of the response.
        let source = "a test"
        #expect(try PrinterClone(of: read, source: source).text == PrinterClone(of: told, source: source).text)
    }

    private final class DumpBox { var text = "" }

    @Test func `the file of a cloned printer lists unsupported features at the end, on separate lines`() throws {
        var group = AttributeGroup(.printer)
        group.append("printer-name", .name("Büro 2/3"))
        group.append("printer-make-and-model", .text("Make\n} Model \"X\""))
        group.append("media-supported", .keyword("iso_a4_210x297mm"), .keyword("na_letter_8.5x11in"))
        group.append(
            "document-format-supported", .mimeMediaType("application/postscript"), .mimeMediaType("image/jpeg"))
        group.append("finishings-supported", .enumeration(3), .enumeration(4))
        group.append("operations-supported", .enumeration(2), .enumeration(0x0003))
        group.append("printer-supply", .octetString(Array("type=wasteToner;colorantname=none;level=-3;".utf8)))
        group.append("vendor-words", .text("one\u{2028}two"))
        let clone = try PrinterClone(of: group, source: "ipp://printer/ipp/print")
        #expect(clone.name == "B-ro-2-3")
        #expect(clone.text.contains(#"makeAndModel: "Make } Model \"X\"","#), "\(clone.text)")
        #expect(
            clone.notes == [
                "the printer has no media-col-database: all sizes have the same margins and types", "finishings: 4",
                "document-format-supported: application/postscript", "supply: none wasteToner (wasteToner)",
                "operations: Print-URI", "vendor-words: one two",
            ])
        #expect(clone.text.hasSuffix("    // - vendor-words: one two\n}\n"))
        let description = try SimulatedPrinterDescription(json5: Data(clone.text.utf8), file: "clone")
        #expect(description.formats == [.jpeg] && description.papers.count == 2)
    }

    @Test func `the clone of a real printer's response has the printer's trays, supplies and papers`() throws {
        func paper(_ width: Int32, _ height: Int32, _ margin: Int32, _ type: String?, source: String? = nil) -> Value {
            var members = [
                Attribute(
                    "media-size",
                    .collection(
                        Collection([
                            Attribute("x-dimension", .integer(width)), Attribute("y-dimension", .integer(height)),
                        ])))
            ]
            for edge in ["top", "left", "right", "bottom"] {
                members.append(Attribute("media-\(edge)-margin", .integer(margin)))
            }
            if let type { members.append(Attribute("media-type", .keyword(type))) }
            if let source { members.append(Attribute("media-source", .keyword(source))) }
            return .collection(Collection(members))
        }
        var group = AttributeGroup(.printer)
        group.append("printer-name", .name("office"))
        group.append(
            Attribute(
                "media-col-database",
                [
                    paper(21_000, 29_700, 300, "stationery"), paper(21_000, 29_700, 300, "photographic"),
                    paper(21_000, 29_700, 0, "photographic"), paper(21_590, 27_940, 300, "stationery"),
                    paper(-1, 4, 300, nil), paper(1_000, 1_000, 600, nil),
                ]))
        group.append("media-col-ready", paper(21_000, 29_700, 300, "stationery", source: "tray-1"))
        group.append("media-source-supported", .keyword("auto"), .keyword("tray-1"), .keyword("by-pass-tray"))
        group.append(
            "printer-input-tray",
            .octetString(
                Array(
                    "type=sheetFeedAutoRemovableTray;mediafeed=29700;mediaxfeed=21000;maxcapacity=250;level=120;name=Tray 1;"
                        .utf8)))
        group.append("marker-names", .name("Black Cartridge"), .name("Maintenance Box"))
        group.append("marker-types", .keyword("toner-cartridge"), .keyword("waste-ink"))
        group.append("marker-colors", .name("#000000"), .name("none"))
        group.append("marker-levels", .integer(42), .integer(-1))
        let clone = try PrinterClone(of: group, source: "a test")
        #expect(
            clone.text.contains(
                """
                    media: [
                        { size: "A4", types: ["stationery"] },
                """) || clone.text.contains(#"media: [{ size: "A4", types: ["stationery"] }"#), "\(clone.text)")
        let description = try SimulatedPrinterDescription(json5: Data(clone.text.utf8), file: "clone")
        #expect(
            description.papers.map { "\($0.media.localizedName) \($0.type ?? "") \($0.margins.top.hundredths)" } == [
                "A4 stationery 300", "A4 photographic 300", "A4 photographic 0", "Letter stationery 300",
            ])
        #expect(description.trays.map(\.name) == ["tray-1", "by-pass-tray"])
        #expect(description.trays[0].media == .a4 && description.trays[0].type == "stationery")
        group["media-source-supported"] = Attribute(
            "media-source-supported", .keyword("auto"), .keyword("2"), .keyword("7"))
        group["printer-input-tray"] = nil
        let numbered = try PrinterClone(of: group, source: "a test").text
        #expect(
            try SimulatedPrinterDescription(json5: Data(numbered.utf8), file: "clone").trays.map(\.name)
                == ["tray-2", "tray-7"])
        #expect(description.trays[0].capacity == 250 && description.trays[0].loaded == 120)
        #expect(description.supplies.map(\.color) == ["black"])
        #expect(description.supplies.map(\.name) == ["Black Cartridge"] && description.supplies[0].level == 42)
        #expect(clone.notes.contains("2 entries of media-col-database whose size or margins are not usable"))
        #expect(clone.notes.contains("supply: Maintenance Box (waste-ink)"))
    }

    @Test func `cloning a printer with out-of-range attributes produces a valid printer file or an error`() throws {
        let nothing = #expect(throws: PrinterClone.Failure.self) {
            try PrinterClone(of: AttributeGroup(.printer, [Attribute("x", .integer(1))]), source: "ipp://x")
        }
        #expect(nothing?.description == "ipp://x has no printer attributes: no name, no model, no media")
        var group = AttributeGroup(.printer, [Attribute("printer-name", .name("x"))])
        let paperless = #expect(throws: PrinterClone.Failure.self) { try PrinterClone(of: group, source: "ipp://x") }
        #expect(paperless?.description.hasPrefix("ipp://x has no supported paper size") == true)
        group.append("media-supported", .keyword("iso_a4_210x297mm"))
        group.append("copies-supported", .range(IntegerRange(lower: 1, upper: .max)))
        group.append("pages-per-minute", .integer(.max))
        group.append("printer-resolution-supported", .resolution(Resolution(crossFeed: -1, feed: .max)))
        group.append("marker-names", .name("x"))
        group.append("marker-levels", .integer(.min))
        group.append("output-bin-supported", .keyword(""))
        group.append("media-top-margin-supported", .integer(.max), .integer(-5))
        group.append(
            "printer-input-tray", .octetString(Array("type=continuousRoll;mediaxfeed=99999999999;level=;".utf8)))
        let clone = try PrinterClone(of: group, source: "a test")
        let description = try SimulatedPrinterDescription(json5: Data(clone.text.utf8), file: "clone")
        #expect(description.maxCopies == 9_999 && description.pagesPerMinute == 10_000)
    }

    @Test func `the clone of a printer has at most 4,096 media, and a note counts the omitted media`() throws {
        let papers = (0..<10_000).map { index in
            Value.collection(
                Collection([
                    Attribute(
                        "media-size",
                        .collection(
                            Collection([
                                Attribute("x-dimension", .integer(5_000 + Int32(index))),
                                Attribute("y-dimension", .integer(20_000)),
                            ])))
                ]))
        }
        let group = AttributeGroup(.printer, [Attribute("media-col-database", papers)])
        let clone = try PrinterClone(of: group, source: "a test")
        #expect(
            clone.notes == [
                "5904 entries of media-col-database after the first 4096",
                "no supported document format: the clone uses application/pdf",
            ])
        let description = try SimulatedPrinterDescription(json5: Data(clone.text.utf8), file: "clone")
        #expect(description.papers.count == 4_096)
    }

    @Test func `the parser of ipptool dumps does not crash on any text`() {
        let pieces = [
            "status-code = ok\n", "a (collection) = {x={y={", "b (1setOf integer) = 1,,2,x\n", "c (enum) = \n", "\\",
            "d (1setOf collection) = {a=1-2 b=x\\", "}},{", " (x) = ", "e (resolution) = xxdpi\n",
            "f (rangeOfInteger) = --\n",
        ]
        var state: UInt64 = 7
        for _ in 0..<2_000 {
            var text = ""
            for _ in 0..<8 {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                text += pieces[Int(state >> 33) % pieces.count]
            }
            _ = try? PrinterClone(of: IPPToolDump(text).attributes, source: "a test")
        }
        #expect(IPPToolDump("").attributes.attributes.isEmpty)
        let read = IPPToolDump("    status-code = x\n        b (1setOf integer) = 1,,2,x\n        s (text) = a, b\n")
            .attributes
        #expect(read["b"]?.values == [.integer(1), .integer(2)] && read.string("s") == "a, b")
    }
}
