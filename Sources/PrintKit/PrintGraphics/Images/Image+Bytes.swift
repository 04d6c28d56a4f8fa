// Creates images from raw pixel data, and returns such data.

extension Image {
    /// Creates an image from opaque pixels with three bytes each (red, green, blue), top row first.
    ///
    /// - Throws: `GraphicsError`: `invalidGeometry` if the number of bytes is not `width × height × 3`, or if a side is
    ///   longer than 32,767 pixels; `tooLarge` for more than 400 million pixels.
    public init(width: Int, height: Int, rgb: [UInt8], scale: Double = 1) throws(GraphicsError) {
        try Self.check(width, height, rgb.count, bytesPerPixel: 3)
        let pixels = try PixelBuffer(width: width, height: height, isOpaque: true) { target in
            rgb.withUnsafeBufferPointer { source in
                for index in 0..<width * height {
                    target[index * 4] = source[index * 3 + 2]
                    target[index * 4 + 1] = source[index * 3 + 1]
                    target[index * 4 + 2] = source[index * 3]
                    target[index * 4 + 3] = 255
                }
            }
        }
        self.init(pixels: pixels, scale: scale)
    }

    /// Creates an image from pixels with four bytes each (red, green, blue, alpha), top row first.
    ///
    /// The colors are not premultiplied.
    ///
    /// - Throws: `GraphicsError`: `invalidGeometry` if the number of bytes is not `width × height × 4`, or if a side is
    ///   longer than 32,767 pixels; `tooLarge` for more than 400 million pixels.
    public init(width: Int, height: Int, rgba: [UInt8], scale: Double = 1) throws(GraphicsError) {
        try Self.check(width, height, rgba.count, bytesPerPixel: 4)
        let pixels = try PixelBuffer(width: width, height: height, isOpaque: false) { target in
            rgba.withUnsafeBufferPointer { source in
                for start in stride(from: 0, to: width * height * 4, by: 4) {
                    let alpha = Int(source[start + 3])
                    func multiplied(_ value: UInt8) -> UInt8 { UInt8((Int(value) * alpha + 127) / 255) }
                    target[start] = multiplied(source[start + 2])
                    target[start + 1] = multiplied(source[start + 1])
                    target[start + 2] = multiplied(source[start])
                    target[start + 3] = source[start + 3]
                }
            }
        }
        self.init(pixels: pixels, scale: scale)
    }

    /// Returns the pixels of the upright image with four bytes each (red, green, blue, alpha), top row first.
    ///
    /// The colors are sRGB and not premultiplied. `Image(width:height:rgba:)` creates the same image again.
    ///
    ///     var bytes = try photo.rgbaBytes()
    ///     for start in stride(from: 0, to: bytes.count, by: 4) { bytes[start] = 255 - bytes[start] }
    ///     let changed = try Image(width: photo.pixelWidth, height: photo.pixelHeight, rgba: bytes, scale: photo.scale)
    ///
    /// - Throws: `GraphicsError`: `damaged` or `tooLarge` if the image cannot be decoded.
    public func rgbaBytes() throws(GraphicsError) -> [UInt8] {
        let pixels = try uprightPixels()
        return [UInt8](unsafeUninitializedCapacity: pixels.width * pixels.height * 4) { bytes, count in
            for y in 0..<pixels.height {
                for x in 0..<pixels.width {
                    let pixel = pixels.pixel(x: x, y: y)
                    (bytes[count], bytes[count + 1]) = (pixel.red, pixel.green)
                    (bytes[count + 2], bytes[count + 3]) = (pixel.blue, pixel.alpha)
                    count += 4
                }
            }
        }
    }

    /// The number of bytes in a row of `rgbaBytes()`.
    public var bytesPerRow: Int { pixelWidth * 4 }

    private static func check(
        _ width: Int, _ height: Int, _ count: Int, bytesPerPixel: Int
    ) throws(GraphicsError) {
        guard width > 0, height > 0, width <= PixelBuffer.longestSide, height <= PixelBuffer.longestSide,
            count == width * height * bytesPerPixel
        else {
            throw GraphicsError(
                .invalidGeometry,
                "cannot create an image of \(width) × \(height) pixels from \(count) bytes; provide \(bytesPerPixel)"
                    + " bytes for each pixel, and at most \(PixelBuffer.longestSide) pixels per side")
        }
    }
}
