import FoundationEssentials
import IPPServer
import IPPServerTLS
import PrintIPP
import PrintModel
import PrintTestSupport
import PrinterSimulator
import SimulatorServer
import Testing

/// CUPS' conformance suites, run against every shipped printer.
///
/// `ipp-2.2` includes `ipp-2.1`, which includes `ipp-2.0`, which includes `ipp-1.1`. `ipp-everywhere` includes
/// `ipp-2.0`.
@Suite(.serialized) struct IPPToolTests {
    static let shipped: [String] = {
        let files = (try? FileManager.default.contentsOfDirectory(atPath: "\(packageFolder)/Simulators")) ?? []
        return files.filter { $0.hasSuffix(".json5") }.map { String($0.dropLast(6)) }.sorted()
    }()

    @Test(arguments: TestRun.pairs(shipped, ["ipp-2.2.test", "ipp-everywhere.test"]))
    func `each simulated printer that printq ships passes each conformance suite of ipptool`(
        name: String, suite file: String
    ) async throws {
        try await pass(file, name, scheme: "ipp")
    }

    @Test func `a simulated printer passes ipptool's IPP Everywhere suite over TLS`() async throws {
        try await pass("ipp-everywhere.test", "color-laser", scheme: "ipps")
    }

    /// The requirements of IPP/2.2 that only simulated printers do not meet.
    ///
    /// `IPPTool.permitted` has the requirements that neither simulated printers nor queues meet.
    private static let permitted = [
        IPPTool.Exception(
            test: "PWG 5100.12 section 6.4", expectation: "number-up-",
            reason: "simulated printers do not support imposition")
    ]

    private func pass(_ file: String, _ name: String, scheme: String) async throws {
        let folder = try TemporaryFolder()
        let suite = try await IPPTool(folder: folder.path("suite"))
        let pdf = folder.path("document.pdf")
        try PDFBuilder.numbered(pages: 2).write(to: pdf)
        var description = try SimulatedPrinterDescription(path: "\(packageFolder)/Simulators/\(name).json5")
        description.speed = .instant
        let log = SimulatorLog(startingAt: 1)
        let environment = SimulatorEnvironment(worker: ScriptedWorker(pages: 2), note: { log.append($0) })
        let open = try await OpenPrinters([description], output: folder.path("output"), in: environment)
        let service = SimulatorService(open.printers, in: environment)
        let operations = PrinterOperations(
            service, events: log, numbersJobsGlobally: false, isOpen: true, security: [.none, .tls],
            clock: environment.now)
        let identity = try TLSIdentity.stored(in: folder.path, for: .thisMachine)
        try await TestPrinters.serving(operations, socket: folder.path("s"), tls: identity) { port in
            let running = Task { await service.run() }
            let run = try await suite.run(
                file, against: "\(scheme)://localhost:\(port)/ipp/print/\(name)",
                document: description.formats.contains(.pdf) ? pdf : folder.path("suite/color.jpg"))
            running.cancel()
            await running.value
            #expect(run.names == (file == "ipp-2.2.test" ? 69 : 500))
            #expect(run.results.count == run.names)
            let failures = run.failures(except: IPPTool.permitted + Self.permitted)
            #expect(failures.isEmpty, "\(failures)")
            // Tests for unsupported raster formats are skipped. A label printer has neither color nor two sides.
            #expect(run.results.count { $0.outcome == .pass } > (file == "ipp-2.2.test" ? 35 : 70))
            #expect(run.errors.isEmpty)
        }
    }
}

/// The path of the package folder.
let packageFolder = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(4).joined(separator: "/")
