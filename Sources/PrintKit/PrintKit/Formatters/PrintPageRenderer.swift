// The base class for renderers that draw pages with headers, footers and content.

/// A renderer that draws the pages of a job: the header, content, formatters and footer of each page
/// (`UIPrintPageRenderer`).
///
///     final class Report: PrintPageRenderer {
///         override func drawFooterForPage(at index: Int, in rect: Rect) {
///             "\(index + 1)".draw(at: rect.origin, with: .system(ofSize: 10))
///         }
///     }
///     let report = Report()
///     report.footerHeight = 24
///     report.addPrintFormatter(SimpleTextPrintFormatter(text: text), startingAtPageAt: 0)
///
/// Every rectangle is in points, relative to the page's upper left corner. Pages can be drawn in any order. Pages
/// outside the chosen ranges are never drawn. If a draw method throws an error, the job ends, and nothing is printed.
///
/// A renderer and its formatters are used from one isolation domain at a time, on any thread.
open class PrintPageRenderer {
    /// The height of the header, at the top of the printable area, in points.
    ///
    /// The default 0 means no header.
    public final var headerHeight = 0.0
    /// The height of the footer, at the bottom of the printable area, in points.
    ///
    /// The default 0 means no footer.
    public final var footerHeight = 0.0

    /// The paper for the pages.
    ///
    /// Before a job begins, the value is the default paper for the locale.
    public private(set) final var paper: PrintPaper
    /// The orientation of the pages on the paper.
    public private(set) final var orientation: Orientation
    private var formatters: [PrintFormatter] = []
    /// The time that remains for drawing during a job.
    ///
    /// Setting this property discards failed layouts, because a layout might succeed with more time.
    final var drawingTime: DrawingTime? { didSet { for formatter in formatters { formatter.forgetFailure() } } }

    /// The first error of a draw method that cannot throw, as in `PrintKitUIKitNames`; the error ends the job.
    package final var drawingFailure: (any Error)?

    /// Creates a renderer without formatters, for the default paper.
    public init() {
        (paper, orientation) = (.standard, .portrait)
    }

    deinit {
        for formatter in formatters { formatter.detach() }
    }

    /// Sets the paper and the orientation.
    ///
    /// The controller calls this method when a job begins.
    public final func use(_ paper: PrintPaper, orientation: Orientation = .portrait) {
        (self.paper, self.orientation) = (paper, orientation)
    }

    /// The division of a page into header, content area and footer.
    ///
    /// The paper and the printable area are `paperRect` and `printableRect`.
    public final var pageLayout: PageLayout {
        var layout = layoutOfPaper
        (layout.paperRect, layout.printableRect) = (paperRect, printableRect)
        return layout
    }

    private var layoutOfPaper: PageLayout {
        PageLayout(paper, orientation: orientation, headerHeight: headerHeight, footerHeight: footerHeight)
    }

    /// The rectangle of the whole page, turned according to the orientation.
    ///
    /// The origin of the rectangle is (0, 0). A subclass overrides the property to draw pages of another size than
    /// the paper, for example for a PDF file. Pages are not scaled to the paper.
    open var paperRect: Rect { layoutOfPaper.paperRect }

    /// The part of the page that the printer can print on.
    ///
    /// A subclass overrides the property to use another part of the page. The header, the footer and the formatters
    /// follow.
    open var printableRect: Rect { layoutOfPaper.printableRect }

    /// The number of pages that the renderer draws.
    ///
    /// The default is the number of pages of the formatters.
    ///
    /// A renderer that draws content without formatters overrides this property and computes the number from
    /// `printableRect`.
    open var numberOfPages: Int {
        formatters.map { $0.pageCount == 0 ? 0 : $0.pages.startPage + $0.pageCount }.max() ?? 0
    }

    // MARK: Formatters

    /// The formatters, in drawing order.
    ///
    /// Setting this property keeps the `startPage` of each formatter.
    public final var printFormatters: [PrintFormatter] {
        get { formatters }
        set {
            for formatter in formatters where !newValue.contains(where: { $0 === formatter }) { formatter.detach() }
            let before = formatters
            formatters = newValue
            for formatter in newValue where !before.contains(where: { $0 === formatter }) { take(formatter) }
        }
    }

    /// Adds a formatter that begins on the page with the given index (from 0).
    ///
    /// The index replaces the `startPage` of the formatter.
    ///
    /// This method copies the layout settings of the formatter. Therefore set the insets and maximum sizes of the
    /// formatter first.
    ///
    /// If the formatter already belongs to a renderer, this method removes the formatter from that renderer.
    public final func addPrintFormatter(_ formatter: PrintFormatter, startingAtPageAt page: Int) {
        formatter.removeFromPrintPageRenderer()
        formatter.startPage = page
        formatters.append(formatter)
        formatter.attach(to: self)
    }

    /// Returns the formatters that draw on the page with the given index (from 0), in drawing order.
    public final func printFormatters(forPageAt index: Int) -> [PrintFormatter] {
        formatters.filter { $0.hasPage(at: index) }
    }

    /// Lays out the content of all formatters without blocking the thread (`PrintFormatter.prepareLayout()`).
    public final nonisolated(nonsending) func prepareLayout() async {
        for formatter in formatters { await formatter.prepareLayout() }
    }

    private func take(_ formatter: PrintFormatter) {
        if let other = formatter.printPageRenderer, other !== self { other.formatters.removeAll { $0 === formatter } }
        formatter.attach(to: self)
    }

    // MARK: Drawing

    /// Prepares the renderer for drawing.
    ///
    /// `range` contains the page indexes from the first to the last page that is drawn.
    ///
    /// The method is called once, before the first page is drawn. The default implementation does nothing.
    open func prepare(forDrawingPages range: Range<Int>) throws {}

    /// Draws a page in the current context: header, content, each formatter of the page, and footer, in this order.
    ///
    /// The header and the footer are drawn only if their height is not 0.
    ///
    /// - Parameters:
    ///   - index: The index of the page, from 0.
    ///   - printableRect: The part of the page that can be printed on.
    /// - Throws: The error of a draw method. Any error while a page is drawn ends the job with a `PrintError`.
    open func drawPage(at index: Int, in printableRect: Rect) throws {
        var layout = pageLayout
        layout.printableRect = printableRect
        if headerHeight != 0 { try isolatedArtifact { try drawHeaderForPage(at: index, in: layout.headerRect) } }
        try isolated { try drawContentForPage(at: index, in: layout.contentRect) }
        for formatter in printFormatters(forPageAt: index) {
            try isolated { try drawPrintFormatter(formatter, forPageAt: index) }
        }
        if footerHeight != 0 { try isolatedArtifact { try drawFooterForPage(at: index, in: layout.footerRect) } }
    }

    /// Draws the header.
    ///
    /// Subclasses override this method. The default implementation draws nothing.
    open func drawHeaderForPage(at index: Int, in headerRect: Rect) throws {}

    /// Draws additional content of the page beneath the content of the formatters.
    ///
    /// Subclasses override this method. The default implementation draws nothing.
    open func drawContentForPage(at index: Int, in contentRect: Rect) throws {}

    /// Draws a formatter's part of a page.
    ///
    /// An override can draw around the formatter. After a call to `super`, the override can also draw over the
    /// formatter.
    open func drawPrintFormatter(_ formatter: PrintFormatter, forPageAt index: Int) throws {
        try formatter.draw(in: formatter.rectForPage(at: index), forPageAt: index)
    }

    /// Draws the footer.
    ///
    /// Subclasses override this method. The default implementation draws nothing.
    open func drawFooterForPage(at index: Int, in footerRect: Rect) throws {}

    /// Draws a part that repeats on each page, which is an artifact in a tagged PDF.
    private func isolatedArtifact(_ body: () throws -> Void) throws {
        guard let pdf = GraphicsContext.current as? PDFContext else { return try isolated(body) }
        try isolated { try pdf.withArtifact(body) }
    }

    /// Draws a part of the page, and then restores the graphics state.
    ///
    /// Therefore one part does not affect the next part.
    private func isolated(_ body: () throws -> Void) throws {
        guard let context = GraphicsContext.current else { return try body() }
        try context.withSavedState { _ throws in try body() }
    }
}
