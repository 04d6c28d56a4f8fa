// The rectangles of a page: paper, printable area, header, content, footer.

import FoundationEssentials

/// How a page is divided: paper ⊃ printable area ⊃ header, content area, footer.
///
/// All rectangles are in points, relative to the page's upper left corner, y growing downwards.
///
///     let layout = PageLayout(paper, headerHeight: 36)
///     layout.contentRect     // the printable area below the header
public struct PageLayout: Hashable, Sendable {
    /// The whole page, its origin at (0, 0).
    public var paperRect: Rect
    /// The part of it that the printer can print on.
    public var printableRect: Rect
    /// The height of the header, at the top of the printable area; 0 for none.
    public var headerHeight: Double
    /// The height of the footer, at the bottom of the printable area; 0 for none.
    public var footerHeight: Double

    /// A page on a paper, which is turned when the orientation says so.
    public init(
        _ paper: PrintPaper, orientation: Orientation = .portrait, headerHeight: Double = 0, footerHeight: Double = 0
    ) {
        let (size, area) = (paper.paperSize, paper.printableRect)
        let (left, top) = (area.minX, area.minY)
        let (right, bottom) = (size.width - area.maxX, size.height - area.maxY)
        let origin =
            switch orientation {
            case .portrait: Point(x: left, y: top)
            // Turned counter-clockwise, the page's top lies at the paper's left edge.
            case .landscape: Point(x: bottom, y: left)
            case .reverseLandscape: Point(x: top, y: right)
            case .reversePortrait: Point(x: right, y: bottom)
            }
        let isTurned = orientation == .landscape || orientation == .reverseLandscape
        paperRect = Rect(origin: .zero, size: isTurned ? size.turned : size)
        printableRect = Rect(origin: origin, size: isTurned ? area.size.turned : area.size)
        (self.headerHeight, self.footerHeight) = (headerHeight, footerHeight)
    }

    /// Where the header is drawn: the upper part of the printable area.
    public var headerRect: Rect {
        Rect(x: printableRect.minX, y: printableRect.minY, width: printableRect.width, height: header)
    }

    /// The printable area without header and footer.
    public var contentRect: Rect {
        Rect(
            x: printableRect.minX, y: printableRect.minY + header, width: printableRect.width,
            height: printableRect.height - header - footer)
    }

    /// Where the footer is drawn: the lower part of the printable area.
    public var footerRect: Rect {
        Rect(
            x: printableRect.minX, y: printableRect.maxY - footer, width: printableRect.width, height: footer)
    }

    /// Header and footer take no more than there is.
    private var header: Double { min(plain(headerHeight), printableRect.height) }
    private var footer: Double { min(plain(footerHeight), printableRect.height - header) }
}

/// A length that is not finite or negative counts as none.
func plain(_ length: Double) -> Double { length.isFinite ? max(0, length) : 0 }
