// Draws a page on paper.

import CPoppler
import FoundationEssentials
import PrintModel

/// The two page renderers of poppler.
enum PageRendering {
    /// The cairo renderer, which is used first.
    case cairo
    /// The Splash renderer, for pages that cairo cannot draw or draws too slowly.
    case splash
}

extension PDFDocument {
    /// Draws a page on white paper, and returns the page's known defect, if any.
    ///
    /// The placement determines the size of the paper.
    ///
    /// - Throws: `tooLarge`, or `unreadable` if the page is damaged.
    func render(
        page index: Int, placed placement: PaperPlacement, maximumPixels: Int, with renderer: PageRendering
    ) throws(RasterError) -> (bitmap: Bitmap, defect: PageDefect?) {
        switch renderer {
        case .cairo:
            let (bitmap, defect) = try PageDefect.found { () throws(RasterError) in
                try render(page: index, placed: placement, maximumPixels: maximumPixels)
            }
            return (bitmap, defect)
        case .splash:
            return (try renderWithSplash(page: index, placed: placement, maximumPixels: maximumPixels), nil)
        }
    }

    /// Draws a page on white paper, and cuts off the parts beyond the paper.
    ///
    /// The placement determines the size of the paper.
    ///
    /// - Throws: `tooLarge`, or `unreadable` if the page is damaged.
    func render(
        page index: Int, placed placement: PaperPlacement, maximumPixels: Int
    ) throws(RasterError) -> Bitmap {
        let (width, height) = (placement.exactWidth, placement.exactHeight)
        guard width * height <= Double(maximumPixels), width <= Double(Canvas.longestSide) else {
            throw .pageTooLarge(index, width: width, height: height, limit: maximumPixels)
        }
        let matrix = placement.matrix(unit: userUnit(at: index))
        return try draw(page: index, by: matrix, width: Int(width), height: Int(height))
    }

    /// Returns the edges at which the content of the page extends beyond the paper.
    ///
    /// The function draws the page at a low resolution.
    func edgesBeyondPaper(
        page index: Int, placed placement: PaperPlacement, with renderer: PageRendering
    ) throws(RasterError) -> PageEdges {
        // This size shows a line of text on a poster, and limits the number of pixels for pages of any size.
        let longestSide = 2000.0
        let size = placement.page
        let dpi = min(Double(placement.resolution), longestSide * 72 / max(size.width, size.height))
        let width = max(Int((size.width * dpi / 72).rounded()), 1)
        let height = max(Int((size.height * dpi / 72).rounded()), 1)
        var packer = PixelPacker(width: width, height: height)
        _ = try rows(ofPage: index, width: width, height: height, fromBelow: false, with: renderer) { row in
            packer.append(row)
        }
        var sketch = packer.bitmap
        let scale = (x: Double(width) / size.width, y: Double(height) / size.height)
        return sketch.clip(to: PixelRect(touching: placement.paperOnPage, scale: scale))
    }
}

extension PaperPlacement {
    /// Returns the transformation from poppler's points to pixels, for a page whose user space unit is `unit` points.
    fileprivate func matrix(unit: Double) -> cairo_matrix_t {
        let box = pageBox
        guard isTurned else {
            return cairo_matrix_t(
                xx: box.size.width / page.width * unit, yx: 0, xy: 0, yy: box.size.height / page.height * unit,
                x0: box.origin.x, y0: box.origin.y)
        }
        return cairo_matrix_t(
            xx: 0, yx: -box.size.height / page.width * unit, xy: box.size.width / page.height * unit, yy: 0,
            x0: box.origin.x, y0: box.origin.y + box.size.height)
    }
}
