// The rectangles of a page: paper, printable area, header, content area and footer.

import FoundationEssentials

/// The division of a page: the paper contains the printable area, which contains the header, the content area and the
/// footer.
///
/// All rectangles are in points, relative to the page's upper left corner. The y axis points down.
///
///     let layout = PageLayout(paper, headerHeight: 36)
///     layout.contentRect     // the printable area below the header
public struct PageLayout: Hashable, Sendable {
    /// The rectangle of the whole page.
    ///
    /// The origin of the rectangle is (0, 0).
    public var paperRect: Rect
    /// The part of the page that the printer can print on.
    public var printableRect: Rect
    /// The height of the header, at the top of the printable area, in points.
    ///
    /// The value 0 means no header.
    public var headerHeight: Double
    /// The height of the footer, at the bottom of the printable area, in points.
    ///
    /// The value 0 means no footer.
    public var footerHeight: Double

    /// Creates the layout of a page on a paper.
    ///
    /// The orientation can turn the page.
    public init(
        _ paper: PrintPaper, orientation: Orientation = .portrait, headerHeight: Double = 0, footerHeight: Double = 0
    ) {
        let (size, area) = (paper.paperSize, paper.printableRect)
        let (left, top) = (area.minX, area.minY)
        let (right, bottom) = (size.width - area.maxX, size.height - area.maxY)
        let origin =
            switch orientation {
            case .portrait: Point(x: left, y: top)
            // When the page is turned counterclockwise, its top is at the left edge of the paper.
            case .landscape: Point(x: bottom, y: left)
            case .reverseLandscape: Point(x: top, y: right)
            case .reversePortrait: Point(x: right, y: bottom)
            }
        let isTurned = orientation == .landscape || orientation == .reverseLandscape
        paperRect = Rect(origin: .zero, size: isTurned ? size.turned : size)
        printableRect = Rect(origin: origin, size: isTurned ? area.size.turned : area.size)
        (self.headerHeight, self.footerHeight) = (headerHeight, footerHeight)
    }

    /// The rectangle of the header: the top of the printable area.
    public var headerRect: Rect {
        Rect(x: printableRect.minX, y: printableRect.minY, width: printableRect.width, height: header)
    }

    /// The printable area without header and footer.
    public var contentRect: Rect {
        Rect(
            x: printableRect.minX, y: printableRect.minY + header, width: printableRect.width,
            height: printableRect.height - header - footer)
    }

    /// The rectangle of the footer: the bottom of the printable area.
    public var footerRect: Rect {
        Rect(
            x: printableRect.minX, y: printableRect.maxY - footer, width: printableRect.width, height: footer)
    }

    /// The height of the header, limited to the height of the printable area, in points.
    private var header: Double { min(plain(headerHeight), printableRect.height) }
    private var footer: Double { min(plain(footerHeight), printableRect.height - header) }
}

/// Returns a length, or 0 if the length is negative or not finite.
func plain(_ length: Double) -> Double { length.isFinite ? max(0, length) : 0 }
