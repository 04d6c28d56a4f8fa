// Tests the printer description that PWG's self-certification requires (PWG 5100.14, 5100.7, 5100.1).

import IPP
import PrintIPP
import PrintModel
import Testing

struct PrinterDescriptionTests {
    private func describe(_ asked: String..., of printer: ServedPrinter = .office()) async throws -> AttributeGroup {
        let requested = Attribute("requested-attributes", asked.map { .keyword($0) })
        let answer = await ScriptedService(printers: [printer]).ask(
            .getPrinterAttributes, "ipp://localhost/printers/office", [requested])
        return try #require(answer[.printer], "\(answer)")
    }

    @Test(arguments: [0, 127])
    func `printer attributes report the maximum length of a document password`(length: Int) async throws {
        let answer = await ScriptedService(longestDocumentPassword: length).ask(
            .getPrinterAttributes, "ipp://localhost/printers/office",
            [Attribute("requested-attributes", .keyword("document-password-supported"))])
        #expect(answer[.printer]?.integer("document-password-supported") == Int32(length))
    }

    @Test func `an attribute has the same values if requested alone or together with all attributes`() async throws {
        let printer = ServedPrinter.office()
        let all = try await describe("all", "media-col-database", of: printer)
        #expect(all.attributes.count > 100)
        for attribute in all.attributes where !["printer-up-time", "printer-current-time"].contains(attribute.name) {
            #expect(try await describe(attribute.name, of: printer).attributes == [attribute])
        }
    }

    @Test func `the attributes that lists of printers request have the same values as together with all`() async throws
    {
        // What lpstat and cupsGetDests request.
        let names = [
            "printer-info", "printer-is-accepting-jobs", "printer-location", "printer-make-and-model", "printer-name",
            "printer-state", "printer-state-message", "printer-state-reasons", "printer-type", "printer-uri-supported",
        ]
        let printer = ServedPrinter.office()
        let all = try await describe("all", of: printer).attributes.filter { names.contains($0.name) }
        let list = await ScriptedService(printers: [printer]).ask(
            .getPrinterAttributes, "ipp://localhost/printers/office",
            [Attribute("requested-attributes", names.map { .keyword($0) })])
        #expect(all.count == names.count)
        #expect(list[.printer]?.attributes == all)
    }

    @Test func `the default paper and each ready paper include a tray and a paper type`() async throws {
        let printer = try await describe("all")
        let papers = [printer["media-col-default"], printer["media-col-ready"]].flatMap { $0?.values ?? [] }
        #expect(papers.count >= 2)
        for paper in papers.compactMap(\.collectionValue) {
            #expect(paper.string("media-source") == "auto")
            #expect(paper.string("media-type") != nil)
        }
        // The value `auto` is not a paper type. A client that sends the value back requests no paper type.
        let ticket = JobTicket.read([Attribute("media-col", printer["media-col-default"]?.values ?? [])], at: 0).ticket
        #expect(ticket.media == .a4 && ticket.mediaType == nil)
    }

    @Test func `the supported finishings are also listed as finishing templates`() async throws {
        var capabilities = PrinterCapabilities.sample
        (capabilities.trimmings, capabilities.defaultTrimming) = ([.never, .afterPages, .afterJob], .afterPages)
        let printer = try await describe("all", of: .office(capabilities))
        #expect(
            printer.keywords("finishing-template-supported") == ["none", "trim-after-pages", "trim-after-job"])
        #expect(printer.keywords("finishings-col-supported") == ["finishing-template"])
        func templates(_ name: String) -> [String] {
            printer[name]?.values.compactMap { $0.collectionValue?.string("finishing-template") } ?? []
        }
        #expect(templates("finishings-col-database") == ["none", "trim-after-pages", "trim-after-job"])
        #expect(templates("finishings-col-ready") == templates("finishings-col-database"))
        #expect(templates("finishings-col-default") == ["trim-after-pages"])
        #expect(printer["finishings-ready"]?.values == printer["finishings-supported"]?.values)
        let one = Attribute(
            "finishings-col", .collection(IPP.Collection([Attribute("finishing-template", .keyword("trim-after-job"))]))
        )
        #expect(JobTicket.read([one], at: 0).ticket.trimming == .afterJob)
    }

    @Test
    func `every printer reports the required attributes for finishings, banner pages and overrides`() async throws {
        let printer = try await describe("all")
        #expect(printer.keywords("finishing-template-supported") == ["none"])
        #expect(printer["job-sheets-col-default"]?.collectionValue?.string("job-sheets") == "none")
        #expect(printer.keywords("job-sheets-col-supported") == ["job-sheets"])
        #expect(printer.keywords("job-sheets-default") == ["none"])
        #expect(Set(["none", "standard", "topsecret"]).isSubset(of: printer.keywords("job-sheets-supported")))
        #expect(printer.keywords("overrides-supported").contains("pages"))
        #expect(printer["job-hold-until-time-supported"]?.rangeValue?.upper == .max)
        #expect((printer.integer("max-page-ranges-supported") ?? 0) > 1)
        #expect(printer.keywords("print-content-optimize-supported") == ["auto"])
        #expect(printer.keywords("print-rendering-intent-default") == ["auto"])
        #expect(printer.boolean("preferred-attributes-supported") == false)
        #expect(printer["printer-geo-location"]?.first?.outOfBandValue == .unknown)
    }

    @Test func `a printer's additional attributes are in the groups that the standard specifies`() async throws {
        var office = ServedPrinter.office()
        office.extra = [
            Attribute("output-bin-supported", .keyword("face-up")),
            Attribute("media-source-supported", .keyword("auto")),
            Attribute("printer-supply", .octetString([])), Attribute("sides-default", .keyword("one-sided")),
        ]
        let template = try await describe("job-template", of: office).attributes.map(\.name)
        let description = try await describe("printer-description", of: office).attributes.map(\.name)
        for name in ["output-bin-supported", "media-source-supported", "sides-default"] {
            #expect(template.contains(name) && !description.contains(name), "\(name)")
        }
        #expect(description.contains("printer-supply") && !template.contains("printer-supply"))
        #expect(Set(template).isDisjoint(with: description), "\(Set(template).intersection(description))")
    }

    @Test func `printer-config-change-time is the time of the last configuration change, and is never in the future`()
        async throws
    {
        var office = ServedPrinter.office()
        #expect(try await describe("all", of: office).integer("printer-config-change-time") == 1_000_000)
        office.configurationChangedAt = 500
        #expect(try await describe("all", of: office).integer("printer-config-change-time") == 500)
        office.configurationChangedAt = 2_000_000
        #expect(try await describe("all", of: office).integer("printer-config-change-time") == 1_000_000)
    }
}
