// Converts text of any encoding to UTF-8 with iconv.

import Glibc
import PrintModel

/// A text in valid UTF-8, without a byte order mark.
struct DecodedText: Sendable {
    /// The bytes of the text in UTF-8.
    var utf8: [UInt8] = []
    /// The number of characters that could not be decoded.
    ///
    /// Each of these characters is replaced by U+FFFD.
    var undecodable = 0

    /// Returns a notice about the characters that could not be decoded; nil if all characters were decoded.
    func notice(_ encoding: TextEncoding) -> String? {
        guard undecodable > 0 else { return nil }
        let count = undecodable == 1 ? "1 character is" : "\(undecodable) characters are"
        return
            "\(count) invalid in \(encoding.name) and printed as \u{FFFD}; set document-charset to the text's encoding"
    }
}

/// The conversion of text to UTF-8.
enum TextDecoder {
    private static let replacement: [UInt8] = [0xEF, 0xBF, 0xBD]

    /// Decodes bytes, and removes a byte order mark of the encoding.
    static func decode(_ bytes: some Collection<UInt8>, from encoding: TextEncoding) -> DecodedText {
        let mark = TextEncoding.byteOrderMark(bytes)
        let start = mark.map { $0.encoding == encoding || encoding.name.hasPrefix("UTF-") ? $0.length : 0 } ?? 0
        let bytes = Array(bytes.dropFirst(start))
        guard encoding != .utf8, let converter = Iconv(encoding) else { return repair(bytes) }
        return converter.decode(bytes, unit: encoding.unit)
    }

    /// Returns the encoding for a name that a user has specified.
    ///
    /// - Throws: `WorkError` if iconv does not support the encoding.
    static func encoding(named name: String) throws(WorkError) -> TextEncoding {
        let upper = name.uppercased()
        let aliases = [
            "SHIFT_JIS": TextEncoding.shiftJIS, "SHIFT-JIS": .shiftJIS, "SJIS": .shiftJIS, "UTF8": .utf8,
            "UTF-8": .utf8, "ISO-8859-1": .windows1252, "LATIN1": .windows1252, "US-ASCII": .windows1252,
        ]
        if let known = aliases[upper] { return known }
        let isName =
            !name.isEmpty && name.utf8.count <= 40
            && name.utf8.allSatisfy {
                $0 >= 0x30 && $0 <= 0x3A || $0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x7A || $0 == 0x2D || $0 == 0x5F
                    || $0 == 0x2E
            }
        let encoding = TextEncoding(name: upper)
        guard isName, Iconv(encoding) != nil else {
            throw WorkError(
                .unsupportedFormat,
                "unknown character encoding '\(name)'; use a name such as UTF-8, ISO-8859-1 or Shift_JIS")
        }
        return encoding
    }

    /// Replaces invalid sequences in UTF-8 text by U+FFFD.
    private static func repair(_ bytes: [UInt8]) -> DecodedText {
        if UTF8Validity(bytes).invalid == 0, bytes.last.map({ $0 < 0x80 }) ?? true { return DecodedText(utf8: bytes) }
        var text = DecodedText()
        text.utf8.reserveCapacity(bytes.count)
        bytes.withUnsafeBufferPointer { bytes in
            var index = 0
            while index < bytes.count {
                let length = bytes[index] < 0x80 ? 1 : UTF8Validity.sequenceLength(bytes, at: index)
                if length > 0 {
                    text.utf8.append(contentsOf: bytes[index..<(index + length)])
                } else {
                    text.utf8.append(contentsOf: replacement)
                    text.undecodable += 1
                }
                index += max(length, 1)
            }
        }
        return text
    }

    /// An open iconv converter.
    private final class Iconv {
        private let descriptor: iconv_t

        init?(_ encoding: TextEncoding) {
            guard let descriptor = iconv_open("UTF-8", encoding.name), Int(bitPattern: descriptor) != -1 else {
                return nil
            }
            self.descriptor = descriptor
        }

        deinit { iconv_close(descriptor) }

        /// Decodes bytes into UTF-8.
        ///
        /// - Parameter unit: The number of bytes to skip at an invalid character.
        func decode(_ bytes: [UInt8], unit: Int) -> DecodedText {
            var text = DecodedText()
            text.utf8.reserveCapacity(bytes.count + bytes.count / 2)
            var input = bytes
            var block = [CChar](repeating: 0, count: 65_536)
            func append(_ block: UnsafeMutableBufferPointer<CChar>, _ count: Int) {
                text.utf8.append(
                    contentsOf: UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(block)[..<count]))
            }
            input.withUnsafeMutableBytes { input in
                var source = input.baseAddress?.assumingMemoryBound(to: CChar.self)
                var left = input.count
                while left > 0 {
                    var failure: Int32 = 0
                    block.withUnsafeMutableBufferPointer { block in
                        var target = block.baseAddress
                        var room = block.count
                        if iconv(descriptor, &source, &left, &target, &room) == -1 { failure = errno }
                        append(block, block.count - room)
                    }
                    if failure == 0 || failure == E2BIG { continue }
                    text.utf8.append(contentsOf: TextDecoder.replacement)
                    text.undecodable += 1
                    let skipped = failure == EINVAL ? left : min(unit, left)
                    source = source.map { $0 + skipped }
                    left -= skipped
                }
                // Some encodings keep a character back that could combine with the next one.
                block.withUnsafeMutableBufferPointer { block in
                    var target = block.baseAddress
                    var room = block.count
                    _ = iconv(descriptor, nil, nil, &target, &room)
                    append(block, block.count - room)
                }
            }
            return text
        }
    }
}

extension TextEncoding {
    /// The number of bytes in a code unit of the encoding.
    fileprivate var unit: Int {
        if name.hasPrefix("UTF-16") || name.hasPrefix("UCS-2") { return 2 }
        return name.hasPrefix("UTF-32") || name.hasPrefix("UCS-4") ? 4 : 1
    }
}
