// UIKit's names for measuring and drawing text.

public import Foundation
public import PrintKit

/// The options of drawn text.
public struct NSStringDrawingOptions: OptionSet, Hashable, Sendable {
    /// The bit set.
    public let rawValue: Int

    /// Creates options from a bit set.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The option that breaks lines at the width of the rectangle; without it, there is one line.
    public static let usesLineFragmentOrigin = NSStringDrawingOptions(rawValue: 1)
    /// The option that includes the space between lines, which has no effect: the space is always included.
    public static let usesFontLeading = NSStringDrawingOptions(rawValue: 2)
    /// The option that ends the last line with "…" if the text does not fit.
    public static let truncatesLastVisibleLine = NSStringDrawingOptions(rawValue: 32)
}

/// The context of drawn text, which has no settings here.
public final class NSStringDrawingContext {
    /// Creates a context.
    public init() {}
}

private let endless = 1e6

extension NSAttributedString {
    /// Returns the size of the text without a limit of its width.
    public func size() -> CGSize { AttributedString(uiKit: self).size() }

    /// Draws the text without breaking lines, with the upper left corner at a point.
    public func draw(at point: CGPoint) { AttributedString(uiKit: self).draw(at: point) }

    /// Draws the lines that fit into a rectangle.
    public func draw(in rect: CGRect) { AttributedString(uiKit: self).draw(in: rect) }

    /// Draws the text into a rectangle.
    ///
    /// Without `usesLineFragmentOrigin`, the text is one line whose baseline begins at the origin of the rectangle.
    public func draw(with rect: CGRect, options: NSStringDrawingOptions, context: NSStringDrawingContext?) {
        let text = options.truncated(AttributedString(uiKit: self))
        guard !options.contains(.usesLineFragmentOrigin) else { return text.draw(in: rect) }
        TextLine(text).draw(at: rect.origin)
    }

    /// Returns the rectangle that the text covers, at the origin.
    public func boundingRect(
        with size: CGSize, options: NSStringDrawingOptions, context: NSStringDrawingContext?
    ) -> CGRect {
        let isBroken = options.contains(.usesLineFragmentOrigin)
        func limit(_ length: CGFloat) -> CGFloat { isBroken && length > 0 && length < endless ? length : .infinity }
        let limits = CGSize(width: limit(size.width), height: limit(size.height))
        return CGRect(origin: .zero, size: options.truncated(AttributedString(uiKit: self)).size(constrainedTo: limits))
    }
}

extension NSStringDrawingOptions {
    /// Returns the text with a style that shortens it, if the options contain `truncatesLastVisibleLine`.
    fileprivate func truncated(_ text: AttributedString) -> AttributedString {
        guard contains(.truncatesLastVisibleLine) else { return text }
        var text = text
        for run in text.runs {
            var style = run.printGraphics.paragraphStyle ?? ParagraphStyle()
            style.lineBreakMode = .byTruncatingTail
            text[run.range].printGraphics.paragraphStyle = style
        }
        return text
    }
}

extension String {
    /// Returns the size of the text without a limit of its width.
    public func size(withAttributes attributes: [NSAttributedString.Key: Any]? = nil) -> CGSize {
        NSAttributedString(string: self, attributes: attributes).size()
    }

    /// Draws the text without breaking lines, with the upper left corner at a point.
    public func draw(at point: CGPoint, withAttributes attributes: [NSAttributedString.Key: Any]? = nil) {
        NSAttributedString(string: self, attributes: attributes).draw(at: point)
    }

    /// Draws the lines that fit into a rectangle.
    public func draw(in rect: CGRect, withAttributes attributes: [NSAttributedString.Key: Any]? = nil) {
        NSAttributedString(string: self, attributes: attributes).draw(in: rect)
    }

    /// Draws the text into a rectangle, as `NSAttributedString.draw(with:options:context:)` does.
    public func draw(
        with rect: CGRect, options: NSStringDrawingOptions, attributes: [NSAttributedString.Key: Any]?,
        context: NSStringDrawingContext?
    ) { NSAttributedString(string: self, attributes: attributes).draw(with: rect, options: options, context: context) }

    /// Returns the rectangle that the text covers, at the origin.
    public func boundingRect(
        with size: CGSize, options: NSStringDrawingOptions, attributes: [NSAttributedString.Key: Any]?,
        context: NSStringDrawingContext?
    ) -> CGRect {
        NSAttributedString(string: self, attributes: attributes)
            .boundingRect(with: size, options: options, context: context)
    }
}

extension NSString {
    /// The text as a value.
    private var text: String { substring(from: 0) }

    /// Returns the size of the text without a limit of its width.
    public func size(withAttributes attributes: [NSAttributedString.Key: Any]? = nil) -> CGSize {
        text.size(withAttributes: attributes)
    }

    /// Draws the text without breaking lines, with the upper left corner at a point.
    public func draw(at point: CGPoint, withAttributes attributes: [NSAttributedString.Key: Any]? = nil) {
        text.draw(at: point, withAttributes: attributes)
    }

    /// Draws the lines that fit into a rectangle.
    public func draw(in rect: CGRect, withAttributes attributes: [NSAttributedString.Key: Any]? = nil) {
        text.draw(in: rect, withAttributes: attributes)
    }

    /// Returns the rectangle that the text covers, at the origin.
    public func boundingRect(
        with size: CGSize, options: NSStringDrawingOptions, attributes: [NSAttributedString.Key: Any]?,
        context: NSStringDrawingContext?
    ) -> CGRect { text.boundingRect(with: size, options: options, attributes: attributes, context: context) }
}
