// Runs blocking work outside the threads that Swift's tasks share.

package import AsyncPrimitives
import Glibc
package import PrintModel

extension DedicatedThread {
    /// Runs blocking work on a new thread.
    ///
    /// The caller must limit the number of concurrent calls.
    ///
    /// - Throws: The error of the work; `workerUnavailable` if the system cannot create a thread.
    package static func run<Value: Sendable>(
        _ body: @escaping @Sendable () throws(WorkError) -> Value
    ) async throws(WorkError) -> Value {
        let result: Result<Value, WorkError> = await withCheckedContinuation { continuation in
            let code = start { continuation.resume(returning: Result(catching: body)) }
            guard code != 0 else { return }
            let reason = String(cString: strerror(code))
            continuation.resume(
                returning: .failure(
                    WorkError(.workerUnavailable, "cannot start a thread: \(reason); raise TasksMax or 'ulimit -u'")))
        }
        return try result.get()
    }
}
