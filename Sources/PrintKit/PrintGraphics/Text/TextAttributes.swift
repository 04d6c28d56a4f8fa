// Text attributes for Foundation's `AttributedString`.

public import FoundationEssentials

extension AttributeScopes {
    /// The text attributes of PrintGraphics.
    public var printGraphics: PrintGraphicsAttributes.Type { PrintGraphicsAttributes.self }

    /// The attributes for drawing text.
    ///
    ///     var text = AttributedString("Total: 12")
    ///     text.font = .boldSystem(ofSize: 14)
    ///     text.textColor = .red
    ///     text.draw(at: Point(x: 72, y: 72))
    public struct PrintGraphicsAttributes: AttributeScope {
        /// The font.
        public let font: TextAttribute.FontKey
        /// The text color.
        public let textColor: TextAttribute.TextColorKey
        /// The background color of the text.
        public let textBackground: TextAttribute.TextBackgroundKey
        /// The underline.
        public let underline: TextAttribute.UnderlineKey
        /// Whether the text is struck through.
        public let strikethrough: TextAttribute.StrikethroughKey
        /// The additional space after each character, in points.
        public let kern: TextAttribute.KernKey
        /// The distance of the text above the baseline, in points.
        public let baselineOffset: TextAttribute.BaselineOffsetKey
        /// The paragraph style.
        public let paragraphStyle: TextAttribute.ParagraphStyleKey
        /// The language of the text.
        public let textLanguage: TextAttribute.TextLanguageKey
    }
}

extension AttributeDynamicLookup {
    /// Provides access to attributes without the scope name, such as `text.font`.
    public subscript<Key: AttributedStringKey>(
        dynamicMember keyPath: KeyPath<AttributeScopes.PrintGraphicsAttributes, Key>
    ) -> Key { self[Key.self] }
}

/// The keys of the text attributes.
public enum TextAttribute {
    /// The font.
    ///
    /// The default is the system font in 12 points (`NSFontAttributeName`).
    public enum FontKey: AttributedStringKey {
        /// A font.
        public typealias Value = Font
        /// The key's name.
        public static let name = "PrintGraphics.font"
    }

    /// The text color.
    ///
    /// The default is the context's fill color (`NSForegroundColorAttributeName`).
    public enum TextColorKey: AttributedStringKey {
        /// A color.
        public typealias Value = Color
        /// The key's name.
        public static let name = "PrintGraphics.textColor"
    }

    /// The background color of the text.
    ///
    /// There is no background by default (`NSBackgroundColorAttributeName`).
    public enum TextBackgroundKey: AttributedStringKey {
        /// A color.
        public typealias Value = Color
        /// The key's name.
        public static let name = "PrintGraphics.textBackground"
    }

    /// The underline.
    ///
    /// Text is not underlined by default (`NSUnderlineStyleAttributeName`).
    public enum UnderlineKey: AttributedStringKey {
        /// A style of underline.
        public typealias Value = Underline
        /// The key's name.
        public static let name = "PrintGraphics.underline"
    }

    /// Whether the text is struck through (`NSStrikethroughStyleAttributeName`).
    public enum StrikethroughKey: AttributedStringKey {
        /// Whether the text is struck through.
        public typealias Value = Bool
        /// The key's name.
        public static let name = "PrintGraphics.strikethrough"
    }

    /// The additional space after each character, in points.
    ///
    /// The space may be negative (`NSKernAttributeName`).
    public enum KernKey: AttributedStringKey {
        /// A length in points.
        public typealias Value = Double
        /// The key's name.
        public static let name = "PrintGraphics.kern"
    }

    /// The distance of the text above the baseline, in points.
    ///
    /// The distance may be negative (`NSBaselineOffsetAttributeName`).
    public enum BaselineOffsetKey: AttributedStringKey {
        /// A length in points.
        public typealias Value = Double
        /// The key's name.
        public static let name = "PrintGraphics.baselineOffset"
    }

    /// The paragraph style (`NSParagraphStyleAttributeName`).
    ///
    /// The value at a paragraph's first character applies to the paragraph.
    public enum ParagraphStyleKey: AttributedStringKey {
        /// A paragraph style.
        public typealias Value = ParagraphStyle
        /// The key's name.
        public static let name = "PrintGraphics.paragraphStyle"
    }

    /// The language as a BCP 47 tag, such as `ja`.
    ///
    /// The language selects glyph variants and line breaking rules.
    public enum TextLanguageKey: AttributedStringKey {
        /// A language tag.
        public typealias Value = String
        /// The key's name.
        public static let name = "PrintGraphics.textLanguage"
    }

    /// The style of an underline (`NSUnderlineStyle`).
    public enum Underline: Hashable, Sendable, CaseIterable {
        /// A single line.
        case single
        /// A double line.
        case double
        /// A wavy line.
        case wavy
    }
}
