// PrintWork: has documents worked on by processes that can do no harm. The only module that starts processes.
//
//   WorkerPool ──takes──► Worker ──starts──► prlimit ──becomes──► print-worker (WorkerProcess)
//   who is next,          one process's      memory, processor     locks itself in, works,
//   who is warm           life and request   time, file size       answers, is gone
//
// What a worker says is read with suspicion (WorkerConversation); what its end means is decided in WorkerEnding.

import Glibc
public import PrintModel
import Synchronization

/// A `DocumentWorking` that has each request done by a process of its own, under limits.
///
/// A few processes are kept started and waiting, so that a job does not pay for their start:
///
///     let pool = WorkerPool(executable: "/usr/libexec/printq/print-worker")
///     async let life: Void = pool.run()
///     let summary = try await pool.inspect(InputDocument(path: "/…/document-1.pdf"))
///     pool.shutdown()
///
/// A pool that nobody runs works too; it just keeps nothing warm. Cancelling a request's task ends its process.
public final class WorkerPool: Sendable {
    private struct State {
        enum Phase {
            /// Not run: each request starts its own process.
            case cold
            /// Run: processes to own are handed to `run()`.
            case running(AsyncStream<Worker>.Continuation)
            /// Shut down, for good.
            case stopped
        }
        var phase = Phase.cold
        var waiting: [Worker] = []
    }

    private let command: WorkerCommand
    private let warm: Int
    /// How many requests, or parts of requests, are carried out at a time.
    let concurrent: Int
    private let queue: WorkQueue
    private let state = Mutex(State())

    /// A pool of workers.
    ///
    /// Ignores `SIGPIPE` in this process, as anything that writes to other processes must: a worker may end while
    /// it is being written to.
    /// - Parameters:
    ///   - executable: The path of the worker's program.
    ///   - limits: What each request may use up.
    ///   - warm: How many processes to keep waiting.
    ///   - concurrent: How many requests are served at a time, and how many parts of a long document. The others wait;
    ///     printers, then owners, take turns (`WorkOrigin`). One more small request is served beyond these. Nil stands for
    ///     the number of processors, but at least 2.
    ///   - user: The name of the user that workers become when this process is root's; nil for `printq` if there is such a
    ///     user, else `nobody`.
    ///   - requiresLandlock: Whether documents are refused (`sandboxIncomplete`) where the kernel has no Landlock.
    public init(
        executable: String, limits: WorkerLimits = WorkerLimits(), warm: Int = 1, concurrent: Int? = nil,
        user: String? = nil, requiresLandlock: Bool = false
    ) {
        self.concurrent = max(concurrent ?? max(sysconf(CInt(_SC_NPROCESSORS_ONLN)), 2), 1)
        command = WorkerCommand(
            executable: executable, limits: limits,
            user: Result { () throws(WorkError) in try WorkerUser.find(user) }, requiresLandlock: requiresLandlock)
        self.warm = warm
        queue = WorkQueue(places: self.concurrent)
        signal(SIGPIPE, SIG_IGN)
    }

    /// Keeps processes warm until the task is cancelled or `shutdown()` is called; then none is left.
    ///
    /// Requests that its processes serve at that moment fail with `canceled`. Run a pool once.
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

    /// Ends `run()`; new requests are refused.
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

    /// Starts a worker, has it lock itself in, and says what holds.
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
        // A waiting process may have died meanwhile; that says nothing about the document, so another is started. One that
        // somebody killed at its work says little: once, another is asked.
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

    /// Has the request done by a worker that waits, or by one that is started for it.
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
            "the program that works on documents, '\(command.executable)', does not start; run 'printq doctor'",
            detail: reason)
    }

    private static let canceledBefore = WorkError(
        .canceled, "the work on the document was canceled before it began")

    static let mismatch = WorkError(
        .workerCrashed, "the worker answered another question than it was asked; the document may be malicious")

    // MARK: - Keeping warm

    private func takeWaiting() throws(WorkError) -> Worker? {
        let (worker, stopped) = state.withLock { state in
            if case .stopped = state.phase { return (nil as Worker?, true) }
            return (state.waiting.isEmpty ? nil : state.waiting.removeFirst(), false)
        }
        if stopped {
            throw WorkError(.workerUnavailable, "no more documents are worked on, because the program is ending")
        }
        refill()
        return worker
    }

    /// Starts what is missing.
    ///
    /// Only a request asks for it, so that a program that cannot start is not started over and over.
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
