// How a paragraph's lines are laid out.

/// Alignment, spacing, indents, tabs and line breaks of a paragraph (`NSParagraphStyle`); lengths are in points.
///
/// Lengths that are not finite count as 0.
public struct ParagraphStyle: Hashable, Sendable {
    /// Where lines lie between the margins.
    public var alignment: TextAlignment
    /// Space between lines, added below each.
    public var lineSpacing: Double
    /// Space after the paragraph.
    public var paragraphSpacing: Double
    /// Space before the paragraph, unless it is the first of its frame.
    public var paragraphSpacingBefore: Double
    /// How far the first line begins from the leading margin.
    public var firstLineHeadIndent: Double
    /// How far the other lines begin from the leading margin.
    public var headIndent: Double
    /// Where lines end: a distance from the leading margin if positive, from the trailing one if 0 or negative.
    public var tailIndent: Double
    /// How lines that are too long are broken, clipped or truncated.
    public var lineBreakMode: LineBreakMode
    /// The height of a line as a multiple of its natural one; 0 leaves it natural.
    public var lineHeightMultiple: Double
    /// The least height of a line.
    public var minimumLineHeight: Double
    /// The greatest height of a line; 0 is without limit.
    public var maximumLineHeight: Double
    /// Where tabs lead, measured from the leading margin; beyond the last, and without any, to every eighth space.
    public var tabStops: [TabStop]
    /// Whether a word that is broken at a soft hyphen (U+00AD) shows a hyphen; true at first.
    public var hyphenates: Bool
    /// Whether a word that is longer than a line shows a hyphen where it is broken; false at first.
    ///
    /// A hyphen changes what is read from a serial number, a path or an address. It has no effect when `hyphenates` is false.
    public var hyphenatesLongWords: Bool

    /// A place that a tab leads to (`NSTextTab`).
    public struct TabStop: Hashable, Sendable {
        /// The distance from the leading margin, in points.
        public var location: Double
        /// Which part of the text after the tab lies there: left, right, centre; `justified` and `natural` count as left.
        public var alignment: TextAlignment

        /// A stop at a distance from the leading margin.
        public init(location: Double, alignment: TextAlignment = .left) {
            (self.location, self.alignment) = (location, alignment)
        }
    }

    /// A style; everything natural unless said.
    public init(
        alignment: TextAlignment = .natural, lineSpacing: Double = 0, paragraphSpacing: Double = 0,
        paragraphSpacingBefore: Double = 0, firstLineHeadIndent: Double = 0, headIndent: Double = 0,
        tailIndent: Double = 0, lineBreakMode: LineBreakMode = .byWordWrapping, lineHeightMultiple: Double = 0,
        minimumLineHeight: Double = 0, maximumLineHeight: Double = 0, tabStops: [TabStop] = [], hyphenates: Bool = true,
        hyphenatesLongWords: Bool = false
    ) {
        (self.alignment, self.lineSpacing, self.paragraphSpacing) = (alignment, lineSpacing, paragraphSpacing)
        (self.paragraphSpacingBefore, self.firstLineHeadIndent) = (paragraphSpacingBefore, firstLineHeadIndent)
        (self.headIndent, self.tailIndent, self.lineBreakMode) = (headIndent, tailIndent, lineBreakMode)
        (self.lineHeightMultiple, self.minimumLineHeight) = (lineHeightMultiple, minimumLineHeight)
        (self.maximumLineHeight, self.tabStops, self.hyphenates) = (maximumLineHeight, tabStops, hyphenates)
        self.hyphenatesLongWords = hyphenatesLongWords
    }
}

/// Where lines lie between the margins (`NSTextAlignment`).
public enum TextAlignment: Hashable, Sendable, CaseIterable {
    /// At the left.
    case left
    /// In the middle.
    case center
    /// At the right.
    case right
    /// From margin to margin, the last line of a paragraph as `natural`.
    case justified
    /// At the left, or at the right for scripts that are written from there.
    case natural
}

/// How lines that are too long are broken (`NSLineBreakMode`).
public enum LineBreakMode: Hashable, Sendable, CaseIterable {
    /// Between words; inside a word only when it is longer than a line.
    case byWordWrapping
    /// Between any two characters.
    case byCharWrapping
    /// Lines are not broken. What does not fit between the frame's margins is cut off there.
    case byClipping
    /// Between words, as long as there is room for lines. The first line begins with "…" when the text needs more lines.
    ///
    /// A word that is longer than a line loses its beginning.
    case byTruncatingHead
    /// Between words, as long as there is room for lines. The last line ends with "…" when the text needs more lines.
    ///
    /// A word that is longer than a line loses its end.
    case byTruncatingTail
    /// Between words, as long as there is room for lines. The last line has "…" in its middle, and ends as the text does, when
    /// the text needs more lines.
    ///
    /// A word that is longer than a line loses its middle.
    case byTruncatingMiddle

    /// Whether what does not fit is left out.
    var truncates: Bool { [.byTruncatingHead, .byTruncatingTail, .byTruncatingMiddle].contains(self) }
}
