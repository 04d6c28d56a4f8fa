// PrintWork processes documents in sandboxed worker processes. It is the only module that starts processes.
//
//   WorkerPool ──takes──► Worker ──starts──► prlimit ──becomes──► print-worker (WorkerProcess)
//   queue of requests,    one process        memory, processor    enters its sandbox, works,
//   waiting workers       and its request    time, file size      answers, ends
//
// WorkerConversation validates the output of a worker. WorkerTermination converts the exit status of a worker to an
// error.

import Glibc
public import PrintModel
import Synchronization

/// A document worker that serves each request in a separate process with resource limits.
///
/// The pool starts some processes in advance, so a job does not wait for the start:
///
///     let pool = WorkerPool(executable: "/usr/libexec/printq/print-worker")
///     async let life: Void = pool.run()
///     let summary = try await pool.inspect(InputDocument(path: "/…/document-1.pdf"))
///     pool.shutdown()
///
/// Without a call of `run()`, the pool serves requests, but starts no processes in advance. A cancellation of a
/// request's task ends the worker process.
public final class WorkerPool: Sendable {
    private struct State {
        enum Phase {
            /// The state before a call of `run()`. Each request starts a process.
            case cold
            /// The state during a call of `run()`. The function `run()` manages every process that is sent to the
            /// stream.
            case running(AsyncStream<Worker>.Continuation)
            /// The state after the pool was shut down permanently.
            case stopped
        }
        var phase = Phase.cold
        var waiting: [Worker] = []
    }

    private let currentCommand: Mutex<WorkerCommand>
    private var command: WorkerCommand { currentCommand.withLock { $0 } }
    private let warm: Int
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
    ///   - warm: The number of processes to start in advance.
    ///   - concurrent: The number of requests, or parts of a long document, that run at the same time. Further requests
    ///     wait. The queue alternates between printers, and then between the owners of documents (`WorkOrigin`). One
    ///     additional small request can run at the same time. Nil means the number of processors, but at least 2.
    ///   - user: The user name for workers when this process runs as root. Nil means `printq` if that user exists,
    ///     otherwise `nobody`.
    ///   - requiresLandlock: Whether documents are refused (`sandboxIncomplete`) if the kernel does not support
    ///     Landlock.
    public init(
        executable: String, limits: WorkerLimits = WorkerLimits(), warm: Int = 1, concurrent: Int? = nil,
        user: String? = nil, requiresLandlock: Bool = false
    ) {
        self.concurrent = max(concurrent ?? max(sysconf(CInt(_SC_NPROCESSORS_ONLN)), 2), 1)
        currentCommand = Mutex(
            WorkerCommand(
                executable: executable, limits: limits,
                user: Result { () throws(WorkError) in try WorkerUser.find(user) }, requiresLandlock: requiresLandlock))
        self.warm = warm
        queue = WorkQueue(places: self.concurrent)
        signal(SIGPIPE, SIG_IGN)
    }

    /// Keeps idle processes ready for requests, until the task is canceled or `shutdown()` is called.
    ///
    /// The function returns after all processes have ended.
    ///
    /// Cancellation and shutdown end the requests in progress with the error `canceled`. The caller must call this
    /// method only once.
    public func run() async {
        let (workers, entry) = AsyncStream<Worker>.makeStream()
        let begins = state.withLock { state in
            guard case .cold = state.phase else { return false }
            state.phase = .running(entry)
            return true
        }
        guard begins else { return }
        refill()
        await withDiscardingTaskGroup { group in
            for await worker in workers {
                group.addTask {
                    await worker.live()
                    self.forget(worker)
                }
            }
            self.shutdown()
            group.cancelAll()
        }
    }

    /// Ends `run()`.
    ///
    /// The pool then refuses new requests.
    public func shutdown() {
        let entry = state.withLock { state in
            defer {
                state.phase = .stopped
                state.waiting = []
            }
            guard case .running(let entry) = state.phase else { return nil as AsyncStream<Worker>.Continuation? }
            return entry
        }
        entry?.finish()
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
        let waiting = state.withLock { state in
            defer { state.waiting = [] }
            return state.waiting
        }
        for worker in waiting { worker.dismiss() }
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
        // A waiting process may have died. The document cannot be the cause, so another process is started. If another
        // process killed the worker during its work, the request is repeated once.
        request.removeUnfinished()
        var waiting = try takeWaiting()
        var wasKilled = false
        while true {
            let isFresh = waiting == nil
            let outcome = await serve(request, by: waiting.take(), progress: progress)
            if case .answered(let line) = outcome {
                if case .failed(let error) = line { throw error }
                return line
            }
            request.removeUnfinished()
            switch outcome {
            case .neverBegan(let reason) where isFresh: throw notStarted(reason)
            case .killed(let error) where wasKilled: throw error
            case .failed(let error): throw error
            case .killed: wasKilled = true
            case .neverBegan, .answered: continue
            }
        }
    }

    /// Serves the request with an idle worker, or with a new worker.
    private func serve(
        _ request: WorkerRequest, by waiting: Worker?, progress: @escaping @Sendable (WorkProgress) -> Void
    ) async -> Worker.Outcome {
        if let waiting { return await waiting.serve(request, progress: progress) }
        let worker = Worker(command: command)
        async let life: Void = worker.live()
        let outcome = await worker.serve(request, progress: progress)
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

    // MARK: - Waiting workers

    private func takeWaiting() throws(WorkError) -> Worker? {
        let (worker, stopped) = state.withLock { state in
            if case .stopped = state.phase { return (nil as Worker?, true) }
            return (state.waiting.isEmpty ? nil : state.waiting.removeFirst(), false)
        }
        if stopped {
            throw WorkError(.workerUnavailable, "no more documents are accepted: the program is shutting down")
        }
        refill()
        return worker
    }

    /// Starts the missing idle processes.
    ///
    /// The pool calls this method at its start and for each request, but not when a process ends. Therefore a program
    /// that cannot start is not started in a loop.
    private func refill() {
        guard command.obstacle == nil else { return }
        state.withLock { state in
            guard case .running(let entry) = state.phase else { return }
            while state.waiting.count < warm {
                let worker = Worker(command: command)
                state.waiting.append(worker)
                entry.yield(worker)
            }
        }
    }

    private func forget(_ worker: Worker) {
        state.withLock { $0.waiting.removeAll { $0 === worker } }
    }
}
