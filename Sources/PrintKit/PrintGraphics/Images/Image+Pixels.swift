// Reads single pixels.

extension Image {
    /// The color and opacity of one pixel, each component from 0 to 255.
    public struct Pixel: Hashable, Sendable {
        /// The red component, not premultiplied.
        public var red: UInt8
        /// The green component, not premultiplied.
        public var green: UInt8
        /// The blue component, not premultiplied.
        public var blue: UInt8
        /// The alpha component, from 0 (transparent) to 255 (opaque).
        public var alpha: UInt8

        /// Creates a pixel from its components.
        public init(red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8 = 255) {
            (self.red, self.green, self.blue, self.alpha) = (red, green, blue, alpha)
        }
    }
}

extension PixelBuffer {
    /// Returns a pixel as a color that is not premultiplied.
    ///
    /// The position must be inside the buffer.
    func pixel(x: Int, y: Int) -> Image.Pixel {
        precondition(x >= 0 && x < width && y >= 0 && y < height, "pixel (\(x), \(y)) is outside \(width) × \(height)")
        let start = bytes.assumingMemoryBound(to: UInt8.self) + y * bytesPerRow + x * 4
        let alpha = isOpaque ? 255 : start[3]
        guard alpha > 0 else { return Image.Pixel(red: 0, green: 0, blue: 0, alpha: 0) }
        func plain(_ value: UInt8) -> UInt8 { UInt8(min(255, (Int(value) * 255 + Int(alpha) / 2) / Int(alpha))) }
        return Image.Pixel(red: plain(start[2]), green: plain(start[1]), blue: plain(start[0]), alpha: alpha)
    }
}
