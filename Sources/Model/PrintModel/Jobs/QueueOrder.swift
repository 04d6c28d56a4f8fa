// Defines the order in which jobs of several printers start.

/// The order in which jobs start (`queueOrder` in `printd.json5`).
///
/// With either value, the jobs of one printer are printed in order of submission, except for their priority.
public enum QueueOrder: String, Hashable, Sendable, Codable, CaseIterable {
    /// Printers work in parallel. Each printer prints the first job of its queue.
    case perPrinter = "per-printer"
    /// One job at a time is in progress, regardless of its printer. A job that cannot start delays all jobs behind it.
    ///
    /// Held jobs, and jobs whose documents are still being received, are skipped.
    case strict
}
