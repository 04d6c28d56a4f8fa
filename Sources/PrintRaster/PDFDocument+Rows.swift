// A page's rows, one at a time.

import CPoppler

extension PDFDocument {
    /// Draws a page onto so many pixels, fitted to them exactly, and lends out its rows.
    ///
    /// - Parameters:
    ///   - fromBelow: whether the lowest row comes first.
    ///   - body: is lent each row, a `0x??RRGGBB` word a pixel.
    func rows(
        ofPage index: Int, width: Int, height: Int, fromBelow: Bool,
        _ body: (UnsafePointer<UInt32>) throws(RasterError) -> Void
    ) throws(RasterError) {
        let size = try pageSize(at: index)
        let unit = userUnit(at: index)
        let matrix = cairo_matrix_t(
            xx: Double(width) / size.width * unit, yx: 0, xy: 0, yy: Double(height) / size.height * unit, x0: 0, y0: 0)
        let bandHeight = Canvas.bandHeight(width: width, height: height)
        let canvas = try reusedCanvas(width: width, height: bandHeight, for: index)
        let bands = stride(from: 0, to: height, by: bandHeight).map { $0..<min($0 + bandHeight, height) }
        for band in fromBelow ? bands.reversed() : bands {
            try withPage(index) { page throws(RasterError) in
                try canvas.draw(page, by: matrix, top: band.lowerBound) { status in
                    .pageUnreadable(index, of: path, cause: status)
                }
            }
            for offset in 0..<band.count {
                try body(canvas.pixels + (fromBelow ? band.count - 1 - offset : offset) * canvas.stride)
            }
        }
    }
}
