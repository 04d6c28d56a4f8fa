// Draws pages as bitmaps.

import CPoppler
import FoundationEssentials

extension PDFDocument {
    /// Draws a page on white for printing: with antialiasing, and only with the annotations that are printed.
    ///
    /// The bitmap has `round(points × dpi / 72)` pixels in each direction, at least 1, and the page fills the bitmap
    /// exactly. The format is `gray8` if no pixel has color, otherwise `rgb24`.
    ///
    /// - Parameters:
    ///   - index: The index of the page, from 0.
    ///   - dpi: The resolution in pixels per inch, greater than 0.
    ///   - maximumPixels: The maximum number of pixels; a larger page is rejected before memory is allocated. Drawing
    ///     and writing a page requires up to 4 bytes per pixel in gray and 10 in color, plus 256 MB.
    /// - Throws: `tooLarge`, or `unreadable` if the page is damaged.
    public func render(
        page index: Int, dpi: Double, maximumPixels: Int = 200_000_000
    ) throws(RasterError) -> Bitmap {
        precondition(dpi > 0 && dpi.isFinite, "the resolution must be greater than 0 dpi, not \(dpi)")
        let size = try pageSize(at: index)
        let exactWidth = max((size.width * dpi / 72).rounded(), 1)
        let exactHeight = max((size.height * dpi / 72).rounded(), 1)
        guard exactWidth * exactHeight <= Double(maximumPixels), exactWidth <= Double(Canvas.longestSide) else {
            throw .pageTooLarge(index, width: exactWidth, height: exactHeight, limit: maximumPixels)
        }
        let unit = userUnit(at: index)
        let matrix = cairo_matrix_t(
            xx: exactWidth / size.width * unit, yx: 0, xy: 0, yy: exactHeight / size.height * unit, x0: 0, y0: 0)
        return try draw(page: index, by: matrix, width: Int(exactWidth), height: Int(exactHeight))
    }

    /// The maximum width of a drawn page in pixels.
    ///
    /// The height has no such limit, because tall pages are drawn in bands.
    public static var mostPixelsASide: Int { Canvas.longestSide }

    /// Draws a page on transparent pixels, only with the annotations that are printed.
    ///
    /// The page is scaled to fill the pixels exactly.
    ///
    /// - Parameters:
    ///   - index: The index of the page, from 0.
    ///   - width: The width in pixels, from 1 to `mostPixelsASide`.
    ///   - height: The height in pixels, at least 1.
    /// - Returns: Four bytes per pixel, row by row from the top: red, green, blue (not premultiplied) and alpha.
    /// - Throws: `tooLarge` if there is not enough memory, or `unreadable` if the page is damaged.
    public func renderTransparent(page index: Int, width: Int, height: Int) throws(RasterError) -> [UInt8] {
        precondition(
            (1...Canvas.longestSide).contains(width) && height > 0, "invalid page size: \(width) × \(height) pixels")
        let (size, unit) = (try pageSize(at: index), userUnit(at: index))
        let matrix = cairo_matrix_t(
            xx: Double(width) / size.width * unit, yx: 0, xy: 0, yy: Double(height) / size.height * unit, x0: 0, y0: 0)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(width * height * 4)
        try drawBands(ofPage: index, by: matrix, width: width, height: height, fromBelow: false) {
            band, rows in
            for row in 0..<rows { Self.append(band.pixels + row * band.stride, count: width, to: &bytes) }
        }
        return bytes
    }

    /// Converts `0xAARRGGBB` words with premultiplied alpha to colors that are not premultiplied, and appends the
    /// colors as bytes in the order red, green, blue, alpha.
    private static func append(_ words: UnsafePointer<UInt32>, count: Int, to bytes: inout [UInt8]) {
        for index in 0..<count {
            let word = words[index]
            let alpha = word >> 24
            func plain(_ value: UInt32) -> UInt8 {
                alpha == 0 ? 0 : UInt8(min(255, (value * 255 + alpha / 2) / alpha))
            }
            bytes.append(plain(word >> 16 & 255))
            bytes.append(plain(word >> 8 & 255))
            bytes.append(plain(word & 255))
            bytes.append(UInt8(alpha))
        }
    }

    /// Draws a page on white pixels.
    ///
    /// - Parameter matrix: The transformation from poppler's points, which ignore the user unit, to pixels.
    func draw(page index: Int, by matrix: cairo_matrix_t, width: Int, height: Int) throws(RasterError) -> Bitmap {
        var packer = PixelPacker(width: width, height: height)
        try drawBands(ofPage: index, by: matrix, width: width, height: height, fromBelow: false) {
            band, rows throws(RasterError) in
            try packer.append(band, rows: rows)
        }
        return packer.bitmap
    }

    /// Draws a page on transparent pixels in horizontal bands, and passes each band to `body`, as a canvas and the
    /// number of rows in the band.
    ///
    /// Bands limit the memory for very large pages, and avoid cairo's limit on the height of a surface.
    func drawBands(
        ofPage index: Int, by matrix: cairo_matrix_t, width: Int, height: Int, fromBelow: Bool,
        _ body: (Canvas, Int) throws(RasterError) -> Void
    ) throws(RasterError) {
        let bandHeight = Canvas.bandHeight(width: width, height: height, maximumPixelCount: pixelsPerBand)
        let canvas = try reusedCanvas(width: width, height: bandHeight, for: index)
        let tops = Array(stride(from: 0, to: height, by: bandHeight))
        try withPage(index) { page throws(RasterError) in
            showOnlyPrintedAnnotations(of: page)
            var isEmpty = true
            for top in fromBelow ? tops.reversed() : tops {
                try canvas.draw(page, by: matrix, isAntialiased: isAntialiased, top: top) { status in
                    .pageUnreadable(index, of: label, cause: status)
                }
                isEmpty = isEmpty && canvas.isTransparent
                try body(canvas, min(bandHeight, height - top))
            }
            // Cairo omits some glyphs without a message, such as those of some Type 3 fonts.
            if isEmpty, try hasText(index) { PageDefect.noteLostText() }
        }
    }

    /// Returns whether a page has text within its edges.
    private func hasText(_ index: Int) throws(RasterError) -> Bool {
        // A new object of the page, because a page that was drawn does not read its text again.
        try withPage(index) { page in
            var area = PopplerRectangle(x1: 0, y1: 0, x2: 0, y2: 0)
            poppler_page_get_size(page, &area.x2, &area.y2)
            guard let text = poppler_page_get_text_for_area(page, &area) else { return false }
            defer { g_free(text) }
            return !String(cString: text).allSatisfy(\.isWhitespace)
        }
    }

    /// Returns a canvas of the given size: the canvas of the previous page if the size is the same, otherwise a new
    /// canvas.
    func reusedCanvas(width: Int, height: Int, for index: Int) throws(RasterError) -> Canvas {
        if let canvas, canvas.width == width, canvas.height == height {
            return canvas
        }
        canvas = nil  // free the old canvas before the new one is allocated
        guard let new = Canvas(width: width, height: height) else {
            throw RasterError(
                code: .tooLarge,
                message: "not enough memory to draw page \(index + 1) of \(label) with \(width) × \(height) pixels;"
                    + " choose a lower resolution",
                cause: nil)
        }
        canvas = new
        return new
    }
}
