// Defines the order in which jobs of several printers start.

/// The order in which jobs start (`queueOrder` in `printd.json5`).
///
/// Except with `fair`, each printer prints its jobs by priority, and jobs of the same priority in order of submission.
public enum QueueOrder: String, Hashable, Sendable, Codable, CaseIterable {
    /// Parallel work: each printer prints the first job of its queue.
    case perPrinter = "per-printer"
    /// Parallel work: at each printer, the owners of the waiting jobs take turns (`FairQueue`).
    case fair
    /// One job at a time for all printers together. A job that cannot start delays all jobs that follow in the queue.
    ///
    /// Held jobs, and jobs whose documents are still being received, are skipped.
    case strict
}
