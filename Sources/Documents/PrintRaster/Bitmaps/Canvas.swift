// The surface on which poppler's cairo backend draws pages.

import CPoppler
import CThinLines
import Glibc

/// A cairo image surface whose pixels are `0xAARRGGBB` words with premultiplied alpha.
///
/// A page is drawn on transparent pixels and composited onto white afterwards. If the page were drawn on white, its
/// blend modes, knockout groups and soft masks would use the paper as backdrop.
final class Canvas {
    /// The maximum length of a surface's side, in pixels.
    ///
    /// Pixman draws nothing on a larger surface, and reports no error.
    static let longestSide = 32_766
    /// The maximum number of rows of a surface in memory; this number is well below `longestSide`.
    private static let tallestBand = 16_384
    /// The maximum number of pixels of a surface in memory.
    ///
    /// These pixels require 256 MB.
    static let largestBand = 64_000_000

    let width: Int
    let height: Int
    /// The distance between the starts of adjacent rows, in pixels.
    let stride: Int
    /// The pixels of the surface, which are opaque after a page has been drawn on white.
    let pixels: UnsafeMutablePointer<UInt32>
    private let surface: OpaquePointer

    static func bandHeight(width: Int, height: Int, maximumPixelCount: Int) -> Int {
        min(height, tallestBand, max(maximumPixelCount / width, 1))
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

    /// Draws a horizontal strip of a page on white or on transparent pixels.
    ///
    /// The page is drawn with poppler's function for screens. The function for printers scales images without
    /// interpolation and makes thin lines thinner than a pixel.
    ///
    /// - Parameters:
    ///   - matrix: The transformation from the page's points to pixels.
    ///   - isAntialiased: Whether edges of text and graphics are smooth; pages in 1-bit formats have sharp edges.
    ///   - top: The distance of the strip from the upper edge of the page, in pixels.
    func draw(
        _ page: OpaquePointer, by matrix: cairo_matrix_t, isAntialiased: Bool, onWhite: Bool = true, top: Int,
        failure: (String) -> RasterError
    ) throws(RasterError) {
        thin_lines_begin()
        defer { thin_lines_end() }
        skipped_text_begin()
        defer { skipped_text_end() }
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

    /// Draws on transparent pixels, and composites the pixels onto white if requested.
    ///
    /// - Parameters:
    ///   - onWhite: Whether the pixels are composited onto white at the end, which makes the pixels opaque.
    ///   - top: The distance of the first row from the upper edge of the page, in pixels.
    ///   - failure: A function that converts cairo's error message to an error.
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
