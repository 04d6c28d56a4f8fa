// A wish that a running job should stop.

import Synchronization

/// Tells the work on one job that somebody wants it stopped.
package final class StopSignal: Sendable {
    private struct State {
        var isRequested = false
        var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
        var nextWaiter = 0
    }

    private let state = Mutex(State())

    /// A signal that nobody has given yet.
    package init() {}

    /// Whether somebody wants the job stopped.
    package var isRequested: Bool { state.withLock { $0.isRequested } }

    /// Asks for the stop; asking again changes nothing.
    package func request() {
        let waiters = state.withLock { state in
            state.isRequested = true
            defer { state.waiters = [:] }
            return state.waiters.values
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Returns when the stop is asked for, or the task is cancelled.
    package func wait() async {
        let id = state.withLock { state in
            state.nextWaiter += 1
            return state.nextWaiter
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    // A cancel that came before this left its mark by waking nobody: Task.isCancelled tells.
                    if state.isRequested || Task.isCancelled { return true }
                    state.waiters[id] = continuation
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiters.removeValue(forKey: id) }?.resume()
        }
    }
}
