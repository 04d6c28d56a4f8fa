// The spooler's process in a world: it lives until it is killed.

import Glibc
import Logging
import PrintModel
import PrintScheduler
import PrintSpool
import SimulatedDisk

/// The spooler's process in a world: the real spool and scheduler, which live until they are killed.
///
/// Once it is dead nothing it does has any effect: its commits fail, its files cannot be written, its requests go
/// nowhere. Its tasks are cancelled and must come to their end.
final class SpoolerProcess: MemoryDatabase.Process, @unchecked Sendable {
    // Unchecked: used on the loop's thread alone.

    let number: Int
    private let world: World
    private(set) var isAlive = true
    private(set) var spool: Spool?
    private(set) var scheduler: Scheduler?
    private var files: SimulatedDisk.Handle?
    private var main: Task<Void, Never>?
    /// What works for clients, by number; gone once it has ended.
    private var handlers: [Int: @Sendable () -> Void] = [:]
    private var lastHandler = 0
    /// Set while an orderly end is under way: no new requests.
    private var isEnding = false

    init(number: Int, world: World) {
        self.number = number
        self.world = world
    }

    /// Whether clients can speak to it.
    var isServing: Bool { isAlive && !isEnding && scheduler != nil }

    /// Opens the spool and starts the scheduler, as `printd` does.
    func start() throws(SpoolError) {
        let files = SimulatedDisk.Handle(
            world.disk, isAlive: { [self] in isAlive }, fault: { [world] in world.fault(at: $0, $1) },
            schedule: { [loop = world.loop] in loop.post($0) })
        self.files = files
        let clock: @Sendable () -> UnixTime = { [world] in world.wallTime }
        let spool = try Spool(
            folder: World.folder, incomingTimeout: 60, clock: clock,
            medium: .memory(
                files: files, database: MemoryDatabase.Handle(world.database, for: self),
                makeName: { [world] in world.makeName() }))
        guard isAlive else { return }
        self.spool = spool
        let directory = PrinterDirectory(clock: clock) { [self] printer in
            guard let device = world.devices[printer.deviceURI] else { throw UnknownDevice() }
            return Wire(world: world, process: self, device: device)
        }
        let scheduler = Scheduler(
            spool: spool, directory: directory, worker: SimulatedWorker(world: world, process: self), clock: clock,
            sleeper: LoopClock(loop: world.loop), logger: world.logger)
        self.scheduler = scheduler
        main = Task(executorPreference: world.loop) { [self] in
            try? await scheduler.run()
            if isAlive && !isEnding { world.violate("the scheduler ended by itself") }
        }
    }

    private struct UnknownDevice: Error {}

    /// Ends at once, whatever it is doing.
    func die() {
        guard isAlive else { return }
        isAlive = false
        files?.die()
        main?.cancel()
        for cancel in handlers.sorted(by: { $0.key < $1.key }).map(\.value) { cancel() }
    }

    /// Ends in order: no more requests, the scheduler is stopped, the spool closed.
    func end() async {
        isEnding = true
        while !handlers.isEmpty && isAlive { await world.loop.pause(0.1) }
        main?.cancel()
        await main?.value
        guard isAlive else { return }
        try? spool?.close()
        die()
    }

    /// Returns once nothing of it runs any more.
    func remains() async {
        await main?.value
        while !handlers.isEmpty { await world.loop.pause(1) }
        (main, spool, scheduler, files) = (nil, nil, nil, nil)
    }

    /// Works for a client; the answer is lost when the process dies before it is given.
    func serve<Value: Sendable>(
        _ work: @escaping @Sendable (Spool, Scheduler) async throws(SpoolError) -> Value
    ) async -> Answer<Value> {
        guard isServing, let spool, let scheduler else { return .down }
        let task = Task(executorPreference: world.loop) { () -> Result<Value, SpoolError> in
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

    /// Writes a file as the worker does: whole or not at all, and without forcing it onto the disk.
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

    // MARK: - The database asks

    func schedule(_ work: @escaping @Sendable () -> Void) { world.loop.post(work) }

    var failure: MemoryDatabase.CommitFailure? { isAlive ? nil : .dead }

    func willCommit() -> MemoryDatabase.CommitFailure? {
        world.fuse(.commit)
        guard isAlive else { return .dead }
        return world.commitFailure()
    }

    func didCommit() { world.committed(by: self) }
}

/// What a client gets for a request.
enum Answer<Value: Sendable>: Sendable {
    /// It was done.
    case done(Value)
    /// It was not done, and will not be.
    case refused(SpoolError)
    /// Nobody knows.
    case lost
    /// Nobody listens; it was not done.
    case down
}
