// What text may carry: our attributes of Foundation's `AttributedString`.

public import FoundationEssentials

extension AttributeScopes {
    /// The attributes of PrintGraphics.
    public var printGraphics: PrintGraphicsAttributes.Type { PrintGraphicsAttributes.self }

    /// The attributes that text is drawn by.
    ///
    ///     var text = AttributedString("Total: 12")
    ///     text.font = .boldSystem(ofSize: 14)
    ///     text.textColor = .red
    ///     text.draw(at: Point(x: 72, y: 72))
    public struct PrintGraphicsAttributes: AttributeScope {
        /// The font.
        public let font: TextAttribute.FontKey
        /// The letters' colour.
        public let textColor: TextAttribute.TextColorKey
        /// The colour behind the letters.
        public let textBackground: TextAttribute.TextBackgroundKey
        /// A line beneath the letters.
        public let underline: TextAttribute.UnderlineKey
        /// A line through the letters.
        public let strikethrough: TextAttribute.StrikethroughKey
        /// Space added after each letter.
        public let kern: TextAttribute.KernKey
        /// How far letters are raised.
        public let baselineOffset: TextAttribute.BaselineOffsetKey
        /// How the paragraph is laid out.
        public let paragraphStyle: TextAttribute.ParagraphStyleKey
        /// The language.
        public let textLanguage: TextAttribute.TextLanguageKey
    }
}

extension AttributeDynamicLookup {
    /// Lets `text.font` and the like be written without naming the scope.
    public subscript<Key: AttributedStringKey>(
        dynamicMember keyPath: KeyPath<AttributeScopes.PrintGraphicsAttributes, Key>
    ) -> Key { self[Key.self] }
}

/// The keys of the attributes.
public enum TextAttribute {
    /// The font; the system's in 12 points unless set (`NSFontAttributeName`).
    public enum FontKey: AttributedStringKey {
        /// A font.
        public typealias Value = Font
        /// The key's name.
        public static let name = "PrintGraphics.font"
    }

    /// The letters' colour; the context's fill colour unless set (`NSForegroundColorAttributeName`).
    public enum TextColorKey: AttributedStringKey {
        /// A colour.
        public typealias Value = Color
        /// The key's name.
        public static let name = "PrintGraphics.textColor"
    }

    /// The colour behind the letters; none unless set (`NSBackgroundColorAttributeName`).
    public enum TextBackgroundKey: AttributedStringKey {
        /// A colour.
        public typealias Value = Color
        /// The key's name.
        public static let name = "PrintGraphics.textBackground"
    }

    /// A line beneath the letters; none unless set (`NSUnderlineStyleAttributeName`).
    public enum UnderlineKey: AttributedStringKey {
        /// A kind of line.
        public typealias Value = Underline
        /// The key's name.
        public static let name = "PrintGraphics.underline"
    }

    /// Whether a line goes through the letters (`NSStrikethroughStyleAttributeName`).
    public enum StrikethroughKey: AttributedStringKey {
        /// Yes or no.
        public typealias Value = Bool
        /// The key's name.
        public static let name = "PrintGraphics.strikethrough"
    }

    /// Space added after each letter, in points; negative moves them together (`NSKernAttributeName`).
    public enum KernKey: AttributedStringKey {
        /// Points.
        public typealias Value = Double
        /// The key's name.
        public static let name = "PrintGraphics.kern"
    }

    /// How far letters are raised above the baseline, in points; negative lowers them (`NSBaselineOffsetAttributeName`).
    public enum BaselineOffsetKey: AttributedStringKey {
        /// Points.
        public typealias Value = Double
        /// The key's name.
        public static let name = "PrintGraphics.baselineOffset"
    }

    /// How the paragraph is laid out (`NSParagraphStyleAttributeName`); the style at its first character counts for all of it.
    public enum ParagraphStyleKey: AttributedStringKey {
        /// A paragraph style.
        public typealias Value = ParagraphStyle
        /// The key's name.
        public static let name = "PrintGraphics.paragraphStyle"
    }

    /// The language as in BCP 47, such as `ja`; it chooses among the shapes of a character and where lines may break.
    public enum TextLanguageKey: AttributedStringKey {
        /// A language tag.
        public typealias Value = String
        /// The key's name.
        public static let name = "PrintGraphics.textLanguage"
    }

    /// A line beneath letters (`NSUnderlineStyle`).
    public enum Underline: Hashable, Sendable, CaseIterable {
        /// One line.
        case single
        /// Two lines.
        case double
        /// A wavy line.
        case wavy
    }
}
