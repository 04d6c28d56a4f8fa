// The one thread on which a worker's Swift code runs.

import Glibc
import Synchronization

/// Runs tasks on the thread that calls `run()`.
///
/// Not the usual pool of threads, and for a reason: libdispatch looks every second into `/proc/<thread>/stat` of its
/// threads and traps when it cannot, and behind the fence it cannot. The main thread has the largest stack besides.
final class WorkThread: TaskExecutor {
    private let jobs = Mutex<[UnownedJob]>([])
    /// Counts the jobs; semaphores are made to be used from several threads, and this one is never freed.
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

    /// Runs what there is to run, for ever.
    func run() -> Never {
        while true {
            guard sem_wait(count) == 0 else { continue }  // interrupted by a signal
            jobs.withLock { $0.removeFirst() }.runSynchronously(on: asUnownedTaskExecutor())
        }
    }
}
