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
        /// The font; text without this attribute has the system font of 12 points.
        public let font: TextAttribute.FontKey
        /// The color of the glyphs; text without this attribute has the fill color of the context.
        public let textColor: TextAttribute.TextColorKey
        /// The background color of the text.
        public let textBackground: TextAttribute.TextBackgroundKey
        /// The style of the underline.
        public let underline: TextAttribute.UnderlineKey
        /// Whether the text is struck through.
        public let strikethrough: TextAttribute.StrikethroughKey
        /// The additional space after each character, in points.
        public let kern: TextAttribute.KernKey
        /// The distance of the text above the baseline, in points.
        public let baselineOffset: TextAttribute.BaselineOffsetKey
        /// The style of the paragraph that contains the text.
        public let paragraphStyle: TextAttribute.ParagraphStyleKey
        /// The language as a BCP 47 tag such as `de-AT`, for glyph variants and line breaks.
        public let textLanguage: TextAttribute.TextLanguageKey
    }
}

extension AttributeDynamicLookup {
    /// Provides access to attributes without the name of the attribute scope, for example `text.font`.
    public subscript<Key: AttributedStringKey>(
        dynamicMember keyPath: KeyPath<AttributeScopes.PrintGraphicsAttributes, Key>
    ) -> Key { self[Key.self] }
}

/// The keys of the text attributes.
public enum TextAttribute {
    /// The key of the font.
    ///
    /// The default is the system font in 12 points (`NSFontAttributeName`).
    public enum FontKey: AttributedStringKey {
        /// The type of the value: a font.
        public typealias Value = Font
        /// The name of the attribute key.
        public static let name = "PrintGraphics.font"
    }

    /// The key of the text color.
    ///
    /// The default is the context's fill color (`NSForegroundColorAttributeName`).
    public enum TextColorKey: AttributedStringKey {
        /// The type of the value: a color.
        public typealias Value = Color
        /// The name of the attribute key.
        public static let name = "PrintGraphics.textColor"
    }

    /// The key of the background color of the text.
    ///
    /// By default, text has no background (`NSBackgroundColorAttributeName`).
    public enum TextBackgroundKey: AttributedStringKey {
        /// The type of the value: a color.
        public typealias Value = Color
        /// The name of the attribute key.
        public static let name = "PrintGraphics.textBackground"
    }

    /// The key of the underline style.
    ///
    /// Text is not underlined by default (`NSUnderlineStyleAttributeName`).
    public enum UnderlineKey: AttributedStringKey {
        /// The type of the value: a style of underline.
        public typealias Value = Underline
        /// The name of the attribute key.
        public static let name = "PrintGraphics.underline"
    }

    /// The key of the attribute that strikes text through (`NSStrikethroughStyleAttributeName`).
    public enum StrikethroughKey: AttributedStringKey {
        /// The type of the value: a Boolean.
        ///
        /// If true, the text is struck through.
        public typealias Value = Bool
        /// The name of the attribute key.
        public static let name = "PrintGraphics.strikethrough"
    }

    /// The key of the additional space after each character, in points.
    ///
    /// The space can be negative (`NSKernAttributeName`).
    public enum KernKey: AttributedStringKey {
        /// The type of the value: a length in points.
        public typealias Value = Double
        /// The name of the attribute key.
        public static let name = "PrintGraphics.kern"
    }

    /// The key of the distance of the text above the baseline, in points.
    ///
    /// The distance can be negative (`NSBaselineOffsetAttributeName`).
    public enum BaselineOffsetKey: AttributedStringKey {
        /// The type of the value: a length in points.
        public typealias Value = Double
        /// The name of the attribute key.
        public static let name = "PrintGraphics.baselineOffset"
    }

    /// The key of the paragraph style (`NSParagraphStyleAttributeName`).
    ///
    /// The value at a paragraph's first character applies to the paragraph.
    public enum ParagraphStyleKey: AttributedStringKey {
        /// The type of the value: a paragraph style.
        public typealias Value = ParagraphStyle
        /// The name of the attribute key.
        public static let name = "PrintGraphics.paragraphStyle"
    }

    /// The key of the language, which is a BCP 47 tag such as `ja`.
    ///
    /// The language selects glyph variants and line breaking rules.
    public enum TextLanguageKey: AttributedStringKey {
        /// The type of the value: a language tag.
        public typealias Value = String
        /// The name of the attribute key.
        public static let name = "PrintGraphics.textLanguage"
    }

    /// The style of an underline (`NSUnderlineStyle`).
    public enum Underline: Hashable, Sendable, CaseIterable {
        /// A single line below the text.
        case single
        /// A double line below the text.
        case double
        /// A wavy line below the text.
        case wavy
    }
}
