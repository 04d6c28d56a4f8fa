// The settings as limits of the spool and of the workers, and as times of the scheduler.

import PrintModel
import PrintSpool
import PrintWork
import ProcessPools
import SpoolConfiguration

extension SpoolSettings {
    var budget: UserBudget {
        UserBudget(jobs: perUserJobs, documentBytes: perUserDocumentBytes, incomingJobs: perUserIncomingJobs)
    }

    /// The times at which an undelivered job is retried.
    var retry: RetryPolicy { RetryPolicy(longest: jobRetryInterval) }

    /// The resource limits of a worker for one document.
    var limits: WorkerLimits {
        var limits = WorkerLimits()
        limits.memoryBytes = workerMemoryBytes
        limits.processorSeconds = workerProcessorSeconds
        limits.pageSeconds = workerPageSeconds
        limits.wallSeconds = workerWallSeconds
        limits.outputBytes = workerOutputBytes
        return limits
    }
}
