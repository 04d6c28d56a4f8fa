// Numbers the jobs of all printers in one sequence.

import Synchronization

/// The job numbers of the printers of one process.
///
/// The printers share one sequence, so that a number identifies a job without the name of its printer. CUPS commands
/// such as `cancel inkjet-2` send only the number.
package final class JobNumbers: Sendable {
    private let next = Mutex(1)

    package init() {}

    /// Returns an unused number that is at least `lowest`.
    func take(from lowest: Int) -> Int {
        next.withLock { next in
            let number = max(next, lowest)
            next = number + 1
            return number
        }
    }

    /// Marks all numbers below `number` as used.
    func reserve(below number: Int) { next.withLock { $0 = max($0, number) } }
}
