// Lines that fitted into a frame.

/// The lines of a frame, at their places (`CTFrame`).
///
/// It stays in the isolation domain that made it, on whatever thread that goes on.
public struct TextFrame {
    /// The lines, from top to bottom, each with its baseline's beginning.
    public let lines: [TextLine]
    /// The text that found room, as UTF-8 offsets; the next frame begins at its end.
    public let visibleRange: Range<Int>
    /// How high the text is, in points.
    public let height: Double

    init(lines: [TextLine], start: Int, end: Int, height: Double) {
        self.lines = lines
        visibleRange = start..<max(start, end)
        self.height = height
    }

    /// Draws all lines on the current context; without one nothing happens.
    public func draw() {
        for line in lines { line.draw(at: line.origin) }
    }
}
