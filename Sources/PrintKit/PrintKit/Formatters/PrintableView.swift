// What can be printed because it draws itself.

/// Something that draws itself at a width, as high as it needs to be: what a view is for printing (`UIView`).
///
///     struct Chart: PrintableView {
///         func height(forWidth width: Double) -> Double { 400 }
///         func draw(in bounds: Rect, visible: Rect) { BezierPath(ovalIn: bounds).stroke() }
///     }
///     let formatter = Chart().viewPrintFormatter()
public protocol PrintableView {
    /// How high the content is when it is as wide as given, in points.
    func height(forWidth width: Double) -> Double

    /// Where a page that may reach down to `limit` had better end, so that nothing is cut in two; `limit` unless said.
    ///
    /// - Parameters:
    ///   - start: Where the page begins, from the content's top, in points.
    ///   - limit: The furthest it can reach.
    ///   - width: The content's width.
    func pageBreak(from start: Double, notAfter limit: Double, width: Double) -> Double

    /// Draws the whole content on the current context; of it, the page's part is seen.
    ///
    /// - Parameters:
    ///   - bounds: The content's rectangle, its upper left corner at (0, 0).
    ///   - visible: The part of it that is seen; the rest need not be drawn.
    func draw(in bounds: Rect, visible: Rect)

    /// What lays the content out over pages (`viewPrintFormatter()`).
    func viewPrintFormatter() -> ViewPrintFormatter
}

extension PrintableView {
    /// Ends pages where they are full.
    public func pageBreak(from start: Double, notAfter limit: Double, width: Double) -> Double { limit }

    /// A formatter that cuts the content into pages.
    public func viewPrintFormatter() -> ViewPrintFormatter { ViewPrintFormatter(view: self) }
}
