// The installed fonts, and fontconfig's substitutes for other fonts.

import CCairo
import FoundationEssentials

/// The installed and registered fonts by name.
///
/// Fonts that are installed or registered after the catalog was created are not included.
///
/// Names are compared as in fontconfig: case and spaces are ignored.
struct FontCatalog: Sendable {
    /// The fonts of the newest version of the registry.
    static var current: FontCatalog { FontRegistry.shared.catalog.fonts }

    /// The exact names of the installed families.
    ///
    /// A key is a family name in lower case without spaces.
    private let families: [String: String]
    /// The installed faces.
    ///
    /// A key is a PostScript name or full name in lower case without spaces.
    private let faces: [String: FontName]

    /// A table that maps common font families of iOS and macOS to similar families.
    ///
    /// Without this table, fontconfig would replace these families with the default sans-serif font. Fontconfig has
    /// substitutes for the other common families.
    private static let similar = [
        "helveticaneue": "Helvetica", "menlo": "DejaVu Sans Mono", "monaco": "monospace", "sfmono": "monospace",
        "americantypewriter": "serif", "baskerville": "serif", "bodoni72": "serif", "charter": "serif",
        "cochin": "serif", "didot": "serif", "hoeflertext": "serif", "iowanoldstyle": "serif", "newyork": "serif",
        "hiraginominchopron": "serif",
    ]

    /// The names of generic font families, such as `serif`.
    private static let generic: Set = [
        "", "sans", "sansserif", "sans-serif", "serif", "monospace", "mono", "cursive", "fantasy", "system-ui", "emoji",
        "math",
    ]

    init() {
        var (families, faces): ([String: String], [String: FontName]) = ([:], [:])
        let wanted = [
            FC_FAMILY, FC_FULLNAME, FC_POSTSCRIPT_NAME, FC_WEIGHT, FC_SLANT, FC_WIDTH,
        ]
        let objects = FcObjectSetCreate()
        for name in wanted { FcObjectSetAdd(objects, name) }
        let pattern = FcPatternCreate()
        let list = FcFontList(nil, pattern, objects)
        FcPatternDestroy(pattern)
        FcObjectSetDestroy(objects)
        defer { if let list { FcFontSetDestroy(list) } }
        for index in 0..<Int(list?.pointee.nfont ?? 0) {
            guard let font = list?.pointee.fonts[index] else { continue }
            let names = font.strings(FC_FAMILY)
            for name in names where families[Self.key(name)] == nil { families[Self.key(name)] = name }
            guard let family = names.first else { continue }
            let face = FontName(family: family, weight: font.weight, traits: font.traits)
            for name in font.strings(FC_POSTSCRIPT_NAME) + font.strings(FC_FULLNAME) { faces[Self.key(name)] = face }
        }
        (self.families, self.faces) = (families, faces)
    }

    func hasFamily(_ name: String) -> Bool { Self.isGeneric(name) || families[Self.key(name)] != nil }

    func spelling(of family: String) -> String? { families[Self.key(family)] }

    func face(named name: String) -> FontName? { faces[Self.key(name)] }

    func isKnown(_ family: String) -> Bool {
        hasFamily(family) || Self.similar[Self.key(family)] != nil || !Self.sameMetrics(family).isEmpty
    }

    /// The requested family comes first.
    func search(for family: String) -> String {
        guard !hasFamily(family), let similar = Self.similar[Self.key(family)] else { return family }
        return "\(family),\(similar)"
    }

    func substitution(for family: String, resolved: String) -> Font.Substitution? {
        guard !hasFamily(family), Self.key(family) != Self.key(resolved) else { return nil }
        let isSame = Self.sameMetrics(family).contains { Self.key($0) == Self.key(resolved) }
        return Font.Substitution(requested: family, used: resolved, hasSameMetrics: isSame)
    }

    /// Returns the families that have the same glyph widths according to fontconfig, best first.
    ///
    /// Fontconfig lists these families before the generic families (serif, sans-serif, monospace). Any font can match a
    /// generic family.
    private static func sameMetrics(_ family: String) -> [String] {
        let all = substitutes(for: family)
        let kinds = ["sans-serif", "serif", "monospace", "cursive", "fantasy"].compactMap { substitutes(for: $0).first }
        return Array(all.dropFirst().prefix { !kinds.contains($0) })
    }

    /// Returns the families that fontconfig tries, in order, if a program requests the given family.
    ///
    /// The requested family comes first.
    private static func substitutes(for family: String) -> [String] {
        guard let pattern = FcPatternCreate() else { return [] }
        defer { FcPatternDestroy(pattern) }
        FcPatternAddString(pattern, FC_FAMILY, family)
        guard FcConfigSubstitute(nil, pattern, FcMatchPattern) != 0 else { return [] }
        return pattern.strings(FC_FAMILY)
    }

    private static func isGeneric(_ family: String) -> Bool { generic.contains(family.lowercased()) }

    private static func key(_ name: String) -> String { name.lowercased().filter { $0 != " " } }
}

extension OpaquePointer {
    func strings(_ object: String) -> [String] {
        var strings: [String] = []
        var text: UnsafeMutablePointer<FcChar8>?
        while FcPatternGetString(self, object, Int32(strings.count), &text) == FcResultMatch, let found = text {
            strings.append(String(cString: found))
        }
        return strings
    }

    private func number(_ object: String) -> Int32? {
        var number: Int32 = 0
        return FcPatternGetInteger(self, object, 0, &number) == FcResultMatch ? number : nil
    }

    /// The weight of the font, rounded to hundreds; regular for a font with a range of weights.
    fileprivate var weight: Font.Weight {
        guard let number = number(FC_WEIGHT) else { return .regular }
        return Font.Weight(rawValue: Int((FcWeightToOpenTypeDouble(Double(number)) / 100).rounded()) * 100)
    }

    fileprivate var traits: Font.Traits {
        var traits: Font.Traits = []
        if let slant = number(FC_SLANT), slant > FC_SLANT_ROMAN { traits.insert(.italic) }
        if let width = number(FC_WIDTH), width != FC_WIDTH_NORMAL {
            traits.insert(width < FC_WIDTH_NORMAL ? .condensed : .expanded)
        }
        return traits
    }
}
