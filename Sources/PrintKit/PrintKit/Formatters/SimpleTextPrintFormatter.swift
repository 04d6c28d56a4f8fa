// A formatter that lays out text over pages.

public import FoundationEssentials

/// A formatter that lays out plain or attributed text over pages (`UISimpleTextPrintFormatter`).
///
///     let formatter = SimpleTextPrintFormatter(text: letter)
///     formatter.font = Font(name: "Helvetica", size: 12)
///     formatter.contentInsets = EdgeInsets(top: 72, left: 72, bottom: 0, right: 72)
///
/// Font, color, alignment and line break mode apply to plain text, and to attributed text without these attributes.
public final class SimpleTextPrintFormatter: PrintFormatter {
    /// The plain text to print.
    ///
    /// Setting this property replaces the attributed text.
    public var text: String? { didSet { if text != nil { attributedText = nil }; invalidateLayout() } }
    /// The attributed text to print.
    ///
    /// Setting this property replaces the plain text.
    public var attributedText: AttributedString? {
        didSet { if attributedText != nil { text = nil }; invalidateLayout() }
    }
    /// The font of the text.
    ///
    /// The default is the system font at 12 points.
    public var font = Font.system(ofSize: 12) { didSet { invalidateLayout() } }
    /// The color of the text.
    ///
    /// The default is black.
    public var color = Color.black { didSet { invalidateLayout() } }
    /// The horizontal alignment of the lines.
    ///
    /// The default is `natural`.
    public var textAlignment = TextAlignment.natural { didSet { invalidateLayout() } }
    /// The handling of long lines.
    ///
    /// By default, lines break between words.
    ///
    /// Truncated and clipped text stays within the formatter's area (`rectForPage(at:)`).
    public var lineBreakMode = LineBreakMode.byWordWrapping { didSet { invalidateLayout() } }

    /// One frame for each page, laid out at the origin.
    private var frames: [TextFrame] = []

    /// Creates a formatter for text in one font.
    public init(text: String) { self.text = text }

    /// Creates a formatter for text whose attributes take precedence over `font`, `color` and `textAlignment`.
    public init(attributedText: AttributedString) { self.attributedText = attributedText }

    /// Fills the areas of the pages with text, one after another, and returns the number of pages.
    ///
    /// - Throws: `PrintError.jobFailed` when an area is not high or wide enough for a line.
    public override func layOut(on pages: FormatterPages) throws -> Int {
        frames = []
        let framesetter = makeFramesetter()
        var position = 0
        // The width is the same on all pages. A frame without width would accept lines that are invisible.
        let room = pages.area(at: pages.startPage + 1)
        guard room.width >= 1 || framesetter.length == 0 else {
            throw PrintError.noRoom(for: "a line of text", in: room, page: pages.startPage)
        }
        while position < framesetter.length {
            let index = pages.startPage + frames.count
            let frame = framesetter.frame(
                in: Rect(origin: .zero, size: pages.area(at: index).size), startingAt: position)
            // The top inset may make the first page too low for a line. If the second page is too low as well, fail.
            guard frame.visibleRange.upperBound > position || frames.isEmpty else {
                throw PrintError.noRoom(for: "a line of text", in: pages.area(at: index), page: index)
            }
            position = frame.visibleRange.upperBound
            frames.append(frame)
        }
        return frames.count
    }

    /// Returns the rectangle that the lines of a page cover.
    ///
    /// The rectangle has the origin and the width of the formatter's area on the page. The height is the total height
    /// of the lines.
    public override func rectForPage(at index: Int) -> Rect {
        let area = super.rectForPage(at: index)
        guard hasPage(at: index) else { return Rect(origin: area.origin, size: .zero) }
        let height = min(area.height, frames[index - pages.startPage].height)
        return Rect(origin: area.origin, size: Size(width: area.width, height: height))
    }

    /// Draws the lines of a page at the upper left corner of the rectangle, in the width of the layout.
    public override func draw(in rect: Rect, forPageAt index: Int) {
        guard hasPage(at: index) else { return }
        let frame = frames[index - pages.startPage]
        GraphicsContext.current?.withSavedState { context in
            context.fillColor = color
            context.translate(x: rect.minX, y: rect.minY)
            frame.draw()
        }
    }

    private func makeFramesetter() -> Framesetter {
        let style = ParagraphStyle(alignment: textAlignment, lineBreakMode: lineBreakMode)
        guard var attributedText else { return Framesetter(text ?? "", font: font, style: style) }
        var attributes = AttributeContainer()
        attributes.printGraphics.font = font
        attributes.printGraphics.textColor = color
        attributes.printGraphics.paragraphStyle = style
        attributedText.mergeAttributes(attributes, mergePolicy: .keepCurrent)
        return Framesetter(attributedText)
    }
}

extension PrintError {
    static func noRoom(for what: String, in area: Rect, page index: Int) -> PrintError {
        PrintError(
            .jobFailed,
            "page \(index + 1) has no room for \(what): its area of \(rounded(area.width)) × \(rounded(area.height)) points"
                + " is too small; choose smaller insets, header and footer, or larger paper")
    }
}

/// Returns a length for messages, rounded to whole points.
func rounded(_ points: Double) -> Int { Int(max(-1e6, min(points, 1e6)).rounded()) }
