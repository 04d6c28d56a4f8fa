// What a service says of itself.

/// The keys and values of a service (RFC 6763 §6), in the order in which they are sent.
///
///     var record = TXTRecord()
///     record["rp"] = "ipp/print/color-laser"
///     record.strings      // ["rp=ipp/print/color-laser"], as bytes
public struct TXTRecord: Hashable, Sendable {
    /// The keys and their values; keys are printable ASCII without `=`, and differ in more than case.
    public private(set) var entries: [Entry] = []

    /// One key and its value.
    public struct Entry: Hashable, Sendable {
        /// The key.
        public var key: String
        /// The value; may be empty.
        public var value: String
    }

    /// No keys.
    public init() {}

    /// The value of a key, in whatever case; nil when the key is not there.
    ///
    /// A new key goes to the end. What would not fit in 255 bytes with its key is cut at a character.
    public subscript(key: String) -> String? {
        get { entries.first { $0.key.lowercased() == key.lowercased() }?.value }
        set {
            let place = entries.firstIndex { $0.key.lowercased() == key.lowercased() }
            let entry = newValue.map { Entry(key: key, value: $0.prefix(utf8: 254 - key.utf8.count)) }
            switch (place, entry) {
            case (let place?, let entry?): entries[place] = entry
            case (let place?, nil): entries.remove(at: place)
            case (nil, let entry?): entries.append(entry)
            case (nil, nil): break
            }
        }
    }

    /// `key=value` of each entry, at most 255 bytes long.
    public var strings: [[UInt8]] { entries.map { Array("\($0.key)=\($0.value)".utf8) } }
}

extension String {
    /// As many whole characters from the beginning as fit in some bytes of UTF-8.
    func prefix(utf8 limit: Int) -> String {
        guard utf8.count > limit else { return self }
        var (end, length) = (startIndex, 0)
        while end < endIndex, length + self[end].utf8.count <= limit {
            length += self[end].utf8.count
            end = index(after: end)
        }
        return String(self[..<end])
    }
}
