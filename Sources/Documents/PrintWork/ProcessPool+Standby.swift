// Starts processes that each serve one request, in advance of the requests.

import AsyncPrimitives
import PrintModel
import ProcessPools

/// A process that serves one request, and its private folder.
struct StandbyProcess: PooledProcess {
    typealias Command = WorkerCommand

    let worker: Worker
    let place: ScratchPlace
    /// Whether `run()` manages the process.
    fileprivate(set) var isOwned = false

    func dismiss() { worker.dismiss() }
}

extension ProcessPool where Process == StandbyProcess {
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
        endIdle()
        return true
    }

    /// Ends the idle processes after each period without requests.
    private func endIdleProcesses() async {
        var known = state.withLock(\.uses)
        while (try? await Task.sleep(for: engine.idleTime)) != nil {
            let idle: [Process] = state.withLock { state in
                guard state.uses == known else {
                    known = state.uses
                    return []
                }
                return state.remove { _ in true }
            }
            for process in idle { process.dismiss() }
        }
    }

    // MARK: - Requests

    /// Serves a request when its turn comes, and returns the response.
    ///
    /// - Parameter attempt: A function that serves the request with a process, and also returns whether the process was
    ///   started in advance. Its parameters are whether such a process can be used, and the working time.
    func perform(
        _ request: WorkerRequest,
        _ attempt: (_ usesIdle: Bool, WorkTime) async throws(WorkError) -> (Worker.Outcome, Bool)
    ) async throws(WorkError) -> WorkerLine {
        let time = WorkTime.current ?? WorkTime()
        return try await perform(from: request.origin, isSmall: request.isSmall) {
            (usesIdle) async throws(WorkError) -> Attempt<WorkerLine> in
            if let unavailability = command.unavailability { throw unavailability }
            let (outcome, isIdle) = try await attempt(usesIdle, time)
            switch outcome {
            case .answered(.failed(let error)), .failed(let error): throw error
            case .answered(let line): return .answered(line)
            case .killed(let error): return .killed(error)
            case .neverBegan where isIdle: return .idleProcessEnded
            case .neverBegan(let reason):
                throw WorkError(
                    .workerUnavailable,
                    "\(engine.name) '\(command.executable)' does not start; run 'printq doctor'", detail: reason)
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

    // MARK: - Processes

    /// Returns an idle process of a variant; returns nil if no process is idle.
    ///
    /// The caller then calls `refill()`, which starts a replacement.
    func take(_ variant: [String] = []) throws(WorkError) -> StandbyProcess? {
        let now = ContinuousClock.now
        let (process, isStopped) = dismissOthers { state in
            if case .stopped = state.phase { return (nil as StandbyProcess?, true) }
            state.use(variant, most: engine.variants)
            let index = state.waiting.firstIndex { idle in
                idle.variant == variant && engine.longestWait.map { now - idle.since <= $0 } != false
            }
            guard let index else { return (nil, false) }
            let process = state.waiting.remove(at: index).process
            state.taken.insert(ObjectIdentifier(process.worker))
            return (process, false)
        }
        if isStopped { throw Self.shutDown }
        return process
    }

    /// Changes the state, and ends the idle processes that have waited too long or whose variant is no longer recent.
    @discardableResult
    private func dismissOthers<Value>(after change: (inout State) -> Value) -> Value {
        let now = ContinuousClock.now
        let (value, others) = state.withLock { state in
            let value = change(&state)
            let variants = state.variants
            let others = state.remove { idle in
                !variants.contains(idle.variant) || engine.longestWait.map { now - idle.since > $0 } == true
            }
            return (value, others)
        }
        for process in others { process.dismiss() }
        return value
    }

    /// Creates the object for a process, without starting the process.
    ///
    /// The caller must start the process with `worker.live()`.
    func make(_ variant: [String] = []) throws(WorkError) -> StandbyProcess {
        guard let scratch = engine.scratch else { preconditionFailure("the engine has no private folders") }
        let place = try scratch.makePlace()
        var command = command
        command.arguments += ["--place=\(place.folder)"] + variant
        let worker = Worker(command: command, inspection: engine.inspection?(place, command.limits))
        return StandbyProcess(worker: worker, place: place)
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
                state.waiting.append(State.Idle(process: idle, variant: variant))
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
    private func forget(_ process: StandbyProcess) -> Bool {
        state.withLock { state in
            state.waiting.removeAll { $0.process.worker === process.worker }
            return state.taken.remove(ObjectIdentifier(process.worker)) != nil
        }
    }
}
