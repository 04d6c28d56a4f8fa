// The base class of all formatters.

/// A formatter that lays out content over as many pages as necessary, and draws the pages (`UIPrintFormatter`).
///
/// Give a formatter to a `PrintInteractionController`, or add several formatters to a `PrintPageRenderer`. Lengths are
/// in points. Lengths that are not finite count as 0.
///
/// **Writing a formatter.** Override `layOut(on:)` and `draw(in:forPageAt:)`. `layOut(on:)` is called before pages are
/// counted or drawn, and again when the paper or a layout setting changes. If `layOut(on:)` throws an error, there are no
/// pages, and `layoutFailure` contains the error. The job then fails with this error. Call `invalidateLayout()` when the
/// content changes. A formatter that waits for another process or the network also overrides `prepareLayout(on:)`, so
/// that no thread waits.
///
/// A formatter is used from one isolation domain at a time, on any thread.
open class PrintFormatter {
    /// The distances of the content from the edges of the content area, in points.
    ///
    /// The left and right insets apply to every page. The top inset applies only to the formatter's first page.
    ///
    /// The content area is the printable area without header and footer. The bottom inset has no effect.
    ///
    /// Set the insets before you add the formatter to a renderer. Later changes have no effect while the formatter
    /// belongs to the renderer.
    public var contentInsets: EdgeInsets {
        get { layout.contentInsets }
        set { layout.contentInsets = newValue }
    }

    /// The minimum insets of the content from the edges of each page, in points.
    ///
    /// `contentInsets` also apply, measured from the edges of the content area. At each edge, the inset that leaves
    /// less space for the content takes effect.
    public var perPageContentInsets: EdgeInsets {
        get { layout.perPageContentInsets }
        set { layout.perPageContentInsets = newValue }
    }

    /// The maximum width of the content in points.
    ///
    /// The default 0 means no limit.
    ///
    /// The effective width is the smaller of this value and the available width.
    public var maximumContentWidth: Double {
        get { layout.maximumContentWidth }
        set { layout.maximumContentWidth = newValue }
    }

    /// The maximum height of the content on each page in points.
    ///
    /// The default 0 means no limit.
    ///
    /// The effective height is the smaller of this value and the available height. On the formatter's first page, the
    /// top inset reduces the available height.
    public var maximumContentHeight: Double {
        get { layout.maximumContentHeight }
        set { layout.maximumContentHeight = newValue }
    }

    /// The index, from 0, of the page on which the content begins.
    ///
    /// A negative value counts as 0.
    ///
    /// `addPrintFormatter(_:startingAtPageAt:)` overrides this value.
    public var startPage: Int {
        get { layout.startPage }
        set { layout.startPage = min(max(0, newValue), PageRecording.mostPages) }
    }

    /// The renderer that contains the formatter, or `nil` if no renderer contains the formatter.
    public internal(set) weak var printPageRenderer: PrintPageRenderer?

    private var layout = FormatterLayout()
    /// The layout settings that apply while the formatter belongs to a renderer; `nil` without a renderer.
    private var fixedLayout: FormatterLayout?
    private var laidOut: (pages: FormatterPages, count: Int, failure: (any Error)?)?
    /// Increases with each change of the content.
    private var version = 0

    /// Creates a formatter that begins on the first page, without insets or limits.
    public init() {}

    /// The areas for the content on the renderer's paper, or on the default paper if there is no renderer.
    public final var pages: FormatterPages {
        FormatterPages(page: printPageRenderer?.pageLayout ?? .standard, layout: fixedLayout ?? layout)
    }

    /// The number of pages for the content.
    ///
    /// The number is 0 when there is no content or the layout failed. Subclasses override `layOut(on:)`, or this
    /// property as in UIKit.
    open var pageCount: Int { currentLayout.count }

    /// The error that the layout threw, or `nil` if the layout threw no error.
    ///
    /// The job fails with this error.
    public final var layoutFailure: (any Error)? { currentLayout.failure }

    /// Lays out the content and returns the number of pages.
    ///
    /// Subclasses override this method.
    ///
    /// - Parameter pages: The areas, one for each page.
    /// - Throws: An error that ends the job. The app receives a `PrintError` unchanged.
    open func layOut(on pages: FormatterPages) throws -> Int { 0 }

    /// Lays out the content without blocking the thread, and returns the number of pages.
    ///
    /// The default calls `layOut(on:)`.
    ///
    /// - Throws: An error that ends the job, or `CancellationError`.
    open nonisolated(nonsending) func prepareLayout(on pages: FormatterPages) async throws -> Int {
        try layOut(on: pages)
    }

    /// Lays out the content without blocking the thread, if it is not laid out yet.
    ///
    /// `pageCount` and the drawing then use this layout. Without this call, they lay out the content themselves, which
    /// blocks the thread for formatters of HTML. The controller's methods and the asynchronous
    /// `PrintPageRenderer.write(to:on:)` call this method. An error is stored in `layoutFailure`.
    public final nonisolated(nonsending) func prepareLayout() async {
        let (pages, version) = (pages, version)
        if let laidOut, laidOut.pages == pages { return }
        let layout: (pages: FormatterPages, count: Int, failure: (any Error)?)
        do {
            layout = (pages, Self.bounded(try await prepareLayout(on: pages)), nil)
        } catch {
            layout = (pages, 0, error)
        }
        // The content may have changed in the meantime.
        if version == self.version { laidOut = layout }
    }

    /// Returns the rectangle of the content on a page, relative to the page's upper left corner.
    ///
    /// - Parameter index: The index of the page in the document, from 0.
    open func rectForPage(at index: Int) -> Rect { pages.area(at: index) }

    /// Draws a page of the content in the current context.
    ///
    /// Subclasses override this method.
    ///
    /// - Parameters:
    ///   - rect: The rectangle of the content: the result of `rectForPage(at:)`, unless the renderer overrides
    ///     `drawPrintFormatter(_:forPageAt:)` and passes another rectangle.
    ///   - index: The index of the page in the document, from 0.
    /// - Throws: An error that ends the job.
    open func draw(in rect: Rect, forPageAt index: Int) throws {}

    /// Discards the layout after the content has changed.
    ///
    /// The layout is computed again when pages are counted or drawn.
    public final func invalidateLayout() {
        laidOut = nil
        version += 1
    }

    /// The layout might succeed with more time.
    final func forgetFailure() {
        if laidOut?.failure != nil { laidOut = nil }
    }

    /// Removes the formatter from its renderer.
    ///
    /// Does nothing if the formatter has no renderer.
    public final func removeFromPrintPageRenderer() {
        printPageRenderer?.printFormatters.removeAll { $0 === self }
    }

    final func hasPage(at index: Int) -> Bool {
        let start = pages.startPage
        return index >= start && index - start < pageCount
    }

    final func attach(to renderer: PrintPageRenderer) {
        printPageRenderer = renderer
        fixedLayout = layout
    }

    final func detach() {
        printPageRenderer = nil
        fixedLayout = nil
    }

    private var currentLayout: (pages: FormatterPages, count: Int, failure: (any Error)?) {
        let pages = pages
        if let laidOut, laidOut.pages == pages { return laidOut }
        let layout: (pages: FormatterPages, count: Int, failure: (any Error)?)
        do { layout = (pages, Self.bounded(try layOut(on: pages)), nil) } catch { layout = (pages, 0, error) }
        laidOut = layout
        return layout
    }

    private static func bounded(_ count: Int) -> Int { min(max(0, count), PageRecording.mostPages + 1) }
}
