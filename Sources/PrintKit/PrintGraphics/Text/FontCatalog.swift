// Which fonts are installed, and what fontconfig takes for others.

import CCairo
import FoundationEssentials

/// The fonts of the system by their names; what is installed later is not seen.
///
/// Names are compared as fontconfig does: case and spaces do not count.
struct FontCatalog: Sendable {
    static let installed = FontCatalog()

    /// The spelling of each family's name, by its key.
    private let families: [String: String]
    /// The faces by the keys of their PostScript names and full names.
    private let faces: [String: FontName]

    /// Families that fontconfig takes for whatever the system's sans-serif is, and the family that is most like them.
    ///
    /// These are fonts of iOS and macOS; fontconfig knows the others that matter by itself.
    private static let similar = [
        "helveticaneue": "Helvetica", "menlo": "DejaVu Sans Mono", "monaco": "monospace", "sfmono": "monospace",
        "americantypewriter": "serif", "baskerville": "serif", "bodoni72": "serif", "charter": "serif",
        "cochin": "serif", "didot": "serif", "hoeflertext": "serif", "iowanoldstyle": "serif", "newyork": "serif",
        "hiraginominchopron": "serif",
    ]

    /// Names that stand for a kind of font, not for a family.
    private static let generic: Set = [
        "", "sans", "sansserif", "sans-serif", "serif", "monospace", "mono", "cursive", "fantasy", "system-ui", "emoji",
        "math",
    ]

    private init() {
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

    /// Whether a family of this name is installed, or it is the name of a kind of font (`serif`).
    func hasFamily(_ name: String) -> Bool { Self.isGeneric(name) || families[Self.key(name)] != nil }

    /// How an installed family writes its name; nil when it is not installed.
    func spelling(of family: String) -> String? { families[Self.key(family)] }

    /// The face of a PostScript name or a full name; nil when none of the name is installed.
    func face(named name: String) -> FontName? { faces[Self.key(name)] }

    /// Whether the family is installed, or it is known what is like it.
    func isKnown(_ family: String) -> Bool {
        hasFamily(family) || Self.similar[Self.key(family)] != nil || !Self.sameMetrics(family).isEmpty
    }

    /// The families to look for, separated by commas, when this one is asked for.
    func search(for family: String) -> String {
        guard !hasFamily(family), let similar = Self.similar[Self.key(family)] else { return family }
        return "\(family),\(similar)"
    }

    /// What is used instead of a family, if it is not installed.
    func substitution(for family: String, resolved: String) -> Font.Substitution? {
        guard !hasFamily(family), Self.key(family) != Self.key(resolved) else { return nil }
        let isSame = Self.sameMetrics(family).contains { Self.key($0) == Self.key(resolved) }
        return Font.Substitution(requested: family, used: resolved, hasSameMetrics: isSame)
    }

    /// The families that fontconfig takes for this one in particular, best first: those whose letters have the same widths.
    ///
    /// After them come the families for its kind (serif, sans-serif, monospace), which fontconfig takes for any other.
    private static func sameMetrics(_ family: String) -> [String] {
        let all = substitutes(for: family)
        let kinds = ["sans-serif", "serif", "monospace", "cursive", "fantasy"].compactMap { substitutes(for: $0).first }
        return Array(all.dropFirst().prefix { !kinds.contains($0) })
    }

    /// The names that fontconfig looks for when it is asked for a family, in order; the family itself is the first.
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
    /// All strings that a fontconfig pattern has of a kind.
    fileprivate func strings(_ object: String) -> [String] {
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

    /// The weight, to the nearest hundred; regular for a font that has a range of weights.
    fileprivate var weight: Font.Weight {
        guard let number = number(FC_WEIGHT) else { return .regular }
        return Font.Weight(rawValue: Int((FcWeightToOpenTypeDouble(Double(number)) / 100).rounded()) * 100)
    }

    /// Italic, condensed and expanded.
    fileprivate var traits: Font.Traits {
        var traits: Font.Traits = []
        if let slant = number(FC_SLANT), slant > FC_SLANT_ROMAN { traits.insert(.italic) }
        if let width = number(FC_WIDTH), width != FC_WIDTH_NORMAL {
            traits.insert(width < FC_WIDTH_NORMAL ? .condensed : .expanded)
        }
        return traits
    }
}
