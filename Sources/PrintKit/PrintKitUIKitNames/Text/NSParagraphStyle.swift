// Paragraph styles and tab stops as objects.

public import PrintKit

/// The style of a paragraph.
public class NSParagraphStyle {
    /// The style as PrintGraphics uses it.
    public internal(set) var style: ParagraphStyle

    init(_ style: ParagraphStyle) { self.style = style }

    /// Creates the default style.
    public convenience init() { self.init(ParagraphStyle()) }

    /// The default style.
    public static var `default`: NSParagraphStyle { NSParagraphStyle() }

    /// Returns a copy that can be changed, an `NSMutableParagraphStyle`.
    public func mutableCopy() -> Any { NSMutableParagraphStyle(style) }

    /// The alignment of lines between the margins.
    public var alignment: NSTextAlignment { style.alignment }
    /// The handling of lines that are too long.
    public var lineBreakMode: NSLineBreakMode { style.lineBreakMode }
}

/// The style of a paragraph, which can be changed.
///
/// Lengths are in points, and have the meaning that `ParagraphStyle` documents.
public final class NSMutableParagraphStyle: NSParagraphStyle {
    /// The alignment of lines between the margins.
    public override var alignment: NSTextAlignment {
        get { style.alignment }
        set { style.alignment = newValue }
    }
    /// The handling of lines that are too long.
    public override var lineBreakMode: NSLineBreakMode {
        get { style.lineBreakMode }
        set { style.lineBreakMode = newValue }
    }
    /// The space below each line.
    public var lineSpacing: CGFloat {
        get { style.lineSpacing }
        set { style.lineSpacing = newValue }
    }
    /// The space after the paragraph.
    public var paragraphSpacing: CGFloat {
        get { style.paragraphSpacing }
        set { style.paragraphSpacing = newValue }
    }
    /// The space before the paragraph.
    public var paragraphSpacingBefore: CGFloat {
        get { style.paragraphSpacingBefore }
        set { style.paragraphSpacingBefore = newValue }
    }
    /// The indent of the first line.
    public var firstLineHeadIndent: CGFloat {
        get { style.firstLineHeadIndent }
        set { style.firstLineHeadIndent = newValue }
    }
    /// The indent of the other lines.
    public var headIndent: CGFloat {
        get { style.headIndent }
        set { style.headIndent = newValue }
    }
    /// The position of the ends of the lines.
    public var tailIndent: CGFloat {
        get { style.tailIndent }
        set { style.tailIndent = newValue }
    }
    /// The line height as a multiple of the natural line height.
    public var lineHeightMultiple: CGFloat {
        get { style.lineHeightMultiple }
        set { style.lineHeightMultiple = newValue }
    }
    /// The minimum line height.
    public var minimumLineHeight: CGFloat {
        get { style.minimumLineHeight }
        set { style.minimumLineHeight = newValue }
    }
    /// The maximum line height.
    public var maximumLineHeight: CGFloat {
        get { style.maximumLineHeight }
        set { style.maximumLineHeight = newValue }
    }
    /// The tab stops.
    public var tabStops: [NSTextTab] {
        get { style.tabStops.map { NSTextTab(textAlignment: $0.alignment, location: $0.location) } }
        set { style.tabStops = newValue.map { .init(location: $0.location, alignment: $0.alignment) } }
    }
}

/// A tab stop.
public final class NSTextTab {
    /// The alignment of the text at the tab stop.
    public let alignment: NSTextAlignment
    /// The distance from the leading margin, in points.
    public let location: CGFloat

    /// Creates a tab stop.
    ///
    /// - Parameter options: Options, which have no effect.
    public init(textAlignment alignment: NSTextAlignment, location: CGFloat, options: [String: Any] = [:]) {
        (self.alignment, self.location) = (alignment, location)
    }
}
