// Starts converter processes in advance, and ends them.

import Glibc
import PrintModel
import Synchronization

/// The idle processes of a pool, which wait for a document, each in a private folder.
///
/// A process serves one document. The first document, or `warmUp()`, starts the processes. The processes end after some
/// minutes without documents.
final class StandbyProcesses: Sendable {
    /// A process and its private folder.
    struct Process: Sendable {
        let worker: Worker
        let place: ScratchPlace
        /// The arguments that determine which documents the process can convert, such as the page size.
        let variant: [String]
        fileprivate let start: ContinuousClock.Instant
    }

    /// The number of idle processes and the time for which they wait.
    struct Settings {
        /// The number of idle processes of each variant.
        var count: Int
        /// The maximum number of variants, such as paper sizes, that have idle processes.
        ///
        /// The most recently used variants have idle processes.
        var variants = 1
        /// The time in seconds without documents after which the idle processes end.
        var idleSeconds: Int
        /// The maximum time for which a process waits before it converts a document; nil for no maximum.
        var longestWait: Duration?
    }

    private struct State {
        enum Phase {
            /// The state before a call of `run()`.
            case cold
            /// The state during a call of `run()`. The function `run()` manages every process that is sent to the
            /// stream.
            case running(AsyncStream<Process>.Continuation)
            /// The state after the pool was shut down permanently.
            case stopped
        }
        var phase = Phase.cold
        var waiting: [Process] = []
        /// The running processes that conversions use.
        var taken: Set<ObjectIdentifier> = []
        /// The number of calls of `take` and `warmUp`, to detect periods without documents.
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

    /// A function that creates the check for one process.
    ///
    /// The check returns a reason to stop the process; nil if the process can continue.
    typealias Inspection = @Sendable (ScratchPlace, WorkerLimits) -> @Sendable (pid_t) -> WorkerStop?

    private let currentCommand: Mutex<WorkerCommand>
    /// The command that starts subsequent processes.
    var command: WorkerCommand { currentCommand.withLock { $0 } }
    private let settings: Settings
    private let scratch: ConversionScratch
    private let inspection: Inspection?
    private let state = Mutex(State())

    /// Creates the manager of the idle processes, without starting a process.
    ///
    /// - Parameter inspection: The check of a process that converts a document; nil for no check.
    init(
        command: WorkerCommand, settings: Settings, scratch: ConversionScratch,
        inspection: Inspection? = nil
    ) {
        currentCommand = Mutex(command)
        self.settings = settings
        self.scratch = scratch
        self.inspection = inspection
    }

    // MARK: - Lifetime

    /// Keeps idle processes ready for further conversions, until the task is canceled or `shutdown()` is called.
    ///
    /// The idle processes start with the first conversion or with `warmUp()`.
    ///
    /// The function returns after all processes have ended and their folders are removed. The caller must call this
    /// method only once.
    func run() async {
        let (processes, entry) = AsyncStream<Process>.makeStream()
        let begins = state.withLock { state in
            guard case .cold = state.phase else { return false }
            state.phase = .running(entry)
            return true
        }
        guard begins else { return }
        scratch.removeOrphans()
        refill()
        await withDiscardingTaskGroup { group in
            group.addTask { await self.endIdleProcesses() }
            for await process in processes {
                group.addTask {
                    await process.worker.live()
                    // A conversion removes the folder of a process that it has taken.
                    if !self.forget(process) { process.place.remove() }
                }
            }
            self.shutdown()
            group.cancelAll()
        }
        scratch.removeAll()
    }

    /// Ends `run()`.
    ///
    /// New documents are then refused.
    func shutdown() {
        let (entry, waiting) = state.withLock { state in
            defer { state.phase = .stopped }
            let waiting = state.remove { _ in true }
            guard case .running(let entry) = state.phase else {
                return (nil as AsyncStream<Process>.Continuation?, waiting)
            }
            return (entry, waiting)
        }
        for process in waiting { process.worker.dismiss() }
        entry?.finish()
    }

    /// Starts the idle processes.
    ///
    /// A client calls this function if a document will probably be printed soon.
    func warmUp(_ variant: [String] = []) {
        dismissOthers { state in state.use(variant, most: settings.variants) }
        refill()
    }

    /// Changes the resource limits for subsequent processes, and ends the idle processes.
    func setLimits(_ limits: WorkerLimits) {
        let isNew = currentCommand.withLock { command in
            defer { command.limits = limits }
            return command.limits != limits
        }
        guard isNew else { return }
        let waiting = state.withLock { $0.remove { _ in true } }
        for process in waiting { process.worker.dismiss() }
    }

    /// Ends the idle processes after each period without documents.
    private func endIdleProcesses() async {
        var known = state.withLock(\.uses)
        while (try? await Task.sleep(for: .seconds(settings.idleSeconds))) != nil {
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

    // MARK: - Waiting processes

    /// Returns an idle process of a variant; returns nil if no process is idle.
    ///
    /// The caller then calls `refill()`, which starts a replacement.
    func take(_ variant: [String] = []) throws(WorkError) -> Process? {
        let now = ContinuousClock.now
        let (process, isStopped) = dismissOthers { state in
            if case .stopped = state.phase { return (nil as Process?, true) }
            state.use(variant, most: settings.variants)
            let index = state.waiting.firstIndex { process in
                process.variant == variant && settings.longestWait.map { now - process.start <= $0 } != false
            }
            guard let index else { return (nil, false) }
            let process = state.waiting.remove(at: index)
            state.taken.insert(ObjectIdentifier(process.worker))
            return (process, false)
        }
        if isStopped { throw Self.shutDown }
        return process
    }

    /// Throws an error if no more documents are accepted, because `shutdown()` was called or `run()` has returned.
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
                    || settings.longestWait.map { now - process.start > $0 } == true
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
        let place = try scratch.makePlace()
        var command = command
        command.arguments += ["--place=\(place.folder)"] + variant
        let worker = Worker(command: command, inspection: inspection?(place, command.limits))
        return Process(worker: worker, place: place, variant: variant, start: .now)
    }

    /// Starts the missing idle processes.
    ///
    /// `run()`, `warmUp()` and each document call this method, but the end of a process does not. Therefore a program
    /// that cannot start is not started in a loop.
    func refill() {
        guard command.obstacle == nil else { return }
        while let variant = state.withLock({ state -> [String]? in
            guard case .running = state.phase else { return nil }
            return state.missingVariant(count: settings.count)
        }) {
            // Without a folder, no process can wait; the next document reports the reason.
            guard let process = try? make(variant) else { return }
            let isNeeded = state.withLock { state in
                guard case .running(let entry) = state.phase,
                    state.missingVariant(count: settings.count) == variant
                else { return false }
                state.waiting.append(process)
                entry.yield(process)
                return true
            }
            if !isNeeded { process.place.remove() }
        }
    }

    /// Removes a process that has ended.
    ///
    /// - Returns: Whether a conversion was using the process.
    private func forget(_ process: Process) -> Bool {
        state.withLock { state in
            state.waiting.removeAll { $0.worker === process.worker }
            return state.taken.remove(ObjectIdentifier(process.worker)) != nil
        }
    }
}
