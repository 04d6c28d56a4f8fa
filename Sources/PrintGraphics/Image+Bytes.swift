// Images of pixels made elsewhere.

extension Image {
    /// An image of opaque pixels, three bytes each: red, green, blue; the row at the top first.
    ///
    /// - Throws: `invalidGeometry` when there are not `width × height × 3` bytes; `tooLarge`.
    public init(width: Int, height: Int, rgb: [UInt8], scale: Double = 1) throws(GraphicsError) {
        guard width > 0, height > 0, width <= PixelBuffer.longestSide, height <= PixelBuffer.longestSide,
            rgb.count == width * height * 3
        else {
            throw .invalidSize(
                Size(width: Double(width), height: Double(height)), of: "\(rgb.count) bytes for an image")
        }
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
}
