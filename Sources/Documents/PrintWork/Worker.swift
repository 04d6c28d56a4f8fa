// Runs one worker process from its start to its end.

import AsyncPrimitives
import FoundationEssentials
import Glibc
import PrintModel
import ProcessLaunch
import ProcessPools
import Synchronization

/// A process that waits for one request, serves the request and ends.
///
/// Two tasks use a worker. The pool awaits `live()`, which returns after the process has ended. The client awaits
/// `serve(_:in:progress:)`, which sends the request and also returns after the process has ended.
final class Worker: Sendable {
    enum Outcome {
        /// A result or an error that the worker has sent.
        case answered(WorkerLine)
        /// A worker that ended without a response.
        case failed(WorkError)
        /// A worker that was killed from outside, for example by the kernel's out-of-memory killer or by an
        /// administrator. The document is not necessarily the cause.
        case killed(WorkError)
        /// A worker that ended before it opened a document. Another worker can serve the request.
        case neverBegan(String)
    }

    struct State {
        /// The process ID; nil before the start of the process, and as soon as the process may have been reaped.
        ///
        /// The kernel does not reuse the ID before the process is reaped.
        var process: pid_t?
        /// The process as a process of another user; nil for a child of this process.
        var hosted: HostedProcess?
        /// The socket that announces the request to the thread of the process; nil if the process does not run.
        var wake: CInt?
        var request: WorkerRequest?
        var progress: @Sendable (WorkProgress) -> Void = { _ in }
        var conversation = WorkerConversation()
        /// The last part of the error output.
        var errors: [UInt8] = []
        /// The number of bytes of error output.
        var errorCount = 0
        /// Whether the program has printed the line `WorkerCommand.startLine`.
        var hasStarted = false
        var stop: WorkerStop?
        /// The processor time of a process that ended without a response, in seconds.
        var processorSeconds = 0.0
        /// The processor time when the process was last measured while it worked, in seconds.
        var measuredSeconds = 0.0
        /// Whether earlier attempts have used a part of the time limit.
        var sharesTime = false
        var outcome: Outcome?
        var waiter: CheckedContinuation<Outcome, Never>?

        /// Wakes the thread of the process, which sends the request.
        func announceRequest() { if let wake { _ = write(wake, "r", 1) } }

        /// Kills all processes of the worker's session.
        func kill() {
            if let hosted {
                hosted.kill()
            } else if let process {
                Glibc.kill(-process, SIGKILL)
            }
        }
    }

    let command: WorkerCommand
    /// The resource limits of the process.
    var limits: WorkerLimits { command.limits }
    /// A function that inspects the process, and returns a reason to stop the process; nil for no inspection.
    ///
    /// The function is called several times per second, and returns nil if the process can continue.
    private let inspection: (@Sendable (pid_t) -> WorkerStop?)?
    let state = Mutex(State())

    init(command: WorkerCommand, inspection: (@Sendable (pid_t) -> WorkerStop?)? = nil) {
        self.command = command
        self.inspection = inspection
    }

    // MARK: - For clients with a request

    /// Serves the request.
    ///
    /// The caller must call this method only once.
    ///
    /// The function returns after the process has ended: after its response, at a limit, or after a cancellation of the
    /// task.
    ///
    /// - Parameter time: The working time of all attempts, to which the limit of the wall-clock time applies.
    func serve(
        _ request: WorkerRequest, in time: WorkTime, progress: @escaping @Sendable (WorkProgress) -> Void = { _ in }
    ) async -> Outcome {
        let remaining = time.remaining(of: Double(limits.wallSeconds))
        let seconds = min(Double(limits.wallSeconds), remaining)
        state.withLock { state in
            state.request = request
            state.progress = progress
            state.sharesTime = seconds < Double(limits.wallSeconds)
        }
        ProcessorTime.current?.add { .seconds(self.measuredSeconds) }
        if remaining <= 0 { stop(.outOfTime) }
        time.begin()
        defer { time.end() }
        state.withLock { $0.announceRequest() }
        return await withTaskCancellationHandler {
            await withTaskGroup(of: Void.self) { group in
                group.addTask {
                    // The sleep implements the wall-clock limit. The end of the work cancels it.
                    guard (try? await Task.sleep(for: .seconds(seconds))) != nil else { return }
                    self.stop(.outOfTime)
                }
                group.addTask { await self.inspectRepeatedly() }
                let outcome = await self.outcome()
                group.cancelAll()
                return outcome
            }
        } onCancel: {
            self.stop(.canceled)
        }
    }

    private func outcome() async -> Outcome {
        await withCheckedContinuation { continuation in
            let outcome = state.withLock { state in
                if state.outcome == nil { state.waiter = continuation }
                return state.outcome
            }
            if let outcome { continuation.resume(returning: outcome) }
        }
    }

    /// Checks repeatedly, until the task is canceled, whether there is a reason to stop the process.
    private func inspectRepeatedly() async {
        guard let inspection else { return }
        while (try? await Task.sleep(for: .milliseconds(250))) != nil {
            guard let process = state.withLock({ $0.process }), let reason = inspection(process) else { continue }
            return stop(reason)
        }
    }

    /// Ends a worker that waits for a request.
    ///
    /// The pool calls this function if no request will follow.
    func dismiss() { stop(.canceled) }

    /// Kills the process group immediately.
    func stop(_ reason: WorkerStop) {
        state.withLock { state in
            guard state.outcome == nil, state.stop == nil, state.conversation.answer == nil else { return }
            state.stop = reason
            state.kill()
        }
    }

    /// The processor time that the process of this request has used until now, in seconds.
    private var measuredSeconds: Double {
        state.withLock { state in
            if let process = state.process, state.hosted == nil {
                state.measuredSeconds = max(state.measuredSeconds, ProcessorTime.seconds(of: process))
            }
            return state.measuredSeconds
        }
    }

    /// Processes output of the worker, and returns whether the conversation has ended.
    func converse(_ bytes: [UInt8]) -> Bool {
        let (events, progress) = state.withLock { ($0.conversation.receive(bytes), $0.progress) }
        for event in events {
            switch event {
            case .progress(let page): progress(page)
            case .ended: return true
            }
        }
        return false
    }

    /// Keeps the last part of the error output.
    func keep(errors bytes: ArraySlice<UInt8>) {
        // The error message of a PostScript program is followed by its stacks.
        let longest = command.executesProgram ? 8192 : 2048
        let count = state.withLock { state in
            state.errors = (state.errors + bytes).suffix(longest)
            if !state.hasStarted, let line = command.startLine.map({ Array("\($0)\n".utf8) }),
                let found = state.errors.firstRange(of: line)
            {
                state.hasStarted = true
                state.errors.removeFirst(found.upperBound)
            }
            state.errorCount += bytes.count
            return state.errorCount
        }
        if command.executesProgram, count > ProgramTermination.longestMessages { stop(.tooManyMessages) }
    }
}
