// Seeds that found something, and what.

/// A seed that found something once.
struct KnownSeed {
    let number: UInt64
    /// What it found.
    let found: String

    static let all: [KnownSeed] = []
}
