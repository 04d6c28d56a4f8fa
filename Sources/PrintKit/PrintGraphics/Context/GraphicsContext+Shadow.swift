// Draws shadows: the blurred shape in the shadow's color.

import CCairo
import FoundationEssentials
import Glibc

extension GraphicsContext {
    /// The mask of a larger shadow has a lower resolution.
    private static var largestShadow: Double { 16_000_000 }

    func drawShadow(_ shadow: Shadow, on cairo: OpaquePointer, of body: (OpaquePointer) -> Void) {
        guard shadow.color.alpha > 0 else { return }
        let matrix = state.transform.concatenating(base)
        // The base transformation only scales and moves, and may flip y, so its `a` and `d` convert the offset.
        let offset = AffineTransform.translation(
            x: finite(shadow.offset.width) * base.a, y: finite(shadow.offset.height) * base.d)
        let blur = min(max(finite(shadow.blurRadius), 0), 1000) * abs(base.a)
        guard let shape = recordedShape(matrix, body) else { return }
        defer { cairo_surface_destroy(shape) }

        cairo_save(cairo)
        defer { cairo_restore(cairo) }
        var identity = cairo_matrix_t(.identity)
        cairo_set_matrix(cairo, &identity)
        cairo_set_source_rgba(
            cairo, shadow.color.red, shadow.color.green, shadow.color.blue, shadow.color.alpha)
        if blur == 0 {
            cairo_mask_surface(cairo, shape, offset.tx, offset.ty)
        } else if let soft = blurredMask(of: shape, moved: offset, by: blur, on: cairo) {
            cairo_mask(cairo, soft)
            cairo_pattern_destroy(soft)
        }
    }

    /// Returns a recording of the area that a drawing covers, in the units of the surface.
    ///
    /// Returns `nil` if there is not enough memory.
    private func recordedShape(_ matrix: AffineTransform, _ body: (OpaquePointer) -> Void) -> OpaquePointer? {
        guard let recording = cairo_recording_surface_create(CAIRO_CONTENT_COLOR_ALPHA, nil) else { return nil }
        if let other = cairo_create(recording) {
            var matrix = cairo_matrix_t(matrix)
            cairo_set_matrix(other, &matrix)
            body(other)
            cairo_destroy(other)
        }
        return recording
    }

    /// Returns a pattern whose alpha is the blurred shape of a shadow, in the units of the surface.
    ///
    /// Returns `nil` if the shadow is not visible, or if there is not enough memory.
    private func blurredMask(
        of shape: OpaquePointer, moved offset: AffineTransform, by blur: Double, on cairo: OpaquePointer
    ) -> OpaquePointer? {
        var (x, y, width, height) = (0.0, 0.0, 0.0, 0.0)
        cairo_recording_surface_ink_extents(shape, &x, &y, &width, &height)
        let margin = blur * 1.5 + 2
        let cast = offset.apply(to: Rect(x: x, y: y, width: width, height: height)).inset(x: -margin, y: -margin)
        var (left, top, right, bottom) = (0.0, 0.0, 0.0, 0.0)
        cairo_clip_extents(cairo, &left, &top, &right, &bottom)
        let visible = Rect(x: left, y: top, width: right - left, height: bottom - top).inset(x: -margin, y: -margin)
        let area = cast.intersection(visible)
        guard area.isFinite, !area.isEmpty else { return nil }

        let fine = resolution / abs(base.a)
        let scale = min(fine, (Self.largestShadow / (area.width * area.height)).squareRoot())
        guard
            let mask = ShadowMask(
                width: Int((area.width * scale).rounded(.up)), height: Int((area.height * scale).rounded(.up)))
        else { return nil }
        mask.draw { other in
            cairo_scale(other, scale, scale)
            cairo_translate(other, offset.tx - area.minX, offset.ty - area.minY)
            cairo_set_source_surface(other, shape, 0, 0)
            cairo_paint(other)
        }
        mask.soften(deviation: blur / 2 * scale)
        guard let pattern = cairo_pattern_create_for_surface(mask.surface) else { return nil }
        var placed = cairo_matrix_t(
            AffineTransform(a: scale, b: 0, c: 0, d: scale, tx: -area.minX * scale, ty: -area.minY * scale))
        cairo_pattern_set_matrix(pattern, &placed)
        return pattern
    }
}

private func finite(_ value: Double) -> Double { value.isFinite ? max(-1e6, min(value, 1e6)) : 0 }

private final class ShadowMask {
    let surface: OpaquePointer
    private let width: Int
    private let height: Int

    init?(width: Int, height: Int) {
        guard width > 0, height > 0, width <= PixelBuffer.longestSide, height <= PixelBuffer.longestSide,
            let surface = cairo_image_surface_create(CAIRO_FORMAT_A8, Int32(width), Int32(height))
        else { return nil }
        guard cairo_surface_status(surface) == CAIRO_STATUS_SUCCESS else {
            cairo_surface_destroy(surface)
            return nil
        }
        (self.surface, self.width, self.height) = (surface, width, height)
    }

    deinit { cairo_surface_destroy(surface) }

    func draw(_ body: (OpaquePointer) -> Void) {
        guard let cairo = cairo_create(surface) else { return }
        body(cairo)
        cairo_destroy(cairo)
        cairo_surface_flush(surface)
    }

    /// Blurs the mask with three moving averages in each direction, which approximates a Gaussian.
    ///
    /// - Parameter deviation: The standard deviation in pixels.
    func soften(deviation: Double) {
        let reach = Int(((deviation * deviation * 4 + 1).squareRoot() / 2).rounded())
        guard reach > 0, let data = cairo_image_surface_get_data(surface) else { return }
        let stride = Int(cairo_image_surface_get_stride(surface))
        let longest = max(width, height)
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: longest) { line in
            for _ in 0..<3 {
                for y in 0..<height { average(data + y * stride, step: 1, count: width, reach: reach, line) }
                for x in 0..<width { average(data + x, step: stride, count: height, reach: reach, line) }
            }
        }
        cairo_surface_mark_dirty(surface)
    }

    /// Replaces each value of a row or column with the average of the values at a distance of at most `reach`.
    private func average(
        _ values: UnsafeMutablePointer<UInt8>, step: Int, count: Int, reach: Int,
        _ line: UnsafeMutableBufferPointer<UInt8>
    ) {
        for index in 0..<count { line[index] = values[index * step] }
        let width = 2 * reach + 1
        var sum = 0
        for index in 0..<min(reach, count) { sum += Int(line[index]) }
        for index in 0..<count {
            if index + reach < count { sum += Int(line[index + reach]) }
            if index > reach { sum -= Int(line[index - reach - 1]) }
            values[index * step] = UInt8(truncatingIfNeeded: (sum + reach) / width)
        }
    }
}
