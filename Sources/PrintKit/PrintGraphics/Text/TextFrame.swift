// The laid-out lines of a frame.

/// The lines of a frame with their positions (`CTFrame`).
///
/// A frame stays in the isolation domain that created the frame. The domain can run on different threads.
public struct TextFrame {
    /// The lines from top to bottom.
    ///
    /// The origin of a line is the start of its baseline.
    public let lines: [TextLine]
    /// The range of the text that fits into the frame, as UTF-8 offsets.
    ///
    /// The next frame begins at the end of this range.
    public let visibleRange: Range<Int>
    /// The height of the text, in points.
    public let height: Double

    init(lines: [TextLine], start: Int, end: Int, height: Double) {
        self.lines = lines
        visibleRange = start..<max(start, end)
        self.height = height
    }

    /// Draws all lines on the current context.
    ///
    /// Does nothing without a current context. In a tagged PDF, each paragraph is tagged, unless a tag is open.
    public func draw() { Self.draw(lines[...]) }

    /// Draws lines of a frame on the current context, with the tags of their paragraphs.
    package static func draw(_ lines: ArraySlice<TextLine>) {
        guard let pdf = GraphicsContext.current as? PDFContext, pdf.tagsParagraphs else {
            for line in lines { line.draw(at: line.origin) }
            return
        }
        var rest = lines
        while let first = rest.first?.paragraphIndex {
            let paragraph = rest.prefix { $0.paragraphIndex == first }
            pdf.withTag(.paragraph) { for line in paragraph { line.draw(at: line.origin) } }
            rest = rest.dropFirst(paragraph.count)
        }
    }
}
