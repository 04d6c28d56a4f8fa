// Runs one worker process from its start to its end.

import AsyncPrimitives
import Dispatch
import FoundationEssentials
import Glibc
import PrintModel
import ProcessLaunch
import Subprocess
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
        var request: WorkerRequest?
        var progress: @Sendable (WorkProgress) -> Void = { _ in }
        var conversation = WorkerConversation()
        var errors: [UInt8] = []
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
    let requests: AsyncStream<[UInt8]>
    let requestsEntry: AsyncStream<[UInt8]>.Continuation

    init(command: WorkerCommand, inspection: (@Sendable (pid_t) -> WorkerStop?)? = nil) {
        self.command = command
        self.inspection = inspection
        (requests, requestsEntry) = AsyncStream.makeStream()
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
        // A waiting program knows the path of the document, and needs only a line.
        guard let line = command.startLine == nil ? try? JSONEncoder().encode(request.forWorker) : Data("start".utf8)
        else {
            return .failed(WorkError(.workerUnavailable, "cannot encode the request as JSON"))
        }
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
        requestsEntry.yield(Array(line) + [UInt8(ascii: "\n")])
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

    // MARK: - For the owner of the process

    /// Starts the process, and waits until the process has ended and was reaped.
    ///
    /// A cancellation of the task ends the process.
    func live() async {
        if command.host != nil {
            let template = WorkerTemplate(command: command)
            await live(forkedBy: template)
            return template.end()
        }
        do {
            let result = try await Subprocess.run(
                command.configuration, input: .inputWriter, output: .sequence, error: .sequence
            ) { execution in
                await self.accompany(execution)
            }
            finish(result.terminationStatus)
        } catch {
            finish(notStarted: "\(error)")
        }
    }

    private func accompany(_ execution: Execution<CustomWriteInput, SequenceOutput, SequenceOutput>) async {
        let process = execution.processIdentifier.value
        state.withLock { state in
            state.process = process
            if state.stop != nil { kill(-process, SIGKILL) }
        }
        await withTaskGroup(of: Void.self) { group in
            async let errors: Void = keepErrors(of: execution.standardError)
            group.addTask {
                // Standard input stays open afterwards. When this process ends, the pipe closes and the worker ends
                // too.
                for await line in self.requests {
                    _ = try? await execution.standardInputWriter.write(line)
                    // Like any other program, a program in a waiting process has an empty standard input while it
                    // converts the document.
                    if self.command.startLine != nil { try? await execution.standardInputWriter.finish() }
                }
            }
            await self.converse(execution.standardOutput)
            // A launcher closes its standard output when it becomes the program.
            if command.executesProgram { await ended(process) }
            state.withLock { state in
                if state.conversation.answer == nil { state.processorSeconds = Self.processorSeconds(of: process) }
                // Kills all processes of the group. The process ID is valid until this function returns.
                kill(-process, SIGKILL)
                state.process = nil
                if Task.isCancelled, state.stop == nil, state.conversation.answer == nil { state.stop = .canceled }
            }
            group.cancelAll()
            // No process of the program is left that could keep the pipe open. Its last lines explain its failure.
            if command.executesProgram { await errors }
        }
    }

    /// The processor time that the process of this request has used until now, in seconds.
    private var measuredSeconds: Double {
        state.withLock { state in
            if let process = state.process, state.hosted == nil {
                state.measuredSeconds = max(state.measuredSeconds, Self.processorSeconds(of: process))
            }
            return state.measuredSeconds
        }
    }

    /// Returns the processor time that a process has used before it is reaped, in seconds.
    static func processorSeconds(of process: pid_t) -> Double {
        var clock = clockid_t()
        var time = timespec()
        guard clock_getcpuclockid(process, &clock) == 0, clock_gettime(clock, &time) == 0 else { return 0 }
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// Waits until the process has ended, but does not reap the process.
    private func ended(_ process: pid_t) async {
        await withCheckedContinuation { continuation in
            // Waiting blocks a thread, so a dedicated thread is used.
            DispatchQueue(label: "converter \(process)").async {
                var information = siginfo_t()
                while waitid(P_PID, id_t(process), &information, WEXITED | WNOWAIT) < 0, errno == EINTR {}
                continuation.resume()
            }
        }
    }

    private func converse(_ output: SubprocessOutputSequence) async {
        var buffers = output.makeAsyncIterator()
        while let buffer = try? await buffers.next() {
            if converse(buffer.withUnsafeBytes { Array($0) }) { return }
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
    ///
    /// The function reads the complete output, so the worker does not block on a full pipe.
    private func keepErrors(of output: SubprocessOutputSequence) async {
        var count = 0
        var buffers = output.makeAsyncIterator()
        while let buffer = try? await buffers.next() {
            let bytes = buffer.withUnsafeBytes { Array($0) }
            keep(errors: bytes[...])
            count += bytes.count
            if command.executesProgram, count > ProgramTermination.longestMessages { stop(.tooManyMessages) }
        }
    }

    func keep(errors bytes: ArraySlice<UInt8>) {
        // The error message of a PostScript program is followed by its stacks.
        let longest = command.executesProgram ? 8192 : 2048
        state.withLock { state in
            state.errors = (state.errors + bytes).suffix(longest)
            if !state.hasStarted, let line = command.startLine.map({ Array("\($0)\n".utf8) }),
                let found = state.errors.firstRange(of: line)
            {
                state.hasStarted = true
                state.errors.removeFirst(found.upperBound)
            }
        }
    }
}
