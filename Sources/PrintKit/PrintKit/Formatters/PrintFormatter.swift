// What lays content out over pages: the ancestor of all formatters.

/// Lays out content over as many pages as it needs, and draws them (`UIPrintFormatter`).
///
/// Give one to a `PrintInteractionController`, or add several to a `PrintPageRenderer`. Lengths are in points; those that
/// are not finite count as 0.
///
/// **Writing a formatter.** Override `layOut(on:)`, which is called before pages are counted or drawn and again when the
/// paper or the layout changes, and `draw(in:forPageAt:)`. Layout may block, as when another process does it, and may
/// throw: then there are no pages, `layoutFailure` keeps the error, and the job ends with its words. Call
/// `invalidateLayout()` when the content changes.
///
/// A formatter is used from one isolation domain at a time; any thread will do.
open class PrintFormatter {
    /// Distances from the content area's edges: left and right on every page, top on the formatter's first page only.
    ///
    /// The content area is the printable area without header and footer. The bottom inset has no effect. Set it before the
    /// formatter is added to a renderer: adding it fixes its layout.
    public var contentInsets: EdgeInsets {
        get { layout.contentInsets }
        set { layout.contentInsets = newValue }
    }

    /// Distances from the page's own edges, on every page; where `contentInsets` ask for more, that counts.
    public var perPageContentInsets: EdgeInsets {
        get { layout.perPageContentInsets }
        set { layout.perPageContentInsets = newValue }
    }

    /// The greatest width of the content; 0, as at first, is without limit.
    ///
    /// The smaller of this and the room counts.
    public var maximumContentWidth: Double {
        get { layout.maximumContentWidth }
        set { layout.maximumContentWidth = newValue }
    }

    /// The greatest height of the content on each page; 0, as at first, is without limit.
    ///
    /// The smaller of this and the room counts, which is less by the top inset on the formatter's first page.
    public var maximumContentHeight: Double {
        get { layout.maximumContentHeight }
        set { layout.maximumContentHeight = newValue }
    }

    /// The page, counted from 0, on which the content begins; a negative one counts as 0.
    ///
    /// `addPrintFormatter(_:startingAtPageAt:)` overrides it.
    public var startPage: Int {
        get { layout.startPage }
        set { layout.startPage = min(max(0, newValue), PageRecording.mostPages) }
    }

    /// The renderer that the formatter belongs to, if any.
    public internal(set) weak var printPageRenderer: PrintPageRenderer?

    private var layout = FormatterLayout()
    /// The layout as it was when a renderer took the formatter.
    private var fixedLayout: FormatterLayout?
    private var laidOut: (pages: FormatterPages, count: Int, failure: (any Error)?)?

    /// A formatter that begins on the first page, without insets or limits.
    public init() {}

    /// The areas for the content on the paper of the renderer; without one, on the default paper.
    public final var pages: FormatterPages {
        FormatterPages(page: printPageRenderer?.pageLayout ?? .standard, layout: fixedLayout ?? layout)
    }

    /// How many pages the content needs; 0 when it has none or could not be laid out.
    public final var pageCount: Int { currentLayout.count }

    /// Why the content could not be laid out, if it could not; the job ends with it.
    public final var layoutFailure: (any Error)? { currentLayout.failure }

    /// Lays the content out and returns how many pages it needs; override it.
    ///
    /// - Parameter pages: The areas, one a page.
    /// - Throws: What ends the job; a `PrintError` is passed on as it is.
    open func layOut(on pages: FormatterPages) throws -> Int { 0 }

    /// The rectangle that the content takes on a page, relative to the page's upper left corner.
    ///
    /// - Parameter index: The page of the document, counted from 0.
    open func rectForPage(at index: Int) -> Rect { pages.area(at: index) }

    /// Draws a page of the content on the current context; override it.
    ///
    /// - Parameters:
    ///   - rect: Where: `rectForPage(at:)`, or what a renderer's override says instead.
    ///   - index: The page of the document, counted from 0.
    /// - Throws: What ends the job.
    open func draw(in rect: Rect, forPageAt index: Int) throws {}

    /// Forgets the layout, because the content has changed; it is made anew when pages are counted or drawn.
    public final func invalidateLayout() { laidOut = nil }

    /// Forgets a layout that failed, which may succeed with more time.
    final func forgetFailure() {
        if laidOut?.failure != nil { laidOut = nil }
    }

    /// Takes the formatter away from its renderer, if it has one.
    public final func removeFromPrintPageRenderer() {
        printPageRenderer?.printFormatters.removeAll { $0 === self }
    }

    /// Whether it draws on a page.
    final func hasPage(at index: Int) -> Bool {
        let start = pages.startPage
        return index >= start && index - start < pageCount
    }

    /// Becomes part of a renderer.
    final func attach(to renderer: PrintPageRenderer) {
        printPageRenderer = renderer
        fixedLayout = layout
    }

    /// Is part of no renderer any more.
    final func detach() {
        printPageRenderer = nil
        fixedLayout = nil
    }

    private var currentLayout: (pages: FormatterPages, count: Int, failure: (any Error)?) {
        let pages = pages
        if let laidOut, laidOut.pages == pages { return laidOut }
        do {
            laidOut = (pages, min(max(0, try layOut(on: pages)), PageRecording.mostPages + 1), nil)
        } catch {
            laidOut = (pages, 0, error)
        }
        return laidOut ?? (pages, 0, nil)
    }
}
