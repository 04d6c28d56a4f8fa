// Runs the real programs on a temporary spool.

import Foundation
import IPPClient
import IPPNetworkClient
import SpoolerClient
import PrintTestSupport
import ProcessLaunch
import SpoolerTrials
import Synchronization
import Testing

/// A printd with a spool in a temporary folder, and helpers to run programs on it.
///
///     let spooler = try TestSpooler()
///     try spooler.start()
///     let run = try await spooler.printq("submit", "--wait", spooler.file("a.pdf", pdf))
///
/// When the last reference is released, printd, printsim and the folder are removed.
final class TestSpooler: Sendable {
    let folder: TemporaryFolder
    private let retryInterval: Double?
    private let daemon = Mutex<DetachedProcess?>(nil)

    /// Creates a folder without a spool.
    ///
    /// No program is started.
    ///
    /// - Parameter retryInterval: The maximum time in seconds between two attempts to print a job, which `start` writes
    ///   to `printd.json5`; nil for the default.
    init(retryInterval: Double? = nil) throws {
        self.retryInterval = retryInterval
        folder = try TemporaryFolder()
    }

    deinit {
        // A killed printd leaves its printsim running, and printq may have started another printd. Kill all processes
        // that have this folder on their command line.
        for pid in Self.processes(naming: folder.path) { kill(pid, SIGKILL) }
        daemon.withLock { $0 }?.waitForEnd()
    }

    /// The path of the spool.
    var spool: String { folder.path("spool") }
    /// The path of printd's socket.
    var socket: String { "\(spool)/printd.sock" }
    /// A client of printd over the socket.
    var client: IPPClient { IPPClient(address: .unix(path: socket)) }

    /// Waits until a condition is true.
    ///
    /// Checks the condition after each event of a job or a printer.
    func eventually(
        _ what: String, within limit: Duration = .seconds(60), file: StaticString = #fileID, line: Int = #line,
        _ isSo: () async throws -> Bool
    ) async throws {
        let client = client
        let queue = Spooler(client: client, user: "tester") { [spool] () throws(SpoolerClientError) in
            try DaemonLauncher(place: try .current(named: spool), program: Programs.beside("printd")).start()
        }
        try await queue.eventually(what, within: limit, file: file, line: line, isSo)
        await client.close()
    }

    // MARK: - printd

    /// The line in which printd reports that it is listening, or the reason why it failed to start.
    struct ReadyLine: Decodable {
        var ready: Bool
        var socket: String?
        var tcp: String?
        var addresses: [String]?
        var message: String?

        /// The address `localhost:PORT` for clients.
        var host: String { "localhost:\(tcp?.split(separator: ":").last ?? "")" }
    }

    /// Starts printd and waits until it is listening.
    ///
    /// - Parameters:
    ///   - tcp: Whether to listen on a port of 127.0.0.1.
    ///   - listen: Another address to listen on.
    ///   - opensPort: Whether printd may open a port for the Print Center.
    ///   - launcher: The path of a program that executes printd. It receives printd's path and arguments.
    @discardableResult
    func start(
        _ options: String..., tcp: Bool = false, listen: String? = nil, opensPort: Bool = false,
        speed: String? = "instant", launcher: String? = nil
    ) throws -> ReadyLine {
        let address = listen ?? (tcp ? "127.0.0.1:0" : nil)
        let port = address.map { ["--listen", $0] } ?? (opensPort ? [] : ["--no-tcp"])
        var arguments = ["--spool", spool] + port + options
        if let speed { arguments += ["--simulator-speed", speed] }
        if let retryInterval {
            try FileManager.default.createDirectory(atPath: spool, withIntermediateDirectories: true)
            try Data("{ jobRetryInterval: \(retryInterval) }".utf8)
                .write(to: URL(fileURLWithPath: "\(spool)/printd.json5"))
        }
        let printd = Programs.beside("printd")
        let process = try DetachedProcess(
            program: launcher ?? printd, arguments: (launcher == nil ? [] : [printd]) + arguments,
            log: folder.path("printd.err"))
        daemon.withLock { $0 = process }
        let line = try #require(
            process.readLine(deadline: 30), "printd printed nothing; its log: \(text(of: folder.path("printd.err")))")
        let ready = try JSONDecoder().decode(ReadyLine.self, from: Data(line.utf8))
        try #require(ready.ready, "\(line)")
        return ready
    }

    /// Sends printd a signal and waits until it has exited.
    func stop(_ signal: Int32 = SIGTERM) {
        let process = daemon.withLock { process in
            defer { process = nil }
            return process
        }
        guard let process else { return }
        kill(process.pid, signal)
        process.waitForEnd()
    }

    /// Waits until printd has exited by itself.
    func waitUntilGone() async throws {
        let process = try #require(daemon.withLock { $0 })
        let code = await process.ended()
        #expect(code >= 0, "printd must exit without a signal")
        daemon.withLock { $0 = nil }
    }

    /// Returns the processes of a program that have this folder on their command line.
    func processes(of program: String) -> [Int32] {
        Self.processes(naming: folder.path).filter { text(of: "/proc/\($0)/cmdline").contains("/\(program)\0") }
    }

    private static func processes(naming folder: String) -> [Int32] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return names.compactMap { Int32($0) }.filter { pid in
            pid != getpid() && text(of: "/proc/\(pid)/cmdline").contains(folder)
        }
    }

    // MARK: - Programs

    /// Runs printq on this spool.
    func printq(_ arguments: String..., input: String? = nil) async throws -> ProgramRun {
        try await run(program("printq"), arguments, input: input)
    }

    /// Returns the path of one of this package's programs.
    func program(_ name: String) -> String { Programs.beside(name) }

    /// Runs a program in an environment that refers only to this spool, and waits until it exits.
    ///
    /// - Parameter variables: Additional or replaced environment variables.
    func run(
        _ program: String, _ arguments: [String], environment variables: [String: String] = [:], input: String? = nil
    ) async throws -> ProgramRun {
        try await ProgramRun(
            program.hasPrefix("/") ? program : "/usr/bin/\(program)", arguments,
            environment: [
                "PRINTQ_SPOOL": spool, "HOME": folder.path, "PATH": "/usr/bin:/bin", "TZ": "UTC", "LANG": "C",
                "CUPS_SERVER": folder.path("no-cupsd"), "SWIFT_BACKTRACE": "enable=no",
            ].merging(variables) { _, new in new }, in: folder.path, input: input ?? "")
    }

    /// Runs SQL in the spool's database, and returns the rows.
    ///
    /// The database can be locked while `printd` runs; the shell waits for it.
    @discardableResult
    func sql(_ statements: String) async throws -> [String] {
        let run = try await run("sqlite3", ["-batch", "-cmd", ".timeout 60000", "\(spool)/spool.sqlite", statements])
        try #require(run.code == 0, "\(run.complaints)")
        return run.lines
    }

    /// Runs a program as a user without an account or a group.
    ///
    /// Requires root.
    func runAsStranger(_ program: String, _ arguments: String...) async throws -> ProgramRun {
        let path = program.hasPrefix("/") ? program : "/usr/bin/\(program)"
        return try await run(
            "setpriv", ["--reuid", "3000000001", "--regid", "3000000001", "--clear-groups", path] + arguments)
    }

    /// Runs `lpadmin` or a similar program over the Unix socket, where the kernel identifies the user.
    func administer(_ program: String, _ arguments: String...) async throws -> ProgramRun {
        try await run(program.hasPrefix("lp") ? "/usr/sbin/\(program)" : program, ["-h", socket] + arguments)
    }

    // MARK: - Files

    /// Writes a document to the folder and returns its path.
    func file(_ name: String, _ pdf: PDFBuilder) throws -> String { try file(name, pdf.bytes) }

    /// Writes a file to the folder and returns its path.
    func file(_ name: String, _ bytes: [UInt8]) throws -> String {
        try Data(bytes).write(to: URL(fileURLWithPath: folder.path(name)))
        return folder.path(name)
    }

    /// Returns a PDF with two pages that is stored in several parts of a database.
    func largePDF() throws -> [UInt8] {
        let bytes = Data(PDFBuilder.numbered(pages: 2).bytes)
        // Readers of PDF ignore a comment before the end of the file.
        let comment = Data("%".utf8) + Data(repeating: 0x61, count: 1_500_000) + Data("\n".utf8)
        let end = try #require(bytes.range(of: Data("startxref".utf8), options: .backwards)).lowerBound
        return Array(bytes[..<end] + comment + bytes[end...])
    }
}

extension ProgramRun {
    /// The lines of standard output.
    var lines: [String] { output.split(separator: "\n").map(String.init) }

    /// The job number in `job 12 on …` or `request id is color-laser-12 (1 file(s))`.
    var jobID: Int? {
        output.firstMatch(of: /(?:^|\n)(?:job |request id is [a-z-]+-)(\d+)/).flatMap { Int($0.1) }
    }
}

extension DetachedProcess {
    /// Waits for a process that received a signal to exit.
    ///
    /// Returns its exit code, or the negative signal number.
    @discardableResult
    func waitForEnd() -> Int32 {
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0, errno == EINTR {}
        return status & 0x7F == 0 ? status >> 8 & 0xFF : -(status & 0x7F)
    }

    /// Waits for a process that exits by itself; kills it after one minute.
    func ended() async -> Int32 {
        let end = Task { [pid] in
            try await Task.sleep(for: .seconds(60))
            kill(pid, SIGKILL)
        }
        defer { end.cancel() }
        return await withCheckedContinuation { continuation in
            DispatchQueue.global().async { continuation.resume(returning: waitForEnd()) }
        }
    }
}

/// Checks the exit code of a program, and the error message if an expected message is given.
///
/// The message is the last line of standard error.
func expect(
    _ run: ProgramRun, code: Int32 = 0, says sentence: String? = nil, sourceLocation: SourceLocation = #_sourceLocation
) {
    #expect(
        run.code == code, "output: \(run.output)\ncomplaints: \(run.complaints)", sourceLocation: sourceLocation)
    if let sentence {
        let last = run.complaints.split(separator: "\n").last.map(String.init)
        #expect(last == sentence, sourceLocation: sourceLocation)
    }
}
