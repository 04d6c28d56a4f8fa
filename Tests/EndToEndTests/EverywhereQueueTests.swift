import Foundation
import IPP
import IPPClient
import IPPNetworkClient
import PrintTestSupport
import Testing

/// Tests of a queue of printd as an IPP Everywhere printer, in front of a simulated printer.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct EverywhereQueueTests {
    @Test func `the queue of a simulated printer passes ipptool's IPP Everywhere suite`() async throws {
        let spooler = try TestSpooler()
        let ready = try spooler.start(tcp: true)
        let suite = try await IPPTool(folder: spooler.folder.path("suite"))
        let run = try await suite.run(
            "ipp-everywhere.test", against: "ipp://\(ready.host)/printers/inkjet",
            document: try spooler.file("document.pdf", .numbered(pages: 2)))
        #expect(run.names > 200)
        #expect(run.results.count == run.names)
        #expect(run.failures.isEmpty, "\(run.failures)")
        #expect(run.errors.isEmpty)
    }

    @Test func `a queue serves its web pages and icons at the advertised URIs`() async throws {
        let spooler = try TestSpooler()
        let ready = try spooler.start(tcp: true)
        let port = try #require(ready.tcp?.split(separator: ":").last.flatMap { Int($0) })
        let client = IPPClient(address: .tcp(host: "127.0.0.1", port: port))
        func ask(_ operation: IPP.Operation, _ attributes: [Attribute] = []) async throws -> Message {
            try await client.send(
                Message(
                    operation: operation, requestID: 1,
                    groups: [
                        .operation([Attribute("printer-uri", .uri("ipp://\(ready.host)/printers/inkjet"))] + attributes)
                    ]))
        }
        let printer = try #require(try await ask(.getPrinterAttributes)[.printer])
        #expect(printer.keywords("ipp-features-supported") == ["ipp-everywhere"])
        #expect(printer.strings("printer-supply-description").contains("Cyan ink"))
        #expect(
            printer.string("printer-device-id")?.hasPrefix(
                "MFG:printq;MDL:Inkjet;CMD:PDF,PWGRaster,URF,JPEG;CLS:PRINTER;SN:") == true)
        for (address, type) in [
            (printer.string("printer-more-info"), "text/html"),
            (printer.string("printer-supply-info-uri"), "text/html"),
            (printer.strings("printer-icons").first, "image/png"),
        ] {
            let got = try await spooler.run(
                "curl", ["-s", "-f", "-o", "/dev/null", "-w", "%{content_type}", address ?? ""])
            #expect(got.code == 0 && got.output.hasPrefix(type), "\(address ?? "nil"): \(got)")
        }
        let page = try await spooler.run("curl", ["-s", printer.string("printer-more-info") ?? ""])
        #expect(page.output.contains("<td>Cyan ink</td><td>85 %</td>"), "\(page.output)")
        let none = try await spooler.run(
            "curl", ["-s", "-o", "/dev/null", "-w", "%{http_code}", "http://\(ready.host)/printers/nobody"])
        #expect(none.output == "404")
        let found = try await ask(.identifyPrinter, [Attribute("message", .text("here"))])
        #expect(found.status == .successfulOk)
        #expect(text(of: "\(spooler.spool)/output/inkjet/printer.log").contains("\"event\":\"identify\""))
        await client.close()
    }
}
