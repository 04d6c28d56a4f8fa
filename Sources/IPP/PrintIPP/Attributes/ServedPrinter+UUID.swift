// UUIDs for printers that do not report a UUID.

extension ServedPrinter {
    /// Returns the UUID of a spool's printer.
    ///
    /// The same arguments always have the same result (RFC 9562 §5.8, version 8: two FNV-1a hashes).
    ///
    /// - Parameter place: The unique name of the spool.
    package static func uuid(of name: String, at place: String) -> String {
        func hash(_ text: String, _ seed: UInt64) -> UInt64 {
            text.utf8.reduce(seed) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        }
        let high = hash("\(place)/\(name)", 0xcbf2_9ce4_8422_2325) & ~0xF000 | 0x8000
        let low = hash("\(name)@\(place)", 0x9ae1_6a3b_2f90_404f) & ~(0xC << 60) | (0x8 << 60)
        func hex(_ value: UInt64, _ shift: UInt64, _ digits: Int) -> String {
            let text = String((value >> shift) & ((1 << (4 * UInt64(digits))) - 1), radix: 16)
            return String(repeating: "0", count: digits - text.count) + text
        }
        return
            "urn:uuid:\(hex(high, 32, 8))-\(hex(high, 16, 4))-\(hex(high, 0, 4))-\(hex(low, 48, 4))-\(hex(low, 0, 12))"
    }
}
