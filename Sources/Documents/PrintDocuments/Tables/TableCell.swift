// Reads and measures the texts of table cells.

import PrintGraphics

/// The text of a table cell.
enum TableCell {
    /// The maximum length of a cell in bytes.
    ///
    /// Longer text is cut off, and the user receives a notice.
    static let limit = 20_000

    /// Returns the printable text of a field, truncated to the maximum length.
    ///
    /// The result contains no control characters, and no leading or trailing spaces.
    static func text(_ field: DelimitedRecords.Field) -> (bytes: ArraySlice<UInt8>, isCut: Bool) {
        func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
        var bytes = field.drop(while: isBlank)
        while let last = bytes.last, isBlank(last) { bytes.removeLast() }
        let isCut = bytes.count > limit
        if isCut {
            bytes = bytes.prefix(limit)
            // A character is not divided.
            while let last = bytes.last, last & 0xC0 == 0x80 { bytes.removeLast() }
            if bytes.last.map({ $0 >= 0x80 }) == true { bytes.removeLast() }
        }
        guard bytes.contains(where: { $0 < 0x20 && $0 != 0x0A || $0 == 0x7F }) else { return (bytes, isCut) }
        var clean: [UInt8] = []
        clean.reserveCapacity(bytes.count)
        var previous: UInt8 = 0
        for byte in bytes {
            switch byte {
            case 0x0A where previous == 0x0D: break
            case 0x0D: clean.append(0x0A)
            case 0x0A, 0x20..<0x7F, 0x80...: clean.append(byte)
            default: clean.append(0x20)
            }
            previous = byte
        }
        return (clean[...], isCut)
    }

    /// Returns whether a text is a number, an amount of money or a percentage.
    static func isNumber(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard bytes.count <= 40 else { return false }
        var (digits, hasLetter) = (0, false)
        var rest = bytes
        for sign in ["$", "€", "£", "¥", "-", "+", "\u{2212}", "$", "€", "£", "¥", " "]
        where rest.starts(with: sign.utf8) {
            rest = rest.dropFirst(sign.utf8.count)
        }
        for end in ["%", "€", "$", " ", "\u{A0}"]
        where rest.count > end.utf8.count && rest.reversed().starts(with: end.utf8.reversed()) {
            rest = rest.dropLast(end.utf8.count)
        }
        var previous: UInt8 = 0
        for byte in rest {
            switch byte {
            case 0x30...0x39: digits += 1
            case UInt8(ascii: "."), UInt8(ascii: ","), UInt8(ascii: "'"), 0x20:
                if digits == 0 && byte != UInt8(ascii: ".") { return false }
            case UInt8(ascii: "e"), UInt8(ascii: "E"):
                if digits == 0 || hasLetter { return false }
                hasLetter = true
            case UInt8(ascii: "-"), UInt8(ascii: "+"):
                if previous | 0x20 != UInt8(ascii: "e") { return false }
            default: return false
            }
            previous = byte
        }
        return digits > 0
    }
}

/// The widths of characters in a font.
///
/// Adding the widths of characters is faster than laying out each text.
struct CharacterWidths {
    /// The widths of the printable ASCII characters, relative to the font size.
    private let ascii: [Double]

    /// Measures the characters of a font.
    init(_ font: Font) {
        let large = font.withSize(100)
        ascii = (0x20..<0x7F).map { code in
            String(repeating: String(Unicode.Scalar(UInt8(code))), count: 10).size(with: large).width / 1000
        }
    }

    /// Returns the width of a text's longest line, relative to the font size.
    ///
    /// The function estimates the widths of non-ASCII characters.
    func width(of text: ArraySlice<UInt8>) -> Double {
        var (width, longest) = (0.0, 0.0)
        for byte in text {
            switch byte {
            case 0x20..<0x7F: width += ascii[Int(byte) - 0x20]
            case 0x0A:
                longest = max(longest, width)
                width = 0
            // The first bytes of wide characters, and of others; the other bytes of characters have no width.
            case 0xE3...0xED, 0xF0...0xFF: width += 1.05
            case 0xC0...: width += 0.7
            default: break
            }
        }
        return max(longest, width)
    }
}
