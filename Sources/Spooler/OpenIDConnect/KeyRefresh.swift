// Decides when keys are fetched again.

/// The rule for fetching the keys of a provider from its address.
///
/// The rule has no clock and no socket.
///
/// - Keys are current for 10 minutes. Then the next token causes a fetch.
/// - If a fetch fails, the old keys stay in use for a day, and the next attempt follows after a minute.
/// - A token with an unknown key causes a fetch at once, because the provider can have a new key. Such tokens need no
///   valid signature; therefore there are at most 5 fetches within 5 minutes.
struct KeyRefresh: Sendable {
    typealias Instant = ContinuousClock.Instant

    static let lifetime = Duration.seconds(600)
    static let longestUse = Duration.seconds(86_400)
    static let pause = Duration.seconds(60)
    static let mostFetches = 5
    static let window = Duration.seconds(300)

    private var loadedAt: Instant?
    /// The times of the fetches within `window`.
    private var fetches: [Instant] = []

    /// Returns whether the keys can be used.
    func isUsable(at now: Instant) -> Bool { loadedAt.map { now < $0 + Self.longestUse } ?? false }

    /// Returns whether a token causes a fetch.
    ///
    /// - Parameter isKnown: Whether the key of the token is known.
    func isDue(isKnown: Bool, at now: Instant) -> Bool {
        guard isKnown, isUsable(at: now) else { return true }
        return isOutdated(at: now) && fetches.last.map { now >= $0 + Self.pause } ?? true
    }

    private func isOutdated(at now: Instant) -> Bool { loadedAt.map { now >= $0 + Self.lifetime } ?? true }

    /// Records a fetch that begins; returns false if there were too many.
    mutating func begin(at now: Instant) -> Bool {
        fetches.removeAll { now >= $0 + Self.window }
        guard fetches.count < Self.mostFetches else { return false }
        fetches.append(now)
        return true
    }

    /// Records keys that were fetched.
    mutating func succeed(at now: Instant) { loadedAt = now }
}
