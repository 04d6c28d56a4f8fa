// Notifies waiting tasks of an event that happens once.

import Synchronization

/// An event that happens once, such as a request to stop a job.
///
/// Tasks can wait for the event.
public final class Signal: Sendable {
    private struct State {
        var isGiven = false
        var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
        var nextWaiter = 0
    }

    private let state = Mutex(State())

    /// Creates a signal that has not fired.
    public init() {}

    /// Whether the signal has fired.
    public var isGiven: Bool { state.withLock { $0.isGiven } }

    /// Fires the signal, and resumes the waiting tasks; further calls have no effect.
    public func give() {
        let waiters = state.withLock { state in
            state.isGiven = true
            defer { state.waiters = [:] }
            return state.waiters.sorted { $0.key < $1.key }.map(\.value)
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Waits until the signal fires or the task is canceled.
    public func wait() async {
        let id = state.withLock { state in
            state.nextWaiter += 1
            return state.nextWaiter
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    // If the task was canceled before this point, the cancellation handler found no waiter to resume.
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

    /// Runs work, and cancels the work when the signal fires.
    ///
    /// Returns nil if the signal fires before the work ends.
    ///
    /// - Throws: The errors of `work`, and `CancellationError` when the task is canceled.
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
