// Where a page comes to lie on a sheet of paper.

import FoundationEssentials
import PrintModel

/// How a printer puts a page on its paper: centred, scaled as asked for, turned if only so it fits or becomes larger.
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
    /// How the page is fitted: `fit`, `fill` or `none`.
    let scaling: PrintScaling
    /// Whether the paper lies upside down under the page, so that its margins change sides.
    let isUpsideDown: Bool

    /// Sizes that differ by less come from rounding: 595 × 842 points is A4, and fills it.
    fileprivate static let tolerance = 1.0

    /// Places a page.
    ///
    /// - Parameters:
    ///   - isTurned: Whether to turn the page; nil turns one that lies the other way than the paper, if it is to be fitted
    ///     or has no room as it is.
    ///   - isUpsideDown: Whether what is drawn is turned by 180° afterwards.
    ///   - scaling: How to fit it (PWG 5100.13 §5.2).
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

    /// The page as it lies on the paper, in points.
    var turnedPage: Size { isTurned ? page.turned : page }

    /// The paper's width in pixels, at least 1; a size may be more than an integer holds, hence a `Double`.
    var exactWidth: Double { pixels(paper.paperSize.width) }
    /// The paper's height in pixels, at least 1.
    var exactHeight: Double { pixels(paper.paperSize.height) }

    /// The page's box on the paper, in pixels; it may reach beyond the paper.
    var pageBox: Rect {
        switch scaling {
        case .fit: box(in: fittingArea) { min($0, $1) }
        case .fill: box(in: Rect(origin: .zero, size: paper.paperSize)) { max($0, $1) }
        case .auto, .autoFit, .none: unscaledBox
        }
    }

    /// The page centred in a part of the paper, as large as the two ratios of their sides say.
    private func box(in area: Rect, by choice: (Double, Double) -> Double) -> Rect {
        let factor = choice(area.width / turnedPage.width, area.height / turnedPage.height)
        let (width, height) = (turnedPage.width * factor, turnedPage.height * factor)
        return Rect(
            x: (area.midX - width / 2) * scale.x, y: (area.midY - height / 2) * scale.y, width: width * scale.x,
            height: height * scale.y)
    }

    /// What can be printed on, as it lies before the paper is turned over.
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

    /// Whether the page reaches beyond the paper though nobody asked for that.
    var overhangs: Bool { scaling == .none && !turnedPage.fits(paper.paperSize) }

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

extension Size {
    /// Whether it is no larger than another but for rounding.
    fileprivate func fits(_ other: Size) -> Bool {
        width <= other.width + PaperPlacement.tolerance && height <= other.height + PaperPlacement.tolerance
    }
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
