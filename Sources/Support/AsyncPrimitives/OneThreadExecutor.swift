// Runs the tasks of a program on its main thread.

import Dispatch
import Glibc
import Synchronization

/// A task executor that runs all jobs on one thread, in the order of their arrival.
///
/// A program with little work starts faster without the threads of the global executor. A task that blocks the thread
/// delays all other tasks, as on a machine with one processor.
public final class OneThreadExecutor: TaskExecutor {
    private let jobs = Mutex<[UnownedJob]>([])
    /// The number of jobs that no thread has taken yet.
    private let waiting = DispatchSemaphore(value: 0)

    private init() {}

    /// Runs the closure and its child tasks on the calling thread, and then exits with the code 0.
    ///
    /// The preference does not apply to unstructured tasks (`Task.init`), which run on the global executor.
    public static func run(_ body: @escaping @Sendable () async -> Void) -> Never {
        let executor = OneThreadExecutor()
        Task(executorPreference: executor) {
            await body()
            exit(EXIT_SUCCESS)
        }
        while true { executor.runNext() }
    }

    /// Adds a job, which runs after all jobs that were added before.
    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        jobs.withLock { $0.append(job) }
        waiting.signal()
    }

    private func runNext() {
        waiting.wait()
        jobs.withLock { $0.removeFirst() }.runSynchronously(on: asUnownedTaskExecutor())
    }
}
