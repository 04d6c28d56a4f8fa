import BackendTrials
import Foundation
import IPPClient
import IPPNetworkClient
import PrintBackends
import PrintModel
import PrintTestSupport
import PrintTesting

/// A bench with a real cupsd and a driverless queue for a real printsim.
struct CUPSBench: BackendBench {
    static let leftOut: [BackendTrouble: String] = [
        .documentRefused:
            "CUPS 2.4 accepts every document that has a filter, and reports a failed filter only later"
    ]
    static let countsSides = false

    let format = DocumentFormat.pdf
    private let cups: PrivateCupsd
    private let printer: TestPrinter
    private let folder: TemporaryFolder
    private let losses = Losses()

    init() async throws {
        folder = try TemporaryFolder()
        printer = try await TestPrinter.start("mono-laser")
        cups = try PrivateCupsd(isDurable: true)
        try await cups.addQueue("office", to: printer.uri, "-m", "everywhere")
    }

    func makeBackend() async throws -> any PrinterBackend {
        let server = CUPSServer(address: .tcp(host: "localhost", port: cups.port))
        return CUPSBackend(
            server: server, transport: LossyTransport(IPPClient(address: server.address), losses),
            queue: DeviceURI.CUPSQueue(name: "office"), isLocal: false)
    }

    func document(pages: Int) throws -> String {
        let path = folder.path("\(pages).pdf")
        try PDFBuilder.numbered(pages: pages).write(to: path)
        return path
    }

    func begin(_ trouble: BackendTrouble) async throws {
        switch trouble {
        case .stopsAtSecondSide: try await printer.fault("media-empty at page 2")
        case .unreachable: cups.stop()
        case .busy: _ = try await cups.run("cupsreject", "office")
        case .numbersBeginAnew:
            cups.stop()
            let spool = cups.folder.path("spool")
            for name in try FileManager.default.contentsOfDirectory(atPath: spool)
            where name.hasPrefix("c") || name.hasPrefix("d") {
                try FileManager.default.removeItem(atPath: "\(spool)/\(name)")
            }
            try? FileManager.default.removeItem(atPath: cups.folder.path("cache/job.cache"))
            try cups.start()
        case .documentCut, .answerLost, .answerRepeated: losses.begin(trouble)
        case .documentRefused: break
        }
    }

    func end(_ trouble: BackendTrouble) async throws {
        switch trouble {
        case .stopsAtSecondSide: try await printer.clear()
        case .unreachable: try cups.start()
        case .busy: _ = try await cups.run("cupsaccept", "office")
        default: losses.end(trouble)
        }
    }

    /// Waits until the job has ended at the printer: CUPS reports a job as canceled earlier.
    func untilDeviceHasEndedJob() async throws { _ = try await printer.nextJob() }

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
