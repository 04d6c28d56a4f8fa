// Runs tasks on the thread of an event loop.

import NIOCore

/// An executor that runs the tasks of a listener on the thread that handles the listener's connections.
///
/// On Swift's global executor, each part of a request or response would require a switch between the event loop and
/// another thread. For a small request, waking a thread takes more time than the request.
///
/// Run long computations elsewhere (`withTaskExecutorPreference(globalConcurrentExecutor)`), and blocking calls with
/// `BlockingThreads`.
final class EventLoopExecutor: TaskExecutor {
    let eventLoop: any EventLoop

    init(on eventLoop: any EventLoop) { self.eventLoop = eventLoop }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        eventLoop.execute { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
    }
}
