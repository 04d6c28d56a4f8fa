// Decodes images with the loaders of gdk-pixbuf.

import CGdkPixbuf
import FoundationEssentials
import PrintModel

/// An image that gdk-pixbuf decoded: the first frame of an animation, the largest image of an icon.
final class PixbufImage {
    /// The largest number of pixels; gdk-pixbuf holds all of them in memory, with four bytes each.
    static let mostPixels = 100_000_000

    /// The properties of the image in the PDF.
    let image: ImageProperties
    private let picture: OpaquePointer
    private let stride: Int
    private let channels: Int

    /// Decodes an image.
    ///
    /// - Throws: `WorkError`: `unsupportedFormat` if the loader is not installed; `damaged`; `outputTooLarge`.
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
        let loader = try loader(for: format, name: name)
        defer { g_object_unref(UnsafeMutableRawPointer(loader)) }
        let limit = PixelLimit(mostPixels)
        limit.watch(loader)
        var problem: UnsafeMutablePointer<GError>?
        let isWritten =
            gdk_pixbuf_loader_write(
                loader, bytes.bindMemory(to: UInt8.self).baseAddress, gsize(bytes.count), &problem) != 0
        // The first error has the most detail. The loader must be closed in any case.
        var laterProblem: UnsafeMutablePointer<GError>?
        let isClosed = gdk_pixbuf_loader_close(loader, &laterProblem) != 0
        let (first, later) = (message(&problem), message(&laterProblem))
        if let (width, height) = limit.exceeded {
            throw .imageTooLarge(format.name, name, width: width, height: height, limit: mostPixels)
        }
        guard isWritten, isClosed, let picture = gdk_pixbuf_loader_get_pixbuf(loader),
            gdk_pixbuf_get_bits_per_sample(picture) == 8, gdk_pixbuf_get_n_channels(picture) >= 3
        else {
            throw .damagedImage(format.name, name, cause: first ?? later)
        }
        try ImageConverter.check(
            format, name, width: Int(gdk_pixbuf_get_width(picture)), height: Int(gdk_pixbuf_get_height(picture)),
            limit: mostPixels)
        g_object_ref(UnsafeMutableRawPointer(picture))
        return picture
    }

    private static func loader(
        for format: ImageFormat, name: String
    ) throws(WorkError) -> UnsafeMutablePointer<GdkPixbufLoader> {
        var cause: String?
        for loaderName in format.loaders {
            var problem: UnsafeMutablePointer<GError>?
            if let loader = gdk_pixbuf_loader_new_with_type(loaderName, &problem) { return loader }
            cause = message(&problem) ?? cause
        }
        throw .missingImageLoader(format.name, name, package: format.package, cause: cause)
    }

    private static func message(_ problem: inout UnsafeMutablePointer<GError>?) -> String? {
        defer { g_clear_error(&problem) }
        return problem?.pointee.message.map { String(cString: $0) }
    }

    private static func profile(of picture: OpaquePointer) -> ColorProfile? {
        guard let text = gdk_pixbuf_get_option(picture, "icc-profile"),
            let data = Data(base64Encoded: String(cString: text))
        else { return nil }
        return ColorProfile(Array(data))?.matching(components: 3)
    }

    /// Delivers the rows to a sink.
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

    /// Returns 1 for an image of black and white, 8 for an image of gray levels, and nil for an image with colors.
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

/// Stops a loader before it allocates memory for an image that is too large.
private final class PixelLimit {
    private let pixels: Int
    private(set) var exceeded: (width: Int, height: Int)?

    init(_ pixels: Int) { self.pixels = pixels }

    func watch(_ loader: UnsafeMutablePointer<GdkPixbufLoader>) {
        let callback: @convention(c) (UnsafeMutablePointer<GdkPixbufLoader>?, Int32, Int32, gpointer?) -> Void = {
            loader, width, height, limit in
            guard let limit else { return }
            let isFine = Unmanaged<PixelLimit>.fromOpaque(limit).takeUnretainedValue()
                .allows(width: Int(width), height: Int(height))
            // Every loader stops if the size is set to 0 × 0.
            if !isFine { gdk_pixbuf_loader_set_size(loader, 0, 0) }
        }
        g_signal_connect_data(
            UnsafeMutableRawPointer(loader), "size-prepared", unsafeBitCast(callback, to: GCallback.self),
            Unmanaged.passUnretained(self).toOpaque(), nil, GConnectFlags(rawValue: 0))
    }

    private func allows(width: Int, height: Int) -> Bool {
        guard width * height > pixels || max(width, height) > ImageConverter.longestSide else { return true }
        exceeded = (width, height)
        return false
    }
}
