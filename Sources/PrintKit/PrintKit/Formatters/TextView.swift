// A view that shows and prints text.

public import FoundationEssentials

/// A printable view of text, with a background and insets (`UITextView`).
///
///     let view = TextView(text: story, font: Font(name: "Georgia", size: 11))
///     view.backgroundColor = Color(white: 0.95)
///     controller.printFormatter = view.viewPrintFormatter()
///
/// A page break never splits a line. The view is used from one isolation domain at a time.
public final class TextView: PrintableView {
    /// The content; a new text is laid out again.
    public var text: AttributedString { didSet { laidOut = nil } }
    /// The distance of the text from the view's edges.
    ///
    /// The default is 8 points at the top and the bottom, as in UIKit.
    public var textContainerInset = EdgeInsets(top: 8, left: 0, bottom: 8, right: 0) { didSet { laidOut = nil } }
    /// The background color of the view.
    ///
    /// The default is `nil`, for no background.
    public var backgroundColor: Color?

    private var laidOut: (width: Double, frame: TextFrame)?

    /// Creates a view that draws text with its attributes.
    public init(attributedText: AttributedString) { text = attributedText }

    /// Creates a view of text in one font and color.
    public init(
        text: String, font: Font = .system(ofSize: 12), color: Color = .black, textAlignment: TextAlignment = .natural
    ) {
        var attributed = AttributedString(text)
        attributed.font = font
        attributed.textColor = color
        attributed.paragraphStyle = ParagraphStyle(alignment: textAlignment)
        self.text = attributed
    }

    /// Returns the total height of the text lines and the insets, in points.
    public func height(forWidth width: Double) -> Double {
        plain(textContainerInset.top) + frame(forWidth: width).height + plain(textContainerInset.bottom)
    }

    /// Returns the bottom of the last text line that fits on the page, or `limit` if all lines or no lines fit.
    public func pageBreak(from start: Double, notAfter limit: Double, width: Double) -> Double {
        let lines = frame(forWidth: width).lines
        let ends = lines.map { plain(textContainerInset.top) + $0.origin.y + $0.descent }
        // The lines are sorted from top to bottom, so a binary search finds the first line that does not fit.
        var (low, high) = (0, ends.count)
        while low < high {
            let middle = (low + high) / 2
            if ends[middle] <= limit + 0.01 { low = middle + 1 } else { high = middle }
        }
        return low > 0 && low < ends.count ? min(ends[low - 1], limit) : limit
    }

    /// Draws the background and the visible lines.
    public func draw(in bounds: Rect, visible: Rect) {
        guard let context = GraphicsContext.current else { return }
        if let backgroundColor {
            context.withSavedState { context in
                context.fillColor = backgroundColor
                context.fill(bounds)
            }
        }
        let (left, top) = (plain(textContainerInset.left), plain(textContainerInset.top))
        context.withSavedState { context in
            context.translate(x: left, y: top)
            let lines = frame(forWidth: bounds.width).lines.filter { line in
                top + line.origin.y + line.descent > visible.minY && top + line.origin.y - line.ascent < visible.maxY
            }
            TextFrame.draw(lines[...])
        }
    }

    private func frame(forWidth width: Double) -> TextFrame {
        if let laidOut, laidOut.width == width { return laidOut.frame }
        let room = max(0, width - plain(textContainerInset.left) - plain(textContainerInset.right))
        let frame = Framesetter(text).frame(in: Rect(x: 0, y: 0, width: room, height: 1e9))
        laidOut = (width, frame)
        return frame
    }
}
