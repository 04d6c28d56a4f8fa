// Starts the processes of LibreOffice in advance, and ends them.

import Glibc
import PrintModel
import Synchronization

/// The idle processes of an `OfficePool`, each in a private folder.
final class OfficeProcesses: Sendable {
    /// A process and its private folder.
    struct Process: Sendable {
        let worker: Worker
        let place: OfficeScratchPlace
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
    }

    private let currentCommand: Mutex<WorkerCommand>
    /// The command that starts subsequent processes.
    var command: WorkerCommand { currentCommand.withLock { $0 } }
    private let count: Int
    private let idleSeconds: Int
    private let scratch: OfficeScratch
    private let state = Mutex(State())

    /// Creates the manager of the idle processes, without starting a process.
    ///
    /// - Parameters:
    ///   - count: The number of idle processes to keep.
    ///   - idleSeconds: The time in seconds without documents after which the idle processes end.
    init(command: WorkerCommand, count: Int, idleSeconds: Int, scratch: OfficeScratch) {
        currentCommand = Mutex(command)
        self.count = count
        self.idleSeconds = idleSeconds
        self.scratch = scratch
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
        if state.withLock({ $0.uses > 0 }) { refill() }
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
            defer {
                state.phase = .stopped
                state.waiting = []
            }
            guard case .running(let entry) = state.phase else {
                return (nil as AsyncStream<Process>.Continuation?, state.waiting)
            }
            return (entry, state.waiting)
        }
        for process in waiting { process.worker.dismiss() }
        entry?.finish()
    }

    /// Starts the idle processes.
    ///
    /// A client calls this function if an Office document will probably be printed soon.
    func warmUp() {
        state.withLock { $0.uses += 1 }
        refill()
    }

    /// Changes the resource limits for subsequent processes, and ends the idle processes.
    func setLimits(_ limits: WorkerLimits) {
        let isNew = currentCommand.withLock { command in
            defer { command.limits = limits }
            return command.limits != limits
        }
        guard isNew else { return }
        let waiting = state.withLock { state in
            defer { state.waiting = [] }
            return state.waiting
        }
        for process in waiting { process.worker.dismiss() }
    }

    /// Ends the idle processes after each period of `idleSeconds` without documents.
    private func endIdleProcesses() async {
        var known = state.withLock(\.uses)
        while (try? await Task.sleep(for: .seconds(idleSeconds))) != nil {
            let idle: [Process] = state.withLock { state in
                guard state.uses == known else {
                    known = state.uses
                    return []
                }
                defer { state.waiting = [] }
                return state.waiting
            }
            for process in idle { process.worker.dismiss() }
        }
    }

    // MARK: - Waiting processes

    /// Returns an idle process, and starts a new idle process as a replacement; returns nil if no process is idle.
    func take() throws(WorkError) -> Process? {
        let (process, stopped) = state.withLock { state in
            state.uses += 1
            if case .stopped = state.phase { return (nil as Process?, true) }
            guard !state.waiting.isEmpty else { return (nil, false) }
            let process = state.waiting.removeFirst()
            state.taken.insert(ObjectIdentifier(process.worker))
            return (process, false)
        }
        if stopped {
            throw WorkError(.workerUnavailable, "no more documents are accepted: the program is shutting down")
        }
        refill()
        return process
    }

    /// Creates a process.
    ///
    /// The caller must start the process.
    func make() throws(WorkError) -> Process {
        let place = try scratch.makePlace()
        var command = command
        command.arguments.append("--place=\(place.folder)")
        return Process(worker: Worker(command: command), place: place)
    }

    /// Starts the missing idle processes.
    ///
    /// Only documents and `warmUp()` call this method. Therefore a program that cannot start is not started repeatedly.
    private func refill() {
        guard command.obstacle == nil else { return }
        while state.withLock({ state in
            guard case .running = state.phase else { return false }
            return state.waiting.count < count
        }) {
            // Without a folder, no process can wait; the next document reports the reason.
            guard let process = try? make() else { return }
            let isNeeded = state.withLock { state in
                guard case .running(let entry) = state.phase, state.waiting.count < count else { return false }
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
