// One worker process, from its start to its end.

import FoundationEssentials
import Glibc
import PrintModel
import Subprocess
import Synchronization

/// A process that waits for one request, serves it and is gone.
///
/// Two tasks meet here. Whoever owns the process awaits `live()`, which is the process's whole life. Whoever has a
/// request awaits `serve(_:progress:)`, which hands it over and returns when the process has ended, whichever way.
final class Worker: Sendable {
    enum Outcome {
        /// It has done its work, or said why not.
        case answered(WorkerLine)
        /// It ended without an answer.
        case failed(WorkError)
        /// Somebody else killed it: an administrator, or a system short of memory. The document may be innocent.
        case killed(WorkError)
        /// It ended before it opened a document, so another worker may be asked.
        case neverBegan(String)
    }

    private struct State {
        /// While the process cannot have been reaped, so that its number is nobody else's.
        var process: pid_t?
        var request: WorkerRequest?
        var progress: @Sendable (WorkProgress) -> Void = { _ in }
        var conversation = WorkerConversation()
        var errors: [UInt8] = []
        var stop: WorkerStop?
        var outcome: Outcome?
        var waiter: CheckedContinuation<Outcome, Never>?
    }

    private let command: WorkerCommand
    private let state = Mutex(State())
    private let requests: AsyncStream<[UInt8]>
    private let requestsEntry: AsyncStream<[UInt8]>.Continuation

    init(command: WorkerCommand) {
        self.command = command
        (requests, requestsEntry) = AsyncStream.makeStream()
    }

    // MARK: - For whoever has a request

    /// Has the request done; call it once.
    ///
    /// Returns when the process has ended: at its answer, at a limit, or when the task is cancelled.
    func serve(_ request: WorkerRequest, progress: @escaping @Sendable (WorkProgress) -> Void) async -> Outcome {
        guard let line = try? JSONEncoder().encode(request.forWorker) else {
            return .failed(WorkError(.workerUnavailable, "the request cannot be written as JSON"))
        }
        state.withLock { state in
            state.request = request
            state.progress = progress
        }
        requestsEntry.yield(Array(line) + [UInt8(ascii: "\n")])
        return await withTaskCancellationHandler {
            await withTaskGroup(of: Void.self) { group in
                group.addTask {
                    // Sleeping is the rule itself here; the end of the work cancels it.
                    guard (try? await Task.sleep(for: .seconds(self.command.limits.wallSeconds))) != nil else { return }
                    self.stop(.outOfTime)
                }
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

    /// Ends the process and all it may have started, at once.
    private func stop(_ reason: WorkerStop) {
        state.withLock { state in
            guard state.outcome == nil, state.stop == nil, state.conversation.answer == nil else { return }
            state.stop = reason
            if let process = state.process { kill(-process, SIGKILL) }
        }
    }

    // MARK: - For whoever owns the process

    /// Starts the process and stays with it until it has ended and been reaped.
    ///
    /// Cancelling the task ends the process.
    func live() async {
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
            group.addTask { await self.keepErrors(of: execution.standardError) }
            group.addTask {
                // The end stays open afterwards: a worker whose reader is gone sees it close, and goes too.
                for await line in self.requests { _ = try? await execution.standardInputWriter.write(line) }
            }
            await self.converse(execution.standardOutput)
            state.withLock { state in
                // Whatever it has started goes with it; and the number stays its own until this function returns.
                kill(-process, SIGKILL)
                state.process = nil
                if Task.isCancelled, state.stop == nil, state.conversation.answer == nil { state.stop = .canceled }
            }
            group.cancelAll()
        }
    }

    private func converse(_ output: SubprocessOutputSequence) async {
        var buffers = output.makeAsyncIterator()
        while let buffer = try? await buffers.next() {
            let bytes = buffer.withUnsafeBytes { Array($0) }
            let (events, progress) = state.withLock { ($0.conversation.receive(bytes), $0.progress) }
            for event in events {
                switch event {
                case .progress(let page): progress(page)
                case .ended: return
                }
            }
        }
    }

    /// Keeps the last words; all of it is read, so that nobody waits for room in a pipe.
    private func keepErrors(of output: SubprocessOutputSequence) async {
        let longest = 2048
        var buffers = output.makeAsyncIterator()
        while let buffer = try? await buffers.next() {
            let bytes = buffer.withUnsafeBytes { Array($0) }
            state.withLock { $0.errors = ($0.errors + bytes).suffix(longest) }
        }
    }

    // MARK: - The end

    private func finish(_ status: TerminationStatus) {
        finish { state in
            let errors = Self.words(state.errors)
            if let answer = state.conversation.answer { return .answered(answer) }
            if let draft = state.conversation.draft, state.stop != .canceled { return .answered(.prepared(draft)) }
            if state.request == .probe, let protections = state.conversation.protections {
                return .answered(.locked(protections))
            }
            if state.stop == nil, state.conversation.fault == nil, state.conversation.protections == nil {
                return .neverBegan("\(status)" + (errors.isEmpty ? "" : ": \(errors)"))
            }
            let error = WorkerEnding(
                activity: Self.activity(state.request), limits: command.limits, status: status, stop: state.stop,
                fault: state.conversation.fault, errors: errors
            ).error
            let isByOthers = status == .signaled(SIGKILL) && state.stop == nil && state.conversation.fault == nil
            return isByOthers ? .killed(error) : .failed(error)
        }
    }

    private func finish(notStarted reason: String) {
        finish { state in
            state.stop == .canceled || Task.isCancelled
                ? .failed(WorkError(.canceled, "\(Self.activity(state.request)) the document was canceled"))
                : .neverBegan(reason)
        }
    }

    private func finish(_ decide: (State) -> Outcome) {
        requestsEntry.finish()
        let (waiter, outcome) = state.withLock { state in
            let outcome = decide(state)
            state.outcome = outcome
            defer { state.waiter = nil }
            return (state.waiter, outcome)
        }
        waiter?.resume(returning: outcome)
    }

    private static func words(_ bytes: [UInt8]) -> String {
        String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline).joined(separator: " / ")
            .tamed(to: 4000)
    }

    /// What is done to a document, as a sentence goes on: "preparing the document took …".
    private static func activity(_ request: WorkerRequest?) -> String {
        switch request {
        case nil, .probe: "opening"
        case .inspect: "inspecting"
        case .prepare: "preparing"
        case .render: "rendering"
        case .rasterize: "rasterizing"
        }
    }
}
