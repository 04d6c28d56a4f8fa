// Reads and draws SVG drawings with librsvg.

import CCairo
import CRsvg
import Glibc
import PrintModel

/// An SVG drawing that librsvg has loaded.
final class Drawing {
    /// The number of CSS pixels in an inch.
    private static let pixelsPerInch = 96.0
    /// The resolution for SVG filters, in pixels per inch; librsvg draws all other content as vectors.
    private static let filterResolution = 300.0
    /// The maximum width and height of an image that librsvg draws for an SVG filter, in pixels.
    private static let longestFilterSide = 8000.0

    private let handle: UnsafeMutablePointer<RsvgHandle>
    /// The size of the drawing in points; nil if the drawing is empty.
    let size: Size?
    /// Whether the drawing declares its size in absolute units of length.
    let hasSize: Bool
    /// Whether the drawing may contain filters or masks, which librsvg draws as images.
    private let hasPixelEffects: Bool

    /// Loads an SVG drawing.
    ///
    /// - Throws: `WorkError.damaged`.
    init(_ bytes: [UInt8], name: String) throws(WorkError) {
        var problem: UnsafeMutablePointer<GError>?
        guard let handle = rsvg_handle_new_from_data(bytes, gsize(bytes.count), &problem) else {
            throw .damagedImage("SVG drawing", name, cause: Self.message(&problem))
        }
        rsvg_handle_set_dpi(handle, Self.pixelsPerInch)
        self.handle = handle
        hasPixelEffects = bytes.firstRange(of: "filter".utf8) != nil || bytes.firstRange(of: "mask".utf8) != nil
        (size, hasSize) = Self.size(of: handle)
    }

    deinit { g_object_unref(UnsafeMutableRawPointer(handle)) }

    /// Returns the size of a drawing in points, and whether the drawing declares this size.
    ///
    /// If the drawing declares no size, the result is the size of the `viewBox`. Without a `viewBox`, the result is the
    /// extent of the shapes. The size is nil if the drawing is empty.
    private static func size(of handle: UnsafeMutablePointer<RsvgHandle>) -> (Size?, Bool) {
        func points(_ width: Double, _ height: Double) -> Size? {
            guard width > 0, height > 0, width.isFinite, height.isFinite else { return nil }
            return Size(width: width * 72 / pixelsPerInch, height: height * 72 / pixelsPerInch)
        }
        var (width, height) = (0.0, 0.0)
        if rsvg_handle_get_intrinsic_size_in_pixels(handle, &width, &height) != 0, let size = points(width, height) {
            return (size, true)
        }
        var (hasWidth, hasHeight, hasViewBox): (gboolean, gboolean, gboolean) = (0, 0, 0)
        var (acrossLength, alongLength, viewBox) = (RsvgLength(), RsvgLength(), RsvgRectangle())
        rsvg_handle_get_intrinsic_dimensions(
            handle, &hasWidth, &acrossLength, &hasHeight, &alongLength, &hasViewBox, &viewBox)
        if hasViewBox != 0, let size = points(viewBox.width, viewBox.height) { return (size, false) }
        var (ink, logical) = (RsvgRectangle(), RsvgRectangle())
        guard rsvg_handle_get_geometry_for_element(handle, nil, &ink, &logical, nil) != 0 else { return (nil, false) }
        return (points(ink.x + ink.width, ink.y + ink.height) ?? points(ink.width, ink.height), false)
    }

    /// Draws the SVG drawing at the origin of a Cairo context, scaled to the given size in points.
    ///
    /// - Returns: The reason why librsvg cannot draw the drawing; nil on success.
    func draw(on cairo: OpaquePointer?, size: Size) -> String? {
        guard hasPixelEffects else { return render(on: cairo, size: size) }
        // librsvg applies filters to pixels of the context's units, so the drawing is recorded in smaller units.
        // Without filters, librsvg draws on the PDF itself, because it records text as shapes.
        let longest = max(size.width, size.height)
        let scale = max(1, min(Self.filterResolution / 72, Self.longestFilterSide / longest))
        let recorded = Size(width: size.width * scale, height: size.height * scale)
        var extents = cairo_rectangle_t(x: 0, y: 0, width: recorded.width, height: recorded.height)
        let recording = cairo_recording_surface_create(CAIRO_CONTENT_COLOR_ALPHA, &extents)
        defer { cairo_surface_destroy(recording) }
        let recorder = cairo_create(recording)
        let problem = render(on: recorder, size: recorded)
        cairo_destroy(recorder)
        if let problem { return problem }
        cairo_scale(cairo, 1 / scale, 1 / scale)
        cairo_set_source_surface(cairo, recording, 0, 0)
        cairo_paint(cairo)
        return nil
    }

    private func render(on cairo: OpaquePointer?, size target: Size) -> String? {
        // A drawing without a `viewBox` has its own size, whatever the viewport is. Extreme sizes are left to librsvg.
        var natural = size.map {
            Size(width: $0.width * Self.pixelsPerInch / 72, height: $0.height * Self.pixelsPerInch / 72)
        }
        if let size = natural, max(size.width, size.height) > 100_000 { natural = nil }
        let size = natural ?? target
        cairo_save(cairo)
        cairo_scale(cairo, target.width / size.width, target.height / size.height)
        var viewport = RsvgRectangle(x: 0, y: 0, width: size.width, height: size.height)
        var problem: UnsafeMutablePointer<GError>?
        let isDrawn = rsvg_handle_render_document(handle, cairo, &viewport, &problem) != 0
        cairo_restore(cairo)
        guard isDrawn else { return Self.message(&problem) ?? "librsvg reported no reason" }
        let status = cairo_status(cairo)
        return status == CAIRO_STATUS_SUCCESS ? nil : String(cString: cairo_status_to_string(status))
    }

    private static func message(_ problem: inout UnsafeMutablePointer<GError>?) -> String? {
        defer { g_clear_error(&problem) }
        return problem?.pointee.message.map { String(cString: $0) }
    }
}
