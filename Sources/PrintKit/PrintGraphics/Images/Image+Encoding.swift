// Encodes images as PNG and JPEG files.

import CGdkPixbuf
public import FoundationEssentials
import SafeFiles

extension Image {
    /// Returns the image as PNG data, upright and with its alpha (`UIImagePNGRepresentation`).
    ///
    /// - Parameter compression: The compression level, from 0 (fast, large) to 9 (slow, small).
    /// - Throws: `GraphicsError`: `damaged` or `tooLarge` if the image cannot be decoded.
    public func pngData(compression: Int = 6) throws(GraphicsError) -> Data {
        try encoded(as: "png", ["compression": "\(max(0, min(compression, 9)))"], keepsAlpha: true)
    }

    /// Returns the image as JPEG data, upright and on a white background (`UIImageJPEGRepresentation`).
    ///
    /// - Parameter quality: The quality, from 0 (small, poor) to 1 (best).
    /// - Throws: `GraphicsError`: `damaged` or `tooLarge` if the image cannot be decoded.
    public func jpegData(quality: Double = 0.9) throws(GraphicsError) -> Data {
        try encoded(as: "jpeg", ["quality": "\(Int(clamped(quality) * 100))"], keepsAlpha: false)
    }

    /// Writes the image as a PNG file.
    ///
    /// The file appears only after all data has been written.
    ///
    /// - Throws: `GraphicsError`: the errors of `pngData()`, and `writeFailed`.
    public func writePNG(to path: String) throws(GraphicsError) {
        let data = try pngData()
        let file = try AtomicFile(path: path)
        try file.append(data)
        try file.finish()
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
            throw .refused(by: "gdk-pixbuf", cause: PixbufLoader.message(&problem) ?? "unknown error")
        }
        defer { g_free(bytes) }
        return Data(bytes: bytes, count: Int(count))
    }

    /// If the picture has no alpha channel, the method blends the colors with white.
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
