// Admits requests to the processes of an engine, keeps idle processes, and repeats interrupted work.

import AsyncPrimitives
import Dispatch
package import Glibc
package import PrintModel
package import Synchronization

/// A process of a `ProcessPool`, which one request at a time uses.
package protocol PooledProcess: Sendable {
    /// The values that determine how the processes start, such as the command line and the resource limits.
    associatedtype Command: Sendable

    /// Ends the process, which serves no request.
    func dismiss()
}

/// A pool of the processes of one engine, such as `print-worker`, LibreOffice, Ghostscript or WeasyPrint.
///
/// The pool admits the requests fairly (`WorkQueue`), keeps idle processes, ends them after some time without requests,
/// and repeats a request once if another process killed the process.
///
/// A process serves one request (`StandbyProcess`) and was started in advance, or a process serves several requests
/// (`HTMLWorker`, `ViewProcess`) and is given back after each of them.
package final class ProcessPool<Process: PooledProcess>: Sendable {
    /// A program whose processes serve the requests.
    package struct Engine: Sendable {
        /// The command that starts the processes.
        package var command: Process.Command
        /// The description of the program in messages, such as `the converter`.
        package var name: String
        /// The number of requests that run at the same time; nil for the number of processors, but at least 2.
        ///
        /// One additional small request can run at the same time.
        package var concurrent: Int?
        /// The number of idle processes of each variant.
        package var idleCount: Int
        /// The maximum number of variants, such as paper sizes, that have idle processes.
        ///
        /// The most recently used variants have idle processes.
        package var variants: Int
        /// The time after which idle processes end: all processes that were started in advance after this time without
        /// requests, and a process that was given back after this time without its next request.
        package var idleTime: Duration
        /// The maximum time for which a process waits before it serves a request; nil for no maximum.
        package var longestWait: Duration?
        /// The parent of the private folders of processes; nil if the processes have no private folders.
        package var scratch: ConversionScratch?
        /// A function that creates the check for one process in a private folder; nil for no check.
        ///
        /// The check returns a reason to stop the process; nil if the process can continue.
        package var inspection: (@Sendable (ScratchPlace, WorkerLimits) -> @Sendable (pid_t) -> WorkerStop?)?

        /// Creates an engine; omitted arguments have the defaults of the properties.
        package init(
            command: Process.Command, name: String, concurrent: Int? = nil, idleCount: Int = 0, variants: Int = 1,
            idleTime: Duration = .seconds(300), longestWait: Duration? = nil, scratch: ConversionScratch? = nil,
            inspection: (@Sendable (ScratchPlace, WorkerLimits) -> @Sendable (pid_t) -> WorkerStop?)? = nil
        ) {
            (self.command, self.name, self.concurrent) = (command, name, concurrent)
            (self.idleCount, self.variants) = (idleCount, variants)
            (self.idleTime, self.longestWait) = (idleTime, longestWait)
            (self.scratch, self.inspection) = (scratch, inspection)
        }
    }

    /// The result of an attempt to serve a request.
    package enum Attempt<Answer: Sendable>: Sendable {
        case answered(Answer)
        /// An idle process that ended before it opened a document, so another process can serve the request.
        case idleProcessEnded
        /// A process that another process has killed. The document is not necessarily the cause.
        case killed(WorkError)
    }

    /// A function that returns after a process has ended.
    package typealias Life = @Sendable () async -> Void

    package struct State {
        package enum Phase {
            /// The state before a call of `run()`.
            case cold
            /// The state during a call of `run()`. The function `run()` manages every process whose life is sent to the
            /// stream.
            case running(AsyncStream<Life>.Continuation)
            /// The state after the pool was shut down permanently.
            case stopped
        }

        package struct Idle {
            package let process: Process
            /// The arguments that determine which requests the process can serve, such as the page size.
            package let variant: [String]
            package let since = ContinuousClock.now

            package init(process: Process, variant: [String]) { (self.process, self.variant) = (process, variant) }
        }

        package var phase = Phase.cold
        /// The idle processes, in the order in which they became idle.
        package var waiting: [Idle] = []
        /// The running processes, started in advance, that requests use.
        package var taken: Set<ObjectIdentifier> = []
        /// The number of calls of `take` and `warmUp`, to detect periods without requests.
        package var uses = 0
        /// The recent variants, the most recent variant first.
        package var variants: [[String]] = []
        /// Whether the timer for the idle time is set.
        package var hasTimer = false

        /// Removes and returns the idle processes that meet a condition.
        package mutating func remove(where condition: (Idle) -> Bool) -> [Process] {
            let removed = waiting.filter(condition)
            waiting.removeAll(where: condition)
            return removed.map(\.process)
        }

        /// Records a use of a variant.
        package mutating func use(_ variant: [String], most: Int) {
            uses += 1
            variants.removeAll { $0 == variant }
            variants = Array(([variant] + variants).prefix(most))
        }

        /// Returns the first recent variant that has too few idle processes; nil if no process is missing.
        package func missingVariant(count: Int) -> [String]? {
            variants.first { variant in waiting.count { $0.variant == variant } < count }
        }
    }

    package let engine: Engine
    /// The maximum number of requests that run at the same time, not counting the additional small request.
    package let concurrent: Int
    package let currentCommand: Mutex<Process.Command>
    /// The command that starts subsequent processes.
    package var command: Process.Command { currentCommand.withLock { $0 } }
    let queue: WorkQueue
    package let state = Mutex(State())

    /// Creates a pool, without starting a process.
    ///
    /// The initializer ignores `SIGPIPE` in this process. A process can end while this process sends a request to it.
    /// Without this setting, the signal would then end this process.
    package init(_ engine: Engine) {
        self.engine = engine
        concurrent = max(engine.concurrent ?? max(sysconf(CInt(_SC_NPROCESSORS_ONLN)), 2), 1)
        currentCommand = Mutex(engine.command)
        queue = WorkQueue(places: concurrent)
        signal(SIGPIPE, SIG_IGN)
    }

    // MARK: - Lifetime

    /// Ends `run()` and the idle processes.
    ///
    /// New requests are then refused.
    package func shutdown() {
        let entry = state.withLock { state in
            defer { state.phase = .stopped }
            guard case .running(let entry) = state.phase else { return nil as AsyncStream<Life>.Continuation? }
            return entry
        }
        endIdle()
        entry?.finish()
    }

    /// Whether `run()` is active.
    package var isRunning: Bool {
        state.withLock { state in
            if case .running = state.phase { true } else { false }
        }
    }

    /// Whether `shutdown()` was called or `run()` has returned.
    package var isStopped: Bool {
        state.withLock { state in
            if case .stopped = state.phase { true } else { false }
        }
    }

    /// Passes the life of a process to `run()`.
    ///
    /// - Returns: False if `run()` was not called.
    /// - Throws: `workerUnavailable` if the pool was shut down.
    package func own(_ life: @escaping Life) throws(WorkError) -> Bool {
        try checkAcceptance()
        return state.withLock { state in
            guard case .running(let entry) = state.phase else { return false }
            entry.yield(life)
            return true
        }
    }

    /// Throws an error if no more requests are accepted, because `shutdown()` was called or `run()` has returned.
    package func checkAcceptance() throws(WorkError) { if isStopped { throw Self.shutDown } }

    package static var shutDown: WorkError {
        WorkError(.workerUnavailable, "no more documents are accepted: the program is shutting down")
    }

    // MARK: - Requests

    /// Serves a request when its turn comes, and returns the response.
    ///
    /// An idle process may have died. Then a new process serves the request. If another process killed the process
    /// during its work, the request is repeated once.
    ///
    /// - Parameter attempt: A function that serves the request with a process. Its parameter is whether an idle process
    ///   can be used.
    package func perform<Answer: Sendable>(
        from origin: WorkOrigin?, isSmall: Bool,
        _ attempt: (_ usesIdle: Bool) async throws(WorkError) -> Attempt<Answer>
    ) async throws(WorkError) -> Answer {
        let turn: Int
        do { turn = try await queue.enter(from: origin, isSmall: isSmall) } catch { throw Self.canceledBefore }
        defer { queue.leave(turn) }
        if Task.isCancelled { throw Self.canceledBefore }
        try checkAcceptance()
        var usesIdle = true
        var wasKilled = false
        while true {
            switch try await attempt(usesIdle) {
            case .answered(let answer): return answer
            case .idleProcessEnded: usesIdle = false
            case .killed(let error) where wasKilled: throw error
            case .killed: wasKilled = true
            }
        }
    }

    private static var canceledBefore: WorkError {
        WorkError(.canceled, "the work on the document was canceled before it started")
    }

    // MARK: - Processes that serve several requests

    /// Removes and returns the newest idle process that meets a condition; nil if there is no such process.
    package func take(where condition: (Process) -> Bool) -> Process? {
        state.withLock { state in
            state.waiting.lastIndex { condition($0.process) }.map { state.waiting.remove(at: $0).process }
        }
    }

    /// Adds an idle process, and ends the oldest idle process of the variant if there are too many.
    ///
    /// - Parameter most: The number of idle processes of the variant; nil for the number of the engine.
    package func giveBack(_ process: Process, variant: [String] = [], most: Int? = nil) {
        let surplus = state.withLock { state -> Process? in
            if case .stopped = state.phase { return process }
            state.waiting.append(State.Idle(process: process, variant: variant))
            guard state.waiting.count(where: { $0.variant == variant }) > most ?? engine.idleCount else { return nil }
            // The newest processes are kept, because a process with other limits may never be needed again.
            return state.waiting.firstIndex { $0.variant == variant }.map { state.waiting.remove(at: $0).process }
        }
        surplus?.dismiss()
        setTimer()
    }

    /// Ends the idle processes that meet a condition.
    package func endIdle(where condition: (State.Idle) -> Bool = { _ in true }) {
        // The processes end outside of the lock.
        for process in state.withLock({ $0.remove(where: condition) }) { process.dismiss() }
    }

    /// Returns the number of idle processes of a variant.
    package func idleCount(of variant: [String] = []) -> Int {
        state.withLock { state in state.waiting.count { $0.variant == variant } }
    }

    /// The time at which the next process that was given back ends; nil if no process is idle.
    package var nextEnd: ContinuousClock.Instant? {
        state.withLock { $0.waiting.first }.map { $0.since + engine.idleTime }
    }

    /// Sets the timer that ends idle processes, unless the timer is set or no process is idle.
    private func setTimer() {
        let since = state.withLock { state -> ContinuousClock.Instant? in
            guard !state.hasTimer, let first = state.waiting.first else { return nil }
            state.hasTimer = true
            return first.since
        }
        guard let since else { return }
        let seconds = max(0, (since + engine.idleTime - .now) / .seconds(1))
        DispatchQueue.global().asyncAfter(deadline: .now() + seconds) { [weak self] in
            guard let self else { return }
            let latest = ContinuousClock.now - engine.idleTime
            endIdle { $0.since <= latest }
            state.withLock { $0.hasTimer = false }
            setTimer()
        }
    }
}
