// A simulated printer for unit tests, with a manual clock and a temporary output folder.

import FoundationEssentials
import PrintModel
import PrintTestSupport
import PrinterSimulator
import Testing

/// A printer with 60 pages per minute at real speed.
///
/// A side takes one second of the manual clock.
struct PrinterBench {
    let folder: TemporaryFolder
    let clock = TestClock()
    let worker: ScriptedWorker
    let printer: SimulatedPrinter

    /// The initial time.
    static let start: UnixTime = 1_700_000_000.25
    static let paper = PrintPaper(media: .a4, margins: .all(.millimeters(4.23)))

    init(
        _ worker: ScriptedWorker = ScriptedWorker(pages: 3), folder: TemporaryFolder? = nil,
        timePasses: Bool = false, seed: UInt64 = 0, isOfQueue: Bool = false, keptJobs: Int? = nil,
        _ change: (inout SimulatedPrinterDescription) -> Void = { _ in },
        remove: (@Sendable (_ folder: String) -> Void)? = nil
    ) throws {
        self.folder = try folder ?? TemporaryFolder()
        self.worker = worker
        let text = "{ name: 'bench', makeAndModel: 'Bench', media: ['A4', 'Letter'], pagesPerMinute: 60, speed: 1 }"
        var description = try SimulatedPrinterDescription(json5: Data(text.utf8), file: "bench.json5")
        change(&description)
        var environment = SimulatorEnvironment(
            worker: worker, clock: clock,
            now: { [clock] in Self.start + (timePasses ? clock.now.offset / .seconds(1) : 0) },
            makeUUID: { "urn:uuid:1" })
        environment.seed = seed
        (environment.isOfQueue, environment.keptJobs) = (isOfQueue, keptJobs)
        if let remove { environment.remove = remove }
        printer = try SimulatedPrinter(description, output: self.folder.path("bench"), in: environment)
    }

    /// Runs the printer during a test.
    func running(_ test: () async throws -> Void) async throws {
        let printer = printer
        let engine = Task { await printer.run() }
        defer { engine.cancel() }
        try await test()
        engine.cancel()
        await engine.value
    }

    /// Submits a job with its document, and returns its number.
    ///
    /// - Parameter queueNumber: The number of the job in the spooler's queue; nil if the job is not in a queue.
    func submit(
        _ name: String = "job", queueNumber: Int? = nil, _ change: (inout DeviceOptions) -> Void = { _ in }
    ) async throws -> Int {
        var options = DeviceOptions(paper: Self.paper)
        change(&options)
        let file = printer.nextDocument()
        try Data("%PDF-1.4 \(name)".utf8).write(to: URL(filePath: file))
        var request = SimulatedJobRequest(
            name: name, owner: "ann", ticket: ["copies": .integer(options.copies)], options: options)
        request.queueNumber = queueNumber
        return try await printer.createJob(request, document: file, format: .pdf).id
    }

    /// Prints one side: waits until the printer starts the side, then advances the clock.
    func printSide() async {
        await clock.sleeper(for: .seconds(1))
        clock.advance(by: .seconds(1))
    }

    /// Returns a printer in the state after a kill and a restart of this printer.
    func switchedOn() throws -> SimulatedPrinter {
        let copy = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: copy.path("bench"), withIntermediateDirectories: false)
        // Another thread deletes the folder with removed pages.
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path("bench")) where name != "removed" {
            try FileManager.default.copyItem(atPath: folder.path("bench/\(name)"), toPath: copy.path("bench/\(name)"))
        }
        return try SimulatedPrinter(
            printer.description, output: copy.path("bench"), in: SimulatorEnvironment(worker: worker, clock: clock))
    }

    /// Waits until the job meets a condition, and returns the job.
    func job(_ id: Int, when condition: (SimulatedJob) -> Bool) async throws -> SimulatedJob {
        let events = await printer.events()
        if let job = await printer.job(id), condition(job) { return job }
        for await event in events where event == .jobChanged(id) {
            if let job = await printer.job(id), condition(job) { return job }
        }
        throw CancellationError()
    }

    /// Waits until the printer's status meets a condition, and returns the status.
    func status(when condition: (SimulatedPrinterStatus) -> Bool) async throws -> SimulatedPrinterStatus {
        let events = await printer.events()
        var status = await printer.status
        if condition(status) { return status }
        for await _ in events {
            status = await printer.status
            if condition(status) { return status }
        }
        throw CancellationError()
    }

    func ended(_ id: Int) async throws -> SimulatedJob { try await job(id) { $0.state.isTerminal } }

    func path(_ name: String) -> String { folder.path("bench/\(name)") }

    func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: path(name)) }

    func text(_ name: String) throws -> String { try String(contentsOfFile: path(name), encoding: .utf8) }
}
