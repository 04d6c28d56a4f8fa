// What the name of a font stands for.

import FoundationEssentials
import Synchronization

/// A family with weight and traits, found by the name of a font.
struct FontName: Hashable, Sendable {
    var family: String
    var weight = Font.Weight.regular
    var traits: Font.Traits = []

    /// Names that were looked up, since asking fontconfig takes a fraction of a millisecond.
    private static let known = Mutex<[String: FontName]>([:])
    private static let mostKnown = 1000

    /// Looks a name up.
    init(_ name: String) {
        if let known = Self.known.withLock({ $0[name] }) {
            self = known
            return
        }
        self.init(name, in: FontCatalog.installed)
        Self.known.withLock { [self] names in
            if names.count >= Self.mostKnown { names = [:] }
            names[name] = self
        }
    }

    /// Looks a name up in a catalog; see `Font(name:size:)` for the order.
    init(_ name: String, in catalog: FontCatalog) {
        if catalog.hasFamily(name) {
            self.init(family: name)
        } else if let face = catalog.face(named: name) {
            self = face
        } else if catalog.isKnown(name) {
            self.init(family: name)
        } else {
            self = FontName(postScript: name, in: catalog) ?? FontName(words: name, in: catalog)
        }
    }

    init(family: String, weight: Font.Weight = .regular, traits: Font.Traits = []) {
        (self.family, self.weight, self.traits) = (family, weight, traits)
    }

    /// Reads the PostScript name of a font that is not installed: `Arial-BoldMT`, `TimesNewRomanPSMT`, `HelveticaNeue`.
    ///
    /// Nil when it is no such name.
    private init?(postScript name: String, in catalog: FontCatalog) {
        guard !name.contains(" ") else { return nil }
        let hyphen = name.lastIndex(of: "-")
        var style = FontStyle()
        if let hyphen, !style.read(name[name.index(after: hyphen)...].withoutFoundry) { return nil }
        let base = String(name[..<(hyphen ?? name.endIndex)].withoutFoundry)
        guard !base.isEmpty else { return nil }
        let spaced = base.spacedAtCapitals
        if let family = catalog.spelling(of: base) ?? [spaced, base].first(where: catalog.isKnown) {
            self.init(family: family, weight: style.weight, traits: style.traits)
        } else if hyphen != nil {
            self.init(family: spaced, weight: style.weight, traits: style.traits)
        } else {
            return nil
        }
    }

    /// Takes words of style off the end, until a family that is known is left.
    private init(words name: String, in catalog: FontCatalog) {
        var (words, style) = (name.split(separator: " ").map(String.init), FontStyle())
        while words.count > 1, let last = words.last, style.read(last[...]) {
            words.removeLast()
            let family = words.joined(separator: " ")
            if catalog.isKnown(family) {
                self.init(family: family, weight: style.weight, traits: style.traits)
                return
            }
        }
        // "Roman" is part of a family's name more often than a style.
        (words, style) = (name.split(separator: " ").map(String.init), FontStyle())
        while words.count > 1, let last = words.last, last.lowercased() != "roman", style.read(last[...]) {
            words.removeLast()
        }
        self.init(family: words.joined(separator: " "), weight: style.weight, traits: style.traits)
    }
}

/// Weight and traits as words say them.
private struct FontStyle {
    private(set) var weight = Font.Weight.regular
    private(set) var traits: Font.Traits = []

    /// Words of weight; a word that begins with another comes before it.
    private static let weights: [(String, Font.Weight)] = [
        ("thin", Font.Weight(rawValue: 100)), ("ultralight", Font.Weight(rawValue: 200)),
        ("extralight", Font.Weight(rawValue: 200)), ("semibold", .semibold), ("demibold", .semibold),
        ("demi", .semibold), ("ultrabold", Font.Weight(rawValue: 800)), ("extrabold", Font.Weight(rawValue: 800)),
        ("heavy", Font.Weight(rawValue: 800)), ("bold", .bold), ("light", .light), ("medium", .medium),
        ("black", .black), ("regular", .regular), ("roman", .regular), ("book", .regular),
    ]
    private static let faces: [(String, Font.Traits)] = [
        ("italic", .italic), ("oblique", .italic), ("condensed", .condensed),
    ]

    /// Reads a word that is made of nothing but styles, such as `BoldOblique`; false for another word.
    mutating func read(_ word: Substring) -> Bool {
        let lowercase = word.lowercased()
        var (rest, read) = (lowercase[...], self)
        while !rest.isEmpty {
            if let (name, weight) = Self.weights.first(where: { rest.hasPrefix($0.0) }) {
                // Of two words the first one read counts: the last of the name.
                if read.weight == .regular { read.weight = weight }
                rest = rest.dropFirst(name.count)
            } else if let (name, trait) = Self.faces.first(where: { rest.hasPrefix($0.0) }) {
                read.traits.insert(trait)
                rest = rest.dropFirst(name.count)
            } else {
                return false
            }
        }
        self = read
        return true
    }
}

extension Substring {
    /// The name without `MT`, `PS` or `PSMT` at its end, by which Monotype marks its PostScript fonts.
    fileprivate var withoutFoundry: Substring {
        for mark in ["PSMT", "MT", "PS"] where hasSuffix(mark) { return dropLast(mark.count) }
        return self
    }
}

extension String {
    /// `Times New Roman` for `TimesNewRoman`, `PT Sans` for `PTSans`.
    fileprivate var spacedAtCapitals: String {
        let letters = Array(self)
        var spaced = ""
        for (index, letter) in letters.enumerated() {
            if index > 0, letter.isUppercase {
                let isAfterSmall = !letters[index - 1].isUppercase
                let isBeforeSmall = index + 1 < letters.count && letters[index + 1].isLowercase
                if isAfterSmall || isBeforeSmall { spaced.append(" ") }
            }
            spaced.append(letter)
        }
        return spaced
    }
}
