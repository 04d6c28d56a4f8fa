// Pages with headers, footers and any content: what apps subclass.

/// Draws the pages of a job: header, content, formatters and footer of each (`UIPrintPageRenderer`).
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
/// Every rectangle is in points, relative to the page's upper left corner. Pages may be asked for in any order; those
/// that nobody chose are never drawn. What a draw method throws ends the job with its words, and nothing is printed.
///
/// A renderer is used from one isolation domain at a time, with its formatters; any thread will do.
open class PrintPageRenderer {
    /// The height of the header, at the top of the printable area; with 0, as at first, none is drawn.
    public final var headerHeight = 0.0
    /// The height of the footer, at the bottom of the printable area; with 0, as at first, none is drawn.
    public final var footerHeight = 0.0

    /// The paper that is drawn for: the default one of output type and locale until a job begins.
    public private(set) final var paper: PrintPaper
    /// How pages lie on the paper.
    public private(set) final var orientation: Orientation
    private var formatters: [PrintFormatter] = []
    /// The time that a job leaves for drawing, while one is drawn; what was given up for want of it is tried anew.
    final var drawingTime: DrawingTime? { didSet { for formatter in formatters { formatter.forgetFailure() } } }

    /// A renderer without formatters, for the default paper.
    public init() {
        (paper, orientation) = (.standard, .portrait)
    }

    deinit {
        for formatter in formatters { formatter.detach() }
    }

    /// Takes a paper to draw for, as the controller does when a job begins.
    public final func use(_ paper: PrintPaper, orientation: Orientation = .portrait) {
        (self.paper, self.orientation) = (paper, orientation)
    }

    /// How a page is divided into header, content area and footer.
    public final var pageLayout: PageLayout {
        PageLayout(paper, orientation: orientation, headerHeight: headerHeight, footerHeight: footerHeight)
    }

    /// The whole page, turned as its orientation says, its origin at (0, 0).
    public final var paperRect: Rect { pageLayout.paperRect }

    /// The part of the page that the printer can print on.
    public final var printableRect: Rect { pageLayout.printableRect }

    /// How many pages there are: as many as the formatters need.
    ///
    /// A renderer that draws its content itself overrides it, and computes the number from `printableRect`.
    open var numberOfPages: Int {
        formatters.map { $0.pageCount == 0 ? 0 : $0.pages.startPage + $0.pageCount }.max() ?? 0
    }

    // MARK: Formatters

    /// The formatters, in the order in which they draw; setting them leaves each its own `startPage`.
    public final var printFormatters: [PrintFormatter] {
        get { formatters }
        set {
            for formatter in formatters where !newValue.contains(where: { $0 === formatter }) { formatter.detach() }
            let before = formatters
            formatters = newValue
            for formatter in newValue where !before.contains(where: { $0 === formatter }) { take(formatter) }
        }
    }

    /// Adds a formatter, which draws its first page on the given one, counted from 0, whatever its `startPage` was.
    ///
    /// This fixes the formatter's layout, so set its insets and maxima before. One that belongs to another renderer, or to
    /// this one already, is taken from there.
    public final func addPrintFormatter(_ formatter: PrintFormatter, startingAtPageAt page: Int) {
        formatter.removeFromPrintPageRenderer()
        formatter.startPage = page
        formatters.append(formatter)
        formatter.attach(to: self)
    }

    /// The formatters that draw on a page, counted from 0, in their order.
    public final func printFormatters(forPageAt index: Int) -> [PrintFormatter] {
        formatters.filter { $0.hasPage(at: index) }
    }

    private func take(_ formatter: PrintFormatter) {
        if let other = formatter.printPageRenderer, other !== self { other.formatters.removeAll { $0 === formatter } }
        formatter.attach(to: self)
    }

    // MARK: Drawing

    /// Called once before pages are drawn, with the range from the first to the last of them.
    open func prepare(forDrawingPages range: Range<Int>) throws {}

    /// Draws a page on the current context: header, content, each formatter of the page, footer, in this order.
    ///
    /// Header and footer are drawn only if their height is not 0.
    ///
    /// - Parameters:
    ///   - index: The page, counted from 0.
    ///   - printableRect: The part of the page that can be printed on.
    /// - Throws: what drawing one of these throws. Whatever is thrown while a page is drawn ends the job, as a `PrintError`.
    open func drawPage(at index: Int, in printableRect: Rect) throws {
        var layout = pageLayout
        layout.printableRect = printableRect
        if headerHeight != 0 { try isolated { try drawHeaderForPage(at: index, in: layout.headerRect) } }
        try isolated { try drawContentForPage(at: index, in: layout.contentRect) }
        for formatter in printFormatters(forPageAt: index) {
            try isolated { try drawPrintFormatter(formatter, forPageAt: index) }
        }
        if footerHeight != 0 { try isolated { try drawFooterForPage(at: index, in: layout.footerRect) } }
    }

    /// Draws the header; override it, for this draws nothing.
    open func drawHeaderForPage(at index: Int, in headerRect: Rect) throws {}

    /// Draws content of the renderer's own, beneath the formatters; override it, for this draws nothing.
    open func drawContentForPage(at index: Int, in contentRect: Rect) throws {}

    /// Draws a formatter's part of a page.
    ///
    /// An override may draw around it, or over it once it has called this.
    open func drawPrintFormatter(_ formatter: PrintFormatter, forPageAt index: Int) throws {
        try formatter.draw(in: formatter.rectForPage(at: index), forPageAt: index)
    }

    /// Draws the footer; override it, for this draws nothing.
    open func drawFooterForPage(at index: Int, in footerRect: Rect) throws {}

    /// Colours, clips and transformations of one part are not those of the next.
    private func isolated(_ body: () throws -> Void) throws {
        guard let context = GraphicsContext.current else { return try body() }
        try context.withSavedState { _ throws in try body() }
    }
}
