// Determines the polling interval for a job.

/// The time between two status requests: short at first and after each change, then longer.
struct Pause: Sendable {
    private static let shortest = 0.02
    private static let longest = 0.5
    /// The longest pause while the printer is stopped.
    ///
    /// After a person has loaded paper, the first page may be delayed by this time.
    private static let longestWhileStopped = 2.0
    private var seconds = shortest

    /// Returns the next pause, in seconds.
    mutating func next(isStopped: Bool = false) -> Double {
        defer { seconds = min(seconds * 1.5, isStopped ? Self.longestWhileStopped : Self.longest) }
        return seconds
    }

    /// Returns to the shortest pause.
    mutating func reset() { seconds = Self.shortest }
}
