import FoundationEssentials
import IPP
import PrintIPP
import PrintModel
import PrintTestSupport
import PrinterSimulator
import SimulatorServer
import Testing

/// Requests that are damaged in any way are answered, and do no harm.
struct HostileRequestTests {
    /// Good requests of most operations, as bytes.
    private func requests() throws -> [[UInt8]] {
        let extra: [Attribute] = [
            Attribute("job-id", .integer(1)), Attribute("document-format", .mimeMediaType("application/pdf")),
            Attribute("requested-attributes", .keyword("all"), .keyword("media-col-database")),
            Attribute("which-jobs", .keyword("all")), Attribute("limit", .integer(3)),
            Attribute("last-document", .boolean(true)), Attribute("notify-subscription-ids", .integer(1)),
            Attribute("notify-job-id", .integer(1)), Attribute("printq-care", .text("status")),
        ]
        let template: [Attribute] = [
            Attribute("copies", .integer(2)), Attribute("sides", .keyword("two-sided-long-edge")),
            Attribute("page-ranges", .range(IntegerRange(lower: 1, upper: 3))),
            Attribute("media-col", .collection(IPP.Collection([Attribute("media-type", .keyword("stationery"))]))),
        ]
        let numbers = Array(UInt16(0x0002)...0x0023) + [0x0038, 0x0039, 0x003A, 0x003B, 0x003C, 0x4001, 0x4002, 0x5053]
        return try numbers.filter { $0 != 0x001C }.map { number in
            try TestPrinters.request(
                IPP.Operation(rawValue: number), extra, template: template,
                subscription: [Attribute("notify-pull-method", .keyword("ippget"))]
            ).encoded()
        }
    }

    @Test func `thousands of damaged requests are refused or answered, and the printer prints afterwards`() async throws
    {
        try await TestPrinters.serving { printers in
            let log = SimulatorLog(startingAt: 0)
            let operations = PrinterOperations(
                printers.service, events: log, numbersJobsGlobally: false, isOpen: true, clock: { 1_700_000_000 })
            let desk = CareDesk(FaultyAnswers(operations, service: printers.service), service: printers.service)
            var luck = Luck(seed: 4)
            let good = try requests()
            var (refused, answered) = (0, 0)
            for _ in 0..<3_000 {
                var bytes = good[Int.random(in: good.indices, using: &luck)]
                for _ in 0...Int.random(in: 0...3, using: &luck) {
                    let place = Int.random(in: bytes.indices, using: &luck)
                    switch Int.random(in: 0..<20, using: &luck) {
                    case 0..<17: bytes[place] = UInt8.random(in: 0...255, using: &luck)
                    case 17: bytes.remove(at: place)
                    case 18: bytes.insert(UInt8.random(in: 0...255, using: &luck), at: place)
                    default: bytes = Array(bytes.prefix(max(9, place)))
                    }
                }
                guard let message = try? Message.decode(bytes).message else {
                    refused += 1
                    continue
                }
                let request = IPPRequest(message: message, peer: .tcp(address: "127.0.0.1", port: 1))
                let answer = await desk.respond(to: request)
                _ = try answer.encoded()
                answered += 1
            }
            #expect(refused > 300 && answered > 300, "\(refused) refused, \(answered) answered")
            _ = try await printers.ask(.enablePrinter)
            _ = try await printers.ask(.resumePrinter)
            let id = try await printers.print()
            #expect(try await printers.job(id).state == .completed)
        }
    }
}
