// Damaged documents, the same in each run.

/// Changes documents at places that look random.
///
///     var mutations = ByteMutations()
///     let damaged = mutations.mutated(document)
public struct ByteMutations: Sendable {
    private var state: UInt64 = 0x9E37_79B9_7F4A_7C15

    /// Changes that are the same in each run.
    public init() {}

    private mutating func next() -> Int {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return Int(state >> 33)
    }

    /// Returns a document with one to eight bytes changed, some cut off, or a part repeated; its first four bytes stay, so that
    /// its format can still be seen.
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
