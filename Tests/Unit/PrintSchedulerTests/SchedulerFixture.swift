import Foundation
import Logging
import PrintModel
import PrintScheduler
import PrintSpool
import PrintTestSupport

/// A spool on disk with scripted printers, a scripted worker and a test clock.
struct SchedulerFixture {
    let spool: Spool
    let worker = FivePageWorker()
    private let time: @Sendable () -> UnixTime
    private let sleeper: any Clock<Duration>
    private let workClock: any Clock<Duration>
    private let folder: TemporaryFolder
    private let printers: [String: ScriptedPrinter]
    private let directory: PrinterDirectory

    /// Creates a spool with printers.
    ///
    /// - Parameter keepsStatus: Whether the directory's clock stands still, so that a cached status never becomes old.
    init(
        _ names: [String] = ["laser"], policy: ConfiguredPrinter.ErrorPolicy = .retryJob,
        afterInterruption: ConfiguredPrinter.AfterInterruption = .ask, clock: some FixtureClock = FlyingClock(),
        workClock: any Clock<Duration> = ContinuousClock(), keepsStatus: Bool = false,
        open: (_ folder: String, _ clock: @escaping @Sendable () -> UnixTime) throws -> Spool = {
            try Spool(folder: $0, clock: $1)
        }
    ) async throws {
        sleeper = clock
        self.workClock = workClock
        time = { 1_000_000 + clock.seconds }
        folder = try TemporaryFolder()
        spool = try open(folder.path, time)
        let printers = Dictionary(uniqueKeysWithValues: names.map { ($0, ScriptedPrinter()) })
        self.printers = printers
        let statusTime: @Sendable () -> UnixTime = if keepsStatus { { 0 } } else { time }
        directory = PrinterDirectory(clock: statusTime) { printer in
            if printer.deviceURI == "nowhere:" { throw BackendError(.refused, "no such way") }
            // A printer with a new address may be another printer.
            return printers[printer.deviceURI] ?? printers[printer.name] ?? ScriptedPrinter()
        }
        for name in names where !name.contains(":") {
            try await spool.addPrinter(
                ConfiguredPrinter(
                    name: name, deviceURI: "test:\(name)", errorPolicy: policy, afterInterruption: afterInterruption))
        }
    }

    var now: UnixTime { time() }

    subscript(name: String) -> ScriptedPrinter { printers[name]! }
    var laser: ScriptedPrinter { self["laser"] }

    /// Runs a scheduler while `body` runs, and then shuts down the scheduler, even if jobs are in progress.
    func printing(
        in order: QueueOrder = .perPrinter, logger: any LogHandler = SwiftLogNoOpLogHandler(),
        _ body: (Scheduler) async throws -> Void
    ) async throws {
        let scheduler = Scheduler(
            spool: spool, directory: directory, worker: worker, order: order, clock: time, sleeper: sleeper,
            workClock: workClock,
            logger: Logger(label: "test", factory: { _ in logger }))
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await scheduler.run() }
            try await body(scheduler)
            group.cancelAll()
        }
    }

    @discardableResult
    func submit(
        _ name: String, to printer: String = "laser", owner: String = "ada", priority: Int? = nil,
        holdUntil: HoldUntil? = nil
    ) async throws -> Int {
        var ticket = JobTicket()
        ticket.priority = priority
        ticket.holdUntil = holdUntil
        let document = spool.makeIncoming()
        try document.write("hello".utf8)
        return try await spool.submit(
            Submission(printer: printer, owner: owner, name: name, ticket: ticket),
            documents: [(document, name: name, format: .text)]
        ).id
    }

    /// Cancels a job as its owner.
    func cancel(_ id: Int, telling scheduler: Scheduler?) async throws {
        let (_, action) = try await spool.change(id, .cancelRequested(byOperator: false))
        if action == .stopSending { await scheduler?.stopSending(id) }
    }

    /// Waits until the job is in the given state, and returns the job.
    @discardableResult
    func job(_ id: Int, is state: JobState) async throws -> Job { try await job(id) { $0.state == state } }

    /// Waits until the job fulfills a condition, and returns the job.
    @discardableResult
    func job(_ id: Int, when isSo: (Job) -> Bool) async throws -> Job {
        let changes = spool.changes()
        if let job = try await spool.job(id), isSo(job) { return job }
        for await _ in changes {
            if let job = try await spool.job(id), isSo(job) { return job }
        }
        throw CancellationError()
    }

    /// The ids of the jobs with a prepared document.
    var prepared: [Int] {
        let jobs = (try? FileManager.default.contentsOfDirectory(atPath: folder.path("jobs"))) ?? []
        return jobs.filter { FileManager.default.fileExists(atPath: folder.path("jobs/\($0)/prepared.pdf")) }
            .compactMap { Int($0) }.sorted()
    }

    /// Requests the status of a printer, like a list of printers.
    @discardableResult
    func askStatus(of name: String = "laser") async throws -> PrinterStatus? {
        guard let printer = try await spool.printer(named: name) else { return nil }
        return await directory.status(of: printer)
    }

    /// Changes the spool's database with the `sqlite3` program.
    func shell(_ sql: String) throws {
        let shell = try ChildProgram("sqlite3", ["-batch", "-cmd", ".timeout 5000", folder.path("spool.sqlite"), sql])
        guard case (0, "") = try shell.finish() else { throw CancellationError() }
    }
}
