// Damages documents in the same way in each run.

/// A generator of damaged documents.
///
///     var mutations = ByteMutations()
///     let damaged = mutations.mutated(document)
public struct ByteMutations: Sendable {
    private var state: UInt64 = 0x9E37_79B9_7F4A_7C15

    /// Creates a generator that makes the same changes in each run.
    public init() {}

    private mutating func next() -> Int {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return Int(state >> 33)
    }

    /// Returns a copy of a document with damage.
    ///
    /// One to eight bytes are changed, or the end is removed, or a part is repeated. The first four bytes are kept, so
    /// the format can still be detected.
    public mutating func mutated(_ original: [UInt8]) -> [UInt8] {
        var bytes = original
        for _ in 0..<(1 + next() % 8) { bytes[4 + next() % (bytes.count - 4)] = UInt8(next() & 0xFF) }
        switch next() % 6 {
        case 0: bytes.removeLast(next() % (bytes.count - 4))
        case 1:
            let start = next() % bytes.count
            bytes.insert(contentsOf: bytes[start...].prefix(64), at: start)
        default: break
        }
        return bytes
    }
}
