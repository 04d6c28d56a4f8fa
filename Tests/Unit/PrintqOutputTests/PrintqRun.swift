// Runs the printq executable with a spool whose socket the test serves.

import Foundation
import IPPServer
import Logging
import PrintIPP
import PrintTestSupport
import Testing

/// A spool folder with a socket that the test serves.
struct TestSpool: Sendable {
    let folder: TemporaryFolder

    var path: String { folder.path }

    /// Creates a file in the folder.
    func file(_ name: String, _ text: String) throws -> String {
        try Data(text.utf8).write(to: URL(fileURLWithPath: folder.path(name)))
        return folder.path(name)
    }

    /// Runs printq on this spool and waits until it exits.
    func printq(
        _ arguments: String..., input: String? = nil, environment: [String: String] = [:],
        program: String = printqPath
    ) async throws -> ProgramRun {
        try await run(arguments, input: input, environment: environment, program: program)
    }

    /// Runs printq and checks its output, its number of lines and its exit code.
    func expect(
        _ arguments: String..., prints output: String? = nil, lines: Int? = nil, code: Int32 = 0,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let run = try await run(arguments)
        #expect(run.code == code, "\(run.complaints)", sourceLocation: sourceLocation)
        if let output { #expect(run.output == output, sourceLocation: sourceLocation) }
        if let lines { #expect(run.output.split(separator: "\n").count == lines, sourceLocation: sourceLocation) }
    }

    /// Runs printq on this spool and waits until it exits.
    func run(
        _ arguments: [String], input: String? = nil, environment: [String: String] = [:],
        program: String = printqPath
    ) async throws -> ProgramRun {
        try await ProgramRun(
            program, arguments,
            environment: ["PRINTQ_SPOOL": path, "PATH": "/usr/bin:/bin", "TZ": "UTC", "HOME": path]
                .merging(environment) { $1 }, in: path, input: input ?? "")
    }
}

/// The path of the executable, which SwiftPM builds into the folder of the test bundle.
let printqPath = BuiltPrograms.folder + "printq"

/// Serves a queue on the socket of a new spool while `body` runs.
func withSpool(
    _ service: some PrinterService, _ log: (any EventSource)? = nil, _ body: (TestSpool) async throws -> Void
) async throws {
    let spool = TestSpool(folder: try TemporaryFolder())
    try await serving(service, log, at: spool) { try await body(spool) }
}

/// Serves a queue on the socket of a spool while `body` runs.
func serving(
    _ service: some PrinterService, _ log: (any EventSource)? = nil, at spool: TestSpool,
    _ body: () async throws -> Void
) async throws {
    try await serving(service, log, at: spool.folder.path("printd.sock"), body)
}

/// Serves a queue on a socket while `body` runs.
func serving(
    _ service: some PrinterService, _ log: (any EventSource)? = nil, at socket: String,
    _ body: () async throws -> Void
) async throws {
    let operations = PrinterOperations(service, events: log, numbersJobsGlobally: true, isOpen: false) {
        1_700_000_100
    }
    let (listening, ready) = AsyncStream.makeStream(of: Void.self)
    let server = IPPServer(
        configuration: .init(listeners: [.unix(path: socket)]), responder: operations,
        logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }),
        onListening: { _ in ready.yield() })
    try await withThrowingTaskGroup { tasks in
        tasks.addTask {
            defer { ready.finish() }
            try await server.run()
        }
        defer { tasks.cancelAll() }
        for await _ in listening { break }
        try await body()
    }
}
