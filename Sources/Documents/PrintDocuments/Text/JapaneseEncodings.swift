// Recognizes Japanese text in Shift-JIS, EUC-JP and ISO-2022-JP.

/// The rules that distinguish Japanese encodings from each other and from Latin-1.
///
/// Latin-1 text is often valid Shift-JIS, because an accented letter and the next letter can form the bytes of a kanji.
/// Japanese text contains kana, or common kanji (level 1 of JIS X 0208).
enum JapaneseEncodings {
    /// The counts of characters of each kind in a text that was decoded with one encoding.
    private struct Census {
        var kana = 0
        var commonKanji = 0
        var other = 0
        var invalid = 0

        var total: Int { kana + commonKanji + other }

        /// The plausibility of the encoding, from 0 to 1: the proportion of kana and common kanji, reduced by invalid
        /// bytes.
        var plausibility: Double {
            // Two adjacent letters of Latin-1 look like a kanji, but rarely several times without other letters.
            guard total > (kana > 0 ? 0 : 3), invalid * 200 <= total else { return 0 }
            return Double(kana + commonKanji) / Double(total + 10 * invalid)
        }
    }

    /// Returns the most plausible Japanese encoding of bytes; nil if the bytes are not Japanese text.
    static func detect(_ bytes: ArraySlice<UInt8>) -> TextEncoding? {
        let (euc, shift) = (eucCensus(bytes), shiftCensus(bytes))
        guard max(euc.plausibility, shift.plausibility) >= 0.5 else { return nil }
        return euc.plausibility >= shift.plausibility ? .eucJP : .shiftJIS
    }

    /// Returns whether ASCII text contains the escape sequences of ISO-2022-JP (RFC 1468).
    static func hasEscapes(_ bytes: ArraySlice<UInt8>) -> Bool {
        var index = bytes.startIndex
        while let escape = bytes[index...].firstIndex(of: 0x1B) {
            if escape + 2 < bytes.endIndex, bytes[escape + 1] == UInt8(ascii: "$"),
                bytes[escape + 2] == UInt8(ascii: "B") || bytes[escape + 2] == UInt8(ascii: "@")
            {
                return true
            }
            index = escape + 1
        }
        return false
    }

    private static func eucCensus(_ bytes: ArraySlice<UInt8>) -> Census {
        var census = Census()
        var index = bytes.startIndex
        while index < bytes.endIndex {
            let byte = bytes[index]
            guard byte >= 0x80 else {
                index += 1
                continue
            }
            // The end of the sample may cut a character.
            guard index + 1 < bytes.endIndex else { break }
            let second = bytes[index + 1]
            switch (byte, second) {
            case (0x8E, 0xA1...0xDF): census.other += 1
            case (0x8F, 0xA1...0xFE):
                census.other += 1
                index += 1
            case (0xA1, 0xA1...0xFE), (0xA4, 0xA1...0xF3), (0xA5, 0xA1...0xF6): census.kana += 1
            case (0xA3, 0xB0...0xFA): census.other += 1
            case (0xB0...0xCF, 0xA1...0xFE): census.commonKanji += 1
            case (0xA2...0xA8, 0xA1...0xFE), (0xAD, 0xA1...0xFE), (0xD0...0xF4, 0xA1...0xFE): census.other += 1
            default:
                census.invalid += 1
                index -= 1
            }
            index += 2
        }
        return census
    }

    private static func shiftCensus(_ bytes: ArraySlice<UInt8>) -> Census {
        var census = Census()
        var index = bytes.startIndex
        while index < bytes.endIndex {
            let byte = bytes[index]
            if byte < 0x80 || (0xA1...0xDF).contains(byte) {
                if byte >= 0x80 { census.other += 1 }
                index += 1
                continue
            }
            guard index + 1 < bytes.endIndex else { break }
            let second = bytes[index + 1]
            let isTrail = (0x40...0x7E).contains(second) || (0x80...0xFC).contains(second)
            switch byte {
            case 0x81 where isTrail, 0x82 where (0x9F...0xF1).contains(second),
                0x83 where (0x40...0x96).contains(second):
                census.kana += 1
            case 0x88...0x97 where isTrail: census.commonKanji += 1
            case 0x82...0x9F where isTrail, 0xE0...0xFC where isTrail: census.other += 1
            default:
                census.invalid += 1
                index -= 1
            }
            index += 2
        }
        return census
    }
}
