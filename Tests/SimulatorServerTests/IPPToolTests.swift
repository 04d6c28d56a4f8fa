import FoundationEssentials
import IPPServer
import PrintIPP
import PrintModel
import PrintTestSupport
import PrinterSimulator
import SimulatorServer
import Testing

/// CUPS' own conformance suite against every printer that is shipped.
struct IPPToolTests {
    @Test(arguments: ["color-laser", "mono-laser", "inkjet"])
    func `a shipped printer passes the whole suite of IPP 1.1`(name: String) async throws {
        let folder = try TemporaryFolder()
        let suite = try await IPPTool(folder: folder.path("suite"))
        let pdf = folder.path("document.pdf")
        try PDFBuilder.numbered(pages: 2).write(to: pdf)
        var description = try SimulatedPrinterDescription(path: "\(packageFolder)/Simulators/\(name).json5")
        description.speed = .instant
        let surroundings = SimulatorSurroundings(worker: ScriptedWorker(pages: 2))
        let open = try await OpenPrinters([description], output: folder.path("output"), in: surroundings)
        let service = SimulatorService(open.printers, in: surroundings)
        let operations = PrinterOperations(
            service, numbersJobsGlobally: false, isOpen: true, clock: surroundings.now)
        try await TestPrinters.serving(operations, socket: folder.path("s")) { port in
            let running = Task { await service.run() }
            let run = try await suite.run(
                "ipp-1.1.test", against: "ipp://localhost:\(port)/ipp/print/\(name)", document: pdf)
            running.cancel()
            await running.value
            #expect(run.names > 60)
            #expect(run.results.count == run.names)
            #expect(run.failures.isEmpty, "\(run.failures)")
            #expect(run.results.count { $0.outcome == .pass } > 30)
            #expect(run.errors.isEmpty)
        }
    }
}

/// The package's folder, two above this file's.
let packageFolder = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3).joined(separator: "/")
