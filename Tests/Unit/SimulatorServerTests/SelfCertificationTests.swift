import IPP
import PrintIPP
import PrintModel
import PrintTestSupport
import PrinterSimulator
import SimulatorServer
import Testing

/// Tests of PWG's self-certification of IPP Everywhere printers that are not in CUPS' suites.
struct SelfCertificationTests {
    private func laser(_ printers: TestPrinters, _ asked: String = "all") async throws -> AttributeGroup {
        let requested = Attribute("requested-attributes", .keyword(asked))
        return try #require(try await printers.ask(.getPrinterAttributes, [requested])[.printer])
    }

    @Test func `printer-input-tray has an entry for each media source, including 'auto'`() async throws {
        try await TestPrinters.serving { printers in
            let laser = try await laser(printers)
            let sources = laser.keywords("media-source-supported")
            let trays = (laser["printer-input-tray"]?.values ?? []).map { value in
                guard case .octetString(let bytes) = value else { return "" }
                return String(decoding: bytes, as: UTF8.self)
            }
            #expect(sources == ["auto", "tray-1", "tray-2"])
            #expect(trays.count == sources.count)
            for (source, tray) in zip(sources, trays) { #expect(tray.contains(";name=\(source);"), "\(tray)") }
        }
    }

    @Test func `media-col-ready contains the media-source of each loaded paper`() async throws {
        let laser = """
            { name: 'laser', makeAndModel: 'Laser', media: ['A4', 'Letter', 'A5'],
              trays: [{ name: 'tray-1', media: 'A4' }, { name: 'tray-2', media: 'Letter' }] }
            """
        try await TestPrinters.serving(printers: [laser]) { printers in
            let ready = try await self.laser(printers)["media-col-ready"]?.values.compactMap(\.collectionValue) ?? []
            let lines = ready.map { "\($0.string("media-size-name") ?? "") \($0.string("media-source") ?? "")" }
            #expect(lines == ["iso_a4_210x297mm tray-1", "na_letter_8.5x11in tray-2"])
            #expect(ready.allSatisfy { $0.string("media-type") != nil })
        }
        // Trays that accept every paper are reported as one media source: auto.
        try await TestPrinters.serving { printers in
            let ready = try await self.laser(printers)["media-col-ready"]?.values.compactMap(\.collectionValue) ?? []
            #expect(!ready.isEmpty && ready.allSatisfy { $0.string("media-source") == "auto" })
        }
    }

    @Test func `a job reports the attributes that the client submitted with the job`() async throws {
        try await TestPrinters.serving { printers in
            let wanted = [
                Attribute("media", .keyword("iso_a4_210x297mm")), Attribute("print-color-mode", .keyword("auto")),
                Attribute("print-content-optimize", .keyword("auto")),
                Attribute("print-rendering-intent", .keyword("auto")), Attribute("print-quality", .enumeration(4)),
                Attribute("printer-resolution", .resolution(Resolution(crossFeed: 300, feed: 300))),
                Attribute("sides", .keyword("one-sided")),
            ]
            let id = try await printers.print(wanted)
            for state in ["first", "ended"] {
                let job = try await printers.attributes(of: id)
                for attribute in wanted { #expect(job[attribute.name] == attribute, "\(state)") }
                _ = try await printers.job(id)
            }
            // Unsupported values are not attributes of the job.
            let other = try await printers.print([
                Attribute("printer-resolution", .resolution(Resolution(crossFeed: 1200, feed: 1200))),
                Attribute("print-content-optimize", .keyword("photo")),
            ])
            let job = try await printers.attributes(of: other)
            #expect(job["printer-resolution"] == nil && job["print-content-optimize"] == nil)
            // The printer has no color and selects monochrome. The job still reports the requested value 'auto'.
            let auto = Attribute("print-color-mode", .keyword("auto"))
            let mono = try await printers.print(at: TestPrinters.inkjetURI, [auto])
            #expect(try await printers.attributes(of: mono, at: TestPrinters.inkjetURI)["print-color-mode"] == auto)
        }
    }

    @Test func `finishing-template and finishings cut a roll in the same way, and unknown templates are refused`()
        async throws
    {
        let roll = """
            { name: 'laser', makeAndModel: 'Roll', media: ['4x6'], kind: 'roll', cutter: true,
              trays: [{ name: 'main-roll', roll: 101.6 }] }
            """
        try await TestPrinters.serving(ScriptedWorker(pages: 2), printers: [roll]) { printers in
            let laser = try await laser(printers)
            let names = ["none", "trim-after-pages", "trim-after-documents", "trim-after-copies", "trim-after-job"]
            #expect(laser.keywords("finishing-template-supported") == names)
            func template(_ name: String) -> Attribute {
                Attribute("finishings-col", .collection(Collection([Attribute("finishing-template", .keyword(name))])))
            }
            let fidelity = [Attribute("ipp-attribute-fidelity", .boolean(true))]
            let answer = try await printers.ask(
                .printJob, fidelity, template: [template("trim-after-job")], document: TestPrinters.pdf)
            #expect(answer.status == .successfulOk)
            #expect(try await printers.job(1).rollCut == .afterJob)
            #expect(try await printers.attributes(of: 1)["finishings"]?.values == [.enumeration(63)])
            let stapled = try await printers.ask(
                .printJob, fidelity, template: [template("staple")], document: TestPrinters.pdf)
            #expect(stapled.status == .clientErrorAttributesOrValuesNotSupported)
        }
    }

    @Test func `the attribute groups 'job-template' and 'printer-description' have no common attribute`() async throws {
        try await TestPrinters.serving { printers in
            let template = Set(try await laser(printers, "job-template").attributes.map(\.name))
            let description = Set(try await laser(printers, "printer-description").attributes.map(\.name))
            #expect(template.isDisjoint(with: description), "\(template.intersection(description))")
            #expect(template.contains("output-bin-default") && template.contains("media-source-supported"))
            #expect(description.contains("printer-supply") && description.contains("document-password-supported"))
            #expect(try await laser(printers, "none").attributes.isEmpty)
        }
    }
}
