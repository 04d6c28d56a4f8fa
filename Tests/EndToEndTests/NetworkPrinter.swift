// A simulated network printer that can be switched off and on.

import Foundation
import PrintTestSupport
import ProcessLaunch
import Synchronization
import Testing

/// A `printsim` on a separate TCP port, independent of any spooler.
final class NetworkPrinter: Sendable {
    private let folder: TemporaryFolder
    private let options: [String]
    private let process = Mutex<DetachedProcess?>(nil)
    /// The port on 127.0.0.1, which stays the same after each start.
    let port: Int
    /// The URI of the printer.
    var uri: String { "ipp://localhost:\(port)/ipp/print/color-laser" }

    /// Starts a color laser printer.
    init(_ options: String...) throws {
        folder = try TemporaryFolder()
        self.options = options
        let (process, port) = try Self.start(in: folder, port: 0, options)
        self.port = port
        self.process.withLock { $0 = process }
    }

    deinit { switchOff() }

    /// Kills the printer, even while it is printing.
    func switchOff() {
        let running = process.withLock { process in
            defer { process = nil }
            return process
        }
        guard let running else { return }
        kill(running.pid, SIGKILL)
        running.waitForEnd()
    }

    /// Starts the printer again on the same port.
    func switchOn() throws {
        let (started, _) = try Self.start(in: folder, port: port, options)
        process.withLock { $0 = started }
    }

    /// The ended jobs from the printer's log.
    var log: [LogLine] {
        get throws {
            try text(of: folder.path("out/color-laser/printer.log")).split(separator: "\n").map {
                try JSONDecoder().decode(LogLine.self, from: Data($0.utf8))
            }
        }
    }

    /// Runs a printsim command at the printer, for example `clear media-jam`.
    func control(_ arguments: String...) async throws -> ProgramRun {
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
            process.readLine(deadline: 30), "printsim printed nothing: \(text(of: folder.path("printsim.err")))")
        let found = try #require(line.firstMatch(of: /ipp:\/\/[^:"]+:(\d+)\//), "\(line)")
        return (process, try #require(Int(found.1)))
    }
}
