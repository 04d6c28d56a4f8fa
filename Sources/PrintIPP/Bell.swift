// Something that happens once, and that several may wait for.

import Synchronization

/// Rings once; whoever waits for it goes on, and whoever comes later does not wait at all.
public final class Bell: Sendable {
    private struct State {
        var hasRung = false
        var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
        var nextWaiter = 0
    }

    private let state = Mutex(State())

    /// A bell that has not rung.
    public init() {}

    /// Whether it has rung.
    public var hasRung: Bool { state.withLock { $0.hasRung } }

    /// Rings; once more changes nothing.
    public func ring() {
        let waiters = state.withLock { state in
            state.hasRung = true
            defer { state.waiters = [:] }
            return state.waiters.values
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Returns when it has rung, or the task is cancelled.
    public func wait() async {
        let id = state.withLock { state in
            state.nextWaiter += 1
            return state.nextWaiter
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    // A cancel that came before this woke nobody: Task.isCancelled tells.
                    if state.hasRung || Task.isCancelled { return true }
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
