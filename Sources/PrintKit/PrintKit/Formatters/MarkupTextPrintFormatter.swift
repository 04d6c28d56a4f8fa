// A formatter that lays out HTML over pages.

import HTMLLayout

/// A formatter that lays out HTML over pages (`UIMarkupTextPrintFormatter`).
///
///     let formatter = MarkupTextPrintFormatter(markupText: "<h1>Report</h1><img src='chart.svg'>")
///     formatter.baseFolder = "/srv/report"
///     formatter.contentInsets = EdgeInsets(top: 72, left: 72, bottom: 72, right: 72)
///
/// WeasyPrint lays out the HTML in a separate process. WeasyPrint supports CSS, including the rules for pages: page
/// breaks, orphans and widows, repeated table heads, counters and footnotes. Scripts are not run. A CSS pixel is 1/96
/// inch.
///
/// The size of the pages is the size of the formatter's areas, so `@page` sizes, margins and headers in the document
/// are ignored. Headers and footers come from the renderer. A document without a margin starts at the insets.
///
/// The pages remain vectors and text in a PDF. A pixel context requires a `pdfRasterizer`. The layout takes about 40 ms
/// per page, and the first layout a second longer (`warmUp()`). The controller and `prepareLayout()` wait for the layout
/// without blocking a thread; `pageCount` blocks. `scripts/setup documents` installs the required software.
public final class MarkupTextPrintFormatter: PrintFormatter, HTMLLaying {
    /// The HTML: a whole document or a fragment.
    public var markupText: String {
        get { content.markup }
        set { content.markup = newValue }
    }

    /// The base folder, the network access and the limits.
    ///
    /// Each setting is also a property of the formatter: `formatter.baseFolder = "/srv/report"`.
    public var settings: HTMLSettings {
        get { content.settings }
        set { content.settings = newValue }
    }

    /// Descriptions of the parts that the layout omits, such as files outside the base folder.
    ///
    /// If necessary, reading the property starts the layout.
    public var layoutNotes: [String] { pageCount > 0 ? flow?.notes ?? [] : [] }

    private var content: HTMLContent { didSet { invalidateLayout() } }
    private var flow: HTMLFlow?

    /// Creates a formatter for a whole HTML document or a fragment, which is laid out when its pages are counted.
    public init(markupText: String) { content = HTMLContent(markup: markupText) }

    /// Starts the HTML engine, so that the first layout does not wait about a second for the engine.
    public static func warmUp() async { await HTMLEngine.shared.warmUp() }

    /// Lays out the HTML in the areas of the pages.
    ///
    /// - Throws: `PrintError.jobFailed` when the areas are too small, a limit is exceeded, or the HTML engine is not
    ///   installed.
    public override func layOut(on pages: FormatterPages) throws -> Int {
        flow = nil
        flow = try HTMLFlow(content, on: pages, within: printPageRenderer?.drawingTime)
        return flow?.pageCount ?? 0
    }

    /// Lays out the HTML in the areas of the pages, and blocks no thread.
    ///
    /// - Throws: The errors of `layOut(on:)`.
    public override nonisolated(nonsending) func prepareLayout(on pages: FormatterPages) async throws -> Int {
        flow = nil
        flow = try await HTMLFlow.prepared(content, on: pages, within: printPageRenderer?.drawingTime)
        return flow?.pageCount ?? 0
    }

    /// Returns the rectangle of the content on a page.
    ///
    /// On the last page, the height of the rectangle is the height of the content.
    public override func rectForPage(at index: Int) -> Rect {
        let area = super.rectForPage(at: index)
        guard hasPage(at: index), let flow else { return Rect(origin: area.origin, size: .zero) }
        return flow.rect(forPageAt: index)
    }

    /// Draws a page of the layout at the upper left corner of the rectangle, in the original size of the layout.
    public override func draw(in rect: Rect, forPageAt index: Int) {
        guard hasPage(at: index) else { return }
        flow?.draw(at: rect.origin, forPageAt: index)
    }
}
