// Pages as PNG files.

import CPNG
import Glibc

extension Bitmap {
    /// The page as a PNG file's bytes, in the smallest layout that keeps every pixel: 1 to 8 bits of grey, a palette of
    /// up to 256 colours, or RGB.
    ///
    /// - Parameter dpi: The resolution to note in the file (the pHYs chunk).
    /// - Throws: `tooLarge` when there is no memory for it.
    public func pngBytes(dpi: Double) throws(RasterError) -> [UInt8] {
        let scanlines = PNGScanlines(of: self)
        var file = PNGFile()
        file.addHeader(width: width, height: height, bitDepth: scanlines.bitDepth, colorType: scanlines.colorType)
        file.addResolution(dpi: dpi)
        if let palette = scanlines.palette {
            file.addPalette(palette)
        }
        guard file.addPixels(scanlines.bytes) else {
            throw RasterError(
                code: .tooLarge, message: "there is no memory to compress a page of \(width) × \(height) pixels",
                cause: nil)
        }
        return file.finished()
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
        let bytes = try pngBytes(dpi: dpi)
        var temporary = Array("\(path).XXXXXX".utf8CString)
        let descriptor = temporary.withUnsafeMutableBufferPointer { mkstemp($0.baseAddress!) }
        guard descriptor >= 0 else { throw .writeFailed(path, cause: systemMessage()) }
        let problem =
            writeAll(bytes, to: descriptor)
            ?? (close(descriptor) == 0 && rename(temporary, path) == 0 ? nil : systemMessage())
        if let problem {
            unlink(temporary)
            throw .writeFailed(path, cause: problem)
        }
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

extension png_image {
    /// What libpng says of the last failure.
    fileprivate var text: String {
        withUnsafeBytes(of: message) { String(decoding: $0.prefix(while: { $0 != 0 }), as: UTF8.self) }
    }
}

/// Writes all bytes, or says what went wrong and closes the file.
private func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> String? {
    bytes.withUnsafeBytes { buffer in
        var written = 0
        while written < buffer.count {
            let count = write(descriptor, buffer.baseAddress! + written, buffer.count - written)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                let problem = systemMessage()
                close(descriptor)
                return problem
            }
            written += count
        }
        return nil
    }
}

private func systemMessage() -> String { String(cString: strerror(errno)) }
