// A view's content over pages.

import FoundationEssentials

/// Lays the content of a view out over pages (`UIViewPrintFormatter`).
///
///     controller.printFormatter = TextView(text: story).viewPrintFormatter()
///
/// The content is as wide as the first page's area, and is cut into pages where the view says that it can be. A view that
/// paginates by itself, as a web view does, returns a subclass.
open class ViewPrintFormatter: PrintFormatter {
    /// The view whose content is printed.
    public let view: any PrintableView
    private var height = 0.0
    /// Where each page's part begins, and after them where the last ends.
    private var cuts: [Double] = []

    /// A formatter for a view; `viewPrintFormatter()` makes it.
    public init(view: any PrintableView) { self.view = view }

    /// Cuts the content into pages.
    ///
    /// - Throws: `PrintError.jobFailed` when there is no room, or when the content would need more than a million pages.
    open override func layOut(on pages: FormatterPages) throws -> Int {
        let width = pages.area(at: pages.startPage).width
        height = plain(view.height(forWidth: width))
        cuts = [0]
        while let start = cuts.last, start < height - 0.01 {
            let index = pages.startPage + cuts.count - 1
            let area = pages.area(at: index)
            // The first page may be used up by its top inset.
            guard width > 0, area.height > 0 || cuts.count == 1, cuts.count <= PageRecording.mostPages else {
                throw PrintError.noRoom(for: "the view", in: area, page: index)
            }
            let isShort = area.height < pages.area(at: index + 1).height
            cuts.append(pageEnd(from: start, room: area.height, width: width, isShort: isShort))
        }
        return cuts.count - 1
    }

    /// As wide as the area, and as high as the page's part of the content.
    open override func rectForPage(at index: Int) -> Rect {
        let area = super.rectForPage(at: index)
        guard let part = part(forPageAt: index) else { return Rect(origin: area.origin, size: .zero) }
        return Rect(origin: area.origin, size: Size(width: area.width, height: part.height))
    }

    /// Draws the page's part of the content from the rectangle's upper left corner on.
    open override func draw(in rect: Rect, forPageAt index: Int) throws {
        guard let part = part(forPageAt: index), !part.isEmpty else { return }
        GraphicsContext.current?.withSavedState { context in
            context.translate(x: rect.minX, y: rect.minY - part.minY)
            context.clip(to: part)
            view.draw(in: Rect(x: 0, y: 0, width: part.width, height: height), visible: part)
        }
    }

    /// A view may end a page early, but not before it begins, and where it does not get on it is cut.
    private func pageEnd(from start: Double, room: Double, width: Double, isShort: Bool) -> Double {
        let limit = start + room
        guard limit < height else { return height }
        let end = view.pageBreak(from: start, notAfter: limit, width: width)
        if end > start, end <= limit { return end }
        // The next page may have the room that this one lacks.
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
