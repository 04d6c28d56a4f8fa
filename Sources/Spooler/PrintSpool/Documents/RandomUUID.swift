// Creates random UUIDs.

/// A source of random UUIDs for unique names.
enum RandomUUID {
    /// Returns a random UUID in lower case (RFC 9562 §5.4).
    ///
    /// Foundation's `UUID` opens `/dev/urandom` on each call and returns upper case. The difference is measurable at a
    /// thousand jobs per second with two UUIDs per job.
    static func make() -> String {
        var generator = SystemRandomNumberGenerator()
        let high = generator.next() & ~0xF000 | 0x4000
        let low = generator.next() & ~(0b11 << 62) | (0b10 << 62)
        var text: [UInt8] = []
        text.reserveCapacity(36)
        for (index, word) in [high, low].enumerated() {
            for digit in 0..<16 {
                if [8, 12, 16, 20].contains(index * 16 + digit) { text.append(UInt8(ascii: "-")) }
                let value = UInt8(truncatingIfNeeded: word >> (60 - 4 * UInt64(digit))) & 0xF
                text.append(value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10)
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}
