// Limits the number of concurrent tasks, in order of arrival.

import Synchronization

/// A semaphore that admits a limited number of tasks at a time.
///
/// Further tasks wait in order of arrival.
///
///     try await semaphore.enter()
///     defer { semaphore.leave() }
public final class AsyncSemaphore: Sendable {
    /// The reason why the semaphore did not admit a task.
    ///
    /// A task that was not admitted must not call `leave`.
    public enum Refusal: Error {
        /// An error for a task that was canceled while the task waited.
        case canceled
        /// An error for a full queue of waiters.
        case queueFull
    }

    private struct State {
        var free: Int
        var lastTicket = 0
        var waiting: [(ticket: Int, continuation: CheckedContinuation<Refusal?, Never>)] = []
        /// The waiter numbers of tasks that were canceled before they started to wait.
        var canceled: Set<Int> = []
    }

    private let state: Mutex<State>
    private let mostWaiting: Int

    /// Creates a semaphore that admits `places` tasks at a time.
    ///
    /// - Parameter waiting: The maximum number of waiting tasks; further tasks are rejected with `queueFull`.
    public init(places: Int, waiting: Int = .max) {
        state = Mutex(State(free: places))
        mostWaiting = waiting
    }

    /// Waits until the semaphore admits the task.
    ///
    /// An admitted task must call `leave`.
    ///
    /// If a task is canceled at the moment of its admission, the task is admitted and must also call `leave`.
    ///
    /// - Throws: `Refusal` when the task was canceled, or the queue of waiters is full.
    public func enter() async throws(Refusal) {
        let ticket = state.withLock { state in
            state.lastTicket += 1
            return state.lastTicket
        }
        let refusal = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in wait(continuation, ticket) }
        } onCancel: {
            cancel(ticket)
        }
        state.withLock { _ = $0.canceled.remove(ticket) }
        if let refusal { throw refusal }
    }

    /// Releases the place of the calling task, and admits the task that has waited longest.
    public func leave() {
        let next = state.withLock { state -> CheckedContinuation<Refusal?, Never>? in
            if state.waiting.isEmpty {
                state.free += 1
                return nil
            }
            return state.waiting.removeFirst().continuation
        }
        next?.resume(returning: nil)
    }

    private func wait(_ continuation: CheckedContinuation<Refusal?, Never>, _ ticket: Int) {
        enum Verdict { case through, refused(Refusal), waits }
        let verdict = state.withLock { state -> Verdict in
            if state.canceled.remove(ticket) != nil { return .refused(.canceled) }
            if state.free > 0 {
                state.free -= 1
                return .through
            }
            guard state.waiting.count < mostWaiting else { return .refused(.queueFull) }
            state.waiting.append((ticket, continuation))
            return .waits
        }
        switch verdict {
        case .through: continuation.resume(returning: nil)
        case .refused(let refusal): continuation.resume(returning: refusal)
        case .waits: break
        }
    }

    private func cancel(_ ticket: Int) {
        let continuation = state.withLock { state -> CheckedContinuation<Refusal?, Never>? in
            if let index = state.waiting.firstIndex(where: { $0.ticket == ticket }) {
                return state.waiting.remove(at: index).continuation
            }
            state.canceled.insert(ticket)
            return nil
        }
        continuation?.resume(returning: .canceled)
    }
}
