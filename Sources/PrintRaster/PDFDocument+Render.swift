// Drawing a page.

import CPoppler
import FoundationEssentials
import Glibc

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

    /// Draws a page onto white pixels; the matrix leads from poppler's points, which know no user unit, to pixels.
    func draw(page index: Int, by matrix: cairo_matrix_t, width: Int, height: Int) throws(RasterError) -> Bitmap {
        // A very large page is drawn in bands, which bounds the canvas and passes cairo's limit on a surface's height.
        let bandHeight = Canvas.bandHeight(width: width, height: height)
        let canvas = try reusedCanvas(width: width, height: bandHeight, for: index)
        var packer = PixelPacker(width: width, height: height)
        for top in stride(from: 0, to: height, by: bandHeight) {
            let rows = min(bandHeight, height - top)
            try withPage(index) { page throws(RasterError) in
                try canvas.draw(page, by: matrix, top: top) { status in
                    .pageUnreadable(index, of: path, cause: status)
                }
            }
            packer.append(canvas.pixels, stride: canvas.stride, rows: rows)
        }
        return packer.bitmap
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
                message: "there is no memory to draw page \(index + 1) of '\(path)' with \(width) × \(height) pixels;"
                    + " choose a lower resolution",
                cause: nil)
        }
        canvas = new
        return new
    }
}

/// A cairo image surface to draw pages on, each pixel a `0x??RRGGBB` word.
final class Canvas {
    /// Cairo draws on no surface with a longer side.
    static let longestSide = 32_767
    /// The most pixels held at a time: 256 MB.
    private static let largestBand = 64_000_000

    let width: Int
    let height: Int
    /// The distance between rows, in pixels.
    let stride: Int
    let pixels: UnsafeMutablePointer<UInt32>
    private let surface: OpaquePointer

    static func bandHeight(width: Int, height: Int) -> Int {
        min(height, longestSide, max(largestBand / width, 1))
    }

    init?(width: Int, height: Int) {
        guard let surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, Int32(width), Int32(height)) else {
            return nil
        }
        guard cairo_surface_status(surface) == CAIRO_STATUS_SUCCESS, let data = cairo_image_surface_get_data(surface)
        else {
            cairo_surface_destroy(surface)
            return nil
        }
        self.surface = surface
        self.width = width
        self.height = height
        let bytesPerRow = Int(cairo_image_surface_get_stride(surface))
        stride = bytesPerRow / 4
        pixels = UnsafeMutableRawPointer(data).bindMemory(to: UInt32.self, capacity: stride * height)
    }

    deinit {
        cairo_surface_destroy(surface)
    }

    /// Draws the part of a page that begins `top` pixels below the upper edge, over white.
    func draw(
        _ page: OpaquePointer, by matrix: cairo_matrix_t, top: Int, failure: (String) -> RasterError
    ) throws(RasterError) {
        cairo_surface_flush(surface)
        memset(pixels, 0xFF, stride * height * 4)
        cairo_surface_mark_dirty(surface)
        let context = cairo_create(surface)
        defer { cairo_destroy(context) }
        cairo_translate(context, 0, -Double(top))
        var matrix = matrix
        cairo_transform(context, &matrix)
        poppler_page_render_for_printing(page, context)
        let status = cairo_status(context)
        guard status == CAIRO_STATUS_SUCCESS else {
            throw failure(String(cString: cairo_status_to_string(status)))
        }
        cairo_surface_flush(surface)
    }
}
