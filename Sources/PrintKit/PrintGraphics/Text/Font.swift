// Fonts.

import CCairo
import FoundationEssentials

/// A typeface in a given size (`UIFont`).
///
///     let title = Font(name: "Helvetica-Bold", size: 24)
///     let quote = Font(name: "DejaVu Serif", size: 12).withTraits(.italic)
///
/// If the font is not installed, another font replaces the missing font. If possible, the replacement has the same
/// glyph widths according to fontconfig: for example, Nimbus Sans replaces Helvetica on most systems. Otherwise, the
/// replacement is a font of the same kind. `substitution` and `resolvedFamily` contain the name of the replacement.
///
/// If a font lacks a glyph, another font provides the glyph.
public struct Font: Hashable, Sendable {
    /// The family name, such as `DejaVu Sans`, or a generic family: `sans`, `serif` or `monospace`.
    public var family: String
    /// The size in points.
    ///
    /// The size is 12 if the given size is not a finite number above 0. The maximum is 10,000.
    public let size: Double
    /// The thickness of the strokes, from 100 to 1000 (CSS `font-weight`).
    public var weight: Weight
    /// The traits, such as italic and condensed.
    public var traits: Traits

    /// The weight of a font, from 100 to 1000 as in OpenType (`UIFontWeight`).
    public struct Weight: RawRepresentable, Hashable, Sendable {
        /// The OpenType number of the weight, from 100 to 1000.
        public let rawValue: Int

        /// Creates a weight from a number, which is clamped to the range from 100 to 1000.
        public init(rawValue: Int) { self.rawValue = max(100, min(rawValue, 1000)) }

        /// The weight 300.
        public static let light = Weight(rawValue: 300)
        /// The weight 400.
        public static let regular = Weight(rawValue: 400)
        /// The weight 500.
        public static let medium = Weight(rawValue: 500)
        /// The weight 600.
        public static let semibold = Weight(rawValue: 600)
        /// The weight 700.
        public static let bold = Weight(rawValue: 700)
        /// The weight 900.
        public static let black = Weight(rawValue: 900)
    }

    /// The traits of a font besides its weight (`UIFontDescriptor.SymbolicTraits`).
    public struct Traits: OptionSet, Hashable, Sendable {
        /// The bit set, with one bit per trait.
        public let rawValue: Int

        /// Creates a set of traits from a bit set.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// The trait of italic and oblique fonts.
        public static let italic = Traits(rawValue: 1)
        /// The trait of bold fonts: a weight of at least 700.
        public static let bold = Traits(rawValue: 2)
        /// The trait of fonts with condensed width.
        public static let condensed = Traits(rawValue: 4)
        /// The trait of fonts with expanded width.
        public static let expanded = Traits(rawValue: 8)
        /// The trait of fonts with small capitals instead of lowercase letters.
        public static let smallCaps = Traits(rawValue: 16)
    }

    /// Creates a font from the name of a family; fontconfig replaces a missing family when text is laid out.
    public init(family: String, size: Double, weight: Weight = .regular, traits: Traits = []) {
        (self.family, self.weight, self.traits) = (family, weight, traits)
        self.size = size > 0 && size.isFinite ? min(size, 10_000) : 12
    }

    /// Creates a font from the name of a family or face (`UIFont(name:size:)`).
    ///
    ///     Font(name: "Times New Roman", size: 12)          // a family
    ///     Font(name: "TimesNewRomanPS-BoldMT", size: 12)   // a PostScript name
    ///     Font(name: "Times New Roman Bold", size: 12)     // a family and style words
    ///
    /// The initializer looks up the name in this order: an installed family; the PostScript name or full name of an
    /// installed font; a family for which fontconfig has a substitute with the same widths; the PostScript name of a
    /// font that is not installed.
    ///
    /// If no name matches, the initializer removes style words such as `Bold` and `Italic` from the end of the name.
    ///
    /// The initializer always creates a usable font. `substitution` reports whether the font belongs to a different
    /// family.
    ///
    /// - Parameters:
    ///   - name: The name. Case and spaces are ignored.
    ///   - size: The size in points. A value that is not a finite number above 0 becomes 12.
    @_disfavoredOverload  // PrintKitUIKitNames has the failable initializer of UIKit.
    public init(name: String, size: Double) {
        let parts = FontName(name)
        self.init(family: parts.family, size: size, weight: parts.weight, traits: parts.traits)
    }

    /// Returns the system's sans-serif font, for user interfaces and plain documents.
    public static func system(ofSize size: Double, weight: Weight = .regular) -> Font {
        Font(family: "sans", size: size, weight: weight)
    }

    /// Returns the bold variant of `system(ofSize:)`.
    public static func boldSystem(ofSize size: Double) -> Font { system(ofSize: size, weight: .bold) }

    /// Returns the italic variant of `system(ofSize:)`.
    public static func italicSystem(ofSize size: Double) -> Font {
        Font(family: "sans", size: size, traits: .italic)
    }

    /// Returns the system's monospaced font.
    public static func monospacedSystem(ofSize size: Double, weight: Weight = .regular) -> Font {
        Font(family: "monospace", size: size, weight: weight)
    }

    /// Returns the same font in another size.
    public func withSize(_ size: Double) -> Font {
        Font(family: family, size: size, weight: weight, traits: traits)
    }

    /// Returns the same font with additional traits.
    public func withTraits(_ more: Traits) -> Font {
        Font(family: family, size: size, weight: weight, traits: traits.union(more))
    }
}
