// Calculates the position and scale of a page on its paper.

import FoundationEssentials

/// The placement of a page on a side of a sheet: position, scale and visible area.
public struct PagePlacement: Hashable, Sendable {
    /// The transform from the page's user space to the paper, in points, with the origin at the paper's lower left
    /// corner.
    package let transform: AffineTransform
    /// The visible area, a rectangle on the paper in points, with y upwards.
    package let clip: Rect
    /// Whether the page has the size of the paper, and needs no scaling, rotation or move.
    ///
    /// If true, the page is printed unchanged.
    package let leavesPageAsItIs: Bool

    /// Returns the factor by which a page is enlarged.
    package func scale(of page: PageGeometry) -> Double {
        (transform.a * transform.a + transform.b * transform.b).squareRoot() / page.userUnit
    }
}

extension SideLayout {
    /// Returns the placement of a page in a cell.
    ///
    /// Pages that share a side are scaled to their cells. A single page is scaled to the paper. With `fill` and `none`,
    /// the page extends into the margins, where the printer crops the content.
    ///
    /// - Parameter cell: The index into `cells`.
    package func placement(of page: PageGeometry, inCell cell: Int) -> PagePlacement {
        let size = page.size
        let whole = wholes[cell]
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

    /// Returns the placement of a page on one sheet of a poster.
    ///
    /// The page is centered on the poster. With `none`, the page keeps its size. With `fill`, the page covers the
    /// poster. With any other scaling, the whole page fits on the poster.
    ///
    /// - Parameter tile: The sheet, counted from 0, row by row from the upper left.
    package func placement(of page: PageGeometry, onTile tile: Int) -> PagePlacement {
        guard let poster else { return placement(of: page, inCell: 0) }
        let size = page.size
        let area = cells[0]
        let whole = poster.size(onSheets: area.size)
        let (across, down) = (whole.width / size.width, whole.height / size.height)
        let scale =
            switch scaling {
            case .none: 1.0
            case .fill: max(across, down)
            case .auto, .autoFit, .fit: min(across, down)
            }
        let window = poster.window(ofTile: tile, onSheets: area.size)
        let transform = page.upright
            .concatenating(.scale(x: scale, y: scale))
            .concatenating(
                .translation(
                    x: (whole.width - size.width * scale) / 2 + area.minX - window.minX,
                    y: (whole.height - size.height * scale) / 2 + area.minY - window.minY)
            )
            .concatenating(ontoPaper)
        let clip = transform.apply(to: page.box).intersection(ontoPaper.apply(to: area))
        return PagePlacement(transform: transform, clip: clip, leavesPageAsItIs: false)
    }

    /// Returns the placement of a page, or of a part of the page, on a piece of a paper roll.
    ///
    /// The page keeps its size and begins at the leading edge of the first piece. A page that is longer than a piece
    /// is divided between the printable areas of the pieces. A page that is wider than the roll is scaled to one piece.
    ///
    /// - Parameter piece: The piece, counted from 0.
    package func placement(of page: PageGeometry, onPiece piece: Int) -> PagePlacement {
        let size = turns % 2 == 0 ? page.size : page.size.turned
        let whole = Rect(origin: .zero, size: paper.paperSize)
        guard size.width <= whole.width + PrintPaper.tolerance else { return placement(of: page, inCell: 0) }
        let isDivided = paper.pieceCount(ofLength: size.height) > 1
        let area = isDivided ? Self.printableRect(of: paper, turns: 0) : whole
        let transform = page.upright
            .concatenating(.turning(page.size, quarters: turns))
            .concatenating(
                .translation(
                    x: whole.midX - size.width / 2, y: area.maxY - size.height + Double(piece) * area.height))
        let clip = transform.apply(to: page.box).intersection(area)
        let isIdentity = !isDivided && isNearlyIdentity(transform, page)
        return PagePlacement(
            transform: isIdentity ? .identity : transform, clip: clip, leavesPageAsItIs: isIdentity)
    }

    /// The printable area of the side in reading orientation, in points, with y upwards.
    package var printableRect: Rect { Self.printableRect(of: paper, turns: turns) }

    /// Returns the placement of a drawing that fills an area of the side.
    ///
    /// - Parameter area: The area in reading orientation, in points, with y upwards.
    package func placement(ofDrawingIn area: Rect) -> PagePlacement {
        PagePlacement(
            transform: .translation(x: area.minX, y: area.minY).concatenating(ontoPaper),
            clip: ontoPaper.apply(to: area), leavesPageAsItIs: false)
    }

    /// Returns the rectangle in which the page is centered, and the factor by which the page is scaled (PWG 5100.13
    /// §5.2).
    private func fit(_ page: Size, printable: Rect, whole: Rect) -> (target: Rect, scale: Double) {
        if let scalePercent { return (whole, Double(scalePercent) / 100) }
        func fitting(_ rect: Rect) -> Double { min(rect.width / page.width, rect.height / page.height) }
        let isLarger =
            page.width > whole.width + PrintPaper.tolerance || page.height > whole.height + PrintPaper.tolerance
        // Pages that share a side are scaled to fit their cells by default.
        let isFitted = scaling == .auto && cells.count > 1
        switch isFitted ? .fit : scaling.settled(isLarger: isLarger, isBorderless: paper.isBorderless) {
        case .fit: return (printable, fitting(printable))
        case .fill: return (whole, max(whole.width / page.width, whole.height / page.height))
        case .auto, .autoFit, .none: return (whole, 1)
        }
    }

    /// Returns whether the page covers the paper and the transform moves the page by less than one point.
    ///
    /// Rounding errors in the page's box cause movements of this size.
    private func isNearlyIdentity(_ transform: AffineTransform, _ page: PageGeometry) -> Bool {
        let paperRect = Rect(origin: .zero, size: paper.paperSize)
        return abs(transform.a - 1) < 0.002 && abs(transform.d - 1) < 0.002
            && abs(transform.b) < 1e-9 && abs(transform.c) < 1e-9
            && abs(transform.tx) < 1 && abs(transform.ty) < 1
            && abs(page.box.minX) < 1 && abs(page.box.minY) < 1
            && page.box.size.isNearly(paperRect.size, tolerance: 1)
    }
}
