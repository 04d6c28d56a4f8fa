// Splits the bytes of a message into items.

/// A reader that splits the bytes of a message into items, and reads numbers and strings from the items.
struct ItemReader {
    enum Item {
        case delimiter(GroupTag)
        /// A tag with a name and a value; `name` and `value` are ranges of indexes into `bytes`.
        case value(ValueTag, name: Range<Int>, value: Range<Int>)
    }

    private let bytes: ArraySlice<UInt8>
    private var index: Int
    /// The offset of a byte in the message, minus the index of the byte in `bytes`.
    private let origin: Int
    private let maxBytes: Int

    /// Creates a reader of bytes that begin at the given offset in the message.
    init(_ bytes: ArraySlice<UInt8>, at offset: Int, maxBytes: Int) {
        self.bytes = bytes
        self.maxBytes = maxBytes
        index = bytes.startIndex
        origin = offset - bytes.startIndex
    }

    var offset: Int { offset(of: index) }

    func offset(of index: Int) -> Int { index + origin }

    /// Reads the version, the operation or status, and the request ID.
    ///
    /// - Returns: The header, or `nil` if bytes of the header are missing.
    mutating func header() throws(DecodingError) -> Message? {
        guard try has(8) else { return nil }
        defer { index += 8 }
        return Message(
            version: Version(major: bytes[index], minor: bytes[index + 1]), code: uint16(at: index + 2),
            requestID: int32(at: index + 4), groups: [])
    }

    /// Reads the next item after the header.
    ///
    /// - Returns: The item, or `nil` if bytes of the item are missing.
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

    /// Returns the string in a range of bytes, or `nil` if the bytes are not UTF-8.
    func string(_ range: Range<Int>) -> String? {
        // String(validating:as:) is not specialized in this code and took a third of the total decoding time.
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

    /// Reads a length, which is a signed number (RFC 8010 §3.1.4).
    private func length(at index: Int) throws(DecodingError) -> Int {
        let length = uint16(at: index)
        guard length <= Int16.max else {
            throw DecodingError(.badLength, at: offset(of: index), "a length is negative; lengths are 0 to 32767")
        }
        return Int(length)
    }

    /// Returns whether `count` bytes are available from the start of the current item.
    ///
    /// - Throws: ``DecodingError`` with the code `tooLarge` if these bytes exceed the maximum size of the message.
    private func has(_ count: Int) throws(DecodingError) -> Bool {
        guard offset + count <= maxBytes else {
            throw DecodingError(.tooLarge, at: maxBytes, "the message is longer than the limit of \(maxBytes) bytes")
        }
        return bytes.endIndex - index >= count
    }
}
