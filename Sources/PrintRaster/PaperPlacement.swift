// Where a page comes to lie on a sheet of paper.

import FoundationEssentials
import PrintModel

/// How a printer puts a page on its paper: centred, unscaled, turned if only so it fits.
///
///     let placement = PaperPlacement(page: Size(width: 842, height: 595), paper: a4, resolution: 100)
///     placement.isTurned    // true: the page's top is at the paper's left edge
///     placement.width       // 827, whatever the page's size
struct PaperPlacement: Hashable {
    /// The page as it is read, in points.
    let page: Size
    /// The paper.
    let paper: PrintPaper
    /// Pixels per inch.
    let resolution: Int
    /// Whether the page lies on the paper turned by 90° counter-clockwise, as IPP's `landscape` does (RFC 8011 §5.2.10).
    let isTurned: Bool

    /// Sizes that differ by less come from rounding: 595 × 842 points is A4, and fills it.
    private static let tolerance = 1.0

    /// Places a page.
    ///
    /// - Parameter isTurned: Whether to turn the page; nil turns it when it does not fit and lies the other way than the
    ///   paper.
    init(page: Size, paper: PrintPaper, resolution: Int, isTurned: Bool? = nil) {
        let size = paper.paperSize
        let fits = page.width <= size.width + Self.tolerance && page.height <= size.height + Self.tolerance
        self.page = page
        self.paper = paper
        self.resolution = resolution
        self.isTurned = isTurned ?? (!fits && page.isLandscape != size.isLandscape)
    }

    /// The page as it lies on the paper, in points.
    var turnedPage: Size { isTurned ? page.turned : page }

    /// The paper's width in pixels, at least 1; a size may be more than an integer holds, hence a `Double`.
    var exactWidth: Double { pixels(paper.paperSize.width) }
    /// The paper's height in pixels, at least 1.
    var exactHeight: Double { pixels(paper.paperSize.height) }

    /// The page's box on the paper, in pixels; it may reach beyond the paper.
    var pageBox: Rect {
        if turnedPage.isNearly(paper.paperSize, tolerance: Self.tolerance) {
            return Rect(x: 0, y: 0, width: exactWidth, height: exactHeight)
        }
        let (width, height) = (turnedPage.width * scale.x, turnedPage.height * scale.y)
        return Rect(
            x: ((exactWidth - width) / 2).rounded(), y: ((exactHeight - height) / 2).rounded(), width: width,
            height: height)
    }

    /// Whether the page reaches beyond the paper.
    var overhangs: Bool {
        turnedPage.width > paper.paperSize.width + Self.tolerance
            || turnedPage.height > paper.paperSize.height + Self.tolerance
    }

    /// The part of the paper that can be printed on, with every pixel that it touches.
    var printableArea: PixelRect {
        PixelRect(touching: paper.printableRect, scale: scale)
    }

    /// The paper as it lies on the page, in the page's points, counted from the page's upper left.
    var paperOnPage: Rect {
        let size = isTurned ? paper.paperSize.turned : paper.paperSize
        return Rect(
            x: (page.width - size.width) / 2, y: (page.height - size.height) / 2, width: size.width,
            height: size.height)
    }

    /// The page's names for edges of the paper.
    func edgesOfPage(_ edges: PageEdges) -> PageEdges {
        guard isTurned else { return edges }
        var turned: PageEdges = []
        if edges.contains(.left) { turned.insert(.top) }
        if edges.contains(.top) { turned.insert(.right) }
        if edges.contains(.right) { turned.insert(.bottom) }
        if edges.contains(.bottom) { turned.insert(.left) }
        return turned
    }

    /// Pixels per point, so that the paper has whole pixels: within half a pixel of the resolution over its length.
    private var scale: (x: Double, y: Double) {
        (exactWidth / paper.paperSize.width, exactHeight / paper.paperSize.height)
    }

    private func pixels(_ points: Double) -> Double { max((points * Double(resolution) / 72).rounded(), 1) }
}

extension PixelRect {
    /// All pixels that a rectangle touches, by more than an error of rounding.
    init(touching rect: Rect, scale: (x: Double, y: Double)) {
        let slack = 1e-6
        let left = (rect.origin.x * scale.x + slack).rounded(.down)
        let top = (rect.origin.y * scale.y + slack).rounded(.down)
        let right = ((rect.origin.x + rect.size.width) * scale.x - slack).rounded(.up)
        let bottom = ((rect.origin.y + rect.size.height) * scale.y - slack).rounded(.up)
        self.init(x: Int(left), y: Int(top), width: Int(max(right - left, 0)), height: Int(max(bottom - top, 0)))
    }
}
