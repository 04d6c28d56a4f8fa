// Finds the characters that no installed font has.

import CCairo

/// The characters that the installed and registered fonts have.
package enum FontCoverage {
    /// All characters before this one are in every usual font.
    private static let firstExamined: UInt32 = 0x250

    /// Returns the visible characters of a text for which no installed font has a glyph, once each, in the order of
    /// their code points.
    ///
    /// - Parameter utf8: The text, in valid UTF-8.
    package static func missing(in utf8: [UInt8]) -> [Unicode.Scalar] {
        // The reference keeps the fonts while another thread registers fonts.
        guard let config = FcConfigReference(nil) else { return [] }
        defer { FcConfigDestroy(config) }
        let fonts = [FcSetSystem, FcSetApplication].compactMap { FcConfigGetFonts(config, $0) }
            .flatMap { set in (0..<Int(set.pointee.nfont)).map { set.pointee.fonts[$0] } }
        var last: OpaquePointer?
        func isCovered(_ character: UInt32) -> Bool {
            if let last, FcCharSetHasChar(last, character) != 0 { return true }
            for font in fonts {
                var set: OpaquePointer?
                if FcPatternGetCharSet(font, FC_CHARSET, 0, &set) == FcResultMatch,
                    FcCharSetHasChar(set, character) != 0
                {
                    last = set
                    return true
                }
            }
            return false
        }
        return characters(of: utf8).filter { isVisible($0) && !isCovered($0.value) }
    }

    /// The distinct characters from `firstExamined`.
    private static func characters(of utf8: [UInt8]) -> [Unicode.Scalar] {
        // The first byte of a character from U+0240.
        guard utf8.contains(where: { $0 >= 0xC9 }) else { return [] }
        var isFound = [Bool](repeating: false, count: 0x110000)
        var found: [Unicode.Scalar] = []
        for character in String(decoding: utf8, as: UTF8.self).unicodeScalars
        where character.value >= firstExamined && !isFound[Int(character.value)] {
            isFound[Int(character.value)] = true
            found.append(character)
        }
        return found.sorted()
    }

    /// Whether a character is visible on paper.
    ///
    /// Characters for private use may belong to a font of the document.
    private static func isVisible(_ character: Unicode.Scalar) -> Bool {
        let properties = character.properties
        let isReplacement = character.value == 0xFFFD
        if isReplacement || properties.isDefaultIgnorableCodePoint || properties.isWhitespace { return false }
        switch properties.generalCategory {
        case .control, .format, .privateUse, .surrogate, .lineSeparator, .paragraphSeparator: return false
        default: return true
        }
    }
}
