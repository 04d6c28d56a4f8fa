// Computes the position of a page on paper.

import FoundationEssentials
import PrintModel

/// The position of a page on its paper: centered, scaled as requested, and turned if the turned page fits or becomes
/// larger.
///
///     let placement = PaperPlacement(page: Size(width: 842, height: 595), paper: a4, resolution: 100)
///     placement.isTurned    // true: the page's top is at the paper's left edge
///     placement.exactWidth  // 827: the width of the paper in pixels
struct PaperPlacement: Hashable {
    /// The displayed size of the page, in points.
    let page: Size
    /// The paper on which the page is printed.
    let paper: PrintPaper
    /// The resolution in pixels per inch.
    let resolution: Int
    /// Whether the page is turned by 90° counterclockwise on the paper, like IPP's `landscape` (RFC 8011 §5.2.10).
    let isTurned: Bool
    /// The scaling of the page: `fit`, `fill` or `none`.
    let scaling: PrintScaling
    /// Whether the page is turned by 180° after the page is drawn.
    ///
    /// This rotation swaps opposite margins of the paper.
    let isUpsideDown: Bool

    /// The tolerance for rounded sizes, in points.
    ///
    /// For example, a page of 595 × 842 points fills A4.
    fileprivate static let tolerance = 1.0

    /// Computes the position of a page.
    ///
    /// - Parameters:
    ///   - isTurned: Whether to turn the page. If nil, a page whose orientation differs from the paper's orientation is
    ///     turned in two cases: the page is scaled, or only the turned page fits.
    ///   - isUpsideDown: Whether the drawing is turned by 180° afterwards.
    ///   - scaling: The scaling of the page (PWG 5100.13 §5.2).
    init(
        page: Size, paper: PrintPaper, resolution: Int, isTurned: Bool? = nil, isUpsideDown: Bool = false,
        scaling: PrintScaling = .none
    ) {
        let size = paper.paperSize
        let turns = page.isLandscape != size.isLandscape && (scaling == .fit || scaling == .fill || !page.fits(size))
        self.page = page
        self.paper = paper
        self.resolution = resolution
        self.isTurned = isTurned ?? turns
        self.isUpsideDown = isUpsideDown
        let turned = self.isTurned ? page.turned : page
        self.scaling = scaling.settled(isLarger: !turned.fits(size), isBorderless: paper.isBorderless)
    }

    /// The size of the rotated page on the paper, in points.
    var turnedPage: Size { isTurned ? page.turned : page }

    /// The paper's width in pixels, at least 1.
    ///
    /// The type is `Double` because a size can exceed the range of integers.
    var exactWidth: Double { pixels(paper.paperSize.width) }
    /// The paper's height in pixels, at least 1.
    var exactHeight: Double { pixels(paper.paperSize.height) }

    /// The rectangle of the page on the paper, in pixels.
    ///
    /// The rectangle can exceed the paper.
    var pageBox: Rect {
        switch scaling {
        case .fit: box(in: fittingArea) { min($0, $1) }
        case .fill: box(in: Rect(origin: .zero, size: paper.paperSize)) { max($0, $1) }
        case .auto, .autoFit, .none: unscaledBox
        }
    }

    /// Returns the rectangle of the scaled page, centered in an area, in pixels.
    ///
    /// The function `choice` selects the horizontal or the vertical scale factor.
    private func box(in area: Rect, by choice: (Double, Double) -> Double) -> Rect {
        let factor = choice(area.width / turnedPage.width, area.height / turnedPage.height)
        let (width, height) = (turnedPage.width * factor, turnedPage.height * factor)
        return Rect(
            x: (area.midX - width / 2) * scale.x, y: (area.midY - height / 2) * scale.y, width: width * scale.x,
            height: height * scale.y)
    }

    /// The printable area of the paper, before the drawn page is turned by 180°.
    private var fittingArea: Rect {
        let (area, size) = (paper.printableRect, paper.paperSize)
        guard isUpsideDown else { return area }
        return Rect(x: size.width - area.maxX, y: size.height - area.maxY, width: area.width, height: area.height)
    }

    private var unscaledBox: Rect {
        if turnedPage.isNearly(paper.paperSize, tolerance: Self.tolerance) {
            return Rect(x: 0, y: 0, width: exactWidth, height: exactHeight)
        }
        let (width, height) = (turnedPage.width * scale.x, turnedPage.height * scale.y)
        return Rect(
            x: ((exactWidth - width) / 2).rounded(), y: ((exactHeight - height) / 2).rounded(), width: width,
            height: height)
    }

    /// Whether the page is not scaled and extends beyond the paper.
    var overhangs: Bool { scaling == .none && !turnedPage.fits(paper.paperSize) }

    /// The printable area of the paper in pixels, including pixels that are only partly printable.
    var printableArea: PixelRect {
        PixelRect(touching: paper.printableRect, scale: scale)
    }

    /// The rectangle of the paper relative to the unscaled page, in points from the page's upper left corner.
    var paperOnPage: Rect {
        let size = isTurned ? paper.paperSize.turned : paper.paperSize
        return Rect(
            x: (page.width - size.width) / 2, y: (page.height - size.height) / 2, width: size.width,
            height: size.height)
    }

    /// Converts edges of the paper to the corresponding edges of the page.
    func edgesOfPage(_ edges: PageEdges) -> PageEdges {
        guard isTurned else { return edges }
        var turned: PageEdges = []
        if edges.contains(.left) { turned.insert(.top) }
        if edges.contains(.top) { turned.insert(.right) }
        if edges.contains(.right) { turned.insert(.bottom) }
        if edges.contains(.bottom) { turned.insert(.left) }
        return turned
    }

    /// The pixels per point, rounded so that the paper has a whole number of pixels.
    private var scale: (x: Double, y: Double) {
        (exactWidth / paper.paperSize.width, exactHeight / paper.paperSize.height)
    }

    private func pixels(_ points: Double) -> Double { max((points * Double(resolution) / 72).rounded(), 1) }
}

extension Size {
    /// Returns whether this size fits into `other`, within the tolerance for rounded sizes.
    fileprivate func fits(_ other: Size) -> Bool {
        width <= other.width + PaperPlacement.tolerance && height <= other.height + PaperPlacement.tolerance
    }
}

extension PixelRect {
    /// Creates the smallest rectangle of whole pixels that contains `rect`, apart from rounding errors.
    init(touching rect: Rect, scale: (x: Double, y: Double)) {
        let slack = 1e-6
        let left = (rect.origin.x * scale.x + slack).rounded(.down)
        let top = (rect.origin.y * scale.y + slack).rounded(.down)
        let right = ((rect.origin.x + rect.size.width) * scale.x - slack).rounded(.up)
        let bottom = ((rect.origin.y + rect.size.height) * scale.y - slack).rounded(.up)
        self.init(x: Int(left), y: Int(top), width: Int(max(right - left, 0)), height: Int(max(bottom - top, 0)))
    }
}
