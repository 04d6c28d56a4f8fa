import BackendTrials
import Foundation
import IPPClient
import IPPNetworkClient
import PrintBackends
import PrintModel
import PrintTestSupport
import PrintTesting

/// A bench with a real printsim over TCP and the faults of printsim.
struct SimulatorBench: BackendBench {
    static let leftOut: [BackendTrouble: String] = [
        .numbersBeginAnew:
            "printsim keeps its jobs; printers that lose their jobs are in MemoryBench and in the crash matrix"
    ]

    let format = DocumentFormat.pdf
    private let printer: TestPrinter
    private let folder: TemporaryFolder
    private let losses = Losses()

    init() async throws {
        folder = try TemporaryFolder()
        printer = try await TestPrinter.start("mono-laser")
    }

    func makeBackend() async throws -> any PrinterBackend {
        IPPBackend(
            transport: LossyTransport(IPPClient(address: .tcp(host: "127.0.0.1", port: printer.port)), losses),
            printerURI: printer.uri)
    }

    func document(pages: Int) throws -> String {
        let path = folder.path("\(pages).pdf")
        try PDFBuilder.numbered(pages: pages).write(to: path)
        return path
    }

    private static func words(for trouble: BackendTrouble) -> String? {
        switch trouble {
        case .stopsAtSecondSide: "media-empty at page 2"
        case .busy: "busy"
        case .documentCut: "reset at Send-Document byte 100"
        case .answerLost: "drop at Send-Document byte 0"
        case .answerRepeated: "duplicate at Create-Job once"
        case .documentRefused: "status client-error-document-format-not-supported at Send-Document"
        case .unreachable, .numbersBeginAnew: nil
        }
    }

    func begin(_ trouble: BackendTrouble) async throws {
        // printsim can close its port only for a limited time or through another connection. Therefore the transport
        // simulates an unreachable printer.
        if trouble == .unreachable { losses.begin(trouble) }
        if let words = Self.words(for: trouble) { try await printer.fault(words) }
    }

    func end(_ trouble: BackendTrouble) async throws {
        losses.end(trouble)
        try await printer.clear()
    }

    func paper() async throws -> [(name: String, sides: Int)] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: printer.outputFolder)) ?? []
        return names.filter { $0.hasPrefix("job-") }.sorted().compactMap { name in
            guard let job = try? PrintedJob(folder: "\(printer.outputFolder)/\(name)"), job.impressions > 0 else {
                return nil
            }
            return (job.name, job.impressions)
        }
    }
}
