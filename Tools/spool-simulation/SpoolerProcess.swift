// Simulates the spooler's process, which can be killed.

import Glibc
import Logging
import PrintModel
import PrintScheduler
import PrintSpool
import SimulatedDatabase
import SimulatedDisk

/// The spooler's process in a simulation: the real spool and scheduler, which run until the process is killed.
///
/// The actions of a dead process have no effect: its commits, file writes and requests fail. Its tasks are canceled and
/// must end.
final class SpoolerProcess: @unchecked Sendable {
    // Unchecked, because the class is only used on the loop's thread.

    let number: Int
    let simulation: Simulation
    let host: SimulatedHost
    /// The steps of the process on a host that can be stopped; nil for a host that cannot be stopped.
    let steps: ProcessSteps?
    private(set) var isAlive = true
    private(set) var spool: Spool?
    private(set) var scheduler: Scheduler?
    private var files: SimulatedDisk.Handle?
    private var main: Task<Void, Never>?
    /// The renewal of the leases in a shared spool.
    private var renewal: Task<Void, Never>?
    /// The cancel functions of the running client requests, by number.
    private var handlers: [Int: @Sendable () -> Void] = [:]
    private var lastHandler = 0
    /// Whether an orderly shutdown is in progress; new requests are rejected.
    private var isEnding = false

    init(number: Int, simulation: Simulation, host: SimulatedHost) {
        self.number = number
        self.simulation = simulation
        self.host = host
        steps = simulation.isShared ? ProcessSteps(loop: simulation.loop) : nil
    }

    /// The executor of the tasks of the process.
    var executor: any TaskExecutor { if let steps { steps } else { simulation.loop } }

    /// The log of the process, with the name of its host.
    private var logger: Logger {
        var logger = simulation.logger
        if simulation.isShared { logger[metadataKey: "host"] = "\(host.name)" }
        return logger
    }

    /// Schedules `work` as a separate step of the process.
    func post(_ work: @escaping @Sendable () -> Void) {
        if let steps { steps.post(work) } else { simulation.loop.post(work) }
    }

    /// Whether the process accepts client requests.
    var isServing: Bool { isAlive && !isEnding && scheduler != nil }

    /// Opens the spool and starts the scheduler, like `printd`.
    func start() throws(SpoolError) {
        let files = SimulatedDisk.Handle(
            host.disk, isAlive: { [self] in isAlive }, fault: { [host] in host.fault(at: $0, $1) },
            schedule: { [self] in post($0) })
        self.files = files
        let clock: @Sendable () -> UnixTime = { [simulation] in simulation.wallTime }
        let spool = try Spool(
            folder: Simulation.folder, incomingTimeout: 60, clock: clock, medium: medium(files))
        guard isAlive else { return }
        self.spool = spool
        let directory = PrinterDirectory(clock: clock) { [self] printer in
            guard let device = simulation.devices[printer.deviceURI] else { throw UnknownDevice() }
            return SimulatedBackend(simulation: simulation, process: self, device: device)
        }
        let scheduler = Scheduler(
            spool: spool, directory: directory, worker: SimulatedWorker(simulation: simulation, process: self),
            order: simulation.order, clock: clock,
            sleeper: LoopClock(loop: simulation.loop),
            workClock: LoopClock(loop: simulation.loop), logger: logger)
        self.scheduler = scheduler
        main = Task(executorPreference: executor) { [self] in
            try? await scheduler.run()
            if isAlive && !isEnding { simulation.violate("the scheduler ended unexpectedly") }
        }
        if spool.isShared { renewLeases(of: spool) }
    }

    private func medium(_ files: SimulatedDisk.Handle) -> SpoolMedium {
        let makeName: @Sendable () -> String = { [simulation] in simulation.makeName() }
        guard let server = simulation.server else {
            let database = MemoryDatabase.Handle(simulation.database, for: self)
            return .memory(files: files, database: database, makeName: makeName)
        }
        let database = SimulatedDatabaseServer.Handle(
            server, for: self, host: host.name, incarnation: "\(host.name)/\(number)", folder: host.name)
        return .shared(
            files: files, database: database, makeName: makeName, uptime: { [simulation] in simulation.uptime })
    }

    /// Renews the leases until the process ends; another process with the same host name ends this process.
    private func renewLeases(of spool: Spool) {
        let service = LeaseRenewal(
            spool: spool, logger: logger, sleeper: LoopClock(loop: simulation.loop))
        renewal = Task(executorPreference: executor) { [self] in
            do {
                try await service.renew()
                try? await spool.endLeases()
            } catch {
                guard isAlive, !isEnding else { return }
                simulation.note(.replaced, host.name)
                host.kill(.killed)
            }
        }
    }

    /// The printers for which the process has a valid lease from its own view.
    var validLeases: [String] {
        guard isAlive, let spool else { return [] }
        return spool.leases.values.filter { spool.state(of: $0) == .valid }.map(\.printer).sorted()
    }

    private struct UnknownDevice: Error {}

    /// Kills the process.
    func die() {
        guard isAlive else { return }
        isAlive = false
        files?.die()
        main?.cancel()
        renewal?.cancel()
        for cancel in handlers.sorted(by: { $0.key < $1.key }).map(\.value) { cancel() }
        // The tasks of a stopped process must end.
        steps?.goOn()
    }

    /// Shuts down in order: rejects requests, stops the scheduler, and closes the spool.
    func end() async {
        isEnding = true
        while !handlers.isEmpty && isAlive { await simulation.loop.pause(0.1) }
        main?.cancel()
        await main?.value
        guard isAlive else { return }
        renewal?.cancel()
        await renewal?.value
        guard isAlive else { return }
        try? spool?.close()
        die()
    }

    /// Waits until all tasks of the process have ended.
    func remains() async {
        await main?.value
        await renewal?.value
        while !handlers.isEmpty { await simulation.loop.pause(1) }
        (main, renewal, spool, scheduler, files) = (nil, nil, nil, nil, nil)
    }

    /// Handles a client request; the response is lost if the process dies before it is sent.
    func serve<Value: Sendable>(
        _ work: @escaping @Sendable (Spool, Scheduler) async throws(SpoolError) -> Value
    ) async -> Answer<Value> {
        guard isServing, let spool, let scheduler else { return .down }
        let task = Task(executorPreference: executor) { () -> Result<Value, SpoolError> in
            do throws(SpoolError) { return .success(try await work(spool, scheduler)) } catch { return .failure(error) }
        }
        lastHandler += 1
        let handler = lastHandler
        handlers[handler] = { task.cancel() }
        let result = steps == nil ? await task.value : await value(of: task, forHandler: handler)
        handlers[handler] = nil
        guard isAlive else { return .lost }
        switch result {
        case .success(let value): return .done(value)
        case .failure(let error): return error.isOutcomeUnknown ? .lost : .refused(error)
        case nil: return .lost
        }
    }

    /// The time in seconds that a client waits for the response of a host, which may be stopped.
    private static let timeout = 60.0

    /// Returns the result of a request; nil if the client does not wait any longer.
    private func value<Value: Sendable>(of task: Task<Value, Never>, forHandler handler: Int) async -> Value? {
        await withCheckedContinuation { continuation in
            var waiting: CheckedContinuation<Value?, Never>? = continuation
            nonisolated(unsafe) let answer: (Value?) -> Void = { value in waiting.take()?.resume(returning: value) }
            Task(executorPreference: simulation.loop) { answer(await task.value) }
            simulation.loop.after(Self.timeout) { answer(nil) }
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
