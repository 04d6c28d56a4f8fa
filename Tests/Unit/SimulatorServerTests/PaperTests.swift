import IPP
import PrintModel
import PrintTestSupport
import PrinterSimulator
import SimulatorServer
import Testing

/// Tests of the paper that a client sees: ready media, missing media, cutting of rolls.
@Suite(.timeLimit(.minutes(1))) struct PaperTests {
    private static let roll = """
        { name: 'laser', makeAndModel: 'Roll', kind: 'roll', media: ['4x6'], margins: 0, mediaTypes: ['continuous'],
          customMedia: { width: [50, 110], height: [20, 1000] }, cutter: true,
          trays: [{ name: 'roll', roll: 101.6, loaded: 2000, capacity: 3000 }] }
        """

    private func control(_ printers: TestPrinters, _ words: String...) async throws -> Message {
        try await printers.ask(.controlPrinter, [Attribute("printq-control", words.map { .text($0) })])
    }

    private static func size(_ width: Int32, _ height: Int32) -> Attribute {
        let size = IPP.Collection([
            Attribute("x-dimension", .integer(width)), Attribute("y-dimension", .integer(height)),
        ])
        return Attribute("media-col", .collection(IPP.Collection([Attribute("media-size", .collection(size))])))
    }

    @Test func `if a job's paper is not loaded, the job waits with 'media-needed' until the paper is loaded`()
        async throws
    {
        try await TestPrinters.serving { printers in
            for tray in ["tray-1", "tray-2"] { _ = try await control(printers, "load", tray, "5", "Letter") }
            let ready = try await printers.ask(.getPrinterAttributes)[.printer]
            #expect(ready?.keywords("media-ready") == ["na_letter_8.5x11in"])
            let id = try await printers.print([Attribute("media", .keyword("iso_a4_210x297mm"))])
            _ = try await printers.job(id) { $0.state == .processingStopped }
            let job = try await printers.attributes(of: id)
            #expect(job.integer("job-state") == 6 && job.keywords("job-state-reasons") == ["printer-stopped"])
            let printer = try await printers.ask(.getPrinterAttributes)[.printer]
            #expect(printer?.integer("printer-state") == 5)
            #expect(printer?.keywords("printer-state-reasons") == ["media-needed-error"])
            #expect(printer?.string("printer-state-message") == "No tray has A4; load A4")

            #expect(try await control(printers, "load", "tray-1", "5", "A4").status == .successfulOk)
            #expect(try await printers.job(id).state == .completed)
            let after = try await printers.ask(.getPrinterAttributes)[.printer]
            #expect(after?.keywords("media-ready") == ["iso_a4_210x297mm", "na_letter_8.5x11in"])
            #expect(try await control(printers, "load", "tray-1", "silk").status == .clientErrorNotFound)
            #expect(try await control(printers, "load", "tray-1", "Silk!").status == .clientErrorBadRequest)
        }
    }

    @Test func `control commands load and reset a tray, and invalid control commands are refused`() async throws {
        try await TestPrinters.serving { printers in
            let device = printers.service.devices[0]
            #expect(try await control(printers, "load", "tray-2", "any", "endless").status == .successfulOk)
            #expect(await device.status.trays[1].loaded == nil)
            #expect(try await control(printers, "load", "tray-2", "3", "Letter").status == .successfulOk)
            #expect(await device.status.trays[1].media == .letter)
            #expect(try await control(printers, "load", "tray-2", "endless", "any").status == .successfulOk)
            #expect(await device.status.trays[1].media == nil)
            for (words, status) in [
                (["tray-2", "11"], Status.clientErrorNotPossible), (["tray-2", "A3"], .clientErrorNotFound),
                (["tray-2", "5", "endless"], .clientErrorBadRequest),
                (["tray-2", "A4", "any"], .clientErrorBadRequest),
                (["tray-9"], .clientErrorNotFound), (["tray-2", "Q17"], .clientErrorBadRequest),
                (["tray-2", "62mm"], .clientErrorNotFound),
            ] {
                let answer = try await printers.ask(
                    .controlPrinter, [Attribute("printq-control", (["load"] + words).map { .text($0) })])
                #expect(answer.status == status, "\(words): \(answer[.operation]?.string("status-message") ?? "")")
            }
        }
        try await TestPrinters.serving(ScriptedWorker(pages: 1), printers: [Self.roll]) { printers in
            let narrow = try await control(printers, "load", "roll", "2500", "62mm")
            #expect(narrow.status == .successfulOk)
            #expect(await printers.service.devices[0].status.trays[0].rollWidth == .millimeters(62))
            #expect(try await control(printers, "load", "roll", "any").status == .clientErrorNotPossible)
            #expect(try await control(printers, "load", "roll", "400mm").status == .clientErrorNotFound)
        }
    }

    @Test func `a roll printer prints pages of any length within the supported range`() async throws {
        try await TestPrinters.serving(ScriptedWorker(pages: 1), printers: [Self.roll]) { printers in
            let id = try await printers.print([Self.size(10_160, 45_600)])
            let job = try await printers.job(id)
            #expect(job.state == .completed && job.warnings.isEmpty)
            #expect(job.pieces == [RollPiece(length: .millimeters(456), pages: 1, isCut: true)])
            let trays = try await printers.ask(.getPrinterAttributes)[.printer]?["printer-input-tray"]
            guard case .octetString(let bytes)? = trays?.values.dropFirst().first else {
                return #expect(Bool(false), "\(trays as Any)")
            }
            #expect(
                String(decoding: bytes, as: UTF8.self).hasPrefix("type=continuousRoll;mediafeed=-1;mediaxfeed=10160;"))

            let tooLong = try await printers.ask(
                .printJob, [Attribute("ipp-attribute-fidelity", .boolean(true))],
                template: [Self.size(10_160, 200_000)],
                document: TestPrinters.pdf)
            #expect(tooLong.status == .clientErrorAttributesOrValuesNotSupported)
        }
    }

    @Test func `the finishings attribute selects the cuts of a roll, and unsupported values are reported`() async throws
    {
        try await TestPrinters.serving(ScriptedWorker(pages: 2), printers: [Self.roll]) { printers in
            let printer = try await printers.ask(.getPrinterAttributes)[.printer]
            #expect(printer?["finishings-supported"]?.values.compactMap(\.intValue) == [3, 60, 61, 62, 63])
            #expect(printer?["finishings-default"]?.values.compactMap(\.intValue) == [60])
            #expect(printer?.keywords("job-creation-attributes-supported").contains("finishings") == true)
            let cut = [Attribute("finishings", .enumeration(63))]
            let answer = try await printers.ask(.printJob, template: cut, document: TestPrinters.pdf)
            #expect(answer.status == .successfulOk)
            #expect(try await printers.job(1).pieces == [RollPiece(length: .inches(12), pages: 2, isCut: true)])
            #expect(try await printers.attributes(of: 1)["finishings"]?.values == [.enumeration(63)])
            let stapled = try await printers.ask(
                .printJob, template: [Attribute("finishings", .enumeration(4))], document: TestPrinters.pdf)
            #expect(stapled.status == .successfulOkIgnoredOrSubstitutedAttributes)
            #expect(stapled[.unsupported]?["finishings"]?.values == [.enumeration(4)])
        }
        // A printer without a cutter does not support trim finishings.
        try await TestPrinters.serving { printers in
            let answer = try await printers.ask(
                .printJob, template: [Attribute("finishings", .enumeration(63))], document: TestPrinters.pdf)
            #expect(answer[.unsupported]?["finishings"] != nil)
        }
    }
}
