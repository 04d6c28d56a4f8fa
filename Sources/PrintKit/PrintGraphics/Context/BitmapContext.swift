// A graphics context that draws into pixels.

import CCairo
import FoundationEssentials

/// An offscreen context whose drawing becomes an image (`UIGraphicsBeginImageContextWithOptions`).
///
///     let bitmap = try BitmapContext(size: Size(width: 40, height: 40), scale: 2)
///     bitmap.draw {
///         Color.red.setFill()
///         BezierPath(ovalIn: Rect(x: 0, y: 0, width: 40, height: 40)).fill()
///     }
///     let png = try bitmap.makeImage().pngData()   // 80 × 80 pixels
///
/// Drawing outside the bitmap is clipped.
public final class BitmapContext: GraphicsContext {
    /// The scale of a bitmap that is created with a scale of 0: two pixels per point (144 dpi).
    public static let defaultScale = 2.0

    /// The size of the bitmap in points.
    public let size: Size
    /// The number of pixels per point.
    public let scale: Double
    /// Whether the pixels have no alpha.
    ///
    /// An opaque bitmap is black initially.
    public let isOpaque: Bool
    private let surface: OpaquePointer

    /// Creates a bitmap.
    ///
    /// The initial pixels are transparent, or black if the bitmap is opaque.
    ///
    /// - Parameters:
    ///   - size: The size in points. The bitmap has `size × scale` pixels, rounded up.
    ///   - isOpaque: Whether the pixels have no alpha.
    ///   - scale: The number of pixels per point; 0 stands for `defaultScale`.
    ///   - origin: The corner of the bitmap that is the origin of the coordinates.
    /// - Throws: `GraphicsError`: `invalidGeometry` for a size or scale that is not finite and positive; `tooLarge` for
    ///   more than 32,767 pixels per side or 400 million pixels in total, or if the memory cannot be allocated.
    public init(
        size: Size, isOpaque: Bool = false, scale: Double = 1, origin: Origin = .topLeft
    ) throws(GraphicsError) {
        let scale = scale == 0 ? Self.defaultScale : scale
        guard size.width > 0, size.height > 0, size.width.isFinite, size.height.isFinite, scale > 0, scale.isFinite
        else { throw .invalidSize(size, of: "the bitmap at a scale of \(scale)") }
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

    /// Returns the current drawing as an image.
    ///
    /// Later drawing does not change the image.
    ///
    /// The image excludes open transparency layers. The image has the context's scale.
    ///
    /// - Throws: The first error of the drawing calls, or `tooLarge` if there is not enough memory. Later calls do not
    ///   throw the same error again.
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
