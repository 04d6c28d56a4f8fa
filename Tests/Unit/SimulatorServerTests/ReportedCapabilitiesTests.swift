import IPP
import PrintModel
import PrintTestSupport
import PrinterSimulator
import SimulatorServer
import Testing

/// Tests of the capabilities that printers report.
@Suite(.timeLimit(.minutes(1))) struct ReportedCapabilitiesTests {
    private static let raster = """
        { name: 'laser', makeAndModel: 'Raster', media: ['A4'], formats: ['image/pwg-raster'],
          outputBins: ['face-down', 'face-up', { name: 'rear', faces: 'up', order: 'last-to-first' }] }
        """

    @Test
    func `print-scaling selects the scaling of pages, and a job without print-scaling uses print-scaling-default`()
        async throws
    {
        let worker = ScriptedWorker(pages: 1)
        try await TestPrinters.serving(worker) { printers in
            let printer = try await printers.ask(.getPrinterAttributes)[.printer]
            let offered = printer?.keywords("print-scaling-supported") ?? []
            #expect(offered == ["auto", "auto-fit", "fit", "fill", "none"])
            #expect(printer?.keywords("print-scaling-default") == ["auto"])
            #expect(printer?.keywords("job-creation-attributes-supported").contains("print-scaling") == true)
            for scaling in offered {
                let id = try await printers.print([Attribute("print-scaling", .keyword(scaling))])
                _ = try await printers.job(id)
                #expect(worker.requests.last?.scaling.rawValue == scaling)
                #expect(try await printers.attributes(of: id).keywords("print-scaling") == [scaling])
            }
            _ = try await printers.job(try await printers.print())
            #expect(worker.requests.last?.scaling == .auto)
        }
    }

    @Test func `with ipp-attribute-fidelity=true, print-scaling 'auto' enlarges pages that are smaller than the paper`()
        async throws
    {
        let worker = ScriptedWorker(pages: 1)
        try await TestPrinters.serving(worker) { printers in
            for (scaling, expected) in [("auto", PrintScaling.fit), ("auto-fit", .fit), ("none", .none)] {
                let answer = try await printers.ask(
                    .printJob, [Attribute("ipp-attribute-fidelity", .boolean(true))],
                    template: [Attribute("print-scaling", .keyword(scaling))], document: TestPrinters.pdf)
                _ = try await printers.job(Int(try #require(answer[.job]?.integer("job-id"))))
                #expect(worker.requests.last?.scaling == expected)
            }
            let borderless = Attribute(
                "media-col",
                .collection(
                    IPP.Collection(
                        [
                            Attribute(
                                "media-size",
                                .collection(
                                    IPP.Collection([
                                        Attribute("x-dimension", .integer(10_160)),
                                        Attribute("y-dimension", .integer(15_240)),
                                    ])))
                        ]
                            + ["top", "left", "bottom", "right"].map {
                                Attribute("media-\($0)-margin", .integer(0))
                            })))
            let answer = try await printers.ask(
                .printJob, at: TestPrinters.inkjetURI, [Attribute("ipp-attribute-fidelity", .boolean(true))],
                template: [borderless], document: TestPrinters.pdf)
            _ = try await printers.job(Int(try #require(answer[.job]?.integer("job-id"))), at: 1)
            #expect(worker.requests.last?.scaling == .fill)
        }
    }

    @Test func `if a printer supports only raster formats, the printer reports print-scaling-supported=none`()
        async throws
    {
        try await TestPrinters.serving(printers: [Self.raster]) { printers in
            let printer = try await printers.ask(.getPrinterAttributes)[.printer]
            #expect(printer?.keywords("print-scaling-supported") == ["none"])
            #expect(printer?.keywords("print-scaling-default") == ["none"])
            let answer = try await printers.ask(.validateJob, template: [Attribute("print-scaling", .keyword("fit"))])
            #expect(answer.status == .successfulOkIgnoredOrSubstitutedAttributes)
            #expect(answer[.unsupported]?.keywords("print-scaling") == ["fit"])
        }
    }

    @Test func `for document-format 'image/pwg-raster', a printer reports only print-scaling 'none'`() async throws {
        try await TestPrinters.serving(printers: [Self.raster.replacing("['image", with: "['application/pdf', 'image")])
        {
            printers in
            for (format, expected) in [("application/pdf", 5), ("image/pwg-raster", 1), (nil, 5)] {
                let asked = format.map { [Attribute("document-format", .mimeMediaType($0))] } ?? []
                let printer = try await printers.ask(.getPrinterAttributes, asked)[.printer]
                #expect(printer?.keywords("print-scaling-supported").count == expected)
                #expect(printer?.attributes.filter { $0.name == "print-scaling-default" }.count == 1)
            }
        }
    }

    @Test func `sheets are delivered to the requested output bin, and the printer reports the sheet order of each bin`()
        async throws
    {
        let worker = ScriptedWorker(pages: 2)
        let bins = Self.raster.replacing("'image/pwg-raster'", with: "'application/pdf'")
        try await TestPrinters.serving(worker, printers: [bins]) { printers in
            let printer = try await printers.ask(.getPrinterAttributes)[.printer]
            #expect(printer?.keywords("output-bin-supported") == ["face-down", "face-up", "rear"])
            #expect(printer?.keywords("job-creation-attributes-supported").contains("output-bin") == true)
            let said = printer?["printer-output-tray"]?.values.compactMap { value in
                if case .octetString(let bytes) = value { String(decoding: bytes, as: UTF8.self) } else { nil }
            }
            #expect(said?[1].contains("stackingorder=firstToLast;pagedelivery=faceUp;") == true)
            #expect(said?[2].contains("stackingorder=lastToFirst;pagedelivery=faceUp;") == true)
            for (bin, isReversed) in [("face-down", false), ("face-up", true), ("rear", false)] {
                let id = try await printers.print([Attribute("output-bin", .keyword(bin))])
                #expect(try await printers.job(id).outputBin == bin)
                #expect(worker.requests.last?.isStackReversed == isReversed)
                #expect(try await printers.attributes(of: id).keywords("output-bin") == [bin])
            }
            let answer = try await printers.ask(
                .printJob, [Attribute("ipp-attribute-fidelity", .boolean(true))],
                template: [Attribute("output-bin", .keyword("top"))], document: TestPrinters.pdf)
            #expect(answer.status == .clientErrorAttributesOrValuesNotSupported)
            #expect(answer[.unsupported]?.keywords("output-bin") == ["top"])
        }
    }

    @Test func `the reported attributes for multiple-document jobs match the printer's behavior`() async throws {
        let worker = ScriptedWorker(pages: 2)
        try await TestPrinters.serving(worker) { printers in
            let printer = try #require(try await printers.ask(.getPrinterAttributes)[.printer])
            #expect(printer.boolean("multiple-document-jobs-supported") == true)
            #expect(printer.keywords("multiple-operation-time-out-action") == ["abort-job"])
            for handling in printer.keywords("multiple-document-handling-supported") {
                let made = try await printers.ask(
                    .createJob,
                    template: [
                        Attribute("multiple-document-handling", .keyword(handling)), Attribute("copies", .integer(2)),
                    ])
                let id = Int(try #require(made[.job]?.integer("job-id")))
                for isLast in [false, true] {
                    let sent = try await printers.ask(
                        .sendDocument, job: id, [Attribute("last-document", .boolean(isLast))],
                        document: TestPrinters.pdf)
                    #expect(sent.status == .successfulOk)
                }
                let job = try await printers.job(id)
                #expect(job.state == .completed && job.documents.count == 2 && job.impressions == 8)
                #expect(worker.requests.last?.others.count == 1)
                #expect(worker.requests.last?.collated == (handling == "separate-documents-collated-copies"))
                #expect(try await printers.attributes(of: id).integer("number-of-documents") == 2)
            }
            // The inkjet printer does not collate copies, and reports only uncollated copies.
            let inkjet = try await printers.ask(.getPrinterAttributes, at: TestPrinters.inkjetURI)[.printer]
            #expect(
                inkjet?.keywords("multiple-document-handling-supported") == ["separate-documents-uncollated-copies"])
        }
    }

    @Test func `unsupported attribute values are returned in the unsupported-attributes group`() async throws {
        try await TestPrinters.serving { printers in
            let wrong = [
                Attribute("printer-resolution", .resolution(Resolution(crossFeed: 1200, feed: 1200))),
                Attribute("print-rendering-intent", .keyword("perceptual")),
                Attribute("print-content-optimize", .keyword("photo")),
            ]
            let answer = try await printers.ask(.validateJob, template: wrong)
            #expect(answer.status == .successfulOkIgnoredOrSubstitutedAttributes)
            #expect(answer[.unsupported]?.attributes == wrong)
            let right = [
                Attribute("printer-resolution", .resolution(Resolution(crossFeed: 300, feed: 300))),
                Attribute("print-rendering-intent", .keyword("auto")),
                Attribute("print-content-optimize", .keyword("auto")),
            ]
            #expect(try await printers.ask(.validateJob, template: right).status == .successfulOk)
        }
    }

    @Test func `every attribute in job-creation-attributes-supported has a '-supported' attribute`() async throws {
        try await TestPrinters.serving { printers in
            for uri in [TestPrinters.laserURI, TestPrinters.inkjetURI] {
                let printer = try #require(try await printers.ask(.getPrinterAttributes, at: uri)[.printer])
                // Attributes that lp sends unchanged and members of media-col have no '-supported' attribute.
                let unsaid: Set = ["collate", "job-name", "media-source", "media-type"]
                for name in printer.keywords("job-creation-attributes-supported") where !unsaid.contains(name) {
                    #expect(printer["\(name)-supported"] != nil, "\(name)")
                }
            }
        }
    }
}
