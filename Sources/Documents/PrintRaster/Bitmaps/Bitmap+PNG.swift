// Pages as PNG files.

import CPNG

extension Bitmap {
    /// The page as a PNG file's bytes, in the smallest layout that keeps every pixel: 1 to 8 bits of grey, a palette of
    /// up to 256 colours, or RGB.
    ///
    /// - Parameter dpi: The resolution to note in the file (the pHYs chunk).
    /// - Throws: `tooLarge` when there is no memory for it.
    public func pngBytes(dpi: Double) throws(RasterError) -> [UInt8] {
        try CompressedPixels(of: self).pngBytes(dpi: dpi)
    }

    /// Writes the page as a PNG file.
    ///
    /// The bytes go to a temporary file in the same folder first, so that under its own name the file is always
    /// whole. A file of that name is replaced; only the owner may read the new one. It is not fsynced.
    ///
    /// - Parameters:
    ///   - path: Where to.
    ///   - dpi: The resolution to note in the file.
    /// - Throws: `writeFailed`, or `tooLarge` when there is no memory.
    public func writePNG(to path: String, dpi: Double) throws(RasterError) {
        try CompressedPixels(of: self).writePNG(to: path, dpi: dpi)
    }

    /// Reads a PNG file: grey ones as `gray8`, others as `rgb24`, transparent parts over white.
    ///
    /// - Throws: `unreadable`, or `tooLarge` for more pixels than `maximumPixels`.
    public init(readingPNG path: String, maximumPixels: Int = 200_000_000) throws(RasterError) {
        var image = png_image()
        image.version = UInt32(PNG_IMAGE_VERSION)
        defer { png_image_free(&image) }
        guard png_image_begin_read_from_file(&image, path) != 0 else {
            throw .imageUnreadable(path, cause: image.text)
        }
        let (width, height) = (Int(image.width), Int(image.height))
        guard width * height <= maximumPixels else { throw .imageTooLarge(path, width: width, height: height) }
        let format: Format = image.format & UInt32(PNG_FORMAT_FLAG_COLOR) == 0 ? .gray8 : .rgb24
        image.format = format == .gray8 ? UInt32(PNG_FORMAT_GRAY) : UInt32(PNG_FORMAT_RGB)
        var white = png_color(red: 255, green: 255, blue: 255)
        var bytes = [UInt8](repeating: 255, count: width * height * format.bytesPerPixel)
        let stride = Int32(width * format.bytesPerPixel)
        guard png_image_finish_read(&image, &white, &bytes, stride, nil) != 0 else {
            throw .imageUnreadable(path, cause: image.text)
        }
        self.init(width: width, height: height, format: format, bytes: bytes)
    }
}

extension CompressedPixels {
    func pngBytes(dpi: Double) -> [UInt8] {
        var file = PNGFile()
        file.addHeader(width: width, height: height, bitDepth: bitDepth, colorType: colorType)
        file.addResolution(dpi: dpi)
        if let palette {
            file.addPalette(palette)
        }
        file.addPixels(bytes)
        return file.finished()
    }

    func writePNG(to path: String, dpi: Double) throws(RasterError) {
        let file = try FileReplacement(path: path)
        try file.append(pngBytes(dpi: dpi))
        try file.finish()
    }
}

extension png_image {
    /// What libpng says of the last failure.
    fileprivate var text: String {
        withUnsafeBytes(of: message) { String(decoding: $0.prefix(while: { $0 != 0 }), as: UTF8.self) }
    }
}
