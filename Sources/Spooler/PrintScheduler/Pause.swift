// How often to look at a job.

/// The time between two looks at a job: short at first and after each news, then longer.
struct Pause: Sendable {
    private static let shortest = 0.02
    private static let longest = 0.5
    /// Who loads paper can wait so long for the first page.
    private static let longestWhileStopped = 2.0
    private var seconds = shortest

    /// The next pause, in seconds.
    mutating func next(isStopped: Bool = false) -> Double {
        defer { seconds = min(seconds * 1.5, isStopped ? Self.longestWhileStopped : Self.longest) }
        return seconds
    }

    mutating func reset() { seconds = Self.shortest }
}
