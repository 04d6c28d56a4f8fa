import IPP
import IPPTestSupport
import PrintIPP
import PrintModel
import PrintSpool
import Testing

/// A device source that returns one device, or throws an error.
private struct FixedSource: DeviceSource {
    var answer: Result<[FoundDevice], BackendError>

    func devices(within time: Duration) async throws(BackendError) -> [FoundDevice] { try answer.get() }
}

/// Tests of requests that add, change and remove printers over IPP.
struct PrinterChangeTests {
    private let quiet: QuietSpool
    private var spool: Spool { quiet.spool }

    init() async throws { quiet = try await QuietSpool() }

    private static let root = Peer.unix(uid: 0, gid: 0, pid: 1)
    private static let lpadmin: [Attribute] = [
        Attribute("printer-state", .enumeration(3)), Attribute("printer-is-accepting-jobs", .boolean(true)),
    ]

    private func ask(
        _ operation: IPP.Operation, _ printer: String = "office", _ attributes: [Attribute] = [],
        printer change: [Attribute] = [], peer: Peer = root
    ) async -> Message {
        let operations = PrinterOperations(
            quiet.service, numbersJobsGlobally: true, isOpen: false, clock: Spool.systemTime)
        let message = Message(
            version: .v1_1, operation: operation, requestID: 1,
            groups: [
                .operation(
                    [
                        Attribute("printer-uri", .uri("ipp://localhost/printers/\(printer)")),
                        Attribute("requesting-user-name", .name("root")),
                    ] + attributes)
            ] + (change.isEmpty ? [] : [AttributeGroup(.printer, change)]))
        return await operations.respond(to: IPPRequest(message: message, peer: peer))
    }

    private func uri(_ text: String) -> Attribute { Attribute("device-uri", .uri(text)) }

    @Test func `the first request of lpadmin adds a printer, and the second request changes the printer`() async throws
    {
        let made = await ask(.cupsAddModifyPrinter, printer: [uri("ipp://here/ipp/print")] + Self.lpadmin)
        #expect(made.status == .successfulOk)
        #expect(
            try await spool.printer(named: "office")
                == ConfiguredPrinter(name: "office", deviceURI: "ipp://here/ipp/print"))
        let changed = await ask(
            .cupsAddModifyPrinter,
            printer: [
                Attribute("printer-info", .text("The office")), Attribute("printer-location", .text("Upstairs")),
                Attribute("printer-error-policy", .name("stop-printer")), Attribute("printer-state", .enumeration(5)),
                Attribute("printer-state-message", .text("New toner")),
                Attribute("printq-after-interruption", .keyword("continue")),
                Attribute("sides-default", .keyword("one-sided")),
            ])
        #expect(changed.status == .successfulOk)
        #expect(
            try await spool.printer(named: "office")
                == ConfiguredPrinter(
                    name: "office", deviceURI: "ipp://here/ipp/print", info: "The office", location: "Upstairs",
                    isPaused: true, pauseMessage: "New toner", errorPolicy: .stopPrinter,
                    afterInterruption: .continue, options: ["sides": "one-sided"]))
    }

    @Test func `the place and the organization of a printer are stored and reported, and an empty text removes them`()
        async throws
    {
        let names = ["printer-geo-location", "printer-organization", "printer-organizational-unit"]
        func texts() async throws -> [String?] {
            let answer = await ask(
                .getPrinterAttributes, "quiet",
                [Attribute("requested-attributes", names.map { .keyword($0) })])
            return names.map { answer[.printer]?.string($0) }
        }
        #expect(try await texts() == [nil, "", ""])
        let changed = await ask(
            .cupsAddModifyPrinter, "quiet",
            printer: [
                Attribute(names[0], .uri("geo:48.2,16.37")), Attribute(names[1], .name("Stadt")),
                Attribute(names[2], .text("会計")),
            ])
        #expect(changed.status == .successfulOk, "\(changed)")
        #expect(try await texts() == ["geo:48.2,16.37", "Stadt", "会計"])
        let set = await ask(
            .setPrinterAttributes, "quiet",
            printer: [Attribute(names[0], .outOfBand(.noValue)), Attribute(names[2], .text(""))])
        #expect(set.status == .successfulOk, "\(set)")
        #expect(try await texts() == [nil, "Stadt", ""])
    }

    @Test func `lpadmin's default cover sheets are stored, and 'none' removes them`() async throws {
        for (values, stored) in [(["standard", "none"], "standard"), (["none", "secret"], "none,secret")] {
            let answer = await ask(
                .cupsAddModifyPrinter, "quiet",
                printer: [Attribute("job-sheets-default", values.map { .name($0) })])
            #expect(answer.status == .successfulOk)
            #expect(try await spool.printer(named: "quiet")?.options == ["job-sheets": stored])
            let shown = await ask(.getPrinterAttributes, "quiet")[.printer]
            #expect(shown?.keywords("job-sheets-default") == values)
            #expect(
                shown?["job-sheets-col-default"]?.collectionValue?["job-sheets"]?.values == values.map { .keyword($0) })
        }
        _ = await ask(
            .cupsAddModifyPrinter, "quiet", printer: [Attribute("job-sheets-default", .name("none"), .name("none"))])
        #expect(try await spool.printer(named: "quiet")?.options == [:])
    }

    @Test func `a change request with one invalid value does not change the printer`() async throws {
        for wrong in [
            Attribute("printer-organization", .integer(4)), Attribute("printer-geo-location", .uri("http://x/")),
            Attribute("printer-dns-sd-name", .name("a\nb")), Attribute("sides-default", .keyword("three-sided")),
            Attribute("printer-is-shared", .integer(1)), Attribute("page-ranges-default", .keyword("1-2")),
            Attribute("printer-state", .enumeration(4)), Attribute("ppd-name", .name("laserjet.ppd")),
            Attribute("printq-device-user", .name("ann")), Attribute("printq-after-interruption", .keyword("hope")),
        ] {
            let answer = await ask(
                .cupsAddModifyPrinter, "quiet", printer: [Attribute("printer-info", .text("Loud")), wrong])
            #expect(answer.status == .clientErrorAttributesOrValuesNotSupported, "\(wrong.name)")
            #expect(try await spool.printer(named: "quiet")?.info == "", "\(wrong.name)")
        }
    }

    @Test func `a change of the URI of a printer that another host has removed does not add the printer`()
        async throws
    {
        let answer = await ask(
            .cupsAddModifyPrinter, "gone",
            [Attribute("printq-must-exist", .boolean(true)), Attribute("printq-check", .boolean(true))],
            printer: [uri("ipp://here/ipp/print")])
        #expect(answer.status == .clientErrorNotFound)
        // The other host removes the printer after the service has read it.
        var change = PrinterChange(deviceURI: "ipp://here/ipp/print")
        change.mustExist = true
        let error = await #expect(throws: SpoolError.self) {
            try await spool.addOrModifyPrinter(named: "gone", change)
        }
        #expect(error?.code == .noSuchPrinter)
        #expect(try await spool.printers().map(\.name) == ["quiet"])
        #expect(
            await ask(
                .cupsAddModifyPrinter, "quiet", [Attribute("printq-must-exist", .boolean(true))],
                printer: [uri("ipp://here/ipp/print")]
            ).status == .successfulOk)
        #expect(try await spool.printer(named: "quiet")?.deviceURI == "ipp://here/ipp/print")
    }

    @Test func `an unsupported default option is refused with a message`() async throws {
        let answer = await ask(
            .cupsAddModifyPrinter, "quiet", printer: [Attribute("sides-default", .keyword("two-sided-long-edge"))])
        #expect(answer.status == .clientErrorAttributesOrValuesNotSupported)
        #expect(
            answer[.operation]?.string("status-message")?.hasPrefix("quiet cannot print two-sided-long-edge") == true)
    }

    @Test func `only administrators can change printers and list devices, and invalid names are refused`()
        async throws
    {
        let tcp = Peer.tcp(address: "127.0.0.1", port: 1)
        #expect(
            await ask(.cupsAddModifyPrinter, printer: [uri("ipp://here/")], peer: tcp).status
                == .clientErrorNotAuthorized)
        #expect(await ask(.cupsDeletePrinter, "quiet", peer: tcp).status == .clientErrorNotAuthorized)
        #expect(await ask(.cupsGetDevices, peer: tcp).status == .clientErrorNotAuthorized)
        #expect(await ask(.cupsAddModifyPrinter, printer: Self.lpadmin).status == .clientErrorNotFound)
        #expect(
            await ask(.cupsAddModifyPrinter, "-x", printer: [uri("ipp://here/")]).status == .clientErrorBadRequest)
        #expect(
            await ask(.cupsAddModifyPrinter, printer: [uri("lpd://here/q")]).status
                == .clientErrorAttributesOrValuesNotSupported)
        #expect(await ask(.cupsDeletePrinter, "none").status == .clientErrorNotFound)
        #expect(try await spool.printers().map(\.name) == ["quiet"])
    }

    @Test func `default options of a printer apply to jobs that do not set these options`() async throws {
        _ = await ask(
            .cupsAddModifyPrinter, "quiet",
            printer: [
                Attribute("number-up-default", .integer(2)),
                Attribute("print-color-mode-default", .keyword("monochrome")),
            ])
        let shown = await ask(
            .getPrinterAttributes, "quiet",
            [Attribute("requested-attributes", .keyword("number-up-default"), .keyword("print-color-mode-default"))])
        #expect(
            Set(shown[.printer]?.attributes ?? []) == [
                Attribute("number-up-default", .integer(2)),
                Attribute("print-color-mode-default", .keyword("monochrome")),
            ])
        _ = await ask(.createJob, "quiet")
        #expect(try await spool.job(1)?.ticket.numberUp?.count == 2)
        #expect(try await spool.job(1)?.ticket.colorMode == .monochrome)
        _ = await ask(
            .cupsAddModifyPrinter, "quiet", printer: [Attribute("number-up-default", .outOfBand(.deleteAttribute))])
        #expect(try await spool.printer(named: "quiet")?.options == ["print-color-mode": "monochrome"])
    }

    @Test func `a printer with jobs is removed only if the jobs are canceled or moved`() async throws {
        _ = await ask(.cupsAddModifyPrinter, printer: [uri("ipp://here/ipp/print")])
        for printer in ["quiet", "quiet", "office"] {
            try await spool.submit(Submission(printer: printer, owner: "ann", name: "letter"), documents: [])
        }
        let kept = await ask(.cupsDeletePrinter, "quiet", [Attribute("printq-left-jobs", .keyword("keep-printer"))])
        #expect(kept.status == .clientErrorNotPossible)
        #expect(try await spool.jobs().map(\.printer) == ["quiet", "quiet", "office"])
        let moved = await ask(
            .cupsDeletePrinter, "quiet",
            [
                Attribute("printq-left-jobs", .keyword("move")),
                Attribute("job-printer-uri", .uri("ipp://localhost/printers/office")),
            ])
        #expect(moved.status == .successfulOk)
        #expect(try await spool.jobs().map(\.printer) == ["office", "office", "office"])
        #expect(await ask(.cupsDeletePrinter).status == .successfulOk)
        #expect(try await spool.jobs(JobFilter(.completed)).map(\.state) == [.canceled, .canceled, .canceled])
        #expect(try await spool.printers().isEmpty)
        #expect(try await spool.job(1)?.printer == "office")
    }

    @Test func `Set-Printer-Attributes changes the descriptive attributes, or nothing`() async throws {
        let settable = await ask(.getPrinterAttributes, "quiet")[.printer]?.keywords(
            "printer-settable-attributes-supported")
        #expect(
            settable == [
                "printer-info", "printer-location", "printer-geo-location", "printer-organization",
                "printer-organizational-unit",
            ])
        let supported = await ask(.getPrinterSupportedValues, "quiet")
        #expect(supported.status == .successfulOk)
        #expect(supported[.printer]?["printer-info"]?.first?.outOfBandValue == .adminDefine)
        let both = [Attribute("printer-info", .text("Office")), Attribute("printer-location", .text("Upstairs"))]
        #expect(await ask(.setPrinterAttributes, "quiet", printer: both).status == .successfulOk)
        let printer = try #require(try await spool.printer(named: "quiet"))
        #expect(printer.info == "Office" && printer.location == "Upstairs")

        let others = [Attribute("printer-info", .text("X")), Attribute("printer-name", .name("x"))]
        let refused = await ask(.setPrinterAttributes, "quiet", printer: others)
        #expect(refused.status == .clientErrorAttributesNotSettable)
        #expect(refused[.unsupported]?.attributes.map(\.name) == ["printer-name"])
        let wrong = [Attribute("printer-location", .text("Y")), Attribute("printer-info", .integer(1))]
        #expect(
            await ask(.setPrinterAttributes, "quiet", printer: wrong).status
                == .clientErrorAttributesOrValuesNotSupported)
        #expect(try await spool.printer(named: "quiet") == printer)
        #expect(await ask(.setPrinterAttributes, "none", printer: both).status == .clientErrorNotFound)
        let ann = Peer.unix(uid: 4_242, gid: 4_242, pid: 1)
        #expect(await ask(.setPrinterAttributes, "quiet", printer: both, peer: ann).status == .clientErrorNotAuthorized)

        let empty = [Attribute("printer-location", .outOfBand(.deleteAttribute))]
        #expect(await ask(.setPrinterAttributes, "quiet", printer: empty).status == .successfulOk)
        #expect(try await spool.printer(named: "quiet")?.location == "")
    }

    @Test func `a printer cannot be removed if the job in progress cannot be moved`() async throws {
        _ = await ask(.cupsAddModifyPrinter, printer: [uri("ipp://here/ipp/print")])
        for _ in 0..<2 { try await spool.submit(Submission(printer: "quiet", owner: "ann", name: "a"), documents: []) }
        try await spool.change(2, .claimed)
        let moved = await ask(
            .cupsDeletePrinter, "quiet",
            [
                Attribute("printq-left-jobs", .keyword("move")),
                Attribute("job-printer-uri", .uri("ipp://localhost/printers/office")),
            ])
        #expect(moved.status == .clientErrorNotPossible)
        #expect(try await spool.jobs().map(\.printer) == ["quiet", "quiet"])
    }

    @Test func `a device is listed once if two sources find the device, and the error of a failed source is reported`()
        async
    {
        let found = FoundDevice(
            uri: "ipp://here/ipp/print", info: "Office", makeAndModel: "Acme 1", deviceID: "MFG:Acme;MDL:1;",
            location: "Upstairs")
        let search = await DeviceSearch(
            asking: [
                FixedSource(answer: .failure(BackendError(.unreachable, "no Avahi daemon"))),
                FixedSource(answer: .success([found])), FixedSource(answer: .success([found])),
            ], within: .seconds(1))
        #expect(search == DeviceSearch(devices: [found], notes: ["no Avahi daemon"]))
        #expect(FoundDevice(attributes: AttributeGroup(.printer, found.attributes)) == found)
        let nobody = await ask(.cupsGetDevices)
        #expect(nobody.status == .successfulOk && nobody.groups(.printer).isEmpty)
    }
}
