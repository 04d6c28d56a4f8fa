// The surface that poppler's cairo backend draws pages on.

import CPoppler
import CThinLines
import Glibc

/// A cairo image surface, each pixel a `0xAARRGGBB` word with premultiplied alpha.
///
/// A page is drawn on transparent pixels and composited onto white afterwards. Drawn on white, blend modes, knockout groups
/// and soft masks of the page itself would take the paper for a backdrop.
final class Canvas {
    /// Pixman composites nothing onto a surface with a longer side, and reports no error.
    static let longestSide = 32_766
    /// The most rows held at a time, well below that limit.
    private static let tallestBand = 16_384
    /// The most pixels held at a time: 256 MB.
    static let largestBand = 64_000_000

    let width: Int
    let height: Int
    /// The distance between rows, in pixels.
    let stride: Int
    /// The pixels; opaque after a page has been drawn on white.
    let pixels: UnsafeMutablePointer<UInt32>
    private let surface: OpaquePointer

    static func bandHeight(width: Int, height: Int, mostPixels: Int) -> Int {
        min(height, tallestBand, max(mostPixels / width, 1))
    }

    init?(width: Int, height: Int) {
        guard let surface = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, Int32(width), Int32(height)) else {
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

    /// Draws the part of a page that begins `top` pixels below the upper edge, on white or on transparent pixels.
    ///
    /// The page is drawn as on a screen of so many pixels, not as poppler draws for a printer: that would scale images without
    /// interpolation and make thin lines thinner than a pixel.
    ///
    /// - Parameters:
    ///   - matrix: leads from the page's points to pixels.
    ///   - isAntialiased: whether edges of text and graphics are smooth; printers of one bit get sharp ones.
    func draw(
        _ page: OpaquePointer, by matrix: cairo_matrix_t, isAntialiased: Bool, onWhite: Bool = true, top: Int,
        failure: (String) -> RasterError
    ) throws(RasterError) {
        thin_lines_begin()
        defer { thin_lines_end() }
        try draw(onWhite: onWhite, top: top, failure: failure) { context in
            if !isAntialiased { Self.sharpen(context) }
            var matrix = matrix
            cairo_transform(context, &matrix)
            poppler_page_render(page, context)
        }
    }

    private static func sharpen(_ context: OpaquePointer) {
        cairo_set_antialias(context, CAIRO_ANTIALIAS_NONE)
        let options = cairo_font_options_create()
        defer { cairo_font_options_destroy(options) }
        cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_NONE)
        cairo_set_font_options(context, options)
    }

    /// Draws on transparent pixels, the first of which lie `top` pixels below a page's upper edge, and composites them onto
    /// white.
    ///
    /// - Parameters:
    ///   - onWhite: whether the pixels become opaque at the end.
    ///   - failure: makes an error of cairo's reason.
    func draw(
        onWhite: Bool = true, top: Int, failure: (String) -> RasterError, _ body: (OpaquePointer) -> Void
    ) throws(RasterError) {
        cairo_surface_flush(surface)
        memset(pixels, 0, stride * height * 4)
        cairo_surface_mark_dirty(surface)
        guard let context = cairo_create(surface) else { throw failure("no context") }
        defer { cairo_destroy(context) }
        cairo_save(context)
        cairo_translate(context, 0, -Double(top))
        body(context)
        cairo_restore(context)
        if onWhite {
            cairo_set_operator(context, CAIRO_OPERATOR_DEST_OVER)
            cairo_set_source_rgb(context, 1, 1, 1)
            cairo_paint(context)
        }
        let status = cairo_status(context)
        guard status == CAIRO_STATUS_SUCCESS else {
            throw failure(String(cString: cairo_status_to_string(status)))
        }
        cairo_surface_flush(surface)
    }
}
