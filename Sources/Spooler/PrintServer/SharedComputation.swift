// Shares the result of a computation among concurrent callers.

import Synchronization

/// A computation that runs once for all callers that wait for its start.
///
/// A caller does not receive the result of a computation that had started before the call, because the result could
/// miss a change that was made before the call. Such a caller waits for the next computation.
final class SharedComputation<Value: Sendable>: Sendable {
    private struct State {
        var running: Task<Value, any Error>?
        var next: Task<Value, any Error>?
    }

    private let state = Mutex(State())

    /// Returns the computation that starts next, which is `compute` if no other caller waits for its start.
    ///
    /// Two computations never run at the same time.
    func join(_ compute: @escaping @Sendable () async throws -> Value) -> Task<Value, any Error> {
        // A new task does not inherit the executor, such as the thread of a simulation.
        let executor = withUnsafeCurrentTask { $0?.unownedTaskExecutor?.asTaskExecutor() }
        return state.withLock { state in
            if let next = state.next { return next }
            let next = Task(executorPreference: executor) { [running = state.running] in
                _ = await running?.result
                self.state.withLock { ($0.running, $0.next) = ($0.next, nil) }
                return try await compute()
            }
            state.next = next
            return next
        }
    }
}
