// Runs tasks on the thread of an event loop.

import NIOCore

/// An executor that runs the tasks of a listener on the thread that reads and writes the listener's connections.
///
/// The only slow part of a small request is the disk. On Swift's global executor, each received and sent part would
/// switch between the event loop and another thread. Waking a thread costs more than the work itself.
///
/// Run long computations and blocking calls elsewhere: `withTaskExecutorPreference(globalConcurrentExecutor)`.
final class EventLoopExecutor: TaskExecutor {
    let eventLoop: any EventLoop

    init(on eventLoop: any EventLoop) { self.eventLoop = eventLoop }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        eventLoop.execute { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
    }
}
