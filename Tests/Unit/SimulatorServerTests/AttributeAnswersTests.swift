import IPP
import PrintIPP
import SimulatorServer
import Testing

/// Tests of the cache of responses to Get-Printer-Attributes.
///
/// The clock is stopped, so that a stale response would not expire in the cache.
struct AttributeAnswersTests {
    @Test func `a repeated Get-Printer-Attributes request receives the cached response with the new request ID`()
        async throws
    {
        try await TestPrinters.serving { printers in
            let operations = PrinterOperations(
                printers.service, events: SimulatorLog(startingAt: 0), numbersJobsGlobally: false, isOpen: true,
                clock: { 1_700_000_000 })
            let answers = AttributeAnswers(operations, service: printers.service)
            var request = IPPRequest(
                message: TestPrinters.request(.getPrinterAttributes), peer: .tcp(address: "127.0.0.1", port: 1))
            let first = await answers.answer(to: request)
            request.message.requestID = 7
            let second = await answers.answer(to: request)
            #expect(first.encoded == nil, "the first response is not from the cache")
            let remembered = try Message.decode(try #require(second.encoded)).message
            #expect(remembered == second.message)
            #expect(remembered.requestID == 7 && remembered.groups == first.message.groups)
            var changed = second
            changed.message.requestID = 8
            #expect(changed.encoded == nil, "the cached bytes of a different message are not sent")
        }
    }

    @Test(arguments: [Int32(0), -7])
    func `a Get-Printer-Attributes request with an invalid ID is refused even if the response is cached`(number: Int32)
        async throws
    {
        try await TestPrinters.serving { printers in
            let operations = PrinterOperations(
                printers.service, events: SimulatorLog(startingAt: 0), numbersJobsGlobally: false, isOpen: true,
                clock: { 1_700_000_000 })
            let answers = AttributeAnswers(operations, service: printers.service)
            var request = IPPRequest(
                message: TestPrinters.request(.getPrinterAttributes), peer: .tcp(address: "127.0.0.1", port: 1))
            #expect(await answers.answer(to: request).message.status == .successfulOk)
            request.message.requestID = number
            let answer = await answers.answer(to: request).message
            #expect(answer.status == .clientErrorBadRequest && answer[.printer] == nil)
        }
    }

    @Test func `a cached Get-Printer-Attributes response is not sent if different attributes are requested`()
        async throws
    {
        try await TestPrinters.serving { printers in
            func names(_ asked: String, at uri: String = TestPrinters.laserURI) async throws -> [String] {
                let answer = try await printers.ask(
                    .getPrinterAttributes, at: uri, [Attribute("requested-attributes", .keyword(asked))])
                return answer[.printer]?.attributes.map(\.name) ?? []
            }
            for _ in 0..<2 {
                #expect(try await names("printer-name") == ["printer-name"])
                #expect(try await names("printer-state") == ["printer-state"])
                #expect(try await names("all").count > 50)
            }
            let inkjet = try await printers.ask(.getPrinterAttributes, at: TestPrinters.inkjetURI)
            #expect(inkjet[.printer]?.string("printer-name") == "inkjet")
        }
    }

    @Test func `a change of the printer is visible in the next response`() async throws {
        try await TestPrinters.serving { printers in
            func printer() async throws -> AttributeGroup {
                try #require(try await printers.ask(.getPrinterAttributes)[.printer])
            }
            #expect(try await printer().integer("printer-state") == 3)
            _ = try await printers.ask(.pausePrinter)
            #expect(try await printer().integer("printer-state") == 5)
            _ = try await printers.print()
            #expect(try await printer().integer("queued-job-count") == 1)
            _ = try await printers.ask(.setPrinterAttributes, printer: [Attribute("printer-location", .text("Attic"))])
            #expect(try await printer().string("printer-location") == "Attic")
            printers.service.note(publishedName: "Laser (2)", of: "laser")
            #expect(try await printer().string("printer-dns-sd-name") == "Laser (2)")
        }
    }
}
