// A page's rows, one at a time.

import CPoppler

extension PDFDocument {
    /// Draws a page onto so many pixels with one of the renderers, and says what is wrong with it, if something is.
    func rows(
        ofPage index: Int, width: Int, height: Int, fromBelow: Bool, with renderer: PageRendering,
        _ body: (UnsafePointer<UInt32>) throws(RasterError) -> Void
    ) throws(RasterError) -> String? {
        switch renderer {
        case .cairo:
            let (_, failures) = try FontFailures.count { () throws(RasterError) in
                try rows(ofPage: index, width: width, height: height, fromBelow: fromBelow, body)
            }
            return failures > 0 ? Self.lostText : nil
        case .splash:
            try splashRows(ofPage: index, width: width, height: height, fromBelow: fromBelow, body)
            return nil
        }
    }

    /// Draws a page onto so many pixels, fitted to them exactly, and lends out its rows.
    ///
    /// - Parameters:
    ///   - fromBelow: whether the lowest row comes first.
    ///   - body: is lent each row, a `0xFFRRGGBB` word a pixel.
    func rows(
        ofPage index: Int, width: Int, height: Int, fromBelow: Bool,
        _ body: (UnsafePointer<UInt32>) throws(RasterError) -> Void
    ) throws(RasterError) {
        let size = try pageSize(at: index)
        let unit = userUnit(at: index)
        let matrix = cairo_matrix_t(
            xx: Double(width) / size.width * unit, yx: 0, xy: 0, yy: Double(height) / size.height * unit, x0: 0, y0: 0)
        try drawBands(
            ofPage: index, by: matrix, width: width, height: height, fromBelow: fromBelow
        ) { canvas, rows throws(RasterError) in
            for offset in 0..<rows {
                try body(canvas.pixels + (fromBelow ? rows - 1 - offset : offset) * canvas.stride)
            }
        }
    }
}
