// A formatter that lays out the content of a view over pages.

import FoundationEssentials

/// A formatter that lays out the content of a view over pages (`UIViewPrintFormatter`).
///
///     controller.printFormatter = TextView(text: story).viewPrintFormatter()
///
/// The content has the width of the first page's area. The content is divided into pages at the positions that the view
/// returns. If a view lays out its content for pages, as a web view does, the method `viewPrintFormatter()` of the view
/// returns an instance of a subclass.
open class ViewPrintFormatter: PrintFormatter {
    /// The view whose content is printed.
    public let view: any PrintableView
    private var height = 0.0
    /// The positions in the content at which the pages begin, followed by the end of the last page, in points.
    private var cuts: [Double] = []

    /// Creates a formatter for a view.
    ///
    /// Apps call `viewPrintFormatter()` instead of this initializer.
    public init(view: any PrintableView) { self.view = view }

    /// Divides the content into pages.
    ///
    /// - Throws: `PrintError.jobFailed` when an area is too small, or when the content needs more than a million pages.
    open override func layOut(on pages: FormatterPages) throws -> Int {
        let width = pages.area(at: pages.startPage).width
        height = plain(view.height(forWidth: width))
        cuts = [0]
        while let start = cuts.last, start < height - 0.01 {
            let index = pages.startPage + cuts.count - 1
            let area = pages.area(at: index)
            // The top inset may use up the first page.
            guard cuts.count <= PageRecording.mostPages else { throw PrintError.contentTooLong }
            guard width > 0, area.height > 0 || cuts.count == 1 else {
                throw PrintError.noRoom(for: "the view", in: area, page: index)
            }
            let isShort = area.height < pages.area(at: index + 1).height
            cuts.append(pageEnd(from: start, room: area.height, width: width, isShort: isShort))
        }
        return cuts.count - 1
    }

    /// Returns the rectangle of the content on a page.
    ///
    /// The rectangle has the origin and the width of the page's area. The height is the height of the content on this
    /// page.
    open override func rectForPage(at index: Int) -> Rect {
        let area = super.rectForPage(at: index)
        guard let part = part(forPageAt: index) else { return Rect(origin: area.origin, size: .zero) }
        return Rect(origin: area.origin, size: Size(width: area.width, height: part.height))
    }

    /// Draws the part of the content that belongs to a page, at the upper left corner of the rectangle.
    open override func draw(in rect: Rect, forPageAt index: Int) throws {
        guard let part = part(forPageAt: index), !part.isEmpty else { return }
        GraphicsContext.current?.withSavedState { context in
            context.translate(x: rect.minX, y: rect.minY - part.minY)
            context.clip(to: part)
            view.draw(in: Rect(x: 0, y: 0, width: part.width, height: height), visible: part)
        }
    }

    /// Returns the position in the content at which a page ends, in points.
    ///
    /// Usually the view determines the position. If the view returns no valid position, the position depends on the
    /// next page. If the area of the next page is taller than the area of the current page, the current page stays
    /// empty. Otherwise the content fills the current page.
    private func pageEnd(from start: Double, room: Double, width: Double, isShort: Bool) -> Double {
        let limit = start + room
        guard limit < height else { return height }
        let end = view.pageBreak(from: start, notAfter: limit, width: width)
        if end > start, end <= limit { return end }
        // The next page may have more room, so this page stays empty.
        return isShort ? start : limit
    }

    private func part(forPageAt index: Int) -> Rect? {
        guard hasPage(at: index) else { return nil }
        let number = index - pages.startPage
        return Rect(
            x: 0, y: cuts[number], width: pages.area(at: pages.startPage).width, height: cuts[number + 1] - cuts[number]
        )
    }
}
