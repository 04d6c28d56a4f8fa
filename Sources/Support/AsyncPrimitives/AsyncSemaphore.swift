// How many at a time, in order of arrival.

import Synchronization

/// Lets a number of tasks through and has the others wait, first come, first served.
///
///     try await turnstile.enter()
///     defer { turnstile.leave() }
public final class AsyncSemaphore: Sendable {
    /// Why a task was not let through; it has nothing to give back.
    public enum Refusal: Error {
        /// It was cancelled while it waited.
        case canceled
        /// As many wait as may.
        case crowded
    }

    private struct State {
        var free: Int
        var lastTicket = 0
        var waiting: [(ticket: Int, continuation: CheckedContinuation<Refusal?, Never>)] = []
        /// Tickets cancelled before they came to wait.
        var canceled: Set<Int> = []
    }

    private let state: Mutex<State>
    private let mostWaiting: Int

    /// A turnstile that so many are through at a time.
    ///
    /// - Parameter waiting: how many may wait; whoever comes then is refused.
    public init(places: Int, waiting: Int = .max) {
        state = Mutex(State(free: places))
        mostWaiting = waiting
    }

    /// Waits for a place; `leave` gives it back.
    ///
    /// A place that is given at the moment of a cancel is had, and must be given back.
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

    /// Gives a place back, to whoever has waited longest.
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
            guard state.waiting.count < mostWaiting else { return .refused(.crowded) }
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
