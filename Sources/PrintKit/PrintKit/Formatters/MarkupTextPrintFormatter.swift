// HTML over pages.

import PrintWork

/// Lays HTML out over pages (`UIMarkupTextPrintFormatter`).
///
///     let formatter = MarkupTextPrintFormatter(markupText: "<h1>Report</h1><img src='chart.svg'>")
///     formatter.baseFolder = "/srv/report"
///     formatter.contentInsets = EdgeInsets(top: 72, left: 72, bottom: 72, right: 72)
///
/// It is laid out by WeasyPrint in a process of its own, with HTML, CSS and its rules for pages: page breaks, orphans and
/// widows, repeated heads of tables, counters, footnotes. Pages are as large as the formatter's areas, so `@page` sizes,
/// margins and headers in the document are left aside: headers and footers are the renderer's. Scripts are not run. A CSS
/// pixel is 1/96 inch, and a document that says nothing of its margin begins where the insets end.
///
/// The pages stay vectors and text in a PDF; a context of pixels needs a `pdfRasterizer`. Laying out blocks, some 40 ms for
/// a page, and a second more the first time (`warmUp()`); `scripts/setup` installs what it needs.
public final class MarkupTextPrintFormatter: PrintFormatter, HTMLLaying {
    /// The HTML, a whole document or a part of one.
    public var markupText: String {
        get { content.markup }
        set { content.markup = newValue }
    }

    /// Its base folder, whether it may use the network, and its limits: `formatter.baseFolder = "/srv/report"`.
    public var settings: HTMLSettings {
        get { content.settings }
        set { content.settings = newValue }
    }

    /// What was left out of the layout and why, in words, such as files outside the base folder; it lays out when need be.
    public var layoutNotes: [String] { pageCount > 0 ? flow?.notes ?? [] : [] }

    private var content: HTMLContent { didSet { invalidateLayout() } }
    private var flow: HTMLFlow?

    /// A formatter for HTML.
    public init(markupText: String) { content = HTMLContent(markup: markupText) }

    /// Starts what lays HTML out, so that the first layout need not wait for it; it blocks for about a second.
    public static func warmUp() { HTMLEngine.shared.warmUp() }

    /// Lays the HTML out on the areas.
    ///
    /// - Throws: `PrintError.jobFailed` when there is no room, at a limit, or without the HTML engine.
    public override func layOut(on pages: FormatterPages) throws -> Int {
        flow = nil
        flow = try HTMLFlow(content, on: pages, within: printPageRenderer?.drawingTime)
        return flow?.pageCount ?? 0
    }

    /// As wide as the area, and as high; on the last page as the content reaches.
    public override func rectForPage(at index: Int) -> Rect {
        let area = super.rectForPage(at: index)
        guard hasPage(at: index), let flow else { return Rect(origin: area.origin, size: .zero) }
        return flow.rect(forPageAt: index)
    }

    /// Draws a page of the layout from the rectangle's upper left corner on, as large as it was laid out.
    public override func draw(in rect: Rect, forPageAt index: Int) {
        guard hasPage(at: index) else { return }
        flow?.draw(at: rect.origin, forPageAt: index)
    }
}
