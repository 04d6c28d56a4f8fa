// Text over pages.

public import FoundationEssentials

/// Lays plain or attributed text out over pages (`UISimpleTextPrintFormatter`).
///
///     let formatter = SimpleTextPrintFormatter(text: letter)
///     formatter.font = Font(name: "Helvetica", size: 12)
///     formatter.contentInsets = EdgeInsets(top: 72, left: 72, bottom: 0, right: 72)
///
/// Font, colour, alignment and line break mode count for plain text, and where attributed text does not say its own.
public final class SimpleTextPrintFormatter: PrintFormatter {
    /// The text without attributes; setting it replaces attributed text.
    public var text: String? { didSet { if text != nil { attributedText = nil }; invalidateLayout() } }
    /// The text with attributes; setting it replaces plain text.
    public var attributedText: AttributedString? {
        didSet { if attributedText != nil { text = nil }; invalidateLayout() }
    }
    /// The font; the system's in 12 points at first.
    public var font = Font.system(ofSize: 12) { didSet { invalidateLayout() } }
    /// The letters' colour; black at first.
    public var color = Color.black { didSet { invalidateLayout() } }
    /// Where lines lie; `natural` at first.
    public var textAlignment = TextAlignment.natural { didSet { invalidateLayout() } }
    /// How lines that are too long are broken; between words at first.
    ///
    /// Truncated and clipped text stays within the formatter's area (`rectForPage(at:)`).
    public var lineBreakMode = LineBreakMode.byWordWrapping { didSet { invalidateLayout() } }

    /// One frame a page, each laid out at the origin.
    private var frames: [TextFrame] = []

    /// A formatter for text in one font.
    public init(text: String) { self.text = text }

    /// A formatter for text with attributes.
    public init(attributedText: AttributedString) { self.attributedText = attributedText }

    /// Fills one area after another.
    ///
    /// - Throws: `PrintError.jobFailed` when a page has no room for a line, or none in width.
    public override func layOut(on pages: FormatterPages) throws -> Int {
        frames = []
        let framesetter = makeFramesetter()
        var position = 0
        // It is the same on all pages, and a frame without width takes lines that nobody can see.
        let room = pages.area(at: pages.startPage + 1)
        guard room.width >= 1 || framesetter.length == 0 else {
            throw PrintError.noRoom(for: "a line of text", in: room, page: pages.startPage)
        }
        while position < framesetter.length {
            let index = pages.startPage + frames.count
            let frame = framesetter.frame(
                in: Rect(origin: .zero, size: pages.area(at: index).size), startingAt: position)
            // The first page may be too low for a line, because of its top inset; the second tells.
            guard frame.visibleRange.upperBound > position || frames.isEmpty else {
                throw PrintError.noRoom(for: "a line of text", in: pages.area(at: index), page: index)
            }
            position = frame.visibleRange.upperBound
            frames.append(frame)
        }
        return frames.count
    }

    /// As wide as the area, and as high as the lines of the page.
    public override func rectForPage(at index: Int) -> Rect {
        let area = super.rectForPage(at: index)
        guard hasPage(at: index) else { return Rect(origin: area.origin, size: .zero) }
        let height = min(area.height, frames[index - pages.startPage].height)
        return Rect(origin: area.origin, size: Size(width: area.width, height: height))
    }

    /// Draws the lines of a page from the rectangle's upper left corner on; they are as long as they were laid out.
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
    /// A formatter's area is too small.
    static func noRoom(for what: String, in area: Rect, page index: Int) -> PrintError {
        PrintError(
            .jobFailed,
            "page \(index + 1) has no room for \(what): its area of \(rounded(area.width)) × \(rounded(area.height)) points"
                + " is too small; choose smaller insets, header and footer, or a larger paper")
    }
}

/// A length for people.
func rounded(_ points: Double) -> Int { Int(max(-1e6, min(points, 1e6)).rounded()) }
