// The single thread that runs a worker's Swift code.

import Glibc
import Synchronization

/// A task executor for the thread that calls `run()`.
///
/// The default thread pool does not work in the sandbox. The thread pool uses libdispatch, which reads
/// `/proc/<thread>/stat` every second. The sandbox blocks this access, and libdispatch then crashes the process. In
/// addition, the main thread, which calls `run()`, has the largest stack.
final class WorkThread: TaskExecutor {
    private let jobs = Mutex<[UnownedJob]>([])
    /// A semaphore that counts the waiting jobs.
    ///
    /// Semaphores are thread-safe, and this semaphore is never freed.
    nonisolated(unsafe) private let count: UnsafeMutablePointer<sem_t>

    init() {
        count = .allocate(capacity: 1)
        sem_init(count, 0, 0)
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        jobs.withLock { $0.append(job) }
        sem_post(count)
    }

    /// Runs the jobs of the executor in an endless loop.
    func run() -> Never {
        while true {
            guard sem_wait(count) == 0 else { continue }  // interrupted by a signal
            jobs.withLock { $0.removeFirst() }.runSynchronously(on: asUnownedTaskExecutor())
        }
    }
}
