// Admits requests to the processes of an engine, keeps idle processes, and repeats interrupted work.

import AsyncPrimitives
import Glibc
import PrintModel
import Synchronization

/// A pool of the processes of one engine, such as `print-worker`, LibreOffice or Ghostscript.
///
/// Each process serves one request. The pool admits the requests fairly (`WorkQueue`), starts processes in advance, ends
/// them after some minutes without requests, and repeats a request once if another process killed the process.
final class ProcessPool: Sendable {
    /// A program whose processes serve the requests.
    struct Engine: Sendable {
        /// The command that starts the processes.
        var command: WorkerCommand
        /// The description of the program in messages, such as `the converter`.
        var name: String
        /// The number of requests that run at the same time; nil for the number of processors, but at least 2.
        ///
        /// One additional small request can run at the same time.
        var concurrent: Int?
        /// The number of idle processes of each variant.
        var idleCount = 0
        /// The maximum number of variants, such as paper sizes, that have idle processes.
        ///
        /// The most recently used variants have idle processes.
        var variants = 1
        /// The time in seconds without requests after which the idle processes end.
        var idleSeconds = 300
        /// The maximum time for which a process waits before it serves a request; nil for no maximum.
        var longestWait: Duration?
        /// The parent of the private folders of processes; nil if the processes have no private folders.
        var scratch: ConversionScratch?
        /// A function that creates the check for one process in a private folder; nil for no check.
        ///
        /// The check returns a reason to stop the process; nil if the process can continue.
        var inspection: (@Sendable (ScratchPlace, WorkerLimits) -> @Sendable (pid_t) -> WorkerStop?)?
    }

    /// A process and its private folder.
    struct Process: Sendable {
        let worker: Worker
        let place: ScratchPlace
        /// The arguments that determine which requests the process can serve, such as the page size.
        let variant: [String]
        /// Whether `run()` manages the process.
        fileprivate(set) var isOwned = false
        fileprivate let start = ContinuousClock.now
    }

    /// A function that returns after a process has ended.
    typealias Life = @Sendable () async -> Void

    private struct State {
        enum Phase {
            /// The state before a call of `run()`.
            case cold
            /// The state during a call of `run()`. The function `run()` manages every process whose life is sent to the
            /// stream.
            case running(AsyncStream<Life>.Continuation)
            /// The state after the pool was shut down permanently.
            case stopped
        }
        var phase = Phase.cold
        var waiting: [Process] = []
        /// The running processes that requests use.
        var taken: Set<ObjectIdentifier> = []
        /// The number of calls of `take` and `warmUp`, to detect periods without requests.
        var uses = 0
        /// The recent variants, the most recent variant first.
        var variants: [[String]] = []

        /// Removes and returns the idle processes that meet a condition.
        mutating func remove(where condition: (Process) -> Bool) -> [Process] {
            let removed = waiting.filter(condition)
            waiting.removeAll(where: condition)
            return removed
        }

        /// Records a use of a variant.
        mutating func use(_ variant: [String], most: Int) {
            uses += 1
            variants.removeAll { $0 == variant }
            variants = Array(([variant] + variants).prefix(most))
        }

        /// Returns the first recent variant that has too few idle processes; nil if no process is missing.
        func missingVariant(count: Int) -> [String]? {
            variants.first { variant in waiting.count { $0.variant == variant } < count }
        }
    }

    private let engine: Engine
    /// The maximum number of requests that run at the same time, not counting the additional small request.
    let concurrent: Int
    private let currentCommand: Mutex<WorkerCommand>
    /// The command that starts subsequent processes.
    var command: WorkerCommand { currentCommand.withLock { $0 } }
    private let queue: WorkQueue
    private let state = Mutex(State())

    /// Creates a pool, without starting a process.
    ///
    /// The initializer ignores `SIGPIPE` in this process. A process can end while this process sends a request to it.
    /// Without this setting, the signal would then end this process.
    init(_ engine: Engine) {
        self.engine = engine
        concurrent = max(engine.concurrent ?? max(sysconf(CInt(_SC_NPROCESSORS_ONLN)), 2), 1)
        currentCommand = Mutex(engine.command)
        queue = WorkQueue(places: concurrent)
        signal(SIGPIPE, SIG_IGN)
    }

    // MARK: - Lifetime

    /// Keeps idle processes ready for further requests, until the task is canceled or `shutdown()` is called.
    ///
    /// The idle processes start with the first request or with `warmUp()`.
    ///
    /// The function returns after all processes have ended and their folders are removed. The caller must call this
    /// method only once.
    ///
    /// - Parameter start: A function that is called first.
    func run(_ start: () async -> Void = {}) async {
        let (lives, entry) = AsyncStream<Life>.makeStream()
        let begins = state.withLock { state in
            guard case .cold = state.phase else { return false }
            state.phase = .running(entry)
            return true
        }
        guard begins else { return }
        engine.scratch?.removeOrphans()
        await start()
        refill()
        await withDiscardingTaskGroup { group in
            if engine.idleCount > 0 { group.addTask { await self.endIdleProcesses() } }
            for await life in lives { group.addTask(operation: life) }
            self.shutdown()
            group.cancelAll()
        }
        engine.scratch?.removeAll()
    }

    /// Ends `run()`.
    ///
    /// New requests are then refused.
    func shutdown() {
        let (entry, waiting) = state.withLock { state in
            defer { state.phase = .stopped }
            let waiting = state.remove { _ in true }
            guard case .running(let entry) = state.phase else {
                return (nil as AsyncStream<Life>.Continuation?, waiting)
            }
            return (entry, waiting)
        }
        for process in waiting { process.worker.dismiss() }
        entry?.finish()
    }

    /// Starts the idle processes.
    ///
    /// A client calls this function if a request will probably follow soon.
    func warmUp(_ variant: [String] = []) {
        dismissOthers { state in state.use(variant, most: engine.variants) }
        refill()
    }

    /// Changes the resource limits for subsequent processes, and ends the idle processes.
    ///
    /// - Returns: Whether the limits have changed.
    @discardableResult
    func setLimits(_ limits: WorkerLimits) -> Bool {
        let isNew = currentCommand.withLock { command in
            defer { command.limits = limits }
            return command.limits != limits
        }
        guard isNew else { return false }
        let waiting = state.withLock { $0.remove { _ in true } }
        for process in waiting { process.worker.dismiss() }
        return true
    }

    /// Ends the idle processes after each period without requests.
    private func endIdleProcesses() async {
        var known = state.withLock(\.uses)
        while (try? await Task.sleep(for: .seconds(engine.idleSeconds))) != nil {
            let idle: [Process] = state.withLock { state in
                guard state.uses == known else {
                    known = state.uses
                    return []
                }
                return state.remove { _ in true }
            }
            for process in idle { process.worker.dismiss() }
        }
    }

    // MARK: - Requests

    /// Serves a request when its turn comes, and returns the response.
    ///
    /// An idle process may have died. Then a new process serves the request. If another process killed the process
    /// during its work, the request is repeated once.
    ///
    /// - Parameter attempt: A function that serves the request with a process, and also returns whether the process was
    ///   started in advance. Its parameters are whether such a process can be used, and the working time.
    func perform(
        _ request: WorkerRequest,
        _ attempt: (_ usesIdle: Bool, WorkTime) async throws(WorkError) -> (Worker.Outcome, Bool)
    ) async throws(WorkError) -> WorkerLine {
        let turn: Int
        do { turn = try await queue.enter(request) } catch { throw Self.canceledBefore }
        defer { queue.leave(turn) }
        if Task.isCancelled { throw Self.canceledBefore }
        try checkAcceptance()
        if let unavailability = command.unavailability { throw unavailability }
        let time = WorkTime.current ?? WorkTime()
        var usesIdle = true
        var wasKilled = false
        while true {
            let (outcome, isIdle) = try await attempt(usesIdle, time)
            switch outcome {
            case .answered(.failed(let error)), .failed(let error): throw error
            case .answered(let line): return line
            case .neverBegan where isIdle: usesIdle = false
            case .neverBegan(let reason):
                throw WorkError(
                    .workerUnavailable,
                    "\(engine.name) '\(command.executable)' does not start; run 'printq doctor'", detail: reason)
            case .killed(let error) where wasKilled: throw error
            case .killed: wasKilled = true
            }
        }
    }

    /// Sends a request to a process that `run()` manages, or starts the process.
    static func serve(
        _ request: WorkerRequest, in time: WorkTime, by worker: Worker, isOwned: Bool,
        progress: @escaping @Sendable (WorkProgress) -> Void = { _ in }
    ) async -> Worker.Outcome {
        if isOwned { return await worker.serve(request, in: time, progress: progress) }
        async let life: Void = worker.live()
        let outcome = await worker.serve(request, in: time, progress: progress)
        await life
        return outcome
    }

    private static let canceledBefore = WorkError(
        .canceled, "the work on the document was canceled before it started")

    // MARK: - Processes

    /// Passes the life of a process to `run()`.
    ///
    /// - Returns: False if `run()` was not called.
    /// - Throws: `workerUnavailable` if the pool was shut down.
    func own(_ life: @escaping Life) throws(WorkError) -> Bool {
        try checkAcceptance()
        return state.withLock { state in
            guard case .running(let entry) = state.phase else { return false }
            entry.yield(life)
            return true
        }
    }

    /// Whether `run()` is active.
    var isRunning: Bool {
        state.withLock { state in
            if case .running = state.phase { true } else { false }
        }
    }

    /// Returns an idle process of a variant; returns nil if no process is idle.
    ///
    /// The caller then calls `refill()`, which starts a replacement.
    func take(_ variant: [String] = []) throws(WorkError) -> Process? {
        let now = ContinuousClock.now
        let (process, isStopped) = dismissOthers { state in
            if case .stopped = state.phase { return (nil as Process?, true) }
            state.use(variant, most: engine.variants)
            let index = state.waiting.firstIndex { process in
                process.variant == variant && engine.longestWait.map { now - process.start <= $0 } != false
            }
            guard let index else { return (nil, false) }
            let process = state.waiting.remove(at: index)
            state.taken.insert(ObjectIdentifier(process.worker))
            return (process, false)
        }
        if isStopped { throw Self.shutDown }
        return process
    }

    /// Throws an error if no more requests are accepted, because `shutdown()` was called or `run()` has returned.
    func checkAcceptance() throws(WorkError) {
        let isStopped = state.withLock { state in
            if case .stopped = state.phase { true } else { false }
        }
        if isStopped { throw Self.shutDown }
    }

    private static let shutDown = WorkError(
        .workerUnavailable, "no more documents are accepted: the program is shutting down")

    /// Changes the state, and ends the idle processes that have waited too long or whose variant is no longer recent.
    @discardableResult
    private func dismissOthers<Value>(after change: (inout State) -> Value) -> Value {
        let now = ContinuousClock.now
        let (value, others) = state.withLock { state in
            let value = change(&state)
            let variants = state.variants
            let others = state.remove { process in
                !variants.contains(process.variant)
                    || engine.longestWait.map { now - process.start > $0 } == true
            }
            return (value, others)
        }
        for process in others { process.worker.dismiss() }
        return value
    }

    /// Creates the object for a process, without starting the process.
    ///
    /// The caller must start the process with `worker.live()`.
    func make(_ variant: [String] = []) throws(WorkError) -> Process {
        guard let scratch = engine.scratch else { preconditionFailure("the engine has no private folders") }
        let place = try scratch.makePlace()
        var command = command
        command.arguments += ["--place=\(place.folder)"] + variant
        let worker = Worker(command: command, inspection: engine.inspection?(place, command.limits))
        return Process(worker: worker, place: place, variant: variant)
    }

    /// Starts the missing idle processes.
    ///
    /// `run()`, `warmUp()` and each request call this method, but the end of a process does not. Therefore a program
    /// that cannot start is not started in a loop.
    func refill() {
        guard command.unavailability == nil else { return }
        while let variant = state.withLock({ state -> [String]? in
            guard case .running = state.phase else { return nil }
            return state.missingVariant(count: engine.idleCount)
        }) {
            // Without a folder, no process can wait; the next request reports the reason.
            guard var process = try? make(variant) else { return }
            process.isOwned = true
            let idle = process
            let isNeeded = state.withLock { state in
                guard case .running(let entry) = state.phase,
                    state.missingVariant(count: engine.idleCount) == variant
                else { return false }
                state.waiting.append(idle)
                entry.yield {
                    await idle.worker.live()
                    // A request removes the folder of a process that it has taken.
                    if !self.forget(idle) { idle.place.remove() }
                }
                return true
            }
            if !isNeeded { idle.place.remove() }
        }
    }

    /// Removes a process that has ended.
    ///
    /// - Returns: Whether a request was using the process.
    private func forget(_ process: Process) -> Bool {
        state.withLock { state in
            state.waiting.removeAll { $0.worker === process.worker }
            return state.taken.remove(ObjectIdentifier(process.worker)) != nil
        }
    }
}
