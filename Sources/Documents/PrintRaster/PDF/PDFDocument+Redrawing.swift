// Draws pages into a new PDF.

import CPoppler
import PrintModel

extension PDFDocument {
    /// Draws all pages with their printable annotations into a new PDF.
    ///
    /// Text and lines remain vector graphics. Content that cairo cannot represent in PDF becomes an image of 300 dpi.
    /// Each page keeps its displayed size. A page that cannot be drawn is replaced by a notice page with the size of
    /// the previous page.
    ///
    /// - Returns: The indexes of the pages that could not be drawn, from 0.
    /// - Throws: `writeFailed`.
    public func redraw(to path: String) throws(RasterError) -> [Int] {
        var size = PageSize(width: 595, height: 842)
        guard let surface = cairo_pdf_surface_create(path, size.width, size.height) else {
            throw .writeFailed(path, cause: "not enough memory")
        }
        defer { cairo_surface_destroy(surface) }
        cairo_surface_set_fallback_resolution(surface, 300, 300)
        var missing: [Int] = []
        for index in 0..<pageCount {
            size = (try? pageSize(at: index)) ?? size
            cairo_pdf_surface_set_size(surface, size.width, size.height)
            let context = cairo_create(surface)
            defer { cairo_destroy(context) }
            do throws(RasterError) {
                try withPage(index) { page throws(RasterError) in
                    cairo_scale(context, userUnit(at: index), userUnit(at: index))
                    poppler_page_render_for_printing(page, context)
                }
            } catch {
                missing.append(index)
                Self.drawNotice(ofPage: index, width: size.width, context)
            }
            cairo_show_page(context)
            try Self.check(cairo_status(context), path)
        }
        cairo_surface_finish(surface)
        try Self.check(cairo_surface_status(surface), path)
        return missing
    }

    private static func drawNotice(ofPage index: Int, width: Double, _ context: OpaquePointer?) {
        let size = min(12, width / 30)
        cairo_set_font_size(context, size)
        cairo_move_to(context, 3 * size, 6 * size)
        cairo_show_text(context, "Page \(index + 1) could not be drawn.")
    }

    private static func check(_ status: cairo_status_t, _ path: String) throws(RasterError) {
        guard status == CAIRO_STATUS_SUCCESS else {
            throw .writeFailed(path, cause: String(cString: cairo_status_to_string(status)))
        }
    }
}
