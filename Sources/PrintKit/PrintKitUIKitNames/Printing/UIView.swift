// A view that exists only for drawing and printing.

public import Foundation
public import PrintKit

/// A rectangle that draws itself and its subviews.
///
/// The view has no window, events or layout. Its layers are its drawing, and its `viewPrintFormatter()` divides the
/// drawing into pages. A page can be drawn on another thread than the main thread.
open class UIView {
    /// The position in the superview, and the size.
    public final var frame: CGRect
    /// The color behind the drawing; `nil` for no background.
    public final var backgroundColor: UIColor?
    /// The views that are drawn above this view, in order.
    public private(set) final var subviews: [UIView] = []

    /// Creates a view.
    public init(frame: CGRect) { self.frame = frame }

    /// Creates a view without a size.
    public convenience init() { self.init(frame: .zero) }

    /// The rectangle of the view in its own coordinates.
    public final var bounds: CGRect { CGRect(origin: .zero, size: frame.size) }

    /// Adds a view above the other subviews.
    public final func addSubview(_ view: UIView) { subviews.append(view) }

    /// Draws the content of the view in the current context.
    ///
    /// Subclasses override this method.
    open func draw(_ rect: CGRect) {}

    /// Does nothing, because a view is drawn only when it is printed.
    public final func setNeedsDisplay() {}

    /// Draws the view with its subviews in the current context, and returns true.
    @discardableResult
    public final func drawHierarchy(in rect: CGRect, afterScreenUpdates: Bool) -> Bool {
        guard let context = GraphicsContext.current, !bounds.isEmpty else { return false }
        context.withSavedState { context in
            context.translate(x: rect.minX, y: rect.minY)
            context.scale(x: rect.width / bounds.width, y: rect.height / bounds.height)
            drawAll()
        }
        return true
    }

    /// Returns a formatter that divides the drawing into pages, in the width of the paper.
    public final func viewPrintFormatter() -> UIViewPrintFormatter { UIViewPrintFormatter(view: PrintedView(self)) }

    fileprivate func drawAll() {
        guard let context = GraphicsContext.current else { return }
        if let backgroundColor {
            context.withSavedState { context in
                context.fillColor = backgroundColor
                context.fill(bounds)
            }
        }
        context.withSavedState { _ in draw(bounds) }
        for view in subviews {
            context.withSavedState { context in
                context.translate(x: view.frame.minX, y: view.frame.minY)
                context.clip(to: view.bounds)
                view.drawAll()
            }
        }
    }
}

/// A view as the content of a formatter: its drawing in its own size, or smaller if the page is narrower.
private struct PrintedView: PrintableView {
    let view: UIView

    init(_ view: UIView) { self.view = view }

    private func scale(_ width: Double) -> Double {
        view.bounds.width > width ? width / view.bounds.width : 1
    }

    func height(forWidth width: Double) -> Double {
        view.bounds.height * scale(width)
    }

    func draw(in bounds: Rect, visible: Rect) {
        let scale = scale(bounds.width)
        let place = Rect(
            x: bounds.minX, y: bounds.minY, width: view.bounds.width * scale, height: view.bounds.height * scale)
        view.drawHierarchy(in: place, afterScreenUpdates: false)
    }
}

extension UITextView {
    /// Creates an empty view; the frame has no effect, because the text is printed in the width of the paper.
    public convenience init(frame: CGRect) { self.init(text: "") }

    /// Creates an empty view.
    public convenience init() { self.init(text: "") }
}

extension WKWebView {
    /// Creates an empty view; the frame has no effect, because pages are laid out in the width of the paper.
    public convenience init(frame: CGRect) { self.init(html: "") }

    /// Sets the HTML document.
    ///
    /// - Parameter baseURL: The folder of the files that the document names; `nil` for no files.
    public func loadHTMLString(_ string: String, baseURL: URL?) {
        html = string
        settings.baseFolder = baseURL.flatMap { $0.isFileURL ? $0.path : nil }
    }
}
