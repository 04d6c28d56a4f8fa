// Determines the polling interval for a job.

/// The interval between two status requests.
///
/// The interval is short at first and after each change of the job's status, and then increases.
struct Pause: Sendable {
    private static let shortest = 0.02
    private static let longest = 0.5
    /// The longest interval between status requests to a stopped printer, in seconds.
    ///
    /// After a person has loaded paper, `printd` detects the change within this interval.
    private static let longestWhileStopped = 2.0
    private var seconds = shortest

    /// Returns the next interval in seconds.
    mutating func next(isStopped: Bool = false) -> Double {
        defer { seconds = min(seconds * 1.5, isStopped ? Self.longestWhileStopped : Self.longest) }
        return seconds
    }

    /// Resets the interval to the shortest interval.
    mutating func reset() { seconds = Self.shortest }
}
