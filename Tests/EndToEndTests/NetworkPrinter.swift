// A simulated printer that stands by itself on the network, and can be switched off and on.

import Foundation
import PrintTestSupport
import ProcessLaunch
import Synchronization
import Testing

/// A `printsim` on a TCP port of its own, which knows nothing of any spooler.
final class NetworkPrinter: Sendable {
    private let folder: TemporaryFolder
    private let options: [String]
    private let process = Mutex<DetachedProcess?>(nil)
    /// Its port on 127.0.0.1, the same after each start.
    let port: Int
    /// Its URI.
    var uri: String { "ipp://localhost:\(port)/ipp/print/color-laser" }

    /// A color laser, switched on.
    init(_ options: String...) throws {
        folder = try TemporaryFolder()
        self.options = options
        let (process, port) = try Self.start(in: folder, port: 0, options)
        self.port = port
        self.process.withLock { $0 = process }
    }

    deinit { switchOff() }

    /// Switches it off, in the middle of whatever it does.
    func switchOff() {
        let running = process.withLock { process in
            defer { process = nil }
            return process
        }
        guard let running else { return }
        kill(running.pid, SIGKILL)
        running.waitForEnd()
    }

    /// Switches it on again.
    func switchOn() throws {
        let (started, _) = try Self.start(in: folder, port: port, options)
        process.withLock { $0 = started }
    }

    /// The jobs that have ended there, by its own log.
    var log: [LogLine] {
        get throws {
            try text(of: folder.path("out/color-laser/printer.log")).split(separator: "\n").map {
                try JSONDecoder().decode(LogLine.self, from: Data($0.utf8))
            }
        }
    }

    /// Does something to it by hand: `clear media-jam`.
    func care(_ arguments: String...) async throws -> ProgramRun {
        try await ProgramRun(
            Programs.beside("printsim"), arguments, environment: ["PRINTSIM_URI": uri, "PATH": "/usr/bin:/bin"],
            in: folder.path)
    }

    private static func start(
        in folder: TemporaryFolder, port: Int, _ options: [String]
    ) throws -> (DetachedProcess, port: Int) {
        let process = try DetachedProcess(
            program: Programs.beside("printsim"),
            arguments: [
                "color-laser", "--port", "\(port)", "--output", folder.path("out"), "--no-dns-sd", "--no-tls",
            ] + options, log: folder.path("printsim.err"))
        let line = try #require(
            process.readLine(deadline: 30), "printsim said nothing: \(text(of: folder.path("printsim.err")))")
        let found = try #require(line.firstMatch(of: /ipp:\/\/[^:"]+:(\d+)\//), "\(line)")
        return (process, try #require(Int(found.1)))
    }
}
