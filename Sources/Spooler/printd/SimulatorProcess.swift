// Manages the process of the simulated printers, which may outlive printd while it prints.

import AsyncPrimitives
import Glibc
import IPP
import IPPClient
import IPPNetworkClient
import Logging
import PrintBackends
import PrintModel
import ProcessLaunch
import SafeFiles

/// The `printsim` process of this spool.
///
/// The process is started if no process is listening on the socket of the simulated printers.
actor SimulatorProcess {
    private let spool: String
    private let extraArguments: [String]
    private let logger: Logger
    private var starting: Task<Void, any Error>?
    private var process: DetachedProcess?

    /// The reason why the simulated printers cannot be started.
    struct StartError: Error, CustomStringConvertible {
        let description: String
    }

    init(spool: String, extraArguments: [String], logger: Logger) {
        self.spool = spool
        self.extraArguments = extraArguments
        self.logger = logger
    }

    /// Returns the path of the Unix socket of a spool's simulated printers.
    static func socket(of spool: String) -> String { "\(spool)/printsim.sock" }

    /// Starts the process, and returns when the process is listening.
    ///
    /// Concurrent callers wait for the same process.
    func start() async throws {
        if let starting { return try await starting.value }
        let task = Task { try await self.launch() }
        starting = task
        defer { starting = nil }
        try await task.value
    }

    private func launch() async throws {
        process?.reap()
        let log = "\(spool)/printsim.log"
        let before = Self.size(of: log)
        let arguments =
            [
                "--socket", Self.socket(of: spool), "--no-tcp", "--output", "\(spool)/output", "--of-queue",
                "--idle-exit", "900",
            ]
            + extraArguments
        let process = try DetachedProcess(program: Programs.path(of: "printsim"), arguments: arguments, log: log)
        self.process = process
        logger.info("starting the simulated printers", metadata: ["pid": "\(process.pid)"])
        let line = await BlockingThreads.shared.run { process.readLine(deadline: 20) }
        guard line?.contains("\"ready\":true") == true else {
            process.reap()
            let cause = Self.lastLine(in: log, after: before).map { ": \($0) (from \(log))" } ?? "; see \(log)"
            throw StartError(description: "cannot start the simulated printers\(cause)")
        }
    }

    /// Returns the folder with the pages of a job at a simulated printer.
    ///
    /// The function starts the simulated printers if they are not running.
    ///
    /// The result is nil if the printer has never had the job, or no longer has the job.
    nonisolated func outputFolder(of job: RemoteJob, at printer: String) async -> String? {
        let client = IPPClient(address: .unix(path: Self.socket(of: spool)), bounds: Self.bounds)
        let transport = OnDemandTransport(client) { [self] in try await start() }
        let request = Message(
            operation: .getJobAttributes, requestID: 1,
            groups: [
                .operation([
                    Attribute("printer-uri", .uri("ipp://localhost/ipp/print/\(printer)")),
                    Attribute("job-id", .integer(Int32(clamping: job.id))),
                    Attribute("requested-attributes", .keyword("job-uuid"), .keyword("printq-output-folder")),
                ])
            ])
        let answer = try? await transport.send(request)
        await client.close()
        guard let group = answer?[.job], job.uuid == nil || group.string("job-uuid") == job.uuid else { return nil }
        return group.string("printq-output-folder")
    }

    /// Sends a request to the simulated printers.
    ///
    /// The function starts the simulated printers if they are not running.
    nonisolated func send(_ request: Message) async throws -> Message {
        let client = IPPClient(address: .unix(path: Self.socket(of: spool)), bounds: Self.bounds)
        let result: Result<Message, any Error>
        do {
            result = .success(try await OnDemandTransport(client) { [self] in try await start() }.send(request))
        } catch {
            result = .failure(error)
        }
        await client.close()
        return try result.get()
    }

    /// Stops the simulated printers: immediately if they are idle, otherwise after their jobs have ended.
    ///
    /// The request also stops a `printsim` process that an earlier, killed `printd` of this spool has started. If a new
    /// `printd` sends a request before `printsim` stops, `printsim` continues to run.
    func stopWhenIdle() async {
        guard access(Self.socket(of: spool), F_OK) == 0 else { return }
        let client = IPPClient(address: .unix(path: Self.socket(of: spool)), bounds: Self.bounds)
        let request = Message(
            operation: Self.controlPrinter, requestID: 1,
            groups: [.operation([Attribute("printq-control", .text("leave"))])])
        // The request fails if the simulated printers are not running.
        _ = try? await client.send(request)
        await client.close()
    }

    /// The IPP operation of printsim that controls simulated printers.
    private static let controlPrinter = IPP.Operation(rawValue: 0x5053)

    private static var bounds: IPPClient.Bounds {
        var bounds = IPPClient.Bounds()
        (bounds.connect, bounds.answer) = (.seconds(2), .seconds(5))
        return bounds
    }

    private static func size(of path: String) -> Int {
        var file = stat()
        return stat(path, &file) == 0 ? Int(file.st_size) : 0
    }

    /// Returns the last line that the program has written to the log after the position `start`; nil if the program has
    /// written nothing.
    private static func lastLine(in log: String, after start: Int) -> String? {
        guard let bytes = try? RegularFile(log).bytes(at: start, count: 64 << 10) else { return nil }
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
        return lines.last.map { String($0.hasPrefix("printsim: ") ? $0.dropFirst(10) : $0) }
    }
}
