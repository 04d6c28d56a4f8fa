// Parses font names.

import FoundationEssentials
import Synchronization

struct FontName: Hashable, Sendable {
    var family: String
    var weight = Font.Weight.regular
    var traits: Font.Traits = []

    /// A cache of font name lookups.
    ///
    /// Without the cache, each lookup would take a fraction of a millisecond for a fontconfig query.
    ///
    /// The lookups are valid for one version of the registered fonts.
    private static let known = Mutex<(names: [String: FontName], version: Int)>(([:], 0))
    private static let mostKnown = 1000

    init(_ name: String) {
        let version = FontRegistry.shared.version
        if let known = Self.known.withLock({ $0.version == version ? $0.names[name] : nil }) {
            self = known
            return
        }
        let catalog = FontRegistry.shared.catalog
        self.init(name, in: catalog.fonts)
        Self.known.withLock { [self] known in
            if known.version != catalog.version || known.names.count >= Self.mostKnown {
                known = ([:], catalog.version)
            }
            known.names[name] = self
        }
    }

    /// See `Font(name:size:)` for the order of the lookups.
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

    /// Parses the PostScript name of a font that is not installed: `Arial-BoldMT`, `TimesNewRomanPSMT`,
    /// `HelveticaNeue`.
    ///
    /// Returns `nil` if the name does not have this form.
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

    /// Removes style words from the end of the name until the remaining name is a known family.
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
        // "Roman" is more often part of a family name than a style.
        (words, style) = (name.split(separator: " ").map(String.init), FontStyle())
        while words.count > 1, let last = words.last, last.lowercased() != "roman", style.read(last[...]) {
            words.removeLast()
        }
        self.init(family: words.joined(separator: " "), weight: style.weight, traits: style.traits)
    }
}

private struct FontStyle {
    private(set) var weight = Font.Weight.regular
    private(set) var traits: Font.Traits = []

    /// The style words for font weights.
    ///
    /// If a word is the beginning of a longer word, the longer word comes first.
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

    /// Parses a word that consists only of styles, such as `BoldOblique`.
    ///
    /// Returns false for other words.
    mutating func read(_ word: Substring) -> Bool {
        let lowercase = word.lowercased()
        var (rest, read) = (lowercase[...], self)
        while !rest.isEmpty {
            if let (name, weight) = Self.weights.first(where: { rest.hasPrefix($0.0) }) {
                // Words are read from the end of the name. The first weight read counts.
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
    /// The name without the suffix `MT`, `PS` or `PSMT` of Monotype's PostScript fonts.
    fileprivate var withoutFoundry: Substring {
        for mark in ["PSMT", "MT", "PS"] where hasSuffix(mark) { return dropLast(mark.count) }
        return self
    }
}

extension String {
    /// The name with spaces between its words: `Times New Roman` for `TimesNewRoman`, `PT Sans` for `PTSans`.
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
