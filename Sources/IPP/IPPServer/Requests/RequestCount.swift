// The requests whose answers are still being worked on.

import Synchronization

/// Counts requests in progress, so that a server that stops waits for them.
final class RequestCount: Sendable {
    private struct State {
        var count = 0
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    /// A request begins.
    func begin() { state.withLock { $0.count += 1 } }

    /// A request has been answered, or nobody waits for that any more.
    func end() {
        let waiters = state.withLock { state in
            state.count -= 1
            guard state.count == 0 else { return [CheckedContinuation<Void, Never>]() }
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Returns when no request is in progress.
    func untilNone() async {
        await withCheckedContinuation { continuation in
            let isNone = state.withLock { state in
                if state.count > 0 { state.waiters.append(continuation) }
                return state.count == 0
            }
            if isNone { continuation.resume() }
        }
    }
}
