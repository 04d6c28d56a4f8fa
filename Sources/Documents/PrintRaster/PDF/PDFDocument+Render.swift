// Drawing a page.

import CPoppler
import FoundationEssentials

extension PDFDocument {
    /// Draws a page as it would be printed, on white: text and graphics antialiased, annotations only if they print.
    ///
    /// The bitmap has `round(points × dpi / 72)` pixels each way, at least 1, and the page is fitted to them exactly.
    /// It is `gray8` when no pixel has colour, `rgb24` otherwise.
    ///
    /// - Parameters:
    ///   - index: The page, counting from 0.
    ///   - dpi: Pixels per inch, more than 0.
    ///   - maximumPixels: The most pixels to draw; a larger page is refused before any memory is taken. Drawing and
    ///     writing one take up to 4 bytes a pixel in grey and 10 in colour, besides 256 MB.
    /// - Throws: `tooLarge`, or `unreadable` if the page is damaged.
    public func render(
        page index: Int, dpi: Double, maximumPixels: Int = 200_000_000
    ) throws(RasterError) -> Bitmap {
        precondition(dpi > 0 && dpi.isFinite, "a resolution is more than 0 dpi, but \(dpi) was given")
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

    /// The most pixels of a page's width or height.
    public static var mostPixelsASide: Int { Canvas.longestSide }

    /// Draws a page as it would be printed on transparent pixels, fitted to them exactly.
    ///
    /// - Parameters:
    ///   - index: The page, counting from 0.
    ///   - width: The width in pixels, from 1 to `mostPixelsASide`.
    ///   - height: The height in pixels, at least 1.
    /// - Returns: Four bytes a pixel, row by row from the top: red, green, blue, not multiplied by the alpha, and alpha.
    /// - Throws: `tooLarge` when there is no memory, or `unreadable` if the page is damaged.
    public func renderTransparent(page index: Int, width: Int, height: Int) throws(RasterError) -> [UInt8] {
        precondition((1...Canvas.longestSide).contains(width) && height > 0, "\(width) × \(height) pixels are no page")
        let (size, unit) = (try pageSize(at: index), userUnit(at: index))
        let matrix = cairo_matrix_t(
            xx: Double(width) / size.width * unit, yx: 0, xy: 0, yy: Double(height) / size.height * unit, x0: 0, y0: 0)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(width * height * 4)
        try drawBands(ofPage: index, by: matrix, width: width, height: height, fromBelow: false, onWhite: false) {
            band, rows in
            for row in 0..<rows { Self.append(band.pixels + row * band.stride, count: width, to: &bytes) }
        }
        return bytes
    }

    /// Appends `0xAARRGGBB` words with premultiplied alpha as plain red, green, blue and alpha.
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

    /// Draws a page onto white pixels; the matrix leads from poppler's points, which know no user unit, to pixels.
    func draw(page index: Int, by matrix: cairo_matrix_t, width: Int, height: Int) throws(RasterError) -> Bitmap {
        var packer = PixelPacker(width: width, height: height)
        try drawBands(ofPage: index, by: matrix, width: width, height: height, fromBelow: false) { band, rows in
            packer.append(band.pixels, stride: band.stride, rows: rows)
        }
        return packer.bitmap
    }

    /// Draws a page band by band and lends out each band's canvas and the number of its rows.
    ///
    /// Bands bound the memory of a very large page, and pass cairo's limit on a surface's height.
    func drawBands(
        ofPage index: Int, by matrix: cairo_matrix_t, width: Int, height: Int, fromBelow: Bool, onWhite: Bool = true,
        _ body: (Canvas, Int) throws(RasterError) -> Void
    ) throws(RasterError) {
        let bandHeight = Canvas.bandHeight(width: width, height: height, mostPixels: pixelsPerBand)
        let canvas = try reusedCanvas(width: width, height: bandHeight, for: index)
        let tops = Array(stride(from: 0, to: height, by: bandHeight))
        try withPage(index) { page throws(RasterError) in
            showOnlyPrintedAnnotations(of: page)
            for top in fromBelow ? tops.reversed() : tops {
                try canvas.draw(page, by: matrix, isAntialiased: isAntialiased, onWhite: onWhite, top: top) {
                    status in
                    .pageUnreadable(index, of: label, cause: status)
                }
                try body(canvas, min(bandHeight, height - top))
            }
        }
    }

    /// The canvas of the page before, if it fits.
    func reusedCanvas(width: Int, height: Int, for index: Int) throws(RasterError) -> Canvas {
        if let canvas, canvas.width == width, canvas.height == height {
            return canvas
        }
        canvas = nil  // freed before the next one is made
        guard let new = Canvas(width: width, height: height) else {
            throw RasterError(
                code: .tooLarge,
                message: "there is no memory to draw page \(index + 1) of \(label) with \(width) × \(height) pixels;"
                    + " choose a lower resolution",
                cause: nil)
        }
        canvas = new
        return new
    }
}
