import IPP
import IPPTestSupport
import PrintIPP
import PrintModel
import PrintServer
import PrintSpool
import PrintTestSupport
import Testing

/// Tests of the requirements of IPP Everywhere for the spool's printers.
struct EverywhereTests {
    private let device: QuietPrinter
    private let quiet: QuietSpool
    private let operations: PrinterOperations

    init() async throws { try await self.init(device: QuietPrinter()) }

    private init(device: QuietPrinter) async throws {
        self.device = device
        quiet = try await QuietSpool(printer: device)
        operations = PrinterOperations(
            quiet.service, numbersJobsGlobally: true, isOpen: false, accounts: TestAccounts.shared.accounts,
            clock: Spool.systemTime)
    }

    private static let anonymous = Peer.tcp(address: "127.0.0.1", port: 1)

    private func ask(
        _ operation: IPP.Operation, _ attributes: [Attribute] = [], from peer: Peer = Self.anonymous
    ) async -> Message {
        let uri = Attribute("printer-uri", .uri("ipp://localhost:8631/printers/quiet"))
        return await operations.respond(
            to: IPPRequest(
                message: Message(
                    version: .v2_0, operation: operation, requestID: 1, groups: [.operation([uri] + attributes)]),
                peer: peer))
    }

    @Test func `a queue accepts PDF, PWG Raster, Apple Raster and JPEG, and reports the parameters of the formats`()
        async throws
    {
        let printer = try #require(await ask(.getPrinterAttributes)[.printer])
        #expect(
            printer.strings("document-format-supported") == [
                "application/pdf", "image/pwg-raster", "image/urf", "image/jpeg", "application/octet-stream",
            ])
        #expect(printer.string("document-format-preferred") == "application/pdf")
        #expect(
            printer["pwg-raster-document-resolution-supported"]?.values
                == [.resolution(Resolution(crossFeed: 600, feed: 600))])
        #expect(printer.keywords("pwg-raster-document-type-supported").contains("sgray_8"))
        // The printer prints only black.
        #expect(!printer.keywords("pwg-raster-document-type-supported").contains("srgb_8"))
        #expect(printer.string("pwg-raster-document-sheet-back") == "normal")
        #expect(printer.strings("urf-supported") == ["V1.4", "W8", "RS600", "CP9999", "PQ4"])
        #expect(printer["jpeg-k-octets-supported"]?.values == [.range(IntegerRange(lower: 0, upper: 102_400))])
        #expect(printer["jpeg-x-dimension-supported"]?.rangeValue?.upper == 65_500)
        #expect(printer["jpeg-y-dimension-supported"]?.rangeValue?.lower == 1)
        #expect(printer.keywords("jpeg-features-supported") == ["cmyk", "progressive"])
        #expect(
            printer.string("printer-device-id")
                == "MFG:Quiet;MDL:Quiet;CMD:PDF,PWGRaster,URF,JPEG;CLS:PRINTER;")
    }

    @Test func `a queue reports IPP Everywhere and icon URIs to clients on TCP, but not to clients on the Unix socket`()
        async throws
    {
        let network = try #require(await ask(.getPrinterAttributes)[.printer])
        #expect(network.keywords("ipp-features-supported") == ["ipp-everywhere"])
        #expect(
            network.strings("printer-icons")
                == [48, 128, 512].map {
                    "http://localhost:8631/printers/quiet/icon-\($0).png"
                })
        #expect(network.string("printer-supply-info-uri") == "http://localhost:8631/printers/quiet/supplies")
        let socket = try #require(await ask(.getPrinterAttributes, from: .unix(uid: 0, gid: 0, pid: 1))[.printer])
        #expect(socket.keywords("ipp-features-supported") == ["none"])
        #expect(socket["printer-icons"] == nil)
    }

    @Test func `a queue reports the supply attributes of the device`() async throws {
        let printer = try #require(await ask(.getPrinterAttributes)[.printer])
        #expect(printer.strings("printer-supply-description") == ["Black toner"])
        #expect(printer.strings("marker-names") == ["Black toner"])
        #expect(printer["marker-levels"]?.values == [.integer(40)])
        guard case .octetString(let bytes)? = printer["printer-supply"]?.values.first else {
            Issue.record("printer-supply is not an octetString")
            return
        }
        #expect(
            String(decoding: bytes, as: UTF8.self)
                == "index=1;class=supplyThatIsConsumed;type=toner;unit=percent;maxcapacity=100;level=40;"
                + "colorantname=black;")
    }

    @Test func `Identify-Printer is forwarded to the device`() async throws {
        let words = Attribute("message", .text("over here"))
        #expect(await ask(.identifyPrinter, [words]).status == .successfulOk)
        #expect(device.shown.messages == ["over here"])
        let printer = try #require(await ask(.getPrinterAttributes)[.printer])
        #expect(printer.keywords("identify-actions-supported") == ["flash"])
        #expect(printer.keywords("identify-actions-default") == ["flash"])
        let sound = Attribute("identify-actions", .keyword("sound"))
        let refused = await ask(.identifyPrinter, [sound])
        #expect(refused.status == .clientErrorAttributesOrValuesNotSupported)
        #expect(refused[.unsupported]?.attributes == [sound])
    }

    @Test func `Identify-Printer performs the supported actions and reports the other actions`() async throws {
        let both = Attribute("identify-actions", .keyword("sound"), .keyword("flash"))
        let answer = await ask(.identifyPrinter, [both])
        #expect(answer.status == .successfulOkIgnoredOrSubstitutedAttributes)
        #expect(answer[.unsupported]?.keywords("identify-actions") == ["sound"])
        #expect(device.shown.messages.count == 1)
        let neither = Attribute("identify-actions", .keyword("sound"), .keyword("display"))
        #expect(await ask(.identifyPrinter, [neither]).status == .clientErrorAttributesOrValuesNotSupported)
        #expect(device.shown.messages.count == 1)
    }

    @Test func `a queue describes each tray and bin of its printer`() async throws {
        let tray = "type=sheetFeedAutoRemovableTray;maxcapacity=250;level=120;status=0;name=auto;"
        var status = PrinterStatus(state: .idle)
        status.inputTrays = [tray]
        status.outputTrays = ["type=unRemovableBin;remaining=7;status=0;name=mailbox-1;"]
        let tests = try await EverywhereTests(device: QuietPrinter(reported: status))
        let printer = try #require(await tests.ask(.getPrinterAttributes)[.printer])
        func texts(_ name: String) -> [String] {
            (printer[name]?.values ?? []).compactMap { value in
                if case .octetString(let bytes) = value { String(decoding: bytes, as: UTF8.self) } else { nil }
            }
        }
        #expect(printer.keywords("media-source-supported") == ["auto"])
        #expect(texts("printer-input-tray") == [tray])
        #expect(printer.keywords("output-bin-supported") == ["face-down", "mailbox-1"])
        #expect(texts("printer-output-tray").map { $0.contains("remaining=7;") } == [false, true])
        #expect(texts("printer-output-tray").first?.hasSuffix("name=face-down;") == true)
    }

    @Test func `a queue reports the serial number of its printer, its preferred landscape orientation and PDF sizes`()
        async throws
    {
        let printer = try #require(await ask(.getPrinterAttributes)[.printer])
        #expect(printer["landscape-orientation-requested-preferred"]?.first?.intValue == 4)
        #expect(printer["pdf-k-octets-supported"]?.rangeValue?.lower == 0)
        #expect(printer.keywords("ipp-versions-supported").contains("2.1"))
        let support = RasterSupport(
            formats: [.pdf], resolutions: [600], types: [], sheetBack: nil, maxCopies: 1, qualities: [])
        #expect(
            support.deviceID(makeAndModel: "Acme 1", own: "MFG:Acme;MDL:One;SERN:X7;CMD:PS;", serial: "other")
                == "MFG:Acme;MDL:One;CMD:PDF;CLS:PRINTER;SN:X7;")
        #expect(support.deviceID(makeAndModel: "Acme 1", serial: "9") == "MFG:Acme;MDL:1;CMD:PDF;CLS:PRINTER;SN:9;")
    }

    @Test
    func `if a device has no identify actions, its queue refuses Identify-Printer and does not report IPP Everywhere`()
        async throws
    {
        let tests = try await EverywhereTests(device: QuietPrinter(identifyActions: []))
        let answer = await tests.ask(.identifyPrinter)
        #expect(answer.status == .clientErrorNotPossible)
        #expect(answer[.operation]?.string("status-message")?.hasPrefix("quiet cannot identify itself") == true)
        let printer = try #require(await tests.ask(.getPrinterAttributes)[.printer])
        #expect(printer.keywords("ipp-features-supported") == ["none"])
        #expect(printer["identify-actions-supported"] == nil)
        #expect(tests.device.shown.messages.isEmpty)
    }

    @Test func `Identify-Printer is allowed only for users who are allowed to print on the printer`() async throws {
        _ = try await quiet.spool.addOrModifyPrinter(
            named: "quiet",
            PrinterChange(
                attributes: [Attribute("requesting-user-name-allowed", .name("ann"))],
                operation: AttributeGroup(.operation)))
        #expect(await ask(.identifyPrinter, from: TestAccounts.shared.peer("ben")).status == .clientErrorNotAuthorized)
        #expect(await ask(.identifyPrinter, from: TestAccounts.shared.peer("ann")).status == .successfulOk)
        #expect(device.shown.messages.count == 1)
    }

    @Test func `the allowed users of a printer are shown only to these users and to administrators`() async throws {
        _ = try await quiet.spool.addOrModifyPrinter(
            named: "quiet",
            PrinterChange(
                attributes: [Attribute("requesting-user-name-allowed", [.name("ann"), .name("eve")])],
                operation: AttributeGroup(.operation)))
        func users(_ peer: Peer, claiming name: String? = nil) async throws -> [String] {
            let claim = name.map { [Attribute("requesting-user-name", .name($0))] } ?? []
            let printer = try #require(await ask(.getPrinterAttributes, claim, from: peer)[.printer])
            return printer.strings("requesting-user-name-allowed")
                + printer.strings("requesting-user-name-denied").map { "not \($0)" }
        }
        #expect(try await users(TestAccounts.shared.peer("ann")) == ["ann", "eve"])
        #expect(try await users(.unix(uid: 0, gid: 0, pid: 1)) == ["ann", "eve"])
        #expect(try await users(TestAccounts.shared.peer("ben")) == ["not ben"])
        #expect(try await users(Self.anonymous, claiming: "ann") == ["not anonymous"])
    }

    @Test func `a group name can contain spaces, and a list of names cannot`() throws {
        func users(_ name: String) throws -> AccessList? {
            try PrinterChange(attributes: [Attribute("requesting-user-name-allowed", .name(name))]).policyLists[
                .submitters]
        }
        #expect(try users("@domain users") == .allowed(["@domain users"]))
        for name in ["@", " ann", "ann ", "ann,ben", "ann\tben", "ann\n"] {
            #expect(throws: IPPFailure.self, "\(name)") { try users(name) }
        }
    }
}
