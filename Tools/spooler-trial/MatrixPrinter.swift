// Runs an independent printer for a trial: printsim over TCP.

import Foundation
import IPP
import IPPClient
import IPPNetworkClient
import ProcessLaunch
import SpoolerTrials
import Synchronization

/// A simulated printer that runs independently of the spooler, at a fixed port.
final class MatrixPrinter: Sendable {
    static let name = "mono-laser"
    private let folder: String
    private struct State {
        var process: DetachedProcess?
        var port = 0
        var outputs = 1
    }
    private let state = Mutex(State())

    /// The speed, as for `printsim --speed`.
    private let speed: String

    init(folder: String, speed: String = "instant") { (self.folder, self.speed) = (folder, speed) }

    /// The folder with the printed files and the state.
    var output: String { "\(folder)/printed-\(state.withLock { $0.outputs })" }
    /// The folders that were used before the printer lost its state.
    var forgotten: [String] { (1..<state.withLock { $0.outputs }).map { "\(folder)/printed-\($0)" } }

    /// Selects a new folder, so that the printer has lost its state at the next start.
    func forget() { state.withLock { $0.outputs += 1 } }

    var port: Int { state.withLock { $0.port } }
    var uri: String { "ipp://127.0.0.1:\(port)/ipp/print/\(Self.name)" }
    var log: String { "\(output)/\(Self.name)/printer.log" }

    struct NotStarted: Error, CustomStringConvertible { var description: String }

    private struct Ready: Decodable {
        struct Printer: Decodable { var uri: String }
        var printers: [Printer]
    }

    /// Starts the printer, at its earlier port if it had one.
    func start(faults: [String] = []) async throws {
        reap()
        let arguments =
            ["serve", Self.name, "--port", "\(port)", "--output", output, "--no-dns-sd", "--speed", speed]
            + faults.flatMap { ["--fault", $0] }
        let process = try DetachedProcess(
            program: Programs.beside("printsim"), arguments: arguments, log: "\(folder)/printsim.err")
        state.withLock { $0.process = process }
        let line = await withCheckedContinuation { continuation in
            DispatchQueue.global().async { continuation.resume(returning: process.readLine(deadline: 30)) }
        }
        guard let line, let ready = try? JSONDecoder().decode(Ready.self, from: Data(line.utf8)),
            let port = ready.printers.first?.uri.split(separator: "/").dropFirst().first?.split(separator: ":").last
                .flatMap({ Int($0) })
        else {
            let words = (try? String(contentsOfFile: "\(folder)/printsim.err", encoding: .utf8)) ?? ""
            throw NotStarted(description: "printsim printed \(line ?? "nothing"): \(words.suffix(500))")
        }
        state.withLock { $0.port = port }
    }

    /// Waits for the end of the process.
    func reap() { state.withLock { $0.process.take() }?.reap() }

    /// Returns the planned and active faults as text.
    func faults() async throws -> [String] { try await control(["status"]).strings("printq-faults") }

    /// Plans faults.
    func plan(_ faults: [String]) async throws { for fault in faults { _ = try await control(["fault", fault]) } }

    /// Clears all faults.
    func clear() async throws { _ = try? await control(["clear", "all"]) }

    private func control(_ words: [String]) async throws -> AttributeGroup {
        let client = IPPClient(address: .tcp(host: "127.0.0.1", port: port))
        let request = Message(
            version: .v1_1, operation: Operation(rawValue: 0x5053), requestID: 1,
            groups: [
                .operation([
                    Attribute("printer-uri", .uri(uri)),
                    Attribute("printq-control", words.map { .text($0) }),
                ])
            ])
        let answer = try await client.send(request)
        await client.close()
        return answer[.printer] ?? AttributeGroup(.printer)
    }
}
