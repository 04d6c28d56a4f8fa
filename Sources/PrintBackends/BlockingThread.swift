// Where an actor's work runs that waits for a disk.

import Dispatch

/// Runs an actor's work one after the other, away from the few threads that all tasks share.
final class BlockingThread: SerialExecutor {
    private let queue: DispatchQueue

    /// An executor; `label` is its name in a debugger.
    init(label: String) { queue = DispatchQueue(label: label) }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
}
