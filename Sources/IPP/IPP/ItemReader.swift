// Bytes cut into the items a message is made of.

/// Cuts bytes into the items a message is made of, and reads numbers and strings out of them.
struct ItemReader {
    /// What follows the header, up to the end.
    enum Item {
        case delimiter(GroupTag)
        /// Name and value are ranges of indices.
        case value(ValueTag, name: Range<Int>, value: Range<Int>)
    }

    private let bytes: ArraySlice<UInt8>
    private var index: Int
    /// What an index lacks to be an offset in the message.
    private let origin: Int
    private let maxBytes: Int

    /// A reader of bytes that begin at an offset in the message.
    init(_ bytes: ArraySlice<UInt8>, at offset: Int, maxBytes: Int) {
        self.bytes = bytes
        self.maxBytes = maxBytes
        index = bytes.startIndex
        origin = offset - bytes.startIndex
    }

    /// Where in the message the next item begins.
    var offset: Int { offset(of: index) }

    func offset(of index: Int) -> Int { index + origin }

    /// The version, operation or status, and request id, or `nil` when not all of it is there.
    mutating func header() throws(DecodingError) -> Message? {
        guard try has(8) else { return nil }
        defer { index += 8 }
        return Message(
            version: Version(major: bytes[index], minor: bytes[index + 1]), code: uint16(at: index + 2),
            requestID: int32(at: index + 4), groups: [])
    }

    /// The next item after the header, or `nil` when not all of it is there.
    mutating func next() throws(DecodingError) -> Item? {
        guard try has(1) else { return nil }
        let tag = bytes[index]
        guard tag >= 0x10 else {
            index += 1
            return .delimiter(GroupTag(rawValue: tag))
        }
        guard try has(3) else { return nil }
        let nameLength = try length(at: index + 1)
        guard try has(5 + nameLength) else { return nil }
        let valueLength = try length(at: index + 3 + nameLength)
        guard try has(5 + nameLength + valueLength) else { return nil }
        let name = index + 3..<index + 3 + nameLength
        let value = name.upperBound + 2..<name.upperBound + 2 + valueLength
        index = value.upperBound
        return .value(ValueTag(rawValue: tag), name: name, value: value)
    }

    /// The string in a range, or `nil` when it is not UTF-8.
    func string(_ range: Range<Int>) -> String? {
        // Not String(validating:as:), which is unspecialised: a third of all decoding time went there.
        let span = bytes[range].span
        guard let characters = try? UTF8Span(validating: span) else { return nil }
        return String(copying: characters)
    }

    func octets(_ range: Range<Int>) -> [UInt8] { Array(bytes[range]) }

    func uint8(at index: Int) -> UInt8 { bytes[index] }

    func uint16(at index: Int) -> UInt16 { UInt16(bytes[index]) << 8 | UInt16(bytes[index + 1]) }

    func int32(at index: Int) -> Int32 {
        Int32(bitPattern: UInt32(uint16(at: index)) << 16 | UInt32(uint16(at: index + 2)))
    }

    /// A length, which is a signed number (RFC 8010 §3.1.4).
    private func length(at index: Int) throws(DecodingError) -> Int {
        let length = uint16(at: index)
        guard length <= Int16.max else {
            throw DecodingError(.badLength, at: offset(of: index), "a length is negative; 32767 is the most")
        }
        return Int(length)
    }

    /// Whether so many bytes are there, counted from the beginning of the item.
    private func has(_ count: Int) throws(DecodingError) -> Bool {
        guard offset + count <= maxBytes else {
            throw DecodingError(.tooLarge, at: maxBytes, "the message is longer than the \(maxBytes) bytes allowed")
        }
        return bytes.endIndex - index >= count
    }
}
