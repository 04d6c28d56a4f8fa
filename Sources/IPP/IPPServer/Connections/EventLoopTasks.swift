// Tasks on the thread of an event loop.

import NIOCore

/// Runs the tasks of a listener on the thread that reads and writes its connections.
///
/// A small request waits for nothing but the disk. On Swift's own threads it would cross over from the event loop for
/// each part that comes and each that goes, and waking a thread costs more than all that is done there.
///
/// What computes for long or blocks belongs elsewhere: `withTaskExecutorPreference(globalConcurrentExecutor)`.
final class EventLoopTasks: TaskExecutor {
    let eventLoop: any EventLoop

    init(on eventLoop: any EventLoop) { self.eventLoop = eventLoop }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        eventLoop.execute { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
    }
}
