// Tests that every attribute of a job is applied, reported in a warning, or refused.

import IPP
import IPPTestSupport
@testable import PrintIPP
import PrintModel
import PrintServer
import PrintSpool
import PrintTestSupport
import Testing

struct JobAttributeTests {
    private let quiet: QuietSpool

    init() async throws { quiet = try await QuietSpool() }

    private func ask(
        _ operation: IPP.Operation, _ attributes: [Attribute] = [], job: [Attribute] = [], document: [Attribute] = []
    ) async -> Message {
        let operations = PrinterOperations(
            quiet.service, numbersJobsGlobally: true, isOpen: false, accounts: TestAccounts.shared.accounts,
            clock: Spool.systemTime)
        let target = [
            Attribute("printer-uri", .uri("ipp://localhost/printers/quiet")),
            Attribute("requesting-user-name", .name("ann")),
        ]
        let message = Message(
            version: .v2_0, operation: operation, requestID: 1,
            groups: [.operation(target + attributes)] + (job.isEmpty ? [] : [AttributeGroup(.job, job)])
                + (document.isEmpty ? [] : [AttributeGroup(.document, document)]))
        return await operations.respond(
            to: IPPRequest(
                message: message, document: DocumentStream(bytes: Array("%PDF-1.4".utf8)),
                peer: TestAccounts.shared.peer("ann")))
    }

    private func job(_ answer: Message) async throws -> Job {
        let id = Int(try #require(answer[.job]?.integer("job-id")))
        return try #require(try await quiet.spool.job(id))
    }

    /// A supported value of each print option, in the notation of `PrintOption`.
    private static let values: [String: String] = [
        "copies": "2", "page-ranges": "1-2", "sides": "one-sided", "media": "A4", "media-type": "stationery",
        "media-source": "tray-1", "output-bin": "face-down", "orientation-requested": "landscape", "number-up": "2",
        "presentation-direction-number-up": "tobottom-toright", "page-border": "single", "print-scaling": "fit",
        "scaling": "80", "mirror": "true", "page-set": "odd", "print-color-mode": "monochrome",
        "print-quality": "normal", "finishings": "none", "output-type": "general", "page-delivery": "reverse-order",
        "multiple-document-handling": "single-document", "collate": "false", "job-priority": "70",
        "job-hold-until": "indefinite", "job-sheets": "standard,secret", "job-retain-until": "none",
        "imposition-template": "signature",
        "printq-booklet-signature-size": "4", "printq-booklet-binding": "right-edge",
        "printq-booklet-sides": "front", "printq-poster": "2x2", "printq-poster-overlap": "5mm",
        "printq-page-numbers": "top-right", "printq-page-number-format": "n-of-m", "printq-watermark": "Draft",
        "printq-watermark-layer": "under", "printq-page-header": "{title}", "cpi": "12", "lpi": "7.5",
        "wrap": "false", "line-numbers": "true", "prettyprint": "true", "columns": "2", "tab-width": "4",
        "document-charset": "utf-8", "printq-office": "notes", "printq-sheets": "2",
    ]

    /// Options of which one value of a booklet requires the option `imposition-template` on a one-sided printer.
    private static let companions = ["imposition-template": [("printq-booklet-sides", "front")]]

    @Test func `the table of values contains every print option`() {
        #expect(Set(Self.values.keys) == Set(PrintOption.all.map(\.name)))
    }

    @Test(arguments: PrintOption.all.map(\.name))
    func `a supported value of a print option is applied without a warning`(name: String) async throws {
        var ticket = JobTicket()
        for (other, value) in Self.companions[name] ?? [] { try ticket.set(other, to: value, at: 0) }
        try ticket.set(name, to: try #require(Self.values[name]), at: 0)
        let fidelity = Attribute("ipp-attribute-fidelity", .boolean(true))
        let answer = await ask(.printJob, [fidelity], job: ticket.attributes)
        #expect(answer.status == .successfulOk, "\(answer)")
        let job = try await job(answer)
        #expect(job.allWarnings == [])
        ticket.requiresFidelity = true
        #expect(job.ticket == ticket)
    }

    @Test func `the list of attributes contains every print option, and no attribute twice`() {
        #expect(Set(PrintOption.all.map(\.name)).isSubset(of: JobAttribute.names(.applied)))
        #expect(Set(JobAttribute.all.map { "\($0.name) \($0.isOfOperation)" }).count == JobAttribute.all.count)
    }

    /// Attributes with a value of the right syntax that is not supported.
    private static let wrongValues: [Attribute] = [
        Attribute("copies", .integer(0)), Attribute("copies", .integer(100_000)),
        Attribute("finishings", .enumeration(4)), Attribute("media", .keyword("nosuch")),
        Attribute("sides", .keyword("foo")), Attribute("number-up", .integer(7)),
        Attribute("print-quality", .enumeration(9)), Attribute("orientation-requested", .enumeration(99)),
        Attribute("job-priority", .integer(101)), Attribute("page-ranges", .range(IntegerRange(lower: 5, upper: 2))),
        Attribute("scaling", .integer(0)), Attribute("scaling", .integer(1001)),
        Attribute("printer-resolution", .resolution(Resolution(crossFeed: 1, feed: 1))),
        Attribute("finishings-col", .collection(IPP.Collection([Attribute("x", .integer(1))]))),
        Attribute("job-sheets", .keyword("standard"), .keyword("standard"), .keyword("standard")),
        Attribute(
            "job-sheets-col",
            .collection(
                IPP.Collection([Attribute("job-sheets", .keyword("standard")), Attribute("media", .keyword("x"))]))),
        Attribute(
            "media-col",
            .collection(IPP.Collection([Attribute("media-size-name", .keyword("nosuch"))]))),
        Attribute("print-content-optimize", .keyword("photo")),
        Attribute("print-rendering-intent", .keyword("perceptual")),
    ]

    /// Every attribute of a job that can cause a warning, with a word that is no value, or with a value of the wrong
    /// syntax.
    private static let unsupported: [Attribute] =
        JobAttribute.all.filter { [.applied, .unsupported].contains($0.treatment) && !$0.isOfOperation }
        .flatMap { attribute -> [Attribute] in
            var ticket = JobTicket()
            let isAnyText = (try? ticket.set(attribute.name, to: "bogus", at: 0)) != nil
            return (isAnyText ? [] : [Attribute(attribute.name, .keyword("bogus"))])
                + [Attribute(attribute.name, .resolution(Resolution(crossFeed: 1, feed: 1)))]
        } + wrongValues

    @Test(arguments: unsupported)
    func `an unsupported value is reported to the client and in a warning of the job, or refused`(
        attribute: Attribute
    ) async throws {
        let answer = await ask(.printJob, job: [attribute])
        #expect(answer.status == .successfulOkIgnoredOrSubstitutedAttributes)
        #expect(answer[.unsupported]?.attributes.map(\.name) == [attribute.name])
        let job = try await job(answer)
        #expect(job.ticket.unapplied?.map(\.option) == [attribute.name])
        #expect(!job.message.isEmpty && job.message == job.warningText)
        let shown = await ask(
            .getJobAttributes,
            [
                Attribute("job-id", .integer(Int32(job.id))),
                Attribute(
                    "requested-attributes", .keyword("job-state-message"), .keyword("job-printer-state-message"),
                    .keyword("printq-why"),
                    .keyword("printq-warnings")),
            ])[.job]
        #expect(shown?.strings("printq-warnings") == job.allWarnings)
        #expect(shown?.string("job-state-message") == job.message)
        #expect(shown?.string("job-printer-state-message") == job.message, "the text of 'lpstat -l'")
        #expect(shown?.string("printq-why")?.contains(job.message) == true)

        let mandatory = Attribute("job-mandatory-attributes", .keyword(attribute.name))
        for demand in [Attribute("ipp-attribute-fidelity", .boolean(true)), mandatory] {
            let refused = await ask(.printJob, [demand], job: [attribute])
            #expect(refused.status == .clientErrorAttributesOrValuesNotSupported, "\(demand)")
            #expect(refused[.unsupported]?.attributes.map(\.name) == [attribute.name])
        }
    }

    @Test(
        arguments: JobAttribute.all.filter { [.unsupported].contains($0.treatment) && $0.isOfOperation }.map(\.name)
            + ["copies", "sides", "media-col", "x-image-shift"])
    func `an operation attribute that is not supported, or belongs to the job, is a warning or refused`(name: String)
        async throws
    {
        let stray = Attribute(name, .keyword("bogus"))
        let answer = await ask(.printJob, [stray])
        #expect(answer.status == .successfulOkIgnoredOrSubstitutedAttributes)
        #expect(answer[.unsupported]?.attributes.map(\.name) == [name])
        #expect(try await job(answer).ticket.unapplied?.map(\.option) == [name])
        let fidelity = Attribute("ipp-attribute-fidelity", .boolean(true))
        #expect(await ask(.printJob, [stray, fidelity]).status == .clientErrorAttributesOrValuesNotSupported)
    }

    @Test(arguments: JobAttribute.names(.descriptive, ofOperation: true).sorted())
    func `an operation attribute without effect on the pages causes no warning`(name: String) async throws {
        let answer = await ask(.printJob, [Attribute(name, .keyword("x"))])
        #expect(answer.status == .successfulOk)
        #expect(try await job(answer).allWarnings == [])
    }

    @Test func `the character encoding of the document can be an operation attribute`() async throws {
        let charset = Attribute("document-charset", .charset("shift_jis"))
        let made = try await job(await ask(.printJob, [charset]))
        #expect(made.ticket.attributes == [charset] && made.allWarnings == [])
        let wrong = await ask(.printJob, [Attribute("document-charset", .charset("no such set"))])
        #expect(wrong[.unsupported]?.attributes.map(\.name) == ["document-charset"])
        let open = try await job(await ask(.createJob))
        let sent = await ask(
            .sendDocument,
            [Attribute("job-id", .integer(Int32(open.id))), Attribute("last-document", .boolean(true)), charset])
        #expect(sent.status == .successfulOkIgnoredOrSubstitutedAttributes, "the encoding of one document")
    }

    @Test(arguments: [
        "media-back-coating", "media-color", "media-front-coating", "media-grain", "media-hole-count",
        "media-order-count", "media-pre-printed", "media-recycled", "media-thickness", "media-tooth",
        "media-top-offset", "media-tracking", "media-weight-metric",
    ])
    func `a member of media-col by which the printer does not select paper is a warning or refused`(member: String)
        async throws
    {
        func mediaCol(_ value: Value) -> Attribute {
            Attribute(
                "media-col",
                .collection(
                    IPP.Collection([
                        Attribute("media-size", .collection(Media.a4.mediaSize)), Attribute(member, value),
                        Attribute("media-key", .keyword("a4")), Attribute("media-info", .text("white")),
                    ])))
        }
        let answer = await ask(.printJob, job: [mediaCol(.keyword("blue"))])
        #expect(answer.status == .successfulOkIgnoredOrSubstitutedAttributes)
        let rest = answer[.unsupported]?["media-col"]?.collectionValue
        #expect(rest?.members.map(\.name) == [member])
        let made = try await job(answer)
        #expect(made.ticket.media == .a4)
        #expect(made.allWarnings == ["quiet does not select paper by \(member); choose a paper type or a tray"])
        let fidelity = Attribute("ipp-attribute-fidelity", .boolean(true))
        let refused = await ask(.printJob, [fidelity], job: [mediaCol(.keyword("blue"))])
        #expect(refused.status == .clientErrorAttributesOrValuesNotSupported)
        #expect(try await job(await ask(.printJob, job: [mediaCol(.keyword("none"))])).allWarnings == [])
    }

    @Test(arguments: JobTicket.ignored.sorted())
    func `an attribute without effect on the pages causes no warning`(name: String) async throws {
        let answer = await ask(.printJob, job: [Attribute(name, .name("x"))])
        #expect(answer.status == .successfulOk)
        #expect(try await job(answer).allWarnings == [])
    }

    @Test(arguments: [
        Attribute("job-error-sheet", .keyword("none")), Attribute("job-error-sheet-when", .keyword("auto")),
        Attribute("com.example.option", .name("1")), Attribute("blackplot", .boolean(false)),
        Attribute("job-sheets", .name("none"), .name("none")), Attribute("number-up", .integer(1)),
        Attribute("page-set", .keyword("all")), Attribute("job-hold-until", .keyword("no-hold")),
    ])
    func `an attribute that requests the usual behavior causes no warning`(attribute: Attribute) async throws {
        #expect(try await job(await ask(.printJob, job: [attribute])).allWarnings == [])
    }

    @Test func `an option that the printer does not support is a warning until the job moves to another printer`()
        async throws
    {
        let sides = Attribute("sides", .keyword("two-sided-long-edge"))
        let made = try await job(await ask(.printJob, job: [sides]))
        #expect(made.warnings.count == 1 && made.ticket.unapplied == nil)
        #expect(made.message.hasPrefix("quiet cannot print two-sided-long-edge"), "\(made.message)")
        var machine = JobStateMachine(job: made)
        _ = try machine.handle(.moveRequested(to: "other"), at: 1)
        #expect(machine.job.warnings == [] && machine.job.message == "")
    }

    @Test(arguments: [
        (
            Attribute("output-bin", .keyword("attic")),
            "quiet has no output bin 'attic'; choose one of face-down, mailbox-1"
        ),
        (
            Attribute(
                "media-col",
                .collection(
                    IPP.Collection(
                        [Attribute("media-size", .collection(Media.a4.mediaSize))]
                            + Margins.all(.millimeters(12)).mediaCol))),
            "quiet does not apply the margins of media-col; the margins of A4 are 5 (top), 5 (left), 5 (right) and "
                + "5 mm (bottom)"
        ),
    ])
    func `a bin and margins that the printer does not have are warnings`(attribute: Attribute, warning: String)
        async throws
    {
        let answer = await ask(.printJob, job: [attribute])
        #expect(answer.status == .successfulOkIgnoredOrSubstitutedAttributes)
        #expect(answer[.unsupported]?.attributes == [attribute])
        let made = try await job(answer)
        #expect(made.warnings == [warning] && made.ticket.unapplied == nil)
        let fidelity = Attribute("ipp-attribute-fidelity", .boolean(true))
        #expect(
            await ask(.printJob, [fidelity], job: [attribute]).status == .clientErrorAttributesOrValuesNotSupported)
    }

    @Test(arguments: [500, 510, 494])
    func `the margins of the printer's paper cause no warning`(margin: Int) async throws {
        let margins = Margins.all(Length(hundredths: margin)).mediaCol
        let collection = IPP.Collection([Attribute("media-size", .collection(Media.a4.mediaSize))] + margins)
        let answer = await ask(.printJob, job: [Attribute("media-col", .collection(collection))])
        #expect(answer.status == .successfulOk)
        #expect(try await job(answer).allWarnings == [])
    }

    @Test func `options of a single document are warnings of the job`() async throws {
        let options = [Attribute("sides", .keyword("two-sided-long-edge")), Attribute("copies", .outOfBand(.noValue))]
        let whole = await ask(.printJob, document: options)
        #expect(whole.status == .successfulOkIgnoredOrSubstitutedAttributes)
        let warning = "the attribute 'sides' of a single document is not supported"
        #expect(try await job(whole).allWarnings == [warning])
        let made = try await job(await ask(.createJob))
        let sent = await ask(
            .sendDocument,
            [Attribute("job-id", .integer(Int32(made.id))), Attribute("last-document", .boolean(true))],
            document: options)
        #expect(sent.status == .successfulOkIgnoredOrSubstitutedAttributes, "\(sent)")
        #expect(sent[.unsupported]?.attributes.map(\.name) == ["sides"])
        #expect(try await quiet.spool.job(made.id)?.allWarnings == [warning])
    }

    @Test func `attributes of the printer that Chromium sends with a job cause no warning`() async throws {
        let names = [
            "printer-uri-supported", "printer-is-accepting-jobs", "printer-state", "printer-type", "device-uri",
            "printer-state-change-time", "marker-names", "marker-levels", "marker-types", "auth-info-required",
        ]
        let answer = await ask(.printJob, job: names.map { Attribute($0, .name("a"), .name("b")) })
        #expect(answer.status == .successfulOk)
        #expect(try await job(answer).allWarnings == [])
        let resolution = Attribute("printer-resolution", .resolution(Resolution(crossFeed: 1, feed: 1)))
        #expect(try await job(await ask(.printJob, job: [resolution])).allWarnings.count == 1)
    }

    @Test func `a job with an option that is not applied is completed with warnings`() async throws {
        var machine = JobStateMachine(job: try await job(await ask(.printJob, job: [Attribute("hue", .integer(3))])))
        let remote = RemoteJob(id: 1, uuid: nil)
        for event: JobStateMachine.Event in [
            .claimed, .prepared(impressions: 1, sheets: 1, notice: nil, warnings: ["content is cut off"]),
            .createdAtPrinter(remote), .sent, .delivered(warning: nil),
        ] { _ = try machine.handle(event, at: 1) }
        #expect(machine.job.reasons == [.jobCompletedWithWarnings])
        #expect(machine.job.message == "the attribute 'hue' is not supported. content is cut off")
    }

    @Test func `Set-Job-Attributes with a supported value removes the warning about the option`() async throws {
        let held = Attribute("job-hold-until", .keyword("indefinite"))
        let made = try await job(await ask(.printJob, job: [Attribute("number-up", .integer(7)), held]))
        #expect(made.allWarnings.count == 1)
        let changed = await ask(
            .setJobAttributes, [Attribute("job-id", .integer(Int32(made.id)))],
            job: [Attribute("number-up", .integer(2))])
        #expect(changed.status == .successfulOk)
        #expect(try await quiet.spool.job(made.id)?.allWarnings == [])
    }

    // MARK: - Passwords

    private static let passwords: [([Attribute], [Attribute])] = [
        ([pin("1234")], []),
        ([pin("12345678"), Attribute("job-password-encryption", .keyword("none"))], []),
        ([], [Attribute("job-password", .name("1234"))]),
        ([pin("1234")], [Attribute("job-hold-until", .keyword("no-hold"))]),
        (
            [
                Attribute("job-password", .octetString([UInt8](repeating: 0x1F, count: 32))),
                Attribute("job-password-encryption", .keyword("sha2-256")),
            ], []
        ),
    ]

    private static func pin(_ digits: String) -> Attribute {
        Attribute("job-password", .octetString(Array(digits.utf8)))
    }

    @Test(arguments: passwords)
    func `a job with a password waits for its release without a warning`(
        attributes: [Attribute], options: [Attribute]
    ) async throws {
        let demands = [
            Attribute("ipp-attribute-fidelity", .boolean(true)),
            Attribute("job-mandatory-attributes", .keyword("job-password"), .keyword("job-password-encryption")),
        ]
        for operation in [Operation.printJob, .createJob] {
            let answer = await ask(operation, attributes + demands, job: options)
            #expect(answer.status == .successfulOk)
            let job = try await job(answer)
            #expect(job.state == .pendingHeld && job.allWarnings == [])
            #expect(job.reasons.suffix(2) == [.jobHoldUntilSpecified, .jobPasswordWait])
            #expect(job.heldUntil == job.ticket.passwordExpiresAt && job.heldUntil == job.createdAt + 86_400)
        }
        #expect(await ask(.validateJob, attributes + demands, job: options).status == .successfulOk)
    }

    @Test func `a job with a release action is held until its owner releases the job`() async throws {
        let options = [Attribute("job-release-action", .keyword("owner-authorized"))]
        for operation in [Operation.printJob, .createJob] {
            let answer = await ask(operation, job: options)
            #expect(answer.status == .successfulOkIgnoredOrSubstitutedAttributes)
            let job = try await job(answer)
            #expect(job.state == .pendingHeld && job.heldUntil == nil)
            #expect(job.message.contains("held until its owner releases the job"), "\(job.message)")
        }
        let mandatory = Attribute("job-mandatory-attributes", .keyword("job-release-action"))
        #expect(
            await ask(.validateJob, [mandatory], job: options).status == .clientErrorAttributesOrValuesNotSupported)
    }

    @Test(arguments: [
        [pin("123")], [pin("123456789")], [pin("12a4")], [pin("٣٣٣٣")], [Attribute("job-password", .octetString([1]))],
        [pin("1234"), Attribute("job-password-encryption", .keyword("md5"))],
        [pin("1234"), Attribute("job-password-encryption", .keyword("sha2-256"))],
    ])
    func `an invalid password of a job is refused, and the answer does not contain it`(attributes: [Attribute])
        async throws
    {
        for operation in [Operation.printJob, .createJob, .validateJob] {
            let answer = await ask(operation, attributes)
            #expect(answer.status == .clientErrorAttributesOrValuesNotSupported)
            #expect(answer[.unsupported]?["job-password"]?.first?.bytesValue == nil)
        }
        #expect(try await quiet.spool.jobs(JobFilter(.all)).isEmpty)
    }

    @Test func `a job that waits for its owner has the reason 'job-password-wait', and is printed after its release`()
        async throws
    {
        let made = try await job(await ask(.printJob, [Self.pin("1234")]))
        #expect(made.reasons == [.jobHoldUntilSpecified, .jobPasswordWait])
        let why = await ask(
            .getJobAttributes,
            [Attribute("job-id", .integer(Int32(made.id))), Attribute("requested-attributes", .keyword("printq-why"))])
        #expect(why[.job]?.string("printq-why")?.contains("printq release \(made.id)") == true)
        _ = await ask(.releaseJob, [Attribute("job-id", .integer(Int32(made.id)))])
        let released = try #require(try await quiet.spool.job(made.id))
        #expect(released.state == .pending && released.reasons == [])
        #expect(!released.ticket.attributes.contains { $0.name.contains("password") })
    }

    @Test func `an empty password does not hold the job`() async throws {
        let made = try await job(await ask(.printJob, [Attribute("job-password", .octetString([]))]))
        #expect(made.state == .pending && made.allWarnings == [])
    }
}
