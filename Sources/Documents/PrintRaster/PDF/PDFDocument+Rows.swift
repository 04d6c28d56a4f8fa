// Draws a page row by row.

import CPoppler

extension PDFDocument {
    /// Draws a page with the given renderer, and passes the rows of the page to `body`.
    ///
    /// - Returns: The known defect of the page; nil if no defect is known.
    func rows(
        ofPage index: Int, width: Int, height: Int, fromBelow: Bool, with renderer: PageRendering,
        _ body: (PixelRow) throws(RasterError) -> Void
    ) throws(RasterError) -> PageDefect? {
        switch renderer {
        case .cairo:
            return try PageDefect.found { () throws(RasterError) in
                try rows(ofPage: index, width: width, height: height, fromBelow: fromBelow, body)
            }.defect
        case .splash:
            try splashRows(ofPage: index, width: width, height: height, fromBelow: fromBelow, body)
            return nil
        }
    }

    /// Scales a page to exactly the given size, draws the page, and passes its rows to `body`.
    ///
    /// - Parameters:
    ///   - fromBelow: Whether the rows are passed from bottom to top.
    ///   - body: A function that receives each row.
    func rows(
        ofPage index: Int, width: Int, height: Int, fromBelow: Bool,
        _ body: (PixelRow) throws(RasterError) -> Void
    ) throws(RasterError) {
        let size = try pageSize(at: index)
        let unit = userUnit(at: index)
        let matrix = cairo_matrix_t(
            xx: Double(width) / size.width * unit, yx: 0, xy: 0, yy: Double(height) / size.height * unit, x0: 0, y0: 0)
        try drawBands(
            ofPage: index, by: matrix, width: width, height: height, fromBelow: fromBelow
        ) { canvas, rows throws(RasterError) in
            try canvas.takeRows(rows, fromBelow: fromBelow, body)
        }
    }
}
