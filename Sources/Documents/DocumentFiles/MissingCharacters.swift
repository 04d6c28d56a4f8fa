// Names the characters of a document that no installed font has.

/// The characters of a document for which no installed font has a glyph, so that boxes are printed.
package enum MissingCharacters {
    /// The number of characters that a notice names.
    private static let mostNamed = 5

    /// Returns a notice that names characters and the Debian packages of fonts; nil if there are no characters.
    package static func notice(_ characters: [Unicode.Scalar]) -> String? {
        guard !characters.isEmpty else { return nil }
        let named = characters.prefix(mostNamed).map { "'\($0)' (\(codePoint($0)))" }.joined(separator: ", ")
        let rest = characters.count > mostNamed ? " and \(characters.count - mostNamed) more" : ""
        let packages = Set(characters.map(package)).sorted().joined(separator: " and ")
        return "no installed font has the characters \(named)\(rest); install \(packages)"
    }

    private static func codePoint(_ character: Unicode.Scalar) -> String {
        let digits = String(character.value, radix: 16, uppercase: true)
        return "U+" + String(repeating: "0", count: max(4 - digits.count, 0)) + digits
    }

    /// The Debian package of a font that has the character.
    private static func package(of character: Unicode.Scalar) -> String {
        switch character.value {
        case _ where character.properties.isEmojiPresentation: "fonts-noto-color-emoji"
        case 0x1100...0x11FF, 0x2E80...0x9FFF, 0xA960...0xA97F, 0xAC00...0xD7FF, 0xF900...0xFAFF, 0xFF00...0xFFEF,
            0x20000...0x3FFFF:
            "fonts-noto-cjk"
        case 0x10000...: "fonts-noto-extra"
        default: "fonts-noto-core"
        }
    }
}
