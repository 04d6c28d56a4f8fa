// Where a page lands on its paper.

import FoundationEssentials

/// Where a page is put on a side of a sheet, and what of it is shown there.
public struct PagePlacement: Hashable, Sendable {
    /// The map from the page's user space to the paper, in points, origin at the paper's lower left.
    public let transform: AffineTransform
    /// What is shown: a rectangle on the paper, in points, y upwards.
    public let clip: Rect
    /// Whether the page is as large as the paper and stays where it is, so that nothing needs to be done to it.
    public let leavesPageAsItIs: Bool
}

extension SideLayout {
    /// Puts a page into a cell.
    ///
    /// Pages that share a side are scaled to their cell, a page of its own to the paper: `fill` and `none` then reach
    /// into the margins, which the printer cuts off.
    ///
    /// - Parameter cell: the index into `cells`.
    public func placement(of page: PageGeometry, inCell cell: Int) -> PagePlacement {
        let size = page.size
        let whole = cells.count == 1 ? side : cells[cell]
        let (target, scale) = fit(size, printable: cells[cell], whole: whole)
        let transform = page.upright
            .concatenating(.scale(x: scale, y: scale))
            .concatenating(
                .translation(x: target.midX - size.width * scale / 2, y: target.midY - size.height * scale / 2)
            )
            .concatenating(ontoPaper)
        let clip = transform.apply(to: page.box).intersection(ontoPaper.apply(to: whole))
        if cells.count == 1, isNearlyIdentity(transform, page) {
            return PagePlacement(transform: .identity, clip: clip, leavesPageAsItIs: true)
        }
        return PagePlacement(transform: transform, clip: clip, leavesPageAsItIs: false)
    }

    /// Returns the rectangle in whose middle a page is put, and the factor by which the page is scaled
    /// (PWG 5100.13 §5.2).
    private func fit(_ page: Size, printable: Rect, whole: Rect) -> (target: Rect, scale: Double) {
        func fitting(_ rect: Rect) -> Double { min(rect.width / page.width, rect.height / page.height) }
        // A point is rounding: A4 is 595.28 × 841.89 points, and most files state 595 × 842.
        let isLarger = page.width > whole.width + 1 || page.height > whole.height + 1
        // Pages that share a side are as large as their cells allow, also by default.
        let isFitted = scaling == .auto && cells.count > 1
        switch isFitted ? .fit : scaling.settled(isLarger: isLarger, isBorderless: paper.isBorderless) {
        case .fit: return (printable, fitting(printable))
        case .fill: return (whole, max(whole.width / page.width, whole.height / page.height))
        case .auto, .autoFit, .none: return (whole, 1)
        }
    }

    /// Whether the page covers the paper and would move by less than a point, which is rounding in its box.
    private func isNearlyIdentity(_ transform: AffineTransform, _ page: PageGeometry) -> Bool {
        let paperRect = Rect(origin: .zero, size: paper.paperSize)
        return abs(transform.a - 1) < 0.002 && abs(transform.d - 1) < 0.002
            && abs(transform.b) < 1e-9 && abs(transform.c) < 1e-9
            && abs(transform.tx) < 1 && abs(transform.ty) < 1
            && abs(page.box.minX) < 1 && abs(page.box.minY) < 1
            && page.box.size.isNearly(paperRect.size, tolerance: 1)
    }
}
