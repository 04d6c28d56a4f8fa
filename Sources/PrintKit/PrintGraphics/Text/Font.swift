// Which letters text is set in.

import CCairo
import FoundationEssentials

/// A typeface in a size, as `UIFont`.
///
///     let title = Font(name: "Helvetica-Bold", size: 24)
///     let quote = Font(name: "DejaVu Serif", size: 12).withTraits(.italic)
///
/// When no font of the name is installed, another font is used: first one whose letters have the same widths, as fontconfig
/// knows them (Nimbus Sans for Helvetica on most systems), else one of the same kind. `substitution` and `resolvedFamily`
/// name it. Letters that a font lacks come from another font that has them.
public struct Font: Hashable, Sendable {
    /// The family's name, such as `DejaVu Sans`; also the generic `sans`, `serif` and `monospace`.
    public var family: String
    /// The size in points: 12 unless the given one is a finite number above 0; 10,000 is the most.
    public let size: Double
    /// How heavy the strokes are.
    public var weight: Weight
    /// Italic, condensed and the like.
    public var traits: Traits

    /// How heavy strokes are, from 100 to 1000 as in OpenType (`UIFontWeight`).
    public struct Weight: RawRepresentable, Hashable, Sendable {
        /// The weight's number.
        public let rawValue: Int

        /// A weight by its number, from 100 to 1000.
        public init(rawValue: Int) { self.rawValue = max(100, min(rawValue, 1000)) }

        /// 300.
        public static let light = Weight(rawValue: 300)
        /// 400.
        public static let regular = Weight(rawValue: 400)
        /// 500.
        public static let medium = Weight(rawValue: 500)
        /// 600.
        public static let semibold = Weight(rawValue: 600)
        /// 700.
        public static let bold = Weight(rawValue: 700)
        /// 900.
        public static let black = Weight(rawValue: 900)
    }

    /// What a font may be besides heavy (`UIFontDescriptor.SymbolicTraits`).
    public struct Traits: OptionSet, Hashable, Sendable {
        /// One bit a trait.
        public let rawValue: Int

        /// The traits of the given bits.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// Slanted, or a cursive face of its own.
        public static let italic = Traits(rawValue: 1)
        /// At least bold.
        public static let bold = Traits(rawValue: 2)
        /// Narrow.
        public static let condensed = Traits(rawValue: 4)
        /// Wide.
        public static let expanded = Traits(rawValue: 8)
        /// Small capitals for small letters.
        public static let smallCaps = Traits(rawValue: 16)
    }

    /// A font of a family.
    public init(family: String, size: Double, weight: Weight = .regular, traits: Traits = []) {
        (self.family, self.weight, self.traits) = (family, weight, traits)
        self.size = size > 0 && size.isFinite ? min(size, 10_000) : 12
    }

    /// A font by the name of a family or a face (`UIFont(name:size:)`).
    ///
    ///     Font(name: "Times New Roman", size: 12)          // a family
    ///     Font(name: "TimesNewRomanPS-BoldMT", size: 12)   // a PostScript name
    ///     Font(name: "Times New Roman Bold", size: 12)     // a family and words of style
    ///
    /// The name is looked up in this order: an installed family; the PostScript name or full name of an installed font; a
    /// family for which fontconfig has a substitute of the same widths; the PostScript name of a font that is not installed.
    /// Only then words such as `Bold` and `Italic` are taken off its end. There is always a font; `substitution` says when it
    /// is not of the family that was asked for.
    ///
    /// - Parameters:
    ///   - name: The name. Upper and lower case count as the same, and so do names with and without spaces.
    ///   - size: The size in points: 12 unless it is a finite number above 0.
    public init(name: String, size: Double) {
        let parts = FontName(name)
        self.init(family: parts.family, size: size, weight: parts.weight, traits: parts.traits)
    }

    /// The font of user interfaces and plain documents: the system's sans-serif.
    public static func system(ofSize size: Double, weight: Weight = .regular) -> Font {
        Font(family: "sans", size: size, weight: weight)
    }

    /// The bold one of `system(ofSize:)`.
    public static func boldSystem(ofSize size: Double) -> Font { system(ofSize: size, weight: .bold) }

    /// The italic one of `system(ofSize:)`.
    public static func italicSystem(ofSize size: Double) -> Font {
        Font(family: "sans", size: size, traits: .italic)
    }

    /// A font whose letters are all equally wide.
    public static func monospacedSystem(ofSize size: Double, weight: Weight = .regular) -> Font {
        Font(family: "monospace", size: size, weight: weight)
    }

    /// The same font in another size.
    public func withSize(_ size: Double) -> Font {
        Font(family: family, size: size, weight: weight, traits: traits)
    }

    /// The same font with further traits.
    public func withTraits(_ more: Traits) -> Font {
        Font(family: family, size: size, weight: weight, traits: traits.union(more))
    }
}
