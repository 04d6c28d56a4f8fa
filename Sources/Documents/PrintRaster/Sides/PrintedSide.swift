// Makes printed sides.

import FoundationEssentials
import PrintModel

/// A printed side, and the problems that occurred during printing.
struct PrintedSide {
    var bitmap: Bitmap
    /// The edges of the page at which content is missing.
    var clipped: PageEdges = []
    var isBlank = false
    /// Whether the page had colors that were printed in gray.
    var isColored = false
    /// A sentence for users about the page; nil if the first renderer drew the whole page.
    var notice: String?
}

/// A renderer that produces the printed sides for the pages of a request.
struct SideMaker {
    let request: RasterizeRequest
    /// The maximum number of pixels of a printed side.
    let maximumPixels: Int

    /// Produces the printed side of a page, or a notice page if the page cannot be drawn.
    ///
    /// - Parameters:
    ///   - number: The number of the page in the document, from 1.
    ///   - name: The name of the page in messages.
    ///   - isBack: Whether the page is on the back of a sheet.
    ///   - sheet: The size of the sheet.
    ///   - fallback: The fallback for a page at which the first renderer is known to fail; nil if no failure is known.
    func side(
        of source: PrintableSource, page number: Int, called name: String, isBack: Bool, on sheet: Media,
        by fallback: RenderingFallback? = nil
    ) throws(RasterError) -> PrintedSide {
        let attempts = PageAttempts(
            page: name, fallback: fallback, requiresFidelity: request.requiresFidelity,
            hasSecondRenderer: source.hasSecondRenderer)
        var (side, sentence) = try attempts.make(
            usual: { () throws(RasterError) in
                let (drawn, defect) = try draw(source, number, isBack, with: .cairo)
                return (finish(drawn, isUpsideDown: source.isUpsideDown, on: sheet), defect)
            },
            second: { () throws(RasterError) in
                let (drawn, _) = try draw(source, number, isBack, with: .splash)
                return finish(drawn, isUpsideDown: source.isUpsideDown, on: sheet)
            },
            notice: { way throws(RasterError) in
                PrintedSide(bitmap: try notice(of: name, way, on: sheet))
            })
        side.notice = sentence
        return side
    }

    /// The bitmap of a page on its paper, before the unprintable margins are cleared.
    private struct DrawnPage {
        var bitmap: Bitmap
        var clipped: PageEdges
        var placement: PaperPlacement
    }

    private func draw(
        _ source: PrintableSource, _ number: Int, _ isBack: Bool, with renderer: PageRendering
    ) throws(RasterError) -> (DrawnPage, defect: PageDefect?) {
        let placement = PaperPlacement(
            page: try source.pageSize(at: number - 1), paper: request.paper, resolution: request.resolution,
            isTurned: source.isTurned, isUpsideDown: source.isUpsideDown, scaling: source.scaling)
        let drawn = try source.render(
            page: number - 1, placed: placement,
            mirroring: request.sheetBack.mirroring(isBack ? request.duplex : .none), maximumPixels: maximumPixels,
            with: renderer)
        return (DrawnPage(bitmap: drawn.bitmap, clipped: drawn.clipped, placement: placement), drawn.defect)
    }

    /// Applies the printer's restrictions to a drawn page: gray for a monochrome printer, white margins and the size of
    /// the sheet.
    private func finish(_ page: DrawnPage, isUpsideDown: Bool, on sheet: Media) -> PrintedSide {
        var bitmap = page.bitmap
        let isColored = request.monochrome && !bitmap.isGray
        if request.monochrome { bitmap.convertToGray() }
        var edges = bitmap.clip(to: page.placement.printableArea)
        let isBlank = bitmap.isBlank
        if request.overlay, !request.paper.isBorderless {
            bitmap.drawDashes(around: page.placement.printableArea, resolution: request.resolution)
        }
        if !sheet.hasSameSize(as: request.paper.media) {
            edges.formUnion(bitmap.moveOnto(sheet, resolution: request.resolution))
        }
        let lost = page.placement.edgesOfPage(isUpsideDown ? edges.turnedOver : edges)
        return PrintedSide(
            bitmap: bitmap, clipped: page.clipped.union(lost), isBlank: isBlank, isColored: isColored)
    }

    private func notice(of name: String, _ way: RenderingFallback, on sheet: Media) throws(RasterError) -> Bitmap {
        let dpi = Double(request.resolution)
        func pixels(_ length: Length) -> Int { max(Int((length.points * dpi / 72).rounded()), 1) }
        let (width, height) = (pixels(sheet.width), pixels(sheet.height))
        guard Double(width) * Double(height) <= Double(maximumPixels), width <= Canvas.longestSide else {
            throw .pageTooLarge(
                named: name, width: Double(width), height: Double(height), limit: maximumPixels)
        }
        return try NoticePage(page: name, reason: way.reason, dotsPerInch: (dpi, dpi))
            .bitmap(width: width, height: height)
    }
}

extension Bitmap {
    /// Places a page, which was drawn for another paper size, on a sheet.
    ///
    /// The page is centered on the sheet across the feed direction, and aligned to the sheet's upper edge.
    ///
    /// - Returns: The edges at which ink was cut off.
    fileprivate mutating func moveOnto(_ sheet: Media, resolution: Int) -> PageEdges {
        func pixels(_ length: Length) -> Int { max(Int((length.points * Double(resolution) / 72).rounded()), 1) }
        let (sheetWidth, sheetHeight) = (pixels(sheet.width), pixels(sheet.height))
        let (moved, lost) = placed(x: (sheetWidth - width) / 2, y: 0, width: sheetWidth, height: sheetHeight)
        self = moved
        return lost
    }
}

extension PageEdges {
    /// The positions of these edges after the page is turned by 180°: left becomes right, and top becomes bottom.
    fileprivate var turnedOver: PageEdges {
        var turned: PageEdges = []
        if contains(.left) { turned.insert(.right) }
        if contains(.right) { turned.insert(.left) }
        if contains(.top) { turned.insert(.bottom) }
        if contains(.bottom) { turned.insert(.top) }
        return turned
    }

    /// The edges as `PageImage.Edge` values, in the order of `PageImage.Edge.allCases`.
    var named: [PageImage.Edge] {
        PageImage.Edge.allCases.filter { edge in
            switch edge {
            case .top: contains(.top)
            case .left: contains(.left)
            case .bottom: contains(.bottom)
            case .right: contains(.right)
            }
        }
    }
}
