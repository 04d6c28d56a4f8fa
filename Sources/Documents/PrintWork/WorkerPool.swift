// PrintWork processes documents in sandboxed worker processes. It is the only module that starts processes.
//
//   WorkerPool ──starts──► prlimit ──becomes──► print-worker ──forks──► print-worker (WorkerProcess)
//   queue of requests,     memory, file size    WorkerTemplate          Worker: enters its sandbox, works,
//   the template                                                       answers, ends
//
// WorkerConversation validates the output of a worker. WorkerTermination converts the exit status of a worker to an
// error.

import AsyncPrimitives
import Glibc
public import PrintModel
import Synchronization

/// A document worker that serves each request in a separate process with resource limits.
///
/// The pool forks the processes from a process that was started in advance (`WorkerTemplate`), so a job does not wait
/// for the start:
///
///     let pool = WorkerPool(executable: "/usr/libexec/printq/print-worker")
///     async let life: Void = pool.run()
///     let summary = try await pool.inspect(InputDocument(path: "/…/document-1.pdf"))
///     pool.shutdown()
///
/// Without a call of `run()`, the pool starts a process for each request. A cancellation of a
/// request's task ends the worker process.
public final class WorkerPool: Sendable {
    private struct State {
        enum Phase {
            /// The state before a call of `run()`. Each request starts a process.
            case cold
            /// The state during a call of `run()`. The function `run()` manages every process that is sent to the
            /// stream.
            case running(AsyncStream<(Worker, WorkerTemplate)>.Continuation)
            /// The state after the pool was shut down permanently.
            case stopped
        }
        var phase = Phase.cold
        /// The process from which the next worker is forked; nil if a process is started for each request.
        var template: WorkerTemplate?
    }

    private let currentCommand: Mutex<WorkerCommand>
    private var command: WorkerCommand { currentCommand.withLock { $0 } }
    /// The resource limits for subsequent requests.
    var limits: WorkerLimits { command.limits }
    private let isWarm: Bool
    /// The maximum number of requests, or parts of requests, that run concurrently.
    let concurrent: Int
    private let queue: WorkQueue
    private let state = Mutex(State())

    /// Creates a pool of workers.
    ///
    /// The initializer ignores `SIGPIPE` in this process. A worker can end while this process sends a request to the
    /// worker. Without this setting, the signal would then end this process.
    ///
    /// - Parameters:
    ///   - executable: The path of the worker program.
    ///   - limits: The resource limits for each request.
    ///   - isWarm: Whether `run()` starts a process from which workers are forked.
    ///   - concurrent: The number of requests, or parts of a long document, that run at the same time. Further requests
    ///     wait. The queue alternates between printers, and then between the owners of documents (`WorkOrigin`). One
    ///     additional small request can run at the same time. Nil means the number of processors, but at least 2.
    ///   - user: The user name for workers when this process runs as root. Nil means `printq` if that user exists,
    ///     otherwise `nobody`.
    ///   - requiresLandlock: Whether documents are refused (`sandboxIncomplete`) if the kernel does not support
    ///     Landlock.
    public init(
        executable: String, limits: WorkerLimits = WorkerLimits(), isWarm: Bool = true, concurrent: Int? = nil,
        user: String? = nil, requiresLandlock: Bool = false
    ) {
        self.concurrent = max(concurrent ?? max(sysconf(CInt(_SC_NPROCESSORS_ONLN)), 2), 1)
        currentCommand = Mutex(
            WorkerCommand(
                executable: executable, limits: limits,
                user: Result { () throws(WorkError) in try WorkerUser.find(user) }, requiresLandlock: requiresLandlock))
        self.isWarm = isWarm
        queue = WorkQueue(places: self.concurrent)
        signal(SIGPIPE, SIG_IGN)
    }

    /// Keeps a process ready from which workers are forked, until the task is canceled or `shutdown()` is called.
    ///
    /// The function returns after all processes have ended.
    ///
    /// Cancellation and shutdown end the requests in progress with the error `canceled`. The caller must call this
    /// method only once.
    public func run() async {
        let (workers, entry) = AsyncStream<(Worker, WorkerTemplate)>.makeStream()
        let begins = state.withLock { state in
            guard case .cold = state.phase else { return false }
            state.phase = .running(entry)
            return true
        }
        guard begins else { return }
        await renewTemplate(after: nil)
        await withDiscardingTaskGroup { group in
            for await (worker, template) in workers { group.addTask { await worker.live(forkedBy: template) } }
            self.shutdown()
            group.cancelAll()
        }
    }

    /// Ends `run()`.
    ///
    /// The pool then refuses new requests.
    public func shutdown() {
        // The template ends outside of the lock.
        let old = state.withLock { state in
            defer { state = State(phase: .stopped) }
            return state
        }
        old.template?.end()
        if case .running(let entry) = old.phase { entry.finish() }
    }

    /// Changes the resource limits for subsequent requests.
    ///
    /// Requests in progress keep their limits.
    public func setLimits(_ limits: WorkerLimits) {
        let isNew = currentCommand.withLock { command in
            defer { command.limits = limits }
            return command.limits != limits
        }
        guard isNew else { return }
        let template = WorkerTemplate(command: command)
        let old = state.withLock { state -> WorkerTemplate? in
            guard let old = state.template else { return nil }
            state.template = template
            return old
        }
        old?.end()
    }

    /// Starts a worker to test the sandbox, and returns the protections of the sandbox.
    public func probe() async throws(WorkError) -> WorkerProtections {
        guard case .locked(let protections) = try await perform(.probe) else { throw Self.mismatch }
        return protections
    }

    // MARK: - Requests

    func perform(
        _ request: WorkerRequest, progress: @escaping @Sendable (WorkProgress) -> Void = { _ in }
    ) async throws(WorkError) -> WorkerLine {
        let place: Int
        do { place = try await queue.enter(request) } catch {
            throw Self.canceledBefore
        }
        defer { queue.leave(place) }
        if Task.isCancelled { throw Self.canceledBefore }
        if let obstacle = command.obstacle { throw obstacle }
        // The template may have died. The document cannot be the cause, so a process is started. If another process
        // killed the worker during its work, the request is repeated once.
        let time = WorkTime.current ?? WorkTime()
        var usesTemplate = true
        var wasKilled = false
        while true {
            let (worker, template) = try makeWorker(usesTemplate: usesTemplate)
            let outcome = await serve(request, in: time, by: worker, isForked: template != nil, progress: progress)
            if case .answered(let line) = outcome {
                if case .failed(let error) = line { throw error }
                return line
            }
            request.removeUnfinished()
            if let template, outcome.isCrash { await renewTemplate(after: template) }
            switch outcome {
            case .neverBegan(let reason) where template == nil: throw notStarted(reason)
            case .killed(let error) where wasKilled: throw error
            case .failed(let error): throw error
            case .killed: wasKilled = true
            case .neverBegan: usesTemplate = false
            case .answered: continue
            }
        }
    }

    /// Serves the request with a forked worker, which `run()` owns, or with a worker whose process is started now.
    private func serve(
        _ request: WorkerRequest, in time: WorkTime, by worker: Worker, isForked: Bool,
        progress: @escaping @Sendable (WorkProgress) -> Void
    ) async -> Worker.Outcome {
        if isForked { return await worker.serve(request, in: time, progress: progress) }
        async let life: Void = worker.live()
        let outcome = await worker.serve(request, in: time, progress: progress)
        await life
        return outcome
    }

    private func notStarted(_ reason: String) -> WorkError {
        WorkError(
            .workerUnavailable,
            "the document worker '\(command.executable)' does not start; run 'printq doctor'",
            detail: reason)
    }

    private static let canceledBefore = WorkError(
        .canceled, "the work on the document was canceled before it started")

    static let mismatch = WorkError(
        .workerCrashed, "the worker responded to a different request; the document may be malicious")

    // MARK: - The template

    /// Creates a worker, and passes the worker to `run()` if it will be forked from the template that is returned.
    private func makeWorker(usesTemplate: Bool) throws(WorkError) -> (Worker, WorkerTemplate?) {
        let made = state.withLock { state -> (Worker, WorkerTemplate?)? in
            let worker = Worker(command: command)
            switch state.phase {
            case .stopped: return nil
            case .running(let entry):
                guard usesTemplate, let template = state.template else { return (worker, nil) }
                entry.yield((worker, template))
                return (worker, template)
            case .cold: return (worker, nil)
            }
        }
        guard let made else {
            throw WorkError(.workerUnavailable, "no more documents are accepted: the program is shutting down")
        }
        return made
    }

    /// Starts a new template in place of a template whose worker has crashed or was not forked, or the first template.
    ///
    /// A template that has ended is not replaced before the next request. Therefore a program that cannot start is not
    /// started in a loop.
    private func renewTemplate(after old: WorkerTemplate?) async {
        guard isWarm, command.obstacle == nil else { return }
        let new = WorkerTemplate(command: command)
        let isNeeded = state.withLock { state in
            guard case .running = state.phase, state.template === old else { return false }
            state.template = new
            return true
        }
        guard isNeeded else { return }
        old?.end()
        // If the start fails, the next request starts a process, and reports the reason.
        try? await DedicatedThread.run { () throws(WorkError) in try new.start() }
    }
}

extension Worker.Outcome {
    /// Whether the worker ended without a response, and was not canceled.
    fileprivate var isCrash: Bool {
        switch self {
        case .answered: false
        case .failed(let error): error.code != .canceled
        case .killed, .neverBegan: true
        }
    }
}
