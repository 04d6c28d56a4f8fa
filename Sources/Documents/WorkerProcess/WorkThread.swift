// The single thread that runs a worker's Swift code.

import Glibc
import Synchronization

/// A task executor that runs tasks on the thread that calls `run()`.
///
/// The default thread pool cannot be used: libdispatch reads `/proc/<thread>/stat` of its threads every second and
/// traps on failure, and the sandbox blocks this access. Another advantage is that the main thread has the largest
/// stack.
final class WorkThread: TaskExecutor {
    private let jobs = Mutex<[UnownedJob]>([])
    /// A semaphore that counts the jobs.
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

    /// Runs jobs forever.
    func run() -> Never {
        while true {
            guard sem_wait(count) == 0 else { continue }  // interrupted by a signal
            jobs.withLock { $0.removeFirst() }.runSynchronously(on: asUnownedTaskExecutor())
        }
    }
}
