import PrintModel
import ServiceDiscovery
import Testing

/// Tests of the DNS-SD services of a printer.
struct PrinterAdvertisementTests {
    private func laser(_ change: (inout PrinterAdvertisement) -> Void = { _ in }) -> PrinterAdvertisement {
        var advertisement = PrinterAdvertisement(
            name: "Laser", path: "ipp/print/laser", port: 8000, uuid: "urn:uuid:01234567-89ab-8def-8123-456789abcdef",
            capabilities: PrinterCapabilities(
                makeAndModel: "Acme Laser", papers: [PrintPaper(media: .a4)], defaultMedia: .a4,
                duplexModes: [.none, .longEdge], colorModes: [.auto, .color, .monochrome],
                formats: [.pdf, .jpeg, .octetStream, .urf], maxCopies: 9, collates: true))
        change(&advertisement)
        return advertisement
    }

    private func record(_ change: (inout PrinterAdvertisement) -> Void = { _ in }) throws -> TXTRecord {
        try #require(laser(change).services(host: "pluto.local").first { $0.type == "_ipp._tcp" }).record
    }

    @Test func `a printer is published as an IPP service of subtype IPP Everywhere and as a flagship service`() {
        #expect(
            laser().services(host: "pluto.local").map { "\($0.type) \($0.subtypes) \($0.port)" } == [
                "_printer._tcp [] 0", "_ipp._tcp [\"_print\"] 8000",
            ])
    }

    @Test func `Apple raster adds the AirPrint subtype, TLS adds IPPS, and a web page adds an HTTP service`() throws {
        let services = laser {
            $0.rasterKeywords = ["V1.4", "W8", "RS600"]
            $0.tls = "1.3"
            $0.webPath = "/printers/laser"
        }.services(host: "pluto.local")
        #expect(
            services.map { "\($0.type) \($0.subtypes.joined(separator: ",")) \($0.port)" } == [
                "_printer._tcp  0", "_ipp._tcp _print,_universal 8000", "_ipps._tcp _print,_universal 8000",
                "_http._tcp _printer 8000",
            ])
        #expect(services[0].record.entries.isEmpty)
        #expect(services[1].record == services[2].record)
        #expect(services[1].record["URF"] == "V1.4,W8,RS600")
        #expect(services[1].record["TLS"] == "1.3")
        #expect(services[1].record["adminurl"] == "http://pluto.local:8000/printers/laser")
        #expect(services[3].record["path"] == "/printers/laser")
    }

    @Test func `a TLS-only printer has an IPPS service and no HTTP service`() throws {
        let services = laser {
            $0.isPlain = false
            $0.tls = "1.3"
            $0.webPath = "/printers/laser"
        }.services(host: "pluto.local")
        #expect(services.map(\.type) == ["_printer._tcp", "_ipps._tcp"])
        #expect(services[1].record["adminurl"] == "https://pluto.local:8000/printers/laser")
    }

    @Test func `the TXT record contains the capabilities of the printer`() throws {
        let record = try record {
            $0.location = "Room 2"
            $0.kinds = ["document", "envelope"]
        }
        #expect(
            record.entries.map { "\($0.key)=\($0.value)" } == [
                "txtvers=1", "qtotal=1", "rp=ipp/print/laser", "ty=Acme Laser", "note=Room 2", "priority=50",
                "product=(Acme Laser)", "pdl=application/pdf,image/jpeg,image/urf",
                "UUID=01234567-89ab-8def-8123-456789abcdef", "Color=T", "Duplex=T", "Copies=T", "Collate=T", "Bind=F",
                "Sort=F", "Staple=F", "PaperCustom=F", "PaperMax=legal-A4", "kind=document,envelope",
            ])
        let plain = try self.record {
            $0.capabilities.colorModes = [.monochrome]
            $0.capabilities.duplexModes = [.none]
            $0.capabilities.maxCopies = 1
        }
        #expect(["Color", "Duplex", "Copies", "Collate"].map { plain[$0] } == ["F", "F", "F", "F"])
        #expect(plain["URF"] == nil && plain["TLS"] == nil && plain["adminurl"] == nil)
    }

    @Test(arguments: [
        (101.6, 152.4, "<legal-A4"), (215.9, 279.4, "legal-A4"), (355.6, 215.9, "legal-A4"),
        (279.4, 431.8, "tabloid-A3"),
        (297, 420, "tabloid-A3"), (420, 594, "isoC-A2"), (431.8, 558.8, "isoC-A2"), (594, 841, ">isoC-A2"),
    ])
    func `the TXT key PaperMax contains the size class of the widest paper`(width: Double, height: Double, name: String)
        throws
    {
        let media = Media.custom(width: .millimeters(width), height: .millimeters(height))
        let record = try record {
            $0.capabilities.papers = [PrintPaper(media: Media(name: "A6") ?? .a4), PrintPaper(media: media)]
                .suffix(name == "<legal-A4" ? 1 : 2)
        }
        #expect(record["PaperMax"] == name)
    }

    @Test func `PaperMax ignores the length of a roll and includes custom sizes`() throws {
        let roll = PrinterCapabilities.MediaRange(width: 10_160...10_160, height: 2000...200_000, margins: .zero)
        let wide = PrinterCapabilities.MediaRange(width: 7620...32_000, height: 12_700...120_000, margins: .zero)
        #expect(
            try record {
                $0.capabilities.papers = [
                    PrintPaper(media: .custom(width: .millimeters(101.6), height: .millimeters(2000)))
                ]
                $0.capabilities.customMedia = roll
            }["PaperMax"] == "<legal-A4")
        let custom = try record { $0.capabilities.customMedia = wide }
        #expect(custom["PaperMax"] == "tabloid-A3" && custom["PaperCustom"] == "T")
    }

    @Test func `a long TXT value is truncated at a character boundary, and each key occurs once`() {
        var record = TXTRecord()
        record["note"] = String(repeating: "é", count: 200)
        record["NOTE"] = record["note"]
        #expect(record.strings.map(\.count) == [255])
        #expect(record["note"] == String(repeating: "é", count: 125))
        record["Note"] = nil
        #expect(record.entries.isEmpty)
    }
}
