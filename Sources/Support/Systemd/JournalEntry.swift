// Encodes entries of the journal (https://systemd.io/JOURNAL_NATIVE_PROTOCOL).

/// An entry in the native protocol of the journal.
struct JournalEntry {
    private(set) var bytes: [UInt8] = []

    /// Adds a field.
    ///
    /// - Parameters:
    ///   - name: The field name, which consists of uppercase letters, digits and underscores (``fieldName(_:)``).
    ///   - value: The field value, which can be any text. If the value contains a newline, the entry contains the
    ///     value's length before the value.
    mutating func add(_ name: String, _ value: String) {
        let value = Array(value.utf8)
        bytes += Array(name.utf8)
        guard value.contains(UInt8(ascii: "\n")) else {
            bytes.append(UInt8(ascii: "="))
            bytes += value
            return bytes.append(UInt8(ascii: "\n"))
        }
        bytes.append(UInt8(ascii: "\n"))
        withUnsafeBytes(of: UInt64(value.count).littleEndian) { bytes += $0 }
        bytes += value
        bytes.append(UInt8(ascii: "\n"))
    }

    /// Returns the name of the field for a metadata key: `PRINTQ_` and the key in uppercase letters.
    ///
    /// The journal rejects names of more than 64 characters, and names with characters other than letters, digits and
    /// underscores.
    static func fieldName(_ key: String) -> String {
        let letters = key.utf8.map { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"): byte - 32
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"): byte
            default: UInt8(ascii: "_")
            }
        }
        return "PRINTQ_" + String(decoding: letters.prefix(57), as: UTF8.self)
    }
}
