// The simulated printers of the spool: a process of their own, which outlives us only as long as they print.

import Glibc
import IPP
import IPPClient
import Logging
import PrintBackends
import PrintModel
import ProcessLaunch

/// Starts `printsim` for this spool when nobody listens on its socket.
actor SimulatorProcess {
    private let spool: String
    private let extraArguments: [String]
    private let logger: Logger
    private var starting: Task<Void, any Error>?
    private var process: DetachedProcess?

    /// Why the simulated printers cannot be started.
    struct StartError: Error, CustomStringConvertible {
        let description: String
    }

    init(spool: String, extraArguments: [String], logger: Logger) {
        self.spool = spool
        self.extraArguments = extraArguments
        self.logger = logger
    }

    /// Where the simulated printers of a spool listen.
    static func socket(of spool: String) -> String { "\(spool)/printsim.sock" }

    /// Starts the process and returns when it listens; callers that come meanwhile wait for the same one.
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
        let process = try DetachedProcess(program: Programs.beside("printsim"), arguments: arguments, log: log)
        self.process = process
        logger.info("starting the simulated printers", metadata: ["pid": "\(process.pid)"])
        let line = await Thread.result { process.readLine(deadline: 20) }
        guard line?.contains("\"ready\":true") == true else {
            process.reap()
            let words = Self.lastWords(in: log, after: before).map { ": \($0) (from \(log))" } ?? "; see \(log)"
            throw StartError(description: "the simulated printers do not start\(words)")
        }
    }

    /// Returns the folder with the pages of a job at a simulated printer; starts the printers when they do not run.
    ///
    /// nil when the printer does not know the job (any more).
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

    /// Has the simulated printers leave: at once when they have nothing to print, else when their jobs have ended.
    ///
    /// That holds also for those that an earlier printd of this spool started and left behind when it was killed. Printers that
    /// are asked for something by the next printd stay.
    func letGo() async {
        guard access(Self.socket(of: spool), F_OK) == 0 else { return }
        let client = IPPClient(address: .unix(path: Self.socket(of: spool)), bounds: Self.bounds)
        let request = Message(
            operation: Self.controlPrinter, requestID: 1,
            groups: [.operation([Attribute("printq-care", .text("leave"))])])
        // When nobody listens there is nobody to leave.
        _ = try? await client.send(request)
        await client.close()
    }

    /// The operation of printsim's by which a person, or its printd, does something to simulated printers.
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

    /// What the program has written last since then; nil when it has not said a word.
    private static func lastWords(in log: String, after start: Int) -> String? {
        let file = open(log, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 64 << 10)
        let count = pread(file, &bytes, bytes.count, start)
        let lines = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self).split(separator: "\n")
        return lines.last.map { String($0.hasPrefix("printsim: ") ? $0.dropFirst(10) : $0) }
    }
}
