// The pixels of a page image.

/// The pixels of a page image: red, green and blue, row by row from the top.
public struct PagePixels: Hashable, Sendable {
    /// The width in pixels, at least 1.
    public let width: Int
    /// The height in pixels, at least 1.
    public let height: Int
    /// The color components of all pixels: three bytes per pixel, without padding.
    public private(set) var bytes: [UInt8]

    /// Creates an image from its pixels.
    ///
    /// - Precondition: `bytes` has `3 × width × height` elements.
    public init(width: Int, height: Int, bytes: [UInt8]) {
        precondition(width > 0 && height > 0 && bytes.count == 3 * width * height, "wrong size: \(bytes.count) bytes")
        (self.width, self.height, self.bytes) = (width, height, bytes)
    }

    /// Returns the three bytes of a pixel; white outside the page.
    func color(_ x: Int, _ y: Int) -> (UInt8, UInt8, UInt8) {
        guard x < width, y < height else { return (255, 255, 255) }
        let start = (y * width + x) * 3
        return (bytes[start], bytes[start + 1], bytes[start + 2])
    }
}
