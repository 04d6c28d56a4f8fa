// Writes and reads bitmaps as PNG files.

import CPNG
import SafeFiles

extension Bitmap {
    /// Returns the bitmap as a PNG file in the smallest lossless layout.
    ///
    /// The layouts are 1 to 8 bits of gray, a palette of up to 256 colors, and RGB.
    ///
    /// - Parameter dpi: The resolution that the file declares (the pHYs chunk).
    /// - Throws: `tooLarge` when there is not enough memory.
    public func pngBytes(dpi: Double) throws(RasterError) -> [UInt8] {
        try CompressedPixels(of: self).pngBytes(dpi: dpi)
    }

    /// Writes the bitmap as a PNG file.
    ///
    /// The function writes a temporary file in the same folder, and renames the complete file. The new file replaces an
    /// existing file with the same name. Only the owner can read the new file. The file is not flushed to disk.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - dpi: The resolution that the file declares.
    /// - Throws: `writeFailed`, or `tooLarge` when there is not enough memory.
    public func writePNG(to path: String, dpi: Double) throws(RasterError) {
        try CompressedPixels(of: self).writePNG(to: path, dpi: dpi)
    }

    /// Reads a PNG file; gray images become `gray8`, other images `rgb24`.
    ///
    /// Transparent pixels are composited onto white.
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
        let file = try AtomicFile<RasterError>(path: path)
        try file.append(pngBytes(dpi: dpi))
        try file.finish()
    }
}

extension png_image {
    /// The error message of libpng.
    fileprivate var text: String {
        withUnsafeBytes(of: message) { String(decoding: $0.prefix(while: { $0 != 0 }), as: UTF8.self) }
    }
}
