import IPP
import PrintModel
import SpoolerClient
import Testing

@testable import PrintCenter

/// Tests of the form of print options and of the requests that load paper.
struct PrinterFormTests {
    private func option(_ name: String, _ attributes: [Attribute] = []) throws -> JSONText {
        guard case .array(let options)? = OptionForm(AttributeGroup(.printer, attributes)).json["options"] else {
            throw Problem.notFound("options")
        }
        return try #require(options.first { $0["name"] == .string(name) })
    }

    @Test func `a keyword option lists the supported values with labels, and the default of the printer`() throws {
        let sides = try option(
            "sides",
            [
                Attribute("sides-supported", .keyword("one-sided"), .keyword("two-sided-long-edge")),
                Attribute("sides-default", .keyword("two-sided-long-edge")),
            ])
        #expect(sides["label"] == .string("Sides"))
        #expect(sides["default"] == .string("two-sided-long-edge"))
        #expect(sides["supported"] == .bool(true))
        #expect(
            sides["values"]
                == .array([
                    .object([("value", .string("one-sided")), ("label", .string("One-sided"))]),
                    .object([("value", .string("two-sided-long-edge")), ("label", .string("Two-sided, long edge"))]),
                ]))
    }

    @Test func `an option with at most one supported value is marked as unsupported unless printd applies the option`()
        throws
    {
        #expect(try option("sides", [Attribute("sides-supported", .keyword("one-sided"))])["supported"] == .bool(false))
        #expect(try option("finishings")["supported"] == .bool(false))
        // printd applies these options itself.
        for name in ["copies", "number-up", "page-ranges", "printq-watermark"] {
            #expect(try option(name)["supported"] == .bool(true), "\(name)")
        }
    }

    @Test func `paper sizes have labels, and the list of sizes omits the limits of custom sizes`() throws {
        let media = try option(
            "media",
            [
                Attribute(
                    "media-supported", .keyword("iso_a4_210x297mm"), .keyword("custom_min_10x10mm"),
                    .keyword("custom_max_900x900mm"))
            ])
        #expect(media["type"] == .string("media"))
        #expect(
            media["values"]
                == .array([.object([("value", .string("iso_a4_210x297mm")), ("label", .string("A4"))])]))
    }

    @Test func `an option's enum values have the same names in the print center as on the command line`() throws {
        let quality = try option(
            "print-quality",
            [
                Attribute("print-quality-supported", .enumeration(3), .enumeration(5)),
                Attribute("print-quality-default", .enumeration(5)),
            ])
        #expect(quality["default"] == .string("high"))
        guard case .array(let values)? = quality["values"] else { throw Problem.notFound("values") }
        #expect(values.compactMap { $0["value"] } == [.string("draft"), .string("high")])
    }

    @Test func `every option has a label and help, and the option parser accepts every listed value`() throws {
        for known in PrintOption.all {
            let entry = try option(known.name)
            #expect(entry["label"] != .string(known.name) || known.name.count < 5, "\(known.name)")
            #expect(entry["help"] == .string(known.help))
            guard case .array(let values)? = entry["values"] else { continue }
            for value in values {
                guard case .string(let word)? = value["value"] else { throw Problem.notFound(known.name) }
                var ticket = JobTicket()
                #expect(throws: Never.self, "\(known.name)=\(word)") { try ticket.set(known.name, to: word, at: 0) }
            }
        }
    }

    @Test func `a JSON request to load paper is converted to a 'load' control command`() throws {
        func words(_ members: [(name: String, value: JSONText)]) throws(Problem) -> [String] {
            try LoadedPaperText.words(.object(members))
        }
        #expect(try words([("tray", .string("tray-1"))]) == ["load", "tray-1"])
        #expect(
            try words([
                ("tray", .string("tray-2")), ("sheets", .number(500)), ("media", .string("A5")),
                ("type", .string("stationery")),
            ]) == ["load", "tray-2", "500", "A5", "stationery"])
        #expect(
            try words([("tray", .string("manual")), ("endless", .bool(true)), ("any-size", .bool(true))])
                == ["load", "manual", "endless", "any"])
        for wrong: [(name: String, value: JSONText)] in [
            [], [("tray", .number(1))], [("tray", .string("a")), ("sheets", .number(-1))],
            [("tray", .string("a")), ("sheets", .number(1)), ("endless", .bool(true))],
            [("tray", .string("a")), ("media", .string("A4")), ("any-size", .bool(true))],
        ] {
            let problem = #expect(throws: Problem.self) { try words(wrong) }
            #expect(problem?.status.code == 422)
        }
    }

    @Test func `the label of a page number format shows the text that is printed`() throws {
        let format = try option(
            "printq-page-number-format",
            [Attribute("printq-page-number-format-supported", .keyword("n"), .keyword("n-of-m"))])
        guard case .array(let values)? = format["values"] else { throw Problem.notFound("values") }
        #expect(values.map { $0["label"] } == [.string("1"), .string("1 / 5")])
    }
}
