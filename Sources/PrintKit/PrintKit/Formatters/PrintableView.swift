// The protocol for views that draw themselves when printed.

/// A view whose content can be drawn at any width (the printing part of `UIView`).
///
/// For each width, the view returns the height of its content.
///
///     struct Chart: PrintableView {
///         func height(forWidth width: Double) -> Double { 400 }
///         func draw(in bounds: Rect, visible: Rect) { BezierPath(ovalIn: bounds).stroke() }
///     }
///     let formatter = Chart().viewPrintFormatter()
public protocol PrintableView {
    /// Returns the height of the content at a given width, in points.
    func height(forWidth width: Double) -> Double

    /// Returns the best position for a page break.
    ///
    /// A page break at this position splits no part of the content. The default is `limit`.
    ///
    /// - Parameters:
    ///   - start: The top of the page, measured from the content's top, in points.
    ///   - limit: The bottom of the page. The page break must not be below this position.
    ///   - width: The width of the content.
    func pageBreak(from start: Double, notAfter limit: Double, width: Double) -> Double

    /// Draws the content in the current context, at the position and size of `bounds`.
    ///
    /// The context is clipped to the part of the content that belongs to the page.
    ///
    /// - Parameters:
    ///   - bounds: The content's rectangle. Its upper left corner is (0, 0).
    ///   - visible: The visible part of the content. The method does not need to draw other parts.
    func draw(in bounds: Rect, visible: Rect)

    /// Returns a formatter that lays out the content over pages (`viewPrintFormatter()`).
    func viewPrintFormatter() -> ViewPrintFormatter
}

extension PrintableView {
    /// Returns `limit` as the position of the page break, so that every page is full.
    public func pageBreak(from start: Double, notAfter limit: Double, width: Double) -> Double { limit }

    /// Returns a formatter that divides the content into pages.
    public func viewPrintFormatter() -> ViewPrintFormatter { ViewPrintFormatter(view: self) }
}
