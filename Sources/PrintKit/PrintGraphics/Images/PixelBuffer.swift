// Pixels in memory, as cairo wants them.

import CCairo
import Glibc

/// Pixels of four bytes: blue, green, red, alpha, the colours multiplied by the alpha; the top row first.
///
/// Nobody writes to them once they are made, so any thread may read them (`@unchecked Sendable`): `init` gives them to one
/// closure to fill, and nothing here changes them after it.
final class PixelBuffer: @unchecked Sendable {
    /// Cairo draws on no surface with a longer side.
    static let longestSide = 32_767
    /// The most pixels a bitmap or an image may have: 1.6 GB.
    static let mostPixels = 400_000_000

    let width: Int
    let height: Int
    /// Whether every alpha counts as 255.
    let isOpaque: Bool
    let bytes: UnsafeMutableRawPointer

    var bytesPerRow: Int { width * 4 }

    /// Pixels that a closure fills, all clear at first.
    ///
    /// - Throws: `tooLarge`, also when there is no memory.
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
            width * height <= Double(mostPixels)
        else { throw .tooLarge(what, width: width, height: height, limit: mostPixels) }
    }

    /// A surface of these pixels, which live as long as it does; nil when there is no memory.
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

    /// Cairo knows user data by an address; nothing is ever stored there.
    private nonisolated(unsafe) static let ownerKey = UnsafeMutablePointer<cairo_user_data_key_t>.allocate(capacity: 1)
}
