// Decodes image files with gdk-pixbuf.

import CGdkPixbuf

/// A decoder for the image formats that PrintGraphics supports.
///
/// The decoder does not use gdk-pixbuf loaders for other formats, even if they are installed.
enum ImageDecoder {
    struct Decoded {
        var pixels: PixelBuffer
        var orientation: Int
    }

    /// - Throws: `GraphicsError`: `unsupportedFormat`; `damaged`; `tooLarge` if the image exceeds the limit, which is
    ///   checked before memory is allocated.
    static func decode(
        _ bytes: UnsafeRawBufferPointer, name: String, maximumPixels: Int
    ) throws(GraphicsError) -> Decoded {
        guard let loaderName = loaderName(of: bytes) else { throw .unsupportedFormat(name) }
        let limit = min(maximumPixels, PixelBuffer.maximumPixelCount)
        switch PixbufLoader.decode(bytes, with: [loaderName], pixels: limit, longestSide: PixelBuffer.longestSide) {
        case .notInstalled(let cause): throw .unsupportedFormat(name, cause: cause)
        case .tooLarge(let width, let height):
            throw .tooLarge(name, width: Double(width), height: Double(height), limit: limit)
        case .damaged(let cause): throw .damaged(name, cause: cause)
        case .decoded(let picture):
            defer { g_object_unref(UnsafeMutableRawPointer(picture)) }
            let orientation = gdk_pixbuf_get_option(picture, "orientation").flatMap { Int(String(cString: $0)) }
            return Decoded(pixels: try pixels(of: picture), orientation: orientation ?? 1)
        }
    }

    /// Returns `nil` if no loader is known for the data.
    private static func loaderName(of bytes: UnsafeRawBufferPointer) -> String? {
        func begins(_ start: [UInt8]) -> Bool { bytes.starts(with: start) }
        if begins([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return "png" }
        if begins([0xFF, 0xD8, 0xFF]) { return "jpeg" }
        if begins([0x49, 0x49, 0x2A, 0]) || begins([0x4D, 0x4D, 0, 0x2A]) { return "tiff" }
        if begins(Array("GIF87a".utf8)) || begins(Array("GIF89a".utf8)) { return "gif" }
        if begins(Array("BM".utf8)) { return "bmp" }
        if begins([0, 0, 1, 0]) || begins([0, 0, 2, 0]) { return "ico" }
        let head = String(decoding: bytes.prefix(1024), as: UTF8.self)
        if head.contains("#define"), head.contains("_width") { return "xbm" }
        return nil
    }

    private static func pixels(of picture: OpaquePointer) throws(GraphicsError) -> PixelBuffer {
        let (width, height) = (Int(gdk_pixbuf_get_width(picture)), Int(gdk_pixbuf_get_height(picture)))
        let stride = Int(gdk_pixbuf_get_rowstride(picture))
        let channels = Int(gdk_pixbuf_get_n_channels(picture))
        let hasAlpha = gdk_pixbuf_get_has_alpha(picture) != 0
        guard let source = gdk_pixbuf_read_pixels(picture), gdk_pixbuf_get_bits_per_sample(picture) == 8 else {
            throw .noMemory("an image of \(width) × \(height) pixels")
        }
        return try PixelBuffer(width: width, height: height, isOpaque: !hasAlpha) { target in
            for y in 0..<height {
                var from = source + y * stride
                var to = target + y * width * 4
                for _ in 0..<width {
                    let alpha = hasAlpha ? Int(from[3]) : 255
                    to[0] = UInt8(truncatingIfNeeded: (Int(from[2]) * alpha + 127) / 255)
                    to[1] = UInt8(truncatingIfNeeded: (Int(from[1]) * alpha + 127) / 255)
                    to[2] = UInt8(truncatingIfNeeded: (Int(from[0]) * alpha + 127) / 255)
                    to[3] = UInt8(truncatingIfNeeded: alpha)
                    from += channels
                    to += 4
                }
            }
        }
    }
}

extension GraphicsError {
    static func unsupportedFormat(_ name: String, cause: String? = nil) -> GraphicsError {
        GraphicsError(
            .unsupportedFormat,
            "\(name) has an unsupported format; convert the image to PNG, JPEG, TIFF, GIF, BMP, ICO, CUR or XBM",
            cause: cause
        )
    }

    static func damaged(_ name: String, cause: String?) -> GraphicsError {
        GraphicsError(.damaged, "\(name) is damaged; check whether another viewer opens the image", cause: cause)
    }
}
