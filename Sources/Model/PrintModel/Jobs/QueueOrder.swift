// In what order the jobs of several printers are taken up.

/// In what order jobs are taken up (`queueOrder` in `printd.json5`).
///
/// Either way jobs of one printer never overtake each other, but by their priority.
public enum QueueOrder: String, Hashable, Sendable, Codable, CaseIterable {
    /// Printers go side by side, each with the job at the head of its own queue.
    case perPrinter = "per-printer"
    /// One job at a time is in hand, whatever its printer: one that cannot be begun holds back all behind it.
    ///
    /// Held jobs, and those whose documents are still coming, are passed by.
    case strict
}
