// Paragraph styles.

/// The alignment, spacing, indents, tabs and line breaks of a paragraph (`NSParagraphStyle`).
///
/// Lengths are in points.
///
/// Lengths that are not finite count as 0.
public struct ParagraphStyle: Hashable, Sendable {
    /// The alignment of lines between the margins.
    public var alignment: TextAlignment
    /// The space below each line, in points.
    public var lineSpacing: Double
    /// The space after the paragraph, in points.
    public var paragraphSpacing: Double
    /// The space before the paragraph, in points.
    ///
    /// The space is not applied to the first paragraph of a frame.
    public var paragraphSpacingBefore: Double
    /// The indent of the first line from the leading margin, in points.
    public var firstLineHeadIndent: Double
    /// The indent of the other lines from the leading margin, in points.
    public var headIndent: Double
    /// The position of the ends of the lines, in points.
    ///
    /// A positive value is a distance from the leading margin. The value 0 or a negative value is a distance from the
    /// trailing margin.
    public var tailIndent: Double
    /// The handling of lines that are too long.
    public var lineBreakMode: LineBreakMode
    /// The line height as a multiple of the natural line height.
    ///
    /// The value 0 means the natural line height.
    public var lineHeightMultiple: Double
    /// The minimum line height in points.
    public var minimumLineHeight: Double
    /// The maximum line height in points.
    ///
    /// The value 0 means no limit.
    public var maximumLineHeight: Double
    /// The tab stops, measured from the leading margin.
    ///
    /// Beyond the last stop, there is a stop every eight spaces.
    public var tabStops: [TabStop]
    /// Whether a word that is broken at a soft hyphen (U+00AD) shows a hyphen.
    ///
    /// The default is true.
    public var hyphenates: Bool
    /// Whether a word that is longer than a line shows a hyphen at the line break.
    ///
    /// The default is false.
    ///
    /// A hyphen would change the meaning of a serial number, path or address. This property has no effect if
    /// `hyphenates` is false.
    public var hyphenatesLongWords: Bool

    /// A tab stop (`NSTextTab`).
    public struct TabStop: Hashable, Sendable {
        /// The distance from the leading margin, in points.
        public var location: Double
        /// The alignment of the text at the tab stop.
        ///
        /// `justified` and `natural` count as `left`.
        public var alignment: TextAlignment

        /// Creates a tab stop at a distance from the leading margin, in points.
        public init(location: Double, alignment: TextAlignment = .left) {
            (self.location, self.alignment) = (location, alignment)
        }
    }

    /// Creates a paragraph style.
    ///
    /// The defaults are natural alignment and word wrapping, without spacing or indents.
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

/// The alignment of lines between the margins (`NSTextAlignment`).
public enum TextAlignment: Hashable, Sendable, CaseIterable {
    /// Alignment with the left margin.
    case left
    /// Lines centered between the margins.
    case center
    /// Alignment with the right margin.
    case right
    /// Lines stretched from margin to margin.
    ///
    /// The last line of a paragraph has the alignment `natural`.
    case justified
    /// Left alignment for scripts that are written from left to right, right alignment for all other scripts.
    case natural
}

/// The handling of lines that are too long (`NSLineBreakMode`).
public enum LineBreakMode: Hashable, Sendable, CaseIterable {
    /// Line breaks between words.
    ///
    /// A word is broken only if the word is longer than a line.
    case byWordWrapping
    /// Line breaks between any two characters.
    case byCharWrapping
    /// No line breaks.
    ///
    /// The part of a line outside the frame's margins is clipped.
    case byClipping
    /// Line breaks between words.
    ///
    /// If the text exceeds the height of the frame, the first line begins with "…".
    ///
    /// If a word is longer than a line, "…" replaces the beginning of the word.
    case byTruncatingHead
    /// Line breaks between words.
    ///
    /// If the text exceeds the height of the frame, the last line ends with "…".
    ///
    /// If a word is longer than a line, "…" replaces the end of the word.
    case byTruncatingTail
    /// Line breaks between words.
    ///
    /// If the text exceeds the height of the frame, the last line has "…" in its middle and ends with the end of the
    /// text.
    ///
    /// If a word is longer than a line, "…" replaces the middle of the word.
    case byTruncatingMiddle

    /// Whether the mode omits text that does not fit.
    var truncates: Bool { [.byTruncatingHead, .byTruncatingTail, .byTruncatingMiddle].contains(self) }
}
