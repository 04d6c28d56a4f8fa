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
    /// Does nothing without a current context.
    public func draw() {
        for line in lines { line.draw(at: line.origin) }
    }
}
