// The areas for a formatter's content.

import FoundationEssentials

/// The layout settings of a formatter: insets and maximum sizes, in points.
struct FormatterLayout: Hashable, Sendable {
    var contentInsets = EdgeInsets.zero
    var perPageContentInsets = EdgeInsets.zero
    var maximumContentWidth = 0.0
    var maximumContentHeight = 0.0
    var startPage = 0
}

/// The areas for a formatter's content, one for each page.
///
/// The first area can have a smaller height than the other areas, because of the top inset.
///
///     pages.area(at: pages.startPage)        // below the top inset
///     pages.area(at: pages.startPage + 1)    // all further pages have this area
public struct FormatterPages: Hashable, Sendable {
    /// The rectangles of a page.
    ///
    /// All pages have the same rectangles.
    public let page: PageLayout
    let layout: FormatterLayout

    init(page: PageLayout, layout: FormatterLayout) {
        (self.page, self.layout) = (page, layout)
    }

    /// The index, from 0, of the page on which the content begins.
    public var startPage: Int { layout.startPage }

    /// Returns the area for the content on the page with the given index (from 0).
    ///
    /// The area is the content area without the insets, limited to the maximum sizes.
    ///
    /// The area is empty when the insets use up the whole content area.
    public func area(at index: Int) -> Rect {
        let content = page.contentRect
        let (insets, every, paper) = (layout.contentInsets, layout.perPageContentInsets, page.paperRect)
        let left = max(content.minX + finite(insets.left), paper.minX + finite(every.left))
        let right = min(content.maxX - finite(insets.right), paper.maxX - finite(every.right))
        let below = index == startPage ? finite(insets.top) : 0
        let top = max(content.minY + below, paper.minY + finite(every.top))
        let bottom = min(content.maxY, paper.maxY - finite(every.bottom))
        return Rect(
            x: left, y: top, width: smaller(right - left, layout.maximumContentWidth),
            height: smaller(bottom - top, layout.maximumContentHeight))
    }

    private func smaller(_ room: Double, _ maximum: Double) -> Double {
        max(0, plain(maximum) > 0 ? min(room, maximum) : room)
    }

    private func finite(_ length: Double) -> Double { length.isFinite ? length : 0 }
}
