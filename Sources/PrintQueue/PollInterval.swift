// How often a job is looked at.

/// How long to wait between two looks at a job: short at first and after each change, then ever longer.
package struct PollInterval: Sendable {
    private static let shortest = 50
    private static let longest = 1000

    /// The time to wait, in milliseconds.
    package private(set) var milliseconds = shortest

    /// The shortest time.
    package init() {}

    /// Nothing has changed: waits half as long again, up to a second.
    package mutating func grow() { milliseconds = min(Self.longest, milliseconds * 3 / 2) }

    /// Something has changed: more may follow soon.
    package mutating func reset() { milliseconds = Self.shortest }
}
