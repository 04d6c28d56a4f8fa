// Reads the records of comma-separated, semicolon-separated or tab-separated values.

/// The records of a table in a text file, as fields of UTF-8 bytes (RFC 4180).
///
/// A quoted field can contain delimiters, line breaks and doubled quotation marks. If the closing quotation mark is
/// missing, the opening mark is an ordinary character. Empty lines are skipped.
struct DelimitedRecords: Sequence, IteratorProtocol {
    /// The bytes of one field of a record.
    typealias Field = ArraySlice<UInt8>

    private static let quote = UInt8(ascii: "\"")
    private let bytes: [UInt8]
    private let delimiter: UInt8
    private var position: Int
    private let lastQuote: Int

    /// Creates the records of a table from UTF-8 text.
    init(_ bytes: [UInt8], delimiter: UInt8) {
        (self.bytes, self.delimiter) = (bytes, delimiter)
        lastQuote = bytes.lastIndex(of: Self.quote) ?? -1
        // Spreadsheets write the delimiter into the first line: `sep=;`.
        position = Self.declaration(bytes)?.length ?? 0
    }

    /// Returns the delimiter of a table.
    ///
    /// A declaration such as `sep=;` in the first line determines the delimiter. Without a declaration, the result is
    /// the delimiter that divides the largest proportion of the first 50 records into the same number of fields.
    ///
    /// - Parameter isTabSeparated: Whether the type of the document requires tabs as delimiters.
    static func delimiter(of bytes: [UInt8], isTabSeparated: Bool) -> UInt8 {
        if let declared = declaration(bytes) { return declared.delimiter }
        let sample = Array(bytes.prefix(65_536))
        var best = (delimiter: isTabSeparated ? UInt8(ascii: "\t") : UInt8(ascii: ","), score: 0.0)
        for delimiter in isTabSeparated ? "\t".utf8 : "\t;,".utf8 {
            var counts: [Int: Int] = [:]
            var total = 0
            for record in DelimitedRecords(sample, delimiter: delimiter).prefix(50) {
                counts[record.count, default: 0] += 1
                total += 1
            }
            let usual = counts.filter { $0.key > 1 }.values.max() ?? 0
            let score = Double(usual) / Double(Swift.max(total, 1))
            if score > best.score { best = (delimiter, score) }
        }
        return best.delimiter
    }

    /// Returns the next record; nil at the end of the text.
    mutating func next() -> [Field]? {
        while position < bytes.count {
            var fields: [Field] = []
            var isAtEnd = false
            while !isAtEnd {
                fields.append(field())
                isAtEnd = position >= bytes.count || bytes[position] != delimiter
                position += 1
            }
            // The second half of CR LF.
            if position < bytes.count, bytes[position - 1] == 0x0D, bytes[position] == 0x0A { position += 1 }
            if fields.count > 1 || !fields[0].isEmpty { return fields }
        }
        return nil
    }

    /// Reads the field at the current position, and moves to the delimiter or line break after the field.
    private mutating func field() -> Field {
        if position < lastQuote, bytes[position] == Self.quote, let quoted = quotedField() { return quoted }
        let start = position
        position = bytes.withUnsafeBufferPointer { bytes in
            var index = start
            while index < bytes.count, bytes[index] != delimiter, bytes[index] != 0x0A, bytes[index] != 0x0D {
                index += 1
            }
            return index
        }
        return bytes[start..<position]
    }

    /// Reads a field in quotation marks.
    ///
    /// If the closing quotation mark is missing, the function returns nil and keeps the position.
    private mutating func quotedField() -> Field? {
        let start = position + 1
        var hasDoubled = false
        let end: Int? = bytes.withUnsafeBufferPointer { bytes in
            var index = start
            // The limit bounds the time for text with many unpaired quotation marks.
            let limit = Swift.min(bytes.count, start + 1_000_000)
            while index < limit {
                if bytes[index] == Self.quote {
                    guard index + 1 < bytes.count, bytes[index + 1] == Self.quote else { return index }
                    hasDoubled = true
                    index += 1
                }
                index += 1
            }
            return nil
        }
        guard let end else { return nil }
        let after = end + 1
        guard after >= bytes.count || bytes[after] == delimiter || bytes[after] == 0x0A || bytes[after] == 0x0D else {
            return nil
        }
        position = after
        guard hasDoubled else { return bytes[start..<end] }
        var field: [UInt8] = []
        field.reserveCapacity(end - start)
        var index = start
        while index < end {
            field.append(bytes[index])
            index += bytes[index] == Self.quote ? 2 : 1
        }
        return field[...]
    }

    private static func declaration(_ bytes: [UInt8]) -> (delimiter: UInt8, length: Int)? {
        guard bytes.count > 5, bytes.starts(with: "sep=".utf8) || bytes.starts(with: "SEP=".utf8),
            bytes[5] == 0x0A || bytes[5] == 0x0D
        else { return nil }
        return (bytes[4], bytes.count > 6 && bytes[5] == 0x0D && bytes[6] == 0x0A ? 7 : 6)
    }
}
