// PrintWork processes documents in sandboxed worker processes. It is the only module that starts processes.
//
//   WorkerPool ──starts──► prlimit ──becomes──► print-worker ──forks──► print-worker (WorkerProcess)
//   ProcessPool: queue     memory, file size    WorkerTemplate          Worker: enters its sandbox, works,
//   of requests                                                         answers, ends
//
// WorkerConversation validates the output of a worker. WorkerTermination converts the exit status of a worker to an
// error.

import AsyncPrimitives
import Glibc
public import PrintModel
public import ProcessLaunch
public import ProcessPools
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
    private let processes: ProcessPool<StandbyProcess>
    /// The resource limits for subsequent requests.
    var limits: WorkerLimits { processes.command.limits }
    private let isWarm: Bool
    /// The maximum number of requests, or parts of requests, that run concurrently.
    var concurrent: Int { processes.concurrent }
    /// The process from which the next worker is forked; nil if a process is started for each request.
    private let template = Mutex<WorkerTemplate?>(nil)

    /// Creates a pool of workers.
    ///
    /// The initializer ignores `SIGPIPE` in this process (`ProcessPool`).
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
    ///   - host: The host that starts the workers as another user; nil if this process starts the workers.
    public init(
        executable: String, limits: WorkerLimits = WorkerLimits(), isWarm: Bool = true, concurrent: Int? = nil,
        user: String? = nil, requiresLandlock: Bool = false, host: ProcessHost? = nil
    ) {
        self.isWarm = isWarm
        let command = WorkerCommand(
            executable: executable, limits: limits,
            user: Result { () throws(WorkError) in try WorkerUser.find(user) }, host: host,
            requiresLandlock: requiresLandlock)
        processes = ProcessPool(
            ProcessPool<StandbyProcess>.Engine(command: command, name: "the document worker", concurrent: concurrent))
    }

    /// Keeps a process ready from which workers are forked, until the task is canceled or `shutdown()` is called.
    ///
    /// The function returns after all processes have ended.
    ///
    /// Cancellation and shutdown end the requests in progress with the error `canceled`. The caller must call this
    /// method only once.
    public func run() async {
        await processes.run { await renewTemplate(after: nil) }
        shutdown()
    }

    /// Ends `run()`.
    ///
    /// The pool then refuses new requests.
    public func shutdown() {
        processes.shutdown()
        // The template ends outside of the lock.
        template.withLock { template in
            defer { template = nil }
            return template
        }?.end()
    }

    /// Changes the resource limits for subsequent requests.
    ///
    /// Requests in progress keep their limits.
    public func setLimits(_ limits: WorkerLimits) {
        guard processes.setLimits(limits) else { return }
        let new = WorkerTemplate(command: processes.command)
        let old = template.withLock { template -> WorkerTemplate? in
            guard let old = template else { return nil }
            template = new
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
        try await processes.perform(request) { (usesIdle, time) async throws(WorkError) -> (Worker.Outcome, Bool) in
            let (worker, template) = try makeWorker(usesTemplate: usesIdle)
            let outcome = await ProcessPool<StandbyProcess>.serve(
                request, in: time, by: worker, isOwned: template != nil, progress: progress)
            if case .answered = outcome { return (outcome, true) }
            request.removeUnfinished()
            if let template, outcome.isCrash { await renewTemplate(after: template) }
            return (outcome, template != nil)
        }
    }

    static let mismatch = WorkError(
        .workerCrashed, "the worker responded to a different request; the document may be malicious")

    // MARK: - The template

    /// Creates a worker, and passes the worker to `run()` if it will be forked from the template that is returned.
    private func makeWorker(usesTemplate: Bool) throws(WorkError) -> (Worker, WorkerTemplate?) {
        let worker = Worker(command: processes.command)
        guard usesTemplate, let template = template.withLock({ $0 }) else {
            try processes.checkAcceptance()
            return (worker, nil)
        }
        return (worker, try processes.own { await worker.live(forkedBy: template) } ? template : nil)
    }

    /// Starts a new template in place of a template whose worker has crashed or was not forked, or the first template.
    ///
    /// A template that has ended is not replaced before the next request. Therefore a program that cannot start is not
    /// started in a loop.
    private func renewTemplate(after old: WorkerTemplate?) async {
        guard isWarm, processes.command.unavailability == nil else { return }
        let new = WorkerTemplate(command: processes.command)
        let isNeeded = template.withLock { template in
            guard processes.isRunning, template === old else { return false }
            template = new
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
