// A page's pixels, read from the image that a simulated printer made of it.

/// The pixels of a page image, red, green and blue, row by row from the top.
public struct PagePixels: Hashable, Sendable {
    /// The width in pixels, at least 1.
    public let width: Int
    /// The height in pixels, at least 1.
    public let height: Int
    /// Three bytes a pixel, without gaps.
    public private(set) var bytes: [UInt8]

    /// Pixels made elsewhere; another number of bytes than `3 × width × height` is a programming error.
    public init(width: Int, height: Int, bytes: [UInt8]) {
        precondition(width > 0 && height > 0 && bytes.count == 3 * width * height, "\(bytes.count) bytes are no page")
        (self.width, self.height, self.bytes) = (width, height, bytes)
    }

    /// The three bytes of a pixel; white beyond the page.
    func color(_ x: Int, _ y: Int) -> (UInt8, UInt8, UInt8) {
        guard x < width, y < height else { return (255, 255, 255) }
        let start = (y * width + x) * 3
        return (bytes[start], bytes[start + 1], bytes[start + 2])
    }
}
