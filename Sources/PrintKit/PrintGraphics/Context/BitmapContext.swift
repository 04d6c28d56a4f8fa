// Drawing into pixels.

import CCairo
import FoundationEssentials

/// A context without a screen whose drawing becomes an image (`UIGraphicsBeginImageContextWithOptions`).
///
///     let bitmap = try BitmapContext(size: Size(width: 40, height: 40), scale: 2)
///     bitmap.draw {
///         Color.red.setFill()
///         BezierPath(ovalIn: Rect(x: 0, y: 0, width: 40, height: 40)).fill()
///     }
///     let png = try bitmap.makeImage().pngData()   // 80 × 80 pixels
///
/// What lies beyond its edges is cut.
public final class BitmapContext: GraphicsContext {
    /// The scale that a scale of 0 stands for: two pixels a point, 144 dpi.
    public static let defaultScale = 2.0

    /// The size in points.
    public let size: Size
    /// Pixels a point.
    public let scale: Double
    /// Whether there is no alpha; then it begins black.
    public let isOpaque: Bool
    private let surface: OpaquePointer

    /// A context of clear pixels, or of black ones when it is opaque.
    ///
    /// - Parameters:
    ///   - size: The size in points; there are `size × scale` pixels, rounded up.
    ///   - isOpaque: Whether pixels have no alpha.
    ///   - scale: Pixels a point; 0 is `defaultScale`.
    ///   - origin: Where the origin lies.
    /// - Throws: `invalidGeometry` for a size or scale that is not finite and positive; `tooLarge` for more pixels than
    ///   can be drawn on (32,767 each way, 400 million in all), before any memory is taken, or when there is no memory.
    public init(
        size: Size, isOpaque: Bool = false, scale: Double = 1, origin: Origin = .topLeft
    ) throws(GraphicsError) {
        let scale = scale == 0 ? Self.defaultScale : scale
        guard size.width > 0, size.height > 0, size.width.isFinite, size.height.isFinite, scale > 0, scale.isFinite
        else { throw .invalidSize(size, of: "a bitmap at a scale of \(scale) and") }
        let width = (size.width * scale).rounded(.up)
        let height = (size.height * scale).rounded(.up)
        try PixelBuffer.check(width: width, height: height, of: "the bitmap")
        let format = isOpaque ? CAIRO_FORMAT_RGB24 : CAIRO_FORMAT_ARGB32
        guard let surface = cairo_image_surface_create(format, Int32(width), Int32(height)) else {
            throw .noMemory("a bitmap of \(Int(width)) × \(Int(height)) pixels")
        }
        guard cairo_surface_status(surface) == CAIRO_STATUS_SUCCESS else {
            cairo_surface_destroy(surface)
            throw .noMemory("a bitmap of \(Int(width)) × \(Int(height)) pixels")
        }
        (self.size, self.scale, self.isOpaque, self.surface) = (size, scale, isOpaque, surface)
        super.init(origin: origin, resolution: scale)
        open(on: surface, size: size, scale: scale)
    }

    deinit {
        shut()
        cairo_surface_destroy(surface)
    }

    /// What has been drawn so far, as an image that later drawing does not change.
    ///
    /// Layers that are still open are not seen. The image has the context's scale.
    ///
    /// - Throws: What went wrong while drawing, once; `tooLarge` when there is no memory.
    public func makeImage() throws(GraphicsError) -> Image {
        noteStatus()
        if let failure {
            forgetFailure()
            throw failure
        }
        cairo_surface_flush(surface)
        let stride = Int(cairo_image_surface_get_stride(surface))
        let data = cairo_image_surface_get_data(surface)
        let width = Int(cairo_image_surface_get_width(surface))
        let height = Int(cairo_image_surface_get_height(surface))
        let pixels = try PixelBuffer(width: width, height: height, isOpaque: isOpaque) { target in
            for y in 0..<height {
                guard let data else { return }
                (target + y * width * 4).update(from: data + y * stride, count: width * 4)
            }
        }
        return Image(pixels: pixels, scale: scale)
    }
}
