// Shares a request to a printer among concurrent callers.

import AsyncPrimitives
import Synchronization

/// A request in progress, for whose answer several callers can wait.
///
/// A caller that is canceled stops waiting. When no caller waits any more, the request is canceled.
final class SharedRequest<Answer: Sendable>: Sendable {
    private let task: Task<Answer, Never>
    private let over: Signal
    /// The number of callers that wait; nil after the request was canceled.
    private let callers = Mutex<Int?>(1)

    /// Starts a request, which the caller has joined.
    init(_ request: @escaping @Sendable () async -> Answer) {
        let over = Signal()
        self.over = over
        // A new task does not inherit the executor, such as the thread of a simulation.
        let executor = withUnsafeCurrentTask { $0?.unownedTaskExecutor?.asTaskExecutor() }
        task = Task(executorPreference: executor) {
            defer { over.give() }
            return await request()
        }
    }

    /// Adds a caller, unless the request has ended or was canceled.
    ///
    /// - Returns: Whether the caller must call `answer()`.
    func join() -> Bool {
        callers.withLock { callers in
            guard let count = callers, !over.isGiven else { return false }
            callers = count + 1
            return true
        }
    }

    /// Waits for the answer, and removes the caller.
    ///
    /// The result is nil if the calling task is canceled before the answer arrives.
    func answer() async -> Answer? {
        await over.wait()
        let isAbandoned = callers.withLock { callers in
            callers = callers.map { $0 - 1 }
            guard callers == 0, !over.isGiven else { return false }
            callers = nil
            return true
        }
        if isAbandoned { task.cancel() }
        return over.isGiven ? await task.value : nil
    }
}
