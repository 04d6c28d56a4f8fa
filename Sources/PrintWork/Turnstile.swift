// How many at a time, in order of arrival.

import Synchronization

/// Lets a number of tasks through and has the others wait, first come, first served.
final class Turnstile: Sendable {
    private struct State {
        var free: Int
        var lastTicket = 0
        var waiting: [(ticket: Int, continuation: CheckedContinuation<Void, any Error>)] = []
        /// Tickets cancelled before they came to wait.
        var canceled: Set<Int> = []
    }

    private let state: Mutex<State>

    init(places: Int) { state = Mutex(State(free: places)) }

    /// Waits for a place; `leave` gives it back.
    ///
    /// - Throws: `CancellationError` when the task is cancelled first; then there is nothing to give back.
    func enter() async throws {
        let ticket = state.withLock { state in
            state.lastTicket += 1
            return state.lastTicket
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let result: Result<Void, any Error>? = state.withLock { state in
                    if state.canceled.remove(ticket) != nil { return .failure(CancellationError()) }
                    if state.free > 0 {
                        state.free -= 1
                        return .success(())
                    }
                    state.waiting.append((ticket, continuation))
                    return nil
                }
                if let result { continuation.resume(with: result) }
            }
        } onCancel: {
            cancel(ticket)
        }
        state.withLock { _ = $0.canceled.remove(ticket) }
    }

    /// Gives a place back, to whoever has waited longest.
    func leave() {
        let next = state.withLock { state in
            if state.waiting.isEmpty {
                state.free += 1
                return nil as CheckedContinuation<Void, any Error>?
            }
            return state.waiting.removeFirst().continuation
        }
        next?.resume()
    }

    private func cancel(_ ticket: Int) {
        let continuation = state.withLock { state in
            if let index = state.waiting.firstIndex(where: { $0.ticket == ticket }) {
                return state.waiting.remove(at: index).continuation as CheckedContinuation<Void, any Error>?
            }
            state.canceled.insert(ticket)
            return nil
        }
        continuation?.resume(throwing: CancellationError())
    }
}
