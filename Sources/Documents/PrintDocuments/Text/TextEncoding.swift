// Detects the character encoding of a text.

import CUchardet
import DocumentFiles

/// A character encoding, identified by its iconv name.
struct TextEncoding: Hashable, Sendable {
    /// The name of the encoding in iconv, such as `UTF-8` or `CP932`.
    var name: String

    static let utf8 = TextEncoding(name: "UTF-8")
    static let utf16LittleEndian = TextEncoding(name: "UTF-16LE")
    static let utf16BigEndian = TextEncoding(name: "UTF-16BE")
    static let utf32LittleEndian = TextEncoding(name: "UTF-32LE")
    static let utf32BigEndian = TextEncoding(name: "UTF-32BE")
    /// The encoding Windows-1252, a superset of Latin-1.
    static let windows1252 = TextEncoding(name: "WINDOWS-1252")
    /// The encoding Shift-JIS with Microsoft's extensions.
    static let shiftJIS = TextEncoding(name: "CP932")
    static let eucJP = TextEncoding(name: "EUC-JP")
    static let iso2022JP = TextEncoding(name: "ISO-2022-JP")

    /// Returns the encoding of a text: its known encoding, otherwise the guessed one.
    static func detect(_ bytes: [UInt8]) -> TextEncoding { known(bytes) ?? guess(bytes) }

    /// Returns the encoding that the bytes of a text prove; nil if the encoding can only be guessed.
    ///
    /// A byte order mark determines the encoding. Without a byte order mark, the result is the first plausible encoding
    /// in this order: UTF-16 (only if there are NUL bytes), ISO-2022-JP, UTF-8.
    static func known(_ bytes: [UInt8]) -> TextEncoding? {
        if let marked = byteOrderMark(bytes) { return marked.encoding }
        let sample = bytes.prefix(sampleSize)
        if sample.contains(0), let wide = wideEncoding(sample) { return wide }
        let utf8 = UTF8Validity(bytes)
        if utf8.multibyte == 0, utf8.invalid == 0 {
            return JapaneseEncodings.hasEscapes(sample) ? .iso2022JP : .utf8
        }
        // A few damaged characters do not make a UTF-8 text a text in another encoding.
        return utf8.invalid == 0 || utf8.multibyte > 20 * utf8.invalid ? .utf8 : nil
    }

    /// Returns the most plausible encoding of a text that is not Unicode.
    ///
    /// Nearly all bytes are valid in Windows-1252, the result for Latin letters and for texts too short to recognize.
    static func guess(_ bytes: [UInt8]) -> TextEncoding {
        let sample = bytes.prefix(sampleSize)
        let name = sample.withUnsafeBytes { bytes in
            let detector = uchardet_new()
            defer { uchardet_delete(detector) }
            _ = uchardet_handle_data(detector, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), bytes.count)
            uchardet_data_end(detector)
            return String(cString: uchardet_get_charset(detector))
        }
        let isRecognized = multibyteNames.contains(name) || sample.count { $0 >= 0x80 } >= fewestLetters
        if isRecognized, !name.isEmpty, !latinNames.contains(name), let found = try? TextDecoder.encoding(named: name) {
            return found
        }
        return JapaneseEncodings.detect(sample) ?? .windows1252
    }

    /// The number of bytes from which the encoding is determined.
    private static let sampleSize = 1 << 20
    /// The number of letters beyond ASCII from which uchardet distinguishes encodings with one byte per character.
    private static let fewestLetters = 8
    private static let multibyteNames: Set = ["GB18030", "BIG5", "EUC-TW", "EUC-KR", "UHC", "EUC-JP", "SHIFT_JIS"]
    /// The encodings of Latin letters that uchardet confuses with Windows-1252.
    private static let latinNames: Set = [
        "ASCII", "ISO-8859-1", "ISO-8859-3", "ISO-8859-4", "ISO-8859-9", "ISO-8859-10", "ISO-8859-13", "ISO-8859-15",
        "ISO-8859-16", "WINDOWS-1252", "WINDOWS-1257", "WINDOWS-1258", "IBM852", "MAC-CENTRALEUROPE", "VISCII",
    ]

    /// Returns the encoding that a byte order mark indicates, and the length of the mark; nil if the text has no mark.
    static func byteOrderMark(_ bytes: some Collection<UInt8>) -> (encoding: TextEncoding, length: Int)? {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return (.utf8, 3) }
        if bytes.starts(with: [0xFF, 0xFE, 0, 0]) { return (.utf32LittleEndian, 4) }
        if bytes.starts(with: [0, 0, 0xFE, 0xFF]) { return (.utf32BigEndian, 4) }
        if bytes.starts(with: [0xFF, 0xFE]) { return (.utf16LittleEndian, 2) }
        if bytes.starts(with: [0xFE, 0xFF]) { return (.utf16BigEndian, 2) }
        return nil
    }

    /// Returns whether bytes are text in any encoding, including UTF-16.
    static func isText(_ bytes: [UInt8]) -> Bool {
        if byteOrderMark(bytes) != nil { return true }
        if bytes.contains(0) { return wideEncoding(bytes[...]) != nil }
        return TextContent.controlShare(of: bytes) == 0
    }

    /// Returns the UTF-16 encoding whose byte order is plausible for a text without a byte order mark; nil if the text
    /// is not UTF-16.
    private static func wideEncoding(_ bytes: ArraySlice<UInt8>) -> TextEncoding? {
        let sample = bytes.prefix(65_536)
        let (little, big) = (plausibility(of: sample, low: 0, high: 1), plausibility(of: sample, low: 1, high: 0))
        guard max(little, big) >= 0.95 else { return nil }
        return little >= big ? .utf16LittleEndian : .utf16BigEndian
    }

    /// Returns the proportion, from 0 to 1, of UTF-16 code units that are letters, digits, punctuation or spaces of
    /// common scripts.
    private static func plausibility(of bytes: ArraySlice<UInt8>, low: Int, high: Int) -> Double {
        var (total, good) = (0, 0)
        var index = bytes.startIndex
        while index + 1 < bytes.endIndex {
            let unit = UInt16(bytes[index + low]) | UInt16(bytes[index + high]) << 8
            total += 1
            switch unit {
            case 0x09, 0x0A, 0x0C, 0x0D, 0x20...0x7E, 0xA0...0x017F, 0x0370...0x06FF, 0x0900...0x0DFF, 0x0E00...0x0E5B,
                0x2010...0x203A, 0x20AC, 0x2190...0x21FF, 0x2500...0x25FF, 0x3000...0x30FF, 0x4E00...0x9FFF,
                0xAC00...0xD7A3, 0xD83C...0xD83E, 0xDC00...0xDFFF, 0xFF01...0xFF9F:
                good += 1
            default: break
            }
            index += 2
        }
        return total == 0 ? 0 : Double(good) / Double(total)
    }
}

/// The numbers of valid multi-byte characters and of invalid bytes in a UTF-8 text.
struct UTF8Validity {
    /// The number of valid characters with more than one byte.
    private(set) var multibyte = 0
    /// The number of bytes that are not part of a valid character.
    private(set) var invalid = 0

    /// Counts the valid multi-byte characters and the invalid bytes of a text.
    ///
    /// An incomplete character at the end counts as invalid.
    init(_ bytes: [UInt8]) {
        bytes.withUnsafeBufferPointer { bytes in
            var index = 0
            while index < bytes.count {
                if bytes[index] < 0x80 {
                    index += 1
                    continue
                }
                let length = Self.sequenceLength(bytes, at: index)
                if length > 0 {
                    multibyte += 1
                    index += length
                } else {
                    invalid += 1
                    index += 1
                }
            }
        }
    }

    /// Returns the length, in bytes, of a multi-byte character with the given first byte; 0 for an invalid first byte.
    private static func length(_ lead: UInt8) -> Int {
        switch lead {
        case 0xC2...0xDF: 2
        case 0xE0...0xEF: 3
        case 0xF0...0xF4: 4
        default: 0
        }
    }

    /// Returns the length, in bytes, of the multi-byte character at an index; 0 if the bytes are invalid or incomplete
    /// (RFC 3629 §4).
    static func sequenceLength(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> Int {
        let lead = bytes[index]
        let length = length(lead)
        guard length > 0, index + length <= bytes.count else { return 0 }
        let second = bytes[index + 1]
        let allowed: ClosedRange<UInt8> =
            switch lead {
            case 0xE0: 0xA0...0xBF
            case 0xED: 0x80...0x9F
            case 0xF0: 0x90...0xBF
            case 0xF4: 0x80...0x8F
            default: 0x80...0xBF
            }
        guard allowed.contains(second) else { return 0 }
        for offset in 2..<max(length, 2) where bytes[index + offset] & 0xC0 != 0x80 { return 0 }
        return length
    }
}
