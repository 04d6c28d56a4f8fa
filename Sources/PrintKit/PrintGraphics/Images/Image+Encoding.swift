// Images as files.

import CGdkPixbuf
public import FoundationEssentials

extension Image {
    /// The image as a PNG file's bytes (`UIImagePNGRepresentation`), upright, with its alpha.
    ///
    /// - Parameter compression: From 0, quick and large, to 9, slow and small.
    /// - Throws: `damaged` or `tooLarge` when its pixels cannot be had.
    public func pngData(compression: Int = 6) throws(GraphicsError) -> Data {
        try encoded(as: "png", ["compression": "\(max(0, min(compression, 9)))"], keepsAlpha: true)
    }

    /// The image as a JPEG file's bytes (`UIImageJPEGRepresentation`), upright, over white.
    ///
    /// - Parameter quality: From 0, small and poor, to 1.
    /// - Throws: `damaged` or `tooLarge` when its pixels cannot be had.
    public func jpegData(quality: Double = 0.9) throws(GraphicsError) -> Data {
        try encoded(as: "jpeg", ["quality": "\(Int(clamped(quality) * 100))"], keepsAlpha: false)
    }

    /// Writes the image as a PNG file, which appears whole or not at all.
    ///
    /// - Throws: As `pngData()`, and `writeFailed`.
    public func writePNG(to path: String) throws(GraphicsError) {
        try OutputFile.write(pngData(), to: path)
    }

    private func encoded(
        as type: String, _ options: [String: String], keepsAlpha: Bool
    ) throws(GraphicsError) -> Data {
        let pixels = try uprightPixels()
        let hasAlpha = keepsAlpha && !pixels.isOpaque
        guard
            let picture = gdk_pixbuf_new(
                GDK_COLORSPACE_RGB, hasAlpha ? 1 : 0, 8, Int32(pixels.width), Int32(pixels.height))
        else { throw .noMemory("an image of \(pixels.width) × \(pixels.height) pixels") }
        defer { g_object_unref(UnsafeMutableRawPointer(picture)) }
        copy(pixels, to: picture, hasAlpha: hasAlpha)

        var keys = options.keys.map { strdup($0) } + [nil]
        var values = options.values.map { strdup($0) } + [nil]
        defer { for text in keys + values { free(text) } }
        var bytes: UnsafeMutablePointer<CChar>?
        var count: gsize = 0
        var problem: UnsafeMutablePointer<GError>?
        guard gdk_pixbuf_save_to_bufferv(picture, &bytes, &count, type, &keys, &values, &problem) != 0, let bytes else {
            throw .refused(by: "gdk-pixbuf", cause: ImageDecoder.message(&problem) ?? "no reason given")
        }
        defer { g_free(bytes) }
        return Data(bytes: bytes, count: Int(count))
    }

    /// Without alpha the colours come to lie over white.
    private func copy(_ pixels: PixelBuffer, to picture: OpaquePointer, hasAlpha: Bool) {
        let stride = Int(gdk_pixbuf_get_rowstride(picture))
        guard let target = gdk_pixbuf_get_pixels(picture) else { return }
        for y in 0..<pixels.height {
            var to = target + y * stride
            for x in 0..<pixels.width {
                let pixel = pixels.pixel(x: x, y: y)
                func over(_ value: UInt8) -> UInt8 {
                    if hasAlpha || pixel.alpha == 255 { return value }
                    let alpha = Int(pixel.alpha)
                    return UInt8((Int(value) * alpha + 255 * (255 - alpha) + 127) / 255)
                }
                (to[0], to[1], to[2]) = (over(pixel.red), over(pixel.green), over(pixel.blue))
                if hasAlpha { to[3] = pixel.alpha }
                to += hasAlpha ? 4 : 3
            }
        }
    }
}
