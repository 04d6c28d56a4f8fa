// Lays out text in rectangles and paths.

public import FoundationEssentials

/// An object that lays out text in a sequence of frames (`CTFramesetter`).
///
///     let framesetter = Framesetter(text)
///     var position = 0
///     repeat {
///         pdf.beginPage()
///         let frame = framesetter.frame(in: Rect(x: 72, y: 72, width: 468, height: 648), startingAt: position)
///         frame.draw()
///         position = frame.visibleRange.upperBound
///     } while position < framesetter.length
///
/// A framesetter stays in the isolation domain that created the framesetter. The domain can run on different threads.
public final class Framesetter {
    let source: TextSource
    /// The last paragraph that was laid out.
    ///
    /// The next frame often continues in this paragraph.
    private var recent: ParagraphLayout?

    /// Creates a framesetter that lays out a copy of the string; later changes of the string have no effect.
    public convenience init(_ text: AttributedString) { self.init(TextSource(text)) }

    /// Creates a framesetter for a string in one font and style.
    public convenience init(_ text: String, font: Font, style: ParagraphStyle = ParagraphStyle()) {
        var attributes = TextStyle()
        (attributes.font, attributes.paragraph) = (font, style)
        self.init(TextSource(text, style: attributes))
    }

    init(_ source: TextSource) { self.source = source }

    /// The length of the text, in UTF-8 bytes.
    public var length: Int { source.bytes.count }

    /// Returns a part of the text, by UTF-8 offsets.
    ///
    /// Offsets are clamped to the text. An offset inside a character is moved to the start of the character.
    public func text(in range: Range<Int>) -> String {
        let (start, end) = (source.characterStart(range.lowerBound), source.characterStart(range.upperBound))
        return String(decoding: source.bytes[start..<max(start, end)], as: UTF8.self)
    }

    /// Lays out the lines that fit into a rectangle.
    ///
    /// If the rectangle is high enough for a line, the frame contains at least one line. Otherwise the frame is empty.
    ///
    /// A loop over frames must end when `visibleRange` is empty, because the next frame would also be empty.
    ///
    /// - Parameters:
    ///   - rect: The frame in user space. A rectangle that is not finite counts as empty.
    ///   - start: The UTF-8 offset of the first character, usually the end of the previous frame.
    public func frame(in rect: Rect, startingAt start: Int = 0) -> TextFrame {
        let rect = rect.isFinite ? rect : .zero
        var filling = FrameFilling(source: source, start: source.characterStart(start), bottom: rect.maxY, y: rect.minY)
        while let stretch = filling.next {
            let layout = layout(stretch, width: rect.width, height: filling.room(for: stretch))
            let lines = layout.lines.drop { $0.range.lowerBound < stretch.range.lowerBound }
            guard filling.take(lines[...], of: layout, from: rect.minX, stretch) else { break }
        }
        return TextFrame(
            lines: filling.lines, start: filling.start, end: filling.position, height: filling.y - rect.minY)
    }

    /// Lays out the lines that fit into a path.
    ///
    /// Each line uses the widest span of the path at the height of the line.
    ///
    /// - Parameters:
    ///   - path: The outline of the frame, in user space.
    ///   - start: The UTF-8 offset of the first character.
    public func frame(in path: BezierPath, startingAt start: Int = 0) -> TextFrame {
        let bounds = path.bounds
        let outline = Outline(path)
        var filling = FrameFilling(
            source: source, start: source.characterStart(start), bottom: bounds.maxY, y: bounds.minY)
        while let stretch = filling.next {
            var height = source.style(at: stretch.range.lowerBound).font.lineHeight
            guard let line = filling.place(stretch, in: outline, lineHeight: &height, source: source) else { break }
            guard filling.take(line.layout.lines[..<1], of: line.layout, from: line.left, stretch) else { break }
        }
        return TextFrame(
            lines: filling.lines, start: filling.start, end: filling.position, height: filling.y - bounds.minY)
    }

    /// Returns the size of the part of the text that fits into a maximum size
    /// (`CTFramesetterSuggestFrameSizeWithConstraints`).
    ///
    /// - Parameters:
    ///   - limit: The maximum width and height. Infinite values mean no limit.
    ///   - start: The UTF-8 offset of the first character.
    public func suggestedSize(within limit: Size, startingAt start: Int = 0) -> Size {
        let width = limit.width.isFinite ? min(limit.width, 1e6) : 1e6
        let height = limit.height.isFinite ? min(limit.height, 1e9) : 1e9
        let frame = frame(in: Rect(x: 0, y: 0, width: width, height: height), startingAt: start)
        let right = frame.lines.map { $0.origin.x + $0.width }.max() ?? 0
        let left = frame.lines.map(\.origin.x).min() ?? 0
        return Size(width: right - min(left, 0), height: frame.height)
    }

    private func layout(_ stretch: FrameFilling.Stretch, width: Double, height: Double) -> ParagraphLayout {
        if let recent, recent.width == width, recent.range.upperBound == stretch.range.upperBound,
            recent.range.lowerBound < stretch.range.lowerBound,
            recent.lines.contains(where: { $0.range.lowerBound == stretch.range.lowerBound })
        {
            return recent
        }
        let layout = ParagraphLayout(
            source, range: stretch.range, isStart: stretch.isStart, width: width, height: height)
        recent = layout
        return layout
    }
}
