import FoundationEssentials
import IPP
import PrintModel
import PrintTestSupport
import PrinterSimulator
import SimulatorServer
import Testing

/// Tests of the effects of options that clients send.
struct TicketTests {
    @Test func `a simulated printer applies the options of a job and stores the job ticket unchanged`() async throws {
        let worker = ScriptedWorker(pages: 2)
        try await TestPrinters.serving(worker) { printers in
            let id = try await printers.print([
                Attribute("copies", .integer(2)), Attribute("page-ranges", .range(IntegerRange(lower: 1, upper: 2))),
                Attribute("print-color-mode", .keyword("monochrome")),
                Attribute("multiple-document-handling", .keyword("separate-documents-uncollated-copies")),
                Attribute(
                    "media-col",
                    .collection(
                        IPP.Collection([
                            Attribute("media-size", .collection(Media.letter.mediaSizeForTest)),
                            Attribute("media-source", .keyword("tray-2")),
                        ]))),
            ])
            let job = try await printers.job(id)
            #expect(job.state == .completed)
            #expect(job.impressionsCompleted == 4)
            let request = try #require(worker.requests.first)
            #expect(request.copies == 2)
            #expect(request.collated == false)
            #expect(request.monochrome)
            #expect(request.paper.media == .letter)
            #expect(request.pageRanges.description == "1-2")
            #expect(
                job.ticket
                    == [
                        "copies": 2, "page-ranges": ["lower": 1, "upper": 2], "print-color-mode": "monochrome",
                        "multiple-document-handling": "separate-documents-uncollated-copies",
                        "media-col": [
                            "media-size": ["x-dimension": 21590, "y-dimension": 27940], "media-source": "tray-2",
                        ],
                    ])
            // The sheets came from the requested tray.
            let trays = await printers.service.devices[0].status.trays
            #expect(trays.map(\.loaded) == [nil, 6])
            let shown = try await printers.attributes(of: id)
            #expect(shown.integer("copies") == 2)
            #expect(shown["print-quality"] == nil)
        }
    }

    @Test func `zero margins in media-col select the borderless paper`() async throws {
        let worker = ScriptedWorker(pages: 1)
        try await TestPrinters.serving(worker) { printers in
            func mediaCol(_ margin: Int32) -> Attribute {
                Attribute(
                    "media-col",
                    .collection(
                        IPP.Collection(
                            [Attribute("media-size-name", .keyword("na_index-4x6_4x6in"))]
                                + ["top", "left", "bottom", "right"].map {
                                    Attribute("media-\($0)-margin", .integer(margin))
                                })))
            }
            _ = try await printers.job(try await printers.print(at: TestPrinters.inkjetURI, [mediaCol(0)]), at: 1)
            _ = try await printers.job(try await printers.print(at: TestPrinters.inkjetURI, [mediaCol(423)]), at: 1)
            #expect(worker.requests.map(\.paper.isBorderless) == [true, false])
        }
    }

    @Test func `unsupported options are reported in the response and again when the job has ended`() async throws {
        try await TestPrinters.serving { printers in
            let answer = try await printers.ask(
                .printJob, at: TestPrinters.inkjetURI,
                template: [Attribute("sides", .keyword("two-sided-long-edge")), Attribute("copies", .integer(5))],
                document: TestPrinters.pdf)
            #expect(answer.status == .successfulOkIgnoredOrSubstitutedAttributes)
            #expect(Set(answer[.unsupported]?.attributes.map(\.name) ?? []) == ["sides", "copies"])
            _ = try await printers.job(1, at: 1)
            let job = try await printers.attributes(of: 1, at: TestPrinters.inkjetURI)
            #expect(job.keywords("job-state-reasons") == ["job-completed-with-warnings"])
            #expect(
                job.string("job-state-message")
                    == "cannot print two-sided-long-edge; printed one-sided instead (and 1 more warning)")
            #expect(job.strings("job-detailed-status-messages").count == 2)
        }
    }

    @Test(arguments: [
        ("sides", "bogus"), ("media", "bogus"), ("media", "4x6.Striped"), ("print-quality", "bogus"),
        ("print-scaling", "bogus"), ("print-color-mode", "bogus"), ("number-up", "2"), ("output-bin", "bogus"),
    ])
    func `if a simulated printer replaces job options, each replaced option adds one warning to the job`(
        name: String, value: String
    )
        async throws
    {
        try await TestPrinters.serving { printers in
            let answer = try await printers.ask(
                .printJob, at: TestPrinters.inkjetURI, template: [Attribute(name, .keyword(value))],
                document: TestPrinters.pdf)
            #expect(answer.status == .successfulOkIgnoredOrSubstitutedAttributes)
            #expect(answer[.unsupported]?.attributes.map(\.name) == [name])
            let job = try await printers.job(1, at: 1)
            #expect(job.state == .completed && job.warnings.count == 1, "\(job.warnings)")
            #expect(job.warnings.first?.contains(value) == true || job.warnings.first?.contains(name) == true)
        }
    }

    @Test func `a job with a password is held and is printed with a warning after its release`() async throws {
        try await TestPrinters.serving { printers in
            let answer = try await printers.ask(
                .printJob, [Attribute("job-password", .octetString([49, 50]))], document: TestPrinters.pdf)
            #expect(answer.status == .successfulOkIgnoredOrSubstitutedAttributes)
            #expect(answer[.unsupported]?.attributes.map(\.name) == ["job-password"])
            let held = try #require(await printers.service.devices[0].job(1))
            #expect(held.state == .pendingHeld && held.warnings.count == 1)
            #expect(try await printers.attributes(of: 1).string("job-state-message") == held.warnings.first)
            _ = try await printers.ask(.releaseJob, job: 1)
            #expect(try await printers.job(1).reasons == [.jobCompletedWithWarnings])
        }
    }

    @Test(arguments: [("page-set", "odd"), ("scaling", "80"), ("mirror", "true")])
    func `options that only printd applies cause a warning at a simulated printer`(
        name: String, value: String
    ) async throws {
        try await TestPrinters.serving { printers in
            var ticket = JobTicket()
            try ticket.set(name, to: value, at: 0)
            let job = try await printers.job(try await printers.print(ticket.attributes))
            #expect(job.warnings == ["laser does not support \(name)"])
        }
    }

    @Test func `lp's media option can select a tray, and number-up=1 causes no warning`() async throws {
        try await TestPrinters.serving { printers in
            let asked = [
                Attribute("media", .keyword("A4"), .keyword("tray-2")), Attribute("number-up", .integer(1)),
                Attribute("print-quality", .enumeration(4)),
            ]
            let job = try await printers.job(try await printers.print(asked))
            #expect(job.options.mediaSource == "tray-2" && job.warnings == [])
            #expect(await printers.service.devices[0].status.trays.map(\.loaded) == [nil, 7])
            let other = try await printers.print([Attribute("media", .name("A4,tray-9"))])
            #expect(
                try await printers.job(other).warnings == [
                    "no tray 'tray-9'; selected a tray with the requested paper instead"
                ])
            let odd = try await printers.ask(
                .printJob, template: [Attribute("media", .name("A4,upstairs"))], document: TestPrinters.pdf)
            #expect(odd.status == .successfulOkIgnoredOrSubstitutedAttributes)
            #expect(odd[.unsupported]?.attributes.map(\.name) == ["media"])
        }
    }

    @Test func `if an unsupported option is changed to a supported value, the warning is removed`() async throws {
        try await TestPrinters.serving { printers in
            _ = try await printers.ask(.pausePrinter)
            let id = try await printers.print([
                Attribute("sides", .keyword("bogus")), Attribute("media", .keyword("bogus")),
            ])
            #expect(await printers.service.devices[0].job(id)?.warnings.count == 2)
            let changed = try await printers.ask(
                .setJobAttributes, job: id, template: [Attribute("sides", .keyword("two-sided-long-edge"))])
            #expect(changed.status == .successfulOk)
            let warnings = await printers.service.devices[0].job(id)?.warnings
            #expect(warnings?.count == 1 && warnings?.first?.contains("media") == true, "\(warnings ?? [])")
        }
    }

    @Test func `a job with ipp-attribute-fidelity and an unsupported option is refused`() async throws {
        try await TestPrinters.serving { printers in
            let answer = try await printers.ask(
                .printJob, at: TestPrinters.inkjetURI, [Attribute("ipp-attribute-fidelity", .boolean(true))],
                template: [Attribute("copies", .integer(5))], document: TestPrinters.pdf)
            #expect(answer.status == .clientErrorAttributesOrValuesNotSupported)
            #expect(answer[.unsupported]?.integer("copies") == 5)
        }
    }

    @Test func `number-up=2 and reverse page order are reported as unsupported`() async throws {
        try await TestPrinters.serving { printers in
            let answer = try await printers.ask(
                .printJob,
                template: [Attribute("number-up", .integer(2)), Attribute("page-delivery", .keyword("reverse-order"))],
                document: TestPrinters.pdf)
            #expect(answer.status == .successfulOkIgnoredOrSubstitutedAttributes)
            #expect(
                Set(answer[.unsupported]?.attributes.map(\.name) ?? []) == ["number-up", "page-delivery"])
        }
    }

    @Test func `if a printer clips the content of a page, the job's message names the clipped edge`() async throws {
        let worker = ScriptedWorker(.pages([ScriptedWorker.page(1), ScriptedWorker.page(2, clipped: [.left])]))
        try await TestPrinters.serving(worker) { printers in
            _ = try await printers.job(try await printers.print())
            let job = try await printers.attributes(of: 1)
            #expect(job.keywords("job-state-reasons") == ["job-completed-with-warnings"])
            #expect(job.string("job-state-message") == "content clipped at the left margin on page 2")
        }
    }

    @Test func `an unreadable document aborts its job with a reason`() async throws {
        let worker = ScriptedWorker(.failure(WorkError(.damaged, "the PDF is damaged")))
        try await TestPrinters.serving(worker) { printers in
            _ = try await printers.job(try await printers.print())
            let job = try await printers.attributes(of: 1)
            #expect(job.integer("job-state") == 8)
            #expect(job.keywords("job-state-reasons") == ["document-format-error", "aborted-by-system"])
            #expect(job.string("job-state-message") == "the PDF is damaged")
        }
    }
}

extension Media {
    var mediaSizeForTest: IPP.Collection {
        IPP.Collection([
            Attribute("x-dimension", .integer(Int32(width.hundredths))),
            Attribute("y-dimension", .integer(Int32(height.hundredths))),
        ])
    }
}
