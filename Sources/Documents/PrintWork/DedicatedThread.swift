// Runs blocking work outside the threads that Swift's tasks share.

import Glibc
import PrintModel

/// A namespace for a function that runs blocking work on a separate thread.
enum DedicatedThread {
    private final class Work {
        let body: () -> Void
        init(_ body: @escaping () -> Void) { self.body = body }
    }

    /// Runs blocking work on a new thread.
    ///
    /// The caller must limit the number of concurrent calls.
    ///
    /// - Throws: The error of the work; `workerUnavailable` if the system cannot create a thread.
    static func run<Value: Sendable>(
        _ body: @escaping @Sendable () throws(WorkError) -> Value
    ) async throws(WorkError) -> Value {
        let result: Result<Value, WorkError> = await withCheckedContinuation { continuation in
            let work = Unmanaged.passRetained(
                Work { continuation.resume(returning: Result(catching: body)) })
            var thread = pthread_t()
            let code = pthread_create(
                &thread, nil,
                { pointer in
                    if let pointer { Unmanaged<Work>.fromOpaque(pointer).takeRetainedValue().body() }
                    return nil
                }, work.toOpaque())
            if code == 0 {
                pthread_detach(thread)
            } else {
                work.release()
                let reason = String(cString: strerror(code))
                continuation.resume(
                    returning: .failure(
                        WorkError(
                            .workerUnavailable, "cannot start a thread: \(reason); raise TasksMax or 'ulimit -u'")))
            }
        }
        return try result.get()
    }
}
