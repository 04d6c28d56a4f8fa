// A test setup with printd, a real cupsd and a printer behind cupsd.

import Foundation
import IPP
import IPPClient
import PrintTestSupport
import ProcessLaunch
import Synchronization
import Testing

/// A spooler whose printers are queues of a real cupsd.
///
/// `sim` is a driverless queue for a simulated printer.
final class CUPSSite: Sendable {
    let spooler: TestSpooler
    let cups: PrivateCupsd
    /// The URI of the simulated printer behind cupsd.
    let printerURI: String
    /// The URI of an identical printer that accepts PDF and is not a queue of cupsd.
    let directURI: String
    private let simulator: DetachedProcess
    private var folder: TemporaryFolder { spooler.folder }

    /// Creates the setup without starting printd.
    init(
        formats: [String] = ["application/pdf", "image/pwg-raster"], isDurable: Bool = true, settings: String = ""
    ) async throws {
        spooler = try TestSpooler()
        let folder = spooler.folder
        try FileManager.default.createDirectory(atPath: folder.path("sims"), withIntermediateDirectories: true)
        for (name, formats) in [("sim", formats), ("direct", ["application/pdf"])] {
            let list = formats.map { "'\($0)'" }.joined(separator: ", ")
            try """
            { name: '\(name)', makeAndModel: 'Sim Laser', media: ['A4', 'Letter', 'A5'], color: true, formats: [\(list)],
              sides: ['one-sided', 'two-sided-long-edge', 'two-sided-short-edge'], resolutions: [150] }
            """.write(toFile: folder.path("sims/\(name).json5"), atomically: true, encoding: .utf8)
        }
        simulator = try DetachedProcess(
            program: Programs.beside("printsim"),
            arguments: [
                "sim", "direct", "--simulators", folder.path("sims"), "--output", folder.path("out"), "--no-dns-sd",
            ],
            log: folder.path("printsim.log"))
        let line = try #require(simulator.readLine(deadline: 30))
        let uris = line.split(separator: "\"").map(String.init).filter { $0.hasPrefix("ipp://") }
        printerURI = try #require(uris.first { $0.hasSuffix("/sim") }, "\(line)")
        directURI = try #require(uris.first { $0.hasSuffix("/direct") }, "\(line)")
        cups = try PrivateCupsd(isDurable: isDurable, settings: settings)
        try await cups.addQueue("sim", to: printerURI, "-m", "everywhere")
    }

    /// Starts printd with this cupsd, and adds a printer at `cups:NAME` for each name.
    @discardableResult
    func start(_ queues: String...) async throws -> TestSpooler {
        try spooler.start("--cups", cups.socket)
        for queue in queues { try await addPrinter(queue.replacing("/", with: "-"), at: "cups:\(queue)") }
        return spooler
    }

    /// Adds a printer to the spool with the request that `lpadmin` sends.
    func addPrinter(_ name: String, at uri: String) async throws {
        let client = spooler.client
        let answer = try await client.send(
            Message(
                version: .v1_1, operation: .cupsAddModifyPrinter, requestID: 1,
                groups: [
                    .operation([Attribute("printer-uri", .uri("ipp://localhost/printers/\(name)"))]),
                    AttributeGroup(
                        .printer,
                        [
                            Attribute("device-uri", .uri(uri)), Attribute("printer-state", .enumeration(3)),
                            Attribute("printer-is-accepting-jobs", .boolean(true)),
                        ]),
                ]))
        await client.close()
        try #require(answer.status.isSuccess, "\(answer.status) \(answer[.operation]?.string("status-message") ?? "")")
    }

    /// Returns the output of a simulated printer for a job.
    func printed(_ number: Int, on printer: String = "sim") -> PrintedJob {
        PrintedJob(number: number, in: folder.path("out/\(printer)"))
    }

    /// The output folder of the simulated printer.
    var output: String { folder.path("out/sim") }

    /// Returns the ended jobs of a simulated printer.
    func log(of printer: String = "sim") throws -> [LogLine] {
        try text(of: folder.path("out/\(printer)/printer.log")).split(separator: "\n").map {
            try JSONDecoder().decode(LogLine.self, from: Data($0.utf8))
        }
    }

    /// Runs a printsim command at the simulated printer, for example to inject or clear a fault.
    func printsim(_ arguments: String...) async throws {
        let run = try await spooler.run(
            Programs.beside("printsim"), arguments, environment: ["PRINTSIM_URI": printerURI])
        expect(run)
    }

    /// Waits until the message of a job contains the words.
    func eventually(_ id: Int, says words: String, state: String? = nil) async throws {
        try await spooler.wait(until: id, says: words, state: state)
    }

    /// Waits until a job has ended.
    func ended(_ id: Int) async throws -> QueuedJob { try await spooler.ended(id) }

    /// Returns the lines of `printq watch` about a job, without the time of day.
    func told(_ id: Int) async throws -> [String] { try await spooler.told(id) }
}
