// Tests the PPD files of printers, and the options that programs with PPD files send.

import IPP
import IPPTestSupport
@testable import PrintIPP
import PrintModel
import Testing

struct PPDFileTests {
    /// Returns the values of all lines `*KEYWORD CHOICE/…` of an option, without their codes.
    private func choices(_ keyword: String, _ text: String) -> [String] {
        text.split(separator: "\n").compactMap { line in
            guard line.hasPrefix("*\(keyword) ") else { return nil }
            return line.dropFirst(keyword.count + 2).split(separator: "/").first.map(String.init)
        }
    }

    private func byDefault(_ keyword: String, _ text: String) -> String? {
        text.split(separator: "\n").first { $0.hasPrefix("*Default\(keyword): ") }?
            .split(separator: " ").last.map(String.init)
    }

    private static let keywords = [
        "PageSize", "InputSlot", "MediaType", "Duplex", "ColorModel", "OutputBin", "cupsPrintQuality", "Resolution",
        "CutMedia",
    ]

    private static let device: PrinterCapabilities = {
        var device = PrinterCapabilities.sample
        device.mediaSources = ["tray-1", "by-pass-tray", "2"]
        device.outputBins = ["face-down", "mailbox-1"]
        device.trimmings = [.never, .afterPages, .afterJob]
        device.papers += [
            PrintPaper(media: .a4, margins: .all(.millimeters(5)), type: "stationery"),
            PrintPaper(media: .custom(width: .millimeters(62), height: .millimeters(100)), type: "labels"),
            PrintPaper(media: Media(named: "EnvDL") ?? .a5, margins: .all(.millimeters(5)), type: "envelope"),
        ]
        return device
    }()

    @Test func `a PPD file has the sizes, sides, trays, types, colors, bins, resolutions and cuts of the printer`() {
        let text = PPDFile(of: .office(Self.device)).text
        let sizes = ["A4", "A4.Fullbleed", "4x6", "Letter", "w176h283", "EnvDL"]
        #expect(choices("PageSize", text) == sizes)
        #expect(choices("PageRegion", text) == sizes)
        #expect(text.contains("\n*ImageableArea A4/A4: \"14.17 14.17 581.10 827.72\"\n"), "the widest margins: \(text)")
        #expect(text.contains("\n*PaperDimension A4/A4: \"595.28 841.89\"\n"))
        #expect(text.contains("\n*ParamCustomPageSize Width: 1 points 141.73 612\n"))
        #expect(choices("InputSlot", text) == ["Auto", "Tray1", "ByPassTray", "2"])
        #expect(choices("MediaType", text) == ["Auto", "PhotographicGlossy", "Stationery", "Labels", "Envelope"])
        #expect(choices("Duplex", text) == ["None", "DuplexNoTumble", "DuplexTumble"])
        #expect(byDefault("Duplex", text) == "DuplexNoTumble")
        #expect(choices("ColorModel", text) == ["RGB", "Gray"])
        #expect(choices("OutputBin", text) == ["FaceDown", "Mailbox1"])
        #expect(choices("cupsPrintQuality", text) == ["Draft", "Normal", "High"])
        #expect(choices("Resolution", text) == ["300dpi", "600dpi"])
        #expect(choices("CutMedia", text) == ["None", "EndOfPage", "EndOfJob"])
    }

    @Test func `a PPD file has no option with a single choice`() {
        let device = PrinterCapabilities(makeAndModel: "P", papers: [], defaultMedia: .a4, formats: [.pdf])
        let text = PPDFile(of: .office(device)).text
        #expect(Self.keywords.filter { !choices($0, text).isEmpty } == ["PageSize"])
    }

    @Test func `the default options of a printer are the defaults of its PPD file`() throws {
        var office = ServedPrinter.office(Self.device)
        for (name, value) in [
            ("sides", "one-sided"), ("media-source", "tray-1"), ("print-color-mode", "monochrome"),
            ("output-bin", "mailbox-1"), ("print-quality", "high"),
        ] { try office.defaultTicket.set(name, to: value, at: 0) }
        let text = PPDFile(of: office).text
        #expect(
            ["Duplex", "InputSlot", "ColorModel", "OutputBin", "cupsPrintQuality", "PageSize"].map {
                byDefault($0, text)
            } == ["None", "Tray1", "Gray", "Mailbox1", "High", "A4"])
    }

    @Test(arguments: keywords)
    func `each choice of a PPD file is applied by a job without a warning`(keyword: String) {
        for choice in choices(keyword, PPDFile(of: .office(Self.device)).text) {
            let reading = JobTicket.read([Attribute(keyword, .name(choice))], at: 0)
            #expect(reading.unsupported == [], "\(keyword)=\(choice): \(reading.problems)")
            var ticket = reading.ticket
            if keyword == "MediaType" {
                // The type is available in one size.
                ticket.media = Self.device.papers.first { $0.type?.ppdKeyword == choice }?.media
            }
            #expect(ticket.plan(for: Self.device).conflicts == [], "\(keyword)=\(choice)")
        }
    }

    @Test(arguments: [
        ("InputSlot", "ByPassTray", "by-pass-tray"), ("MediaType", "PhotographicGlossy", "photographic-glossy"),
        ("OutputBin", "Mailbox1", "mailbox-1"), ("Duplex", "DuplexTumble", "two-sided-short-edge"),
        ("ColorModel", "Gray", "monochrome"), ("cupsPrintQuality", "High", "5"), ("CutMedia", "EndOfJob", "63"),
        ("PageSize", "EnvDL", "iso_dl_110x220mm"), ("Resolution", "600dpi", "600"),
    ])
    func `the printer receives its own name for a choice of the PPD file`(keyword: String, choice: String, own: String)
    {
        var ticket = JobTicket.read([Attribute(keyword, .name(choice))], at: 0).ticket
        if keyword == "MediaType" { ticket.media = .photo4x6 }
        let device = ticket.plan(for: Self.device).device
        let received: [String: String?] = [
            "InputSlot": device.mediaSource, "MediaType": device.paper.type, "OutputBin": device.outputBin,
            "Duplex": device.duplex.rawValue, "ColorModel": device.colorMode.rawValue,
            "cupsPrintQuality": device.quality.map { "\($0.rawValue)" },
            "CutMedia": device.trimming.map { "\($0.rawValue)" }, "PageSize": device.paper.media.name,
            "Resolution": device.resolution.map { "\($0.feed)" },
        ]
        #expect(received[keyword] == own)
    }

    @Test func `all sizes have names of PPD files that mean these sizes`() {
        for media in Media.standard {
            #expect(Media(named: media.ppdName)?.hasSameSize(as: media) == true, "\(media): \(media.ppdName)")
            #expect(media.ppdName.utf8.count <= 40 && !media.ppdName.contains { " /:\"".contains($0) })
        }
    }

    @Test func `texts of a printer cannot add lines or values to a PPD file`() {
        var device = Self.device
        let evil = "X\"\n*FoomaticRIPCommandLine: \"touch /tmp/x\"\r*cupsFilter2: \"a b 0 evil\"\u{2028}*End/:<41>"
        device.makeAndModel = evil
        device.mediaSources = [evil, "tray-1", "Tray1", "トレイ", ""]
        device.outputBins = [evil, "b"]
        device.papers.append(PrintPaper(media: .a5, type: evil))
        let text = PPDFile(of: .office(device)).text
        let filters = text.split(whereSeparator: \.isNewline).filter {
            $0.contains("ilter2") || $0.contains("Foomatic")
        }
        #expect(filters.filter { $0.hasPrefix("*cupsFilter2") }.count == 2)
        #expect(!text.contains("\n*Foomatic") && !text.contains("\r") && !text.contains("\u{2028}"))
        #expect(!text.contains("\n*End"))
        #expect(choices("InputSlot", text).filter { $0.lowercased() == "tray1" }.count == 1)
        for line in text.split(separator: "\n") {
            #expect(line.utf8.count <= 255 && line.filter { $0 == "\"" }.count % 2 == 0, "\(line)")
        }
    }

    // MARK: - CUPS-Get-PPD

    private func ask(_ attributes: [Attribute]) async throws -> IPPAnswer {
        let service = ScriptedService(operations: ScriptedService.everything + [.cupsGetPPD])
        let operations = PrinterOperations(
            service, numbersJobsGlobally: true, isOpen: false, accounts: TestAccounts.shared.accounts, clock: { 1 })
        return await operations.answer(
            to: IPPRequest(
                message: Message(
                    version: .v1_1, operation: .cupsGetPPD, requestID: 1, groups: [.operation(attributes)]),
                document: DocumentStream(bytes: []), peer: TestAccounts.shared.peer("ann")))
    }

    @Test(arguments: [
        Attribute("printer-uri", .uri("ipp://localhost/printers/office")), Attribute("ppd-name", .name("office.ppd")),
        Attribute("ppd-name", .name("office")),
    ])
    func `CUPS-Get-PPD returns the file after the attributes`(attribute: Attribute) async throws {
        let answer = try await ask([attribute])
        #expect(answer.message.status == .successfulOk)
        let bytes = try #require(answer.encoded)
        #expect(bytes.starts(with: try answer.message.encoded()))
        #expect(String(decoding: bytes, as: UTF8.self).hasSuffix(PPDFile(of: .office()).text))
    }

    @Test func `CUPS-Get-PPD of an unknown printer, or without a printer, is an error`() async throws {
        #expect(try await ask([Attribute("ppd-name", .name("other"))]).message.status == .clientErrorNotFound)
        #expect(try await ask([]).message.status == .clientErrorBadRequest)
    }
}
