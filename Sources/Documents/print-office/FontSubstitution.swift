// Compares the fonts that a document requests with the fonts that were used.

import COfficeKit

/// The replacement of a font that is not installed.
struct FontSubstitution: Hashable {
    /// The name of the font in the document.
    var requested: String
    /// The name of the font that was used.
    var used: String

    /// One sentence for users.
    var notice: String { "the font '\(requested)' is not installed; '\(used)' was used" }

    /// Returns the fonts that were replaced, in the order in which they were drawn.
    ///
    /// - Parameters:
    ///   - drawn: The names of the fonts that were drawn: as requested, and as used (`Carlito/Regular`).
    ///   - embedded: The names of the fonts in the PDF; empty if they are unknown.
    ///   - isText: Whether the document is a text document. In other documents, LibreOffice measures text in its own
    ///     default fonts, Arial and Times New Roman, so these names do not show that the document uses them.
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
