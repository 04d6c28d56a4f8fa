// The surface on which poppler's cairo backend draws pages.

import CPagePixels
import CPoppler
import CThinLines
import Glibc

/// A cairo image surface whose pixels are `0xAARRGGBB` words with premultiplied alpha.
///
/// A page is drawn on transparent pixels, and its rows are composited onto white when they are taken. If the page were
/// drawn on white, its blend modes, knockout groups and soft masks would use the paper as backdrop.
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
    /// The pixels of the surface.
    let pixels: UnsafeMutablePointer<UInt32>
    private let surface: OpaquePointer
    /// The row that was taken last.
    private let row: UnsafeMutablePointer<UInt32>
    /// A row of white pixels.
    private let white: UnsafeMutablePointer<UInt32>
    /// Whether all pixels are transparent.
    private var isClear = true

    /// Whether nothing was drawn on the surface.
    var isTransparent: Bool {
        cairo_surface_flush(surface)
        return pixels[0] == 0 && memcmp(pixels, pixels + 1, (stride * height - 1) * 4) == 0
    }

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
        row = .allocate(capacity: width)
        white = .allocate(capacity: width)
        row.initialize(repeating: .max, count: width)
        white.initialize(repeating: .max, count: width)
    }

    deinit {
        row.deallocate()
        white.deallocate()
        cairo_surface_destroy(surface)
    }

    /// Draws a horizontal strip of a page on transparent pixels.
    ///
    /// The page is drawn with poppler's function for screens. The function for printers scales images without
    /// interpolation and makes thin lines thinner than a pixel.
    ///
    /// - Parameters:
    ///   - matrix: The transformation from the page's points to pixels.
    ///   - isAntialiased: Whether edges of text and graphics are smooth; pages in 1-bit formats have sharp edges.
    ///   - top: The distance of the strip from the upper edge of the page, in pixels.
    func draw(
        _ page: OpaquePointer, by matrix: cairo_matrix_t, isAntialiased: Bool, top: Int,
        failure: (String) -> RasterError
    ) throws(RasterError) {
        thin_lines_begin()
        defer { thin_lines_end() }
        skipped_text_begin()
        defer { skipped_text_end() }
        try draw(top: top, failure: failure) { context in
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

    /// Draws on transparent pixels.
    ///
    /// - Parameters:
    ///   - top: The distance of the first row from the upper edge of the page, in pixels.
    ///   - failure: A function that converts cairo's error message to an error.
    func draw(
        top: Int, failure: (String) -> RasterError, _ body: (OpaquePointer) -> Void
    ) throws(RasterError) {
        cairo_surface_flush(surface)
        if !isClear { memset(pixels, 0, stride * height * 4) }
        isClear = false
        cairo_surface_mark_dirty(surface)
        guard let context = cairo_create(surface) else { throw failure("no context") }
        defer { cairo_destroy(context) }
        cairo_save(context)
        cairo_translate(context, 0, -Double(top))
        body(context)
        cairo_restore(context)
        let status = cairo_status(context)
        guard status == CAIRO_STATUS_SUCCESS else {
            throw failure(String(cString: cairo_status_to_string(status)))
        }
        cairo_surface_flush(surface)
    }

    /// Passes the first rows to `body`, composited onto white, and clears the canvas for the next page.
    ///
    /// - Parameters:
    ///   - count: The number of rows.
    ///   - fromBelow: Whether the rows are passed from bottom to top.
    func takeRows(_ count: Int, fromBelow: Bool = false, _ body: (PixelRow) throws(RasterError) -> Void)
        throws(RasterError)
    {
        for offset in 0..<count {
            let y = fromBelow ? count - 1 - offset : offset
            switch page_row_colors(UInt32(page_row_take(pixels + y * stride, row, width))) {
            case page_row_blank: try body(PixelRow(words: white, colors: .blank))
            case page_row_gray: try body(PixelRow(words: row, colors: .gray))
            default: try body(PixelRow(words: row, colors: .any))
            }
        }
        // Content beyond the lower edge of the page is in the remaining rows.
        memset(pixels + count * stride, 0, (height - count) * stride * 4)
        isClear = true
    }
}

/// A drawn row of a page.
struct PixelRow {
    enum Colors {
        /// All pixels are white.
        case blank
        case gray
        /// The pixels can have any color.
        case any
    }

    /// The pixels, as one `0x??RRGGBB` word per pixel.
    let words: UnsafePointer<UInt32>
    let colors: Colors
}
