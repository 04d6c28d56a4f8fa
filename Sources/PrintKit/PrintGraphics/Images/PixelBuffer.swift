// Pixels in memory in cairo's format.

import CCairo
import Glibc

/// Pixels of four bytes (blue, green, red, alpha), premultiplied, top row first.
///
/// The pixels never change after initialization, so any thread can read the pixels (`@unchecked Sendable`). Only the
/// closure that `init` receives writes the pixels.
final class PixelBuffer: @unchecked Sendable {
    /// The maximum length of a side, in pixels.
    ///
    /// Cairo does not support larger image surfaces.
    static let longestSide = 32_767
    /// The maximum number of pixels of a bitmap or image.
    ///
    /// This number of pixels requires 1.6 GB of memory.
    static let maximumPixelCount = 400_000_000

    let width: Int
    let height: Int
    /// Whether all pixels are opaque.
    ///
    /// If true, the alpha bytes have no effect.
    let isOpaque: Bool
    let bytes: UnsafeMutableRawPointer

    var bytesPerRow: Int { width * 4 }

    /// Creates a buffer of transparent pixels and calls a closure to fill the buffer.
    ///
    /// - Throws: `GraphicsError`: `tooLarge` if the limits are exceeded or there is not enough memory.
    init(
        width: Int, height: Int, isOpaque: Bool, _ fill: (UnsafeMutablePointer<UInt8>) -> Void
    ) throws(GraphicsError) {
        try Self.check(width: Double(width), height: Double(height), of: "an image")
        guard let bytes = calloc(width * height, 4) else { throw .noMemory("an image of \(width) × \(height) pixels") }
        (self.width, self.height, self.isOpaque, self.bytes) = (width, height, isOpaque, bytes)
        fill(bytes.assumingMemoryBound(to: UInt8.self))
    }

    deinit { free(bytes) }

    static func check(width: Double, height: Double, of what: String) throws(GraphicsError) {
        guard width >= 1, height >= 1, width <= Double(longestSide), height <= Double(longestSide),
            width * height <= Double(maximumPixelCount)
        else { throw .tooLarge(what, width: width, height: height, limit: maximumPixelCount) }
    }

    /// Creates a surface that shares and retains the pixels of this buffer.
    ///
    /// Returns `nil` if there is not enough memory.
    func makeSurface() -> OpaquePointer? {
        let format = isOpaque ? CAIRO_FORMAT_RGB24 : CAIRO_FORMAT_ARGB32
        guard
            let surface = cairo_image_surface_create_for_data(
                bytes.assumingMemoryBound(to: UInt8.self), format, Int32(width), Int32(height), Int32(bytesPerRow))
        else { return nil }
        let owner = Unmanaged.passRetained(self).toOpaque()
        let status = cairo_surface_set_user_data(surface, Self.ownerKey, owner) { owner in
            if let owner { Unmanaged<PixelBuffer>.fromOpaque(owner).release() }
        }
        guard status == CAIRO_STATUS_SUCCESS else {
            Unmanaged<PixelBuffer>.fromOpaque(owner).release()
            cairo_surface_destroy(surface)
            return nil
        }
        return surface
    }

    /// The key of the buffer in the user data of a cairo surface.
    ///
    /// Cairo identifies user data by the address of the key.
    ///
    /// The key's value is not used.
    private nonisolated(unsafe) static let ownerKey = UnsafeMutablePointer<cairo_user_data_key_t>.allocate(capacity: 1)
}
