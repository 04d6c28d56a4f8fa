// Compares the fonts that a document requests with the fonts that were used.

import COfficeKit

/// A replacement for a font that is not installed.
struct FontSubstitution: Hashable {
    /// The name of the font in the document.
    var requested: String
    /// The name of the replacement font.
    var used: String

    /// One sentence for users about the replaced font.
    var notice: String {
        "the font '\(requested)' is not installed; '\(used)' was used"
            + (keepsWidths ? " (same character widths)" : "")
    }

    /// Whether the characters of the two fonts have the same widths.
    ///
    /// With equal widths, lines and pages break at the same positions.
    var keepsWidths: Bool {
        Self.sameWidths.contains { $0.contains(Self.comparable(requested)) && $0.contains(Self.comparable(used)) }
    }

    /// The groups of fonts that have equal character widths.
    private static let sameWidths: [Set<String>] = [
        ["arial", "helvetica", "liberationsans", "arimo", "nimbussans"],
        ["arialnarrow", "helveticanarrow", "liberationsansnarrow", "nimbussansnarrow"],
        ["timesnewroman", "times", "liberationserif", "tinos", "nimbusroman"],
        ["couriernew", "courier", "liberationmono", "cousine", "nimbusmonops"],
        ["calibri", "carlito"], ["cambria", "caladea"], ["georgia", "gelasio"],
    ]

    /// Returns the replaced fonts, in the order in which the document uses them.
    ///
    /// - Parameters:
    ///   - drawn: Pairs of font names: the requested font, and the font that LibreOffice used, with its style
    ///     (`Carlito/Regular`).
    ///   - embedded: The names of the fonts in the PDF; empty if the names are unknown.
    ///   - isText: Whether the document is a text document. In other documents, LibreOffice always measures text in
    ///     default fonts such as Arial and Times New Roman. Therefore the names of the default fonts do not prove that
    ///     the document uses these fonts.
    static func replaced(
        drawn: [(requested: String, used: String)], embedded: Set<String>, isText: Bool
    ) -> [FontSubstitution] {
        var order: [String] = []
        var used: [String: [String]] = [:]
        for font in drawn {
            if used[font.requested] == nil { order.append(font.requested) }
            used[font.requested, default: []].append(family(of: font.used))
        }
        let embedded = embedded.map(comparable)
        return order.compactMap { requested in
            // A list of names is a font of the user interface.
            guard !requested.contains(";"), isText || !defaults.contains(requested), let used = used[requested],
                // A second font is used for characters that the first one lacks.
                !used.contains(where: { comparable($0) == comparable(requested) }),
                let first = used.first,
                // LibreOffice maps the characters of symbol fonts to the same symbols of its own font.
                first != "OpenSymbol",
                embedded.isEmpty || embedded.contains(where: { $0.hasPrefix(comparable(first)) })
            else { return nil }
            return FontSubstitution(requested: requested, used: first)
        }
    }

    private static let defaults: Set<String> = ["Arial", "Times New Roman", "Tahoma"]

    private static func family(of name: String) -> String {
        name.lastIndex(of: "/").map { String(name[..<$0]) } ?? name
    }

    private static func comparable(_ name: String) -> String {
        name.lowercased().filter { $0.isLetter || $0.isNumber }
    }
}
