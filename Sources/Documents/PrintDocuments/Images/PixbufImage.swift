// Decodes images with the loaders of gdk-pixbuf.

import CGdkPixbuf
import FoundationEssentials
import PrintGraphics
import PrintModel

/// An image that gdk-pixbuf has decoded: the first frame of an animation, or the largest image of an icon.
final class PixbufImage {
    /// The maximum number of pixels of an image.
    ///
    /// The limit exists because gdk-pixbuf holds all pixels in memory, with four bytes each.
    static let mostPixels = 100_000_000

    /// The properties of the image in the PDF.
    let image: ImageProperties
    private let picture: OpaquePointer
    private let stride: Int
    private let channels: Int

    /// Decodes an image with gdk-pixbuf.
    ///
    /// - Throws: `WorkError`: `unsupportedFormat` if the loader is not installed, `damaged` or `outputTooLarge`.
    init(
        _ bytes: UnsafeRawBufferPointer, _ format: ImageFormat, _ hints: PixbufHints, name: String
    ) throws(WorkError) {
        picture = try Self.decode(bytes, format, name: name)
        stride = Int(gdk_pixbuf_get_rowstride(picture))
        channels = Int(gdk_pixbuf_get_n_channels(picture))
        var image = ImageProperties(
            width: Int(gdk_pixbuf_get_width(picture)), height: Int(gdk_pixbuf_get_height(picture)), colors: .rgb)
        image.density = hints.density
        image.orientation = hints.orientation
        image.profile = hints.profile ?? Self.profile(of: picture)
        // A profile for RGB cannot describe gray levels.
        if image.profile == nil,
            let bits = Self.bitsOfGray(
                picture, width: image.width, height: image.height, stride: stride, channels: channels)
        {
            (image.colors, image.bits) = (.gray(isInverted: false), bits)
        }
        self.image = image
    }

    deinit { g_object_unref(UnsafeMutableRawPointer(picture)) }

    private static func decode(
        _ bytes: UnsafeRawBufferPointer, _ format: ImageFormat, name: String
    ) throws(WorkError) -> OpaquePointer {
        switch PixbufLoader.decode(
            bytes, with: format.loaders, pixels: mostPixels, longestSide: ImageConverter.longestSide)
        {
        case .notInstalled(let cause):
            throw .missingImageLoader(format.name, name, package: format.package, cause: cause)
        case .tooLarge(let width, let height):
            throw .imageTooLarge(format.name, name, width: width, height: height, limit: mostPixels)
        case .damaged(let cause): throw .damagedImage(format.name, name, cause: cause)
        case .decoded(let picture):
            do throws(WorkError) {
                guard gdk_pixbuf_get_bits_per_sample(picture) == 8, gdk_pixbuf_get_n_channels(picture) >= 3 else {
                    throw .damagedImage(format.name, name, cause: nil)
                }
                try ImageConverter.check(
                    format, name, width: Int(gdk_pixbuf_get_width(picture)),
                    height: Int(gdk_pixbuf_get_height(picture)), limit: mostPixels)
            } catch {
                g_object_unref(UnsafeMutableRawPointer(picture))
                throw error
            }
            return picture
        }
    }

    private static func profile(of picture: OpaquePointer) -> ColorProfile? {
        guard let text = gdk_pixbuf_get_option(picture, "icc-profile"),
            let data = Data(base64Encoded: String(cString: text))
        else { return nil }
        return ColorProfile(Array(data))?.matching(components: 3)
    }

    func read(to sink: ImageRowSink) {
        guard let pixels = gdk_pixbuf_read_pixels(picture) else { return }
        let row = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: image.bytesPerRow)
        defer { row.deallocate() }
        for y in 0..<image.height where sink.isWritable {
            convert(pixels + y * stride, to: row)
            sink.add(UnsafeBufferPointer(row))
        }
    }

    private func convert(_ pixels: UnsafePointer<UInt8>, to row: UnsafeMutableBufferPointer<UInt8>) {
        let isGray = image.colors != .rgb
        if image.bits == 1 { row.update(repeating: 0) }
        var from = pixels
        for x in 0..<image.width {
            let alpha = channels == 4 ? from[3] : 255
            let red = overWhite(from[0], alpha)
            if image.bits == 1 {
                if red == 255 { row[x >> 3] |= 0x80 >> UInt8(truncatingIfNeeded: x & 7) }
            } else if isGray {
                row[x] = red
            } else {
                row[x * 3] = red
                row[x * 3 + 1] = overWhite(from[1], alpha)
                row[x * 3 + 2] = overWhite(from[2], alpha)
            }
            from += channels
        }
    }

    /// Returns the number of bits per pixel for gray output: 1 for black and white, 8 for gray levels, and nil for an
    /// image with colors.
    private static func bitsOfGray(
        _ picture: OpaquePointer, width: Int, height: Int, stride: Int, channels: Int
    ) -> Int? {
        guard let pixels = gdk_pixbuf_read_pixels(picture) else { return nil }
        var isBilevel = true
        for y in 0..<height {
            var from = pixels + y * stride
            for _ in 0..<width {
                let isVisible = channels < 4 || from[3] > 0
                if isVisible {
                    guard from[0] == from[1], from[1] == from[2] else { return nil }
                    isBilevel = isBilevel && (from[0] == 0 || from[0] == 255) && (channels < 4 || from[3] == 255)
                }
                from += channels
            }
        }
        return isBilevel ? 1 : 8
    }
}
