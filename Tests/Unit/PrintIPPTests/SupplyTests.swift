import IPP
import PrintIPP
import PrintModel
import Testing

/// Tests of the conversion of ink and toner supplies between IPP and the model.
struct SupplyTests {
    private func status(_ attributes: Attribute...) -> PrinterStatus {
        PrinterStatus(attributes: AttributeGroup(.printer, attributes))
    }

    private func octets(_ text: String) -> Value { .octetString(Array(text.utf8)) }

    @Test func `supplies in the format of PWG 5100.13 are read`() {
        let seen = status(
            Attribute(
                "printer-supply",
                octets(
                    "index=1;class=supplyThatIsConsumed;type=inkCartridge;unit=percent;maxcapacity=200;level=50;"
                        + "colorantname=cyan;"),
                octets("type=wasteToner;maxcapacity=-2;level=-3;")),
            Attribute("printer-supply-description", .text("Cyan ink"), .text("Waste box")))
        #expect(seen.supplies.map(\.name) == ["Cyan ink", "Waste box"])
        #expect(seen.supplies.map(\.type) == ["ink-cartridge", "waste-toner"])
        #expect(seen.supplies.map(\.color) == ["#00FFFF", "none"])
        #expect(seen.supplies.map(\.level) == [25, nil])
        // The written attributes equal the attributes of the printer.
        let written = AttributeGroup(.printer, PrinterStatus.Supply.attributes(seen.supplies))
        #expect(written["printer-supply"]?.values.last == octets("type=wasteToner;maxcapacity=-2;level=-3;"))
        #expect(written["marker-levels"]?.values == [.integer(25), .integer(-2)])
    }

    @Test func `supplies of a CUPS queue are read from its marker attributes`() {
        let seen = status(
            Attribute("marker-names", .name("Black"), .name("Yellow")),
            Attribute("marker-types", .keyword("toner"), .keyword("toner")),
            Attribute("marker-colors", .name("#000000"), .name("#FFFF00")),
            Attribute("marker-levels", .integer(-1), .integer(70)))
        #expect(seen.supplies.map(\.level) == [nil, 70])
        let written = AttributeGroup(.printer, PrinterStatus.Supply.attributes(seen.supplies))
        #expect(
            written["printer-supply"]?.values.last
                == octets(
                    "index=2;class=supplyThatIsConsumed;type=toner;unit=percent;maxcapacity=100;level=70;"
                        + "colorantname=yellow;"))
        #expect(status(written["marker-names"]!, written["marker-levels"]!).supplies.count == 2)
    }

    @Test func `a printer without known supplies reports one supply with an unknown type`() {
        let written = AttributeGroup(.printer, PrinterStatus.Supply.attributes([]))
        #expect(written["printer-supply"]?.values.count == 1)
        #expect(written["printer-supply-description"]?.values.count == 1)
        #expect(written["marker-names"] == nil)
    }

    @Test func `invalid supplies are ignored, and the number of supplies is limited`() {
        let many = (0..<500).map { _ in octets("level=9223372036854775807;maxcapacity=9223372036854775807;=;;;type=ß é")
        }
        #expect(status(Attribute("printer-supply", many)).supplies.count == 64)
        #expect(status(Attribute("printer-supply", .integer(3))).supplies.isEmpty)
        #expect(
            status(Attribute("marker-names", .name("x")), Attribute("marker-levels", .integer(-77))).supplies.map(
                \.level) == [nil])
    }
}
