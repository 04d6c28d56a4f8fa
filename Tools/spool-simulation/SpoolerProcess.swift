// Simulates the spooler's process, which can be killed.

import Glibc
import Logging
import PrintModel
import PrintScheduler
import PrintSpool
import SimulatedDisk

/// The spooler's process in a simulation: the real spool and scheduler, which run until the process is killed.
///
/// The actions of a dead process have no effect: its commits, file writes and requests fail. Its tasks are canceled and
/// must end.
final class SpoolerProcess: MemoryDatabase.Process, @unchecked Sendable {
    // Unchecked, because the class is only used on the loop's thread.

    let number: Int
    private let simulation: Simulation
    private(set) var isAlive = true
    private(set) var spool: Spool?
    private(set) var scheduler: Scheduler?
    private var files: SimulatedDisk.Handle?
    private var main: Task<Void, Never>?
    /// The cancel functions of the running client requests, by number.
    private var handlers: [Int: @Sendable () -> Void] = [:]
    private var lastHandler = 0
    /// Whether an orderly shutdown is in progress; new requests are rejected.
    private var isEnding = false

    init(number: Int, simulation: Simulation) {
        self.number = number
        self.simulation = simulation
    }

    /// Whether the process accepts client requests.
    var isServing: Bool { isAlive && !isEnding && scheduler != nil }

    /// Opens the spool and starts the scheduler, like `printd`.
    func start() throws(SpoolError) {
        let files = SimulatedDisk.Handle(
            simulation.disk, isAlive: { [self] in isAlive }, fault: { [simulation] in simulation.fault(at: $0, $1) },
            schedule: { [loop = simulation.loop] in loop.post($0) })
        self.files = files
        let clock: @Sendable () -> UnixTime = { [simulation] in simulation.wallTime }
        let spool = try Spool(
            folder: Simulation.folder, incomingTimeout: 60, clock: clock,
            medium: .memory(
                files: files, database: MemoryDatabase.Handle(simulation.database, for: self),
                makeName: { [simulation] in simulation.makeName() }))
        guard isAlive else { return }
        self.spool = spool
        let directory = PrinterDirectory(clock: clock) { [self] printer in
            guard let device = simulation.devices[printer.deviceURI] else { throw UnknownDevice() }
            return SimulatedBackend(simulation: simulation, process: self, device: device)
        }
        let scheduler = Scheduler(
            spool: spool, directory: directory, worker: SimulatedWorker(simulation: simulation, process: self),
            clock: clock,
            sleeper: LoopClock(loop: simulation.loop), logger: simulation.logger)
        self.scheduler = scheduler
        main = Task(executorPreference: simulation.loop) { [self] in
            try? await scheduler.run()
            if isAlive && !isEnding { simulation.violate("the scheduler ended unexpectedly") }
        }
    }

    private struct UnknownDevice: Error {}

    /// Kills the process.
    func die() {
        guard isAlive else { return }
        isAlive = false
        files?.die()
        main?.cancel()
        for cancel in handlers.sorted(by: { $0.key < $1.key }).map(\.value) { cancel() }
    }

    /// Shuts down in order: rejects requests, stops the scheduler, and closes the spool.
    func end() async {
        isEnding = true
        while !handlers.isEmpty && isAlive { await simulation.loop.pause(0.1) }
        main?.cancel()
        await main?.value
        guard isAlive else { return }
        try? spool?.close()
        die()
    }

    /// Waits until all tasks of the process have ended.
    func remains() async {
        await main?.value
        while !handlers.isEmpty { await simulation.loop.pause(1) }
        (main, spool, scheduler, files) = (nil, nil, nil, nil)
    }

    /// Handles a client request; the response is lost if the process dies before it is sent.
    func serve<Value: Sendable>(
        _ work: @escaping @Sendable (Spool, Scheduler) async throws(SpoolError) -> Value
    ) async -> Answer<Value> {
        guard isServing, let spool, let scheduler else { return .down }
        let task = Task(executorPreference: simulation.loop) { () -> Result<Value, SpoolError> in
            do throws(SpoolError) { return .success(try await work(spool, scheduler)) } catch { return .failure(error) }
        }
        lastHandler += 1
        let handler = lastHandler
        handlers[handler] = { task.cancel() }
        let result = await task.value
        handlers[handler] = nil
        guard isAlive else { return .lost }
        switch result {
        case .success(let value): return .done(value)
        case .failure(let error): return .refused(error)
        }
    }

    /// Writes a file like a worker: complete or not at all, and without fsync.
    func write(_ text: String, to path: String) throws {
        guard let files else { return }
        let temporary = path + ".part"
        files.remove(temporary)
        let descriptor = try files.create(temporary)
        do {
            try files.write(Array(text.utf8), to: descriptor)
            files.close(descriptor)
            try files.rename(temporary, to: path)
        } catch {
            files.close(descriptor)
            files.remove(temporary)
            throw error
        }
    }

    // MARK: - Database callbacks

    func schedule(_ work: @escaping @Sendable () -> Void) { simulation.loop.post(work) }

    var failure: MemoryDatabase.CommitFailure? { isAlive ? nil : .dead }

    func willCommit() -> MemoryDatabase.CommitFailure? {
        simulation.fuse(.commit)
        guard isAlive else { return .dead }
        return simulation.commitFailure()
    }

    func didCommit() { simulation.committed(by: self) }
}

/// The response to a client request.
enum Answer<Value: Sendable>: Sendable {
    /// The request was executed.
    case done(Value)
    /// The request was rejected.
    case refused(SpoolError)
    /// The response was lost; the request may have been executed.
    case lost
    /// The process is not running; the request was not executed.
    case down
}
