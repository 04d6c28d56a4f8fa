// Defines the TXT record of a DNS-SD service.

import PrintModel

/// The key-value pairs of a DNS-SD service (RFC 6763 §6), in transmission order.
///
///     var record = TXTRecord()
///     record["rp"] = "ipp/print/color-laser"
///     record.strings      // ["rp=ipp/print/color-laser"], as bytes
public struct TXTRecord: Hashable, Sendable {
    /// The entries; keys are printable ASCII without `=`, and unique regardless of case.
    public private(set) var entries: [Entry] = []

    /// A key with its value.
    public struct Entry: Hashable, Sendable {
        /// The key of the entry.
        public var key: String
        /// The value of the entry, which can be empty.
        public var value: String
    }

    /// Creates an empty record.
    public init() {}

    /// Accesses the value of a key, regardless of the key's case; nil if the key does not exist.
    ///
    /// Setting the value of a new key appends an entry. If the string `key=value` would exceed 255 bytes, the value is
    /// truncated at a character boundary.
    public subscript(key: String) -> String? {
        get { entries.first { $0.key.lowercased() == key.lowercased() }?.value }
        set {
            let place = entries.firstIndex { $0.key.lowercased() == key.lowercased() }
            let entry = newValue.map { Entry(key: key, value: $0.prefixOfUTF8(254 - key.utf8.count)) }
            switch (place, entry) {
            case (let place?, let entry?): entries[place] = entry
            case (let place?, nil): entries.remove(at: place)
            case (nil, let entry?): entries.append(entry)
            case (nil, nil): break
            }
        }
    }

    /// The entries as `key=value`, each at most 255 bytes long.
    public var strings: [[UInt8]] { entries.map { Array("\($0.key)=\($0.value)".utf8) } }
}
