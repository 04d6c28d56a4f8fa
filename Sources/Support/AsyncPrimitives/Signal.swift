// Something that happens once, and those who wait for it.

import Synchronization

/// Something that happens once: somebody wants a job stopped, a document is ready.
public final class Signal: Sendable {
    private struct State {
        var isGiven = false
        var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
        var nextWaiter = 0
    }

    private let state = Mutex(State())

    /// A signal that nobody has given yet.
    public init() {}

    /// Whether it has been given.
    public var isGiven: Bool { state.withLock { $0.isGiven } }

    /// Gives the signal; giving it again changes nothing.
    public func give() {
        let waiters = state.withLock { state in
            state.isGiven = true
            defer { state.waiters = [:] }
            return state.waiters.sorted { $0.key < $1.key }.map(\.value)
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Returns when the signal is given, or the task is cancelled.
    public func wait() async {
        let id = state.withLock { state in
            state.nextWaiter += 1
            return state.nextWaiter
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    // A cancel that came before this left its mark by waking nobody: Task.isCancelled tells.
                    if state.isGiven || Task.isCancelled { return true }
                    state.waiters[id] = continuation
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiters.removeValue(forKey: id) }?.resume()
        }
    }

    /// Runs work that is cancelled as soon as the signal is given; nil when that happened.
    ///
    /// - Throws: what `work` throws, and `CancellationError` when the task is cancelled.
    public func stopping<Answer: Sendable>(_ work: @escaping @Sendable () async throws -> Answer) async throws
        -> Answer?
    {
        try await withThrowingTaskGroup(of: Answer?.self) { group in
            group.addTask { try await work() }
            group.addTask {
                await self.wait()
                return nil
            }
            defer { group.cancelAll() }
            guard let first = try await group.next(), let answer = first else {
                try Task.checkCancellation()
                return nil
            }
            return answer
        }
    }
}
