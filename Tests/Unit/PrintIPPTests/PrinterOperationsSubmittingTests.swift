// Tests submitting jobs over IPP.

import IPP
import PrintIPP
import PrintModel
import Testing

struct PrinterOperationsSubmittingTests {
    private let service = ScriptedService(jobs: [.sample(id: 5)])
    private let fidelity = Attribute("ipp-attribute-fidelity", .boolean(true))

    private var asked: JobRequest? { service.record.withLock { $0.requests.last } }

    @Test func `Print-Job returns the number, URI, state, name and printer of the new job`() async {
        let answer = await service.ask(
            .printJob, "ipp://localhost/printers/office",
            [Attribute("job-name", .name("Letter")), Attribute("document-format", .mimeMediaType("application/pdf"))],
            job: [Attribute("copies", .integer(2))])
        #expect(answer.status == .successfulOk)
        #expect(answer[.job]?.integer("job-id") == 41)
        #expect(answer[.job]?.string("job-uri") == "ipp://localhost/jobs/41")
        #expect(answer[.job]?.integer("job-state") == 3)
        #expect(answer[.job]?.string("job-name") == "Report", "the name that the service gave the job")
        #expect(answer[.job]?.string("job-printer-uri") == "ipp://localhost/printers/office")
        #expect(asked?.name == "Letter")
        #expect(asked?.ticket.copies == 2)
        #expect(asked?.requester.name == "alice")
        #expect(service.record.withLock { $0.documents.first??.format } == .pdf)
    }

    @Test func `a job without a name has the document's name or the name 'Untitled'`() async {
        _ = await service.ask(.createJob, "ipp://localhost/", [Attribute("document-name", .name("a.pdf"))])
        #expect(asked?.name == "a.pdf")
        _ = await service.ask(.createJob)
        #expect(asked?.name == "Untitled")
    }

    @Test func `unsupported attributes are reported, and the job is created without these attributes`() async {
        let answer = await service.ask(
            .printJob,
            job: [
                Attribute("copies", .integer(-3)), Attribute("number-up", .integer(3)),
                Attribute("job-perfume", .keyword("rose")), Attribute("sides", .keyword("two-sided-short-edge")),
            ])
        #expect(answer.status == .successfulOkIgnoredOrSubstitutedAttributes)
        #expect(answer.unsupportedNames == ["copies", "number-up", "job-perfume"])
        #expect(asked?.ticket.copies == nil)
        #expect(asked?.ticket.duplex == .shortEdge)
    }

    @Test(arguments: [
        Attribute("number-up", .integer(3)), Attribute("finishings", .enumeration(4)),
        Attribute("copies", .integer(100)), Attribute("media", .keyword("iso_a0_841x1189mm")),
        Attribute("job-perfume", .keyword("rose")),
    ])
    func `an unsupported attribute causes a rejection only if 'job-mandatory-attributes' contains the attribute`(
        attribute: Attribute
    ) async {
        let mandatory = Attribute("job-mandatory-attributes", .keyword("sides"), .keyword(attribute.name))
        let refused = await service.ask(.printJob, "ipp://localhost/", [mandatory], job: [attribute])
        #expect(refused.status == .clientErrorAttributesOrValuesNotSupported)
        #expect(refused.unsupportedNames == [attribute.name])
        let others = Attribute("job-mandatory-attributes", .keyword("sides"))
        let accepted = await service.ask(.printJob, "ipp://localhost/", [others], job: [attribute])
        #expect(accepted.status == .successfulOkIgnoredOrSubstitutedAttributes)
    }

    @Test(arguments: [
        Attribute("number-up", .integer(3)), Attribute("finishings", .enumeration(4)),
        Attribute("copies", .integer(100)), Attribute("media", .keyword("iso_a0_841x1189mm")),
        Attribute("job-perfume", .keyword("rose")),
        Attribute("printer-resolution", .resolution(Resolution(crossFeed: 1200, feed: 1200))),
        Attribute("printer-resolution", .resolution(Resolution(crossFeed: 600, feed: 300))),
        Attribute("printer-resolution", .keyword("fine")),
        Attribute("print-content-optimize", .keyword("photo")),
        Attribute("print-rendering-intent", .keyword("perceptual")),
        Attribute("finishings-col", .collection(IPP.Collection([Attribute("finishing-template", .keyword("staple"))]))),
        Attribute("job-sheets-col", .collection(IPP.Collection([Attribute("job-sheets", .keyword("ours"))]))),
    ])
    func `with ipp-attribute-fidelity, a job is rejected if the job cannot be printed as requested`(
        attribute: Attribute
    )
        async
    {
        for operation in [Operation.printJob, .createJob, .validateJob] {
            let answer = await service.ask(operation, "ipp://localhost/", [fidelity], job: [attribute])
            #expect(answer.status == .clientErrorAttributesOrValuesNotSupported)
            #expect(answer.unsupportedNames == [attribute.name])
            #expect(answer.statusMessage?.isEmpty == false)
        }
        #expect(asked == nil)
    }

    @Test(arguments: [
        Attribute("number-up", .integer(2)), Attribute("fit-to-page", .boolean(true)),
        Attribute("outputorder", .name("reverse")),
    ])
    func `an unsupported option is reported and omitted if the request contains its IPP or CUPS attribute name`(
        attribute: Attribute
    ) async {
        let service = ScriptedService(options: ["copies", "media"])
        let answer = await service.ask(.createJob, job: [attribute, Attribute("copies", .integer(2))])
        #expect(answer.status == .successfulOkIgnoredOrSubstitutedAttributes)
        #expect(answer[.unsupported]?.attributes == [Attribute(attribute.name, .outOfBand(.unsupported))])
        var copies = JobTicket()
        copies.copies = 2
        #expect(service.record.withLock { $0.requests.first?.ticket } == copies)
        let strict = await service.ask(.validateJob, "ipp://localhost/", [fidelity], job: [attribute])
        #expect(strict.status == .clientErrorAttributesOrValuesNotSupported)
    }

    @Test func `a printer that does not accept jobs rejects new jobs`() async {
        let service = ScriptedService(printers: [.office(isAccepting: false)])
        for operation in [Operation.printJob, .createJob, .validateJob] {
            #expect(await service.ask(operation).status == .serverErrorNotAcceptingJobs)
        }
    }

    @Test func `unsupported formats and compressions are rejected before the document is read`() async {
        let format = Attribute("document-format", .mimeMediaType("text/x-poem"))
        let answer = await service.ask(.printJob, "ipp://localhost/", [format])
        #expect(answer.status == .clientErrorDocumentFormatNotSupported)
        #expect(answer[.unsupported]?.attributes == [format])
        let packing = Attribute("compression", .keyword("origami"))
        let other = await service.ask(.validateJob, "ipp://localhost/", [packing])
        #expect(other.status == .clientErrorCompressionNotSupported)
        #expect(other[.unsupported]?.attributes == [packing])
        #expect(asked == nil)
    }

    @Test func `Send-Document requires last-document and is allowed only for the job's owner`() async {
        let uri = "ipp://localhost/jobs/5"
        #expect(await service.ask(.sendDocument, uri).status == .clientErrorBadRequest)
        let last = [Attribute("last-document", .boolean(true))]
        #expect(await service.ask(.sendDocument, uri, last, as: "bob").status == .clientErrorNotAuthorized)
        let answer = await service.ask(.sendDocument, uri, last)
        #expect(answer.status == .successfulOk)
        #expect(answer[.job]?.integer("job-id") == 5)
        #expect(service.record.withLock { $0.documents.count } == 1)
    }

    @Test func `option values that the printer supports are stored in the job`() async throws {
        let wanted = [
            Attribute("printer-resolution", .resolution(Resolution(crossFeed: 600, feed: 600))),
            Attribute("print-content-optimize", .keyword("auto")),
            Attribute("print-rendering-intent", .keyword("auto")),
        ]
        let others = [
            Attribute(
                "finishings-col", .collection(IPP.Collection([Attribute("finishing-template", .keyword("none"))]))),
            Attribute("job-sheets-col", .collection(IPP.Collection([Attribute("job-sheets", .keyword("none"))]))),
        ]
        let answer = await service.ask(.printJob, "ipp://localhost/", [fidelity], job: wanted + others)
        #expect(answer.status == .successfulOk, "\(answer)")
        let ticket = try #require(asked?.ticket)
        #expect(wanted.allSatisfy(ticket.attributes.contains), "\(ticket.attributes)")
        #expect(ticket.trimming == .never)
        let device = ticket.plan(for: .sample).device
        #expect(device.resolution == RasterResolution(600))
    }

    @Test
    func `without ipp-attribute-fidelity, unsupported values are reported and not stored in the job`() async throws {
        let photo = Attribute("print-content-optimize", .keyword("photo"))
        let answer = await service.ask(.printJob, job: [photo])
        #expect(answer.status == .successfulOkIgnoredOrSubstitutedAttributes)
        #expect(answer[.unsupported]?.attributes == [photo])
        #expect(asked?.ticket == JobTicket())
    }

    @Test func `Close-Job closes a job without adding a document`() async {
        #expect(await service.ask(.closeJob, "ipp://localhost/jobs/5").status == .successfulOk)
        #expect(service.record.withLock { $0.documents.count == 1 && $0.documents[0] == nil })
    }
}
