// Decodes image files with the loaders of gdk-pixbuf, with a limit of their size.

import CGdkPixbuf

package enum PixbufLoader {
    package enum Outcome {
        /// The decoded image (`GdkPixbuf`), which the caller releases.
        case decoded(OpaquePointer)
        case notInstalled(cause: String?)
        /// An error for an image that is larger than the limit.
        ///
        /// No memory was allocated for the pixels.
        case tooLarge(width: Int, height: Int)
        case damaged(cause: String?)
    }

    /// - Parameters:
    ///   - names: The names of the loaders, in order of preference. The decoder uses the first installed loader.
    ///   - pixels: The maximum number of pixels of the image.
    ///   - longestSide: The maximum width and height of the image, in pixels.
    package static func decode(
        _ bytes: UnsafeRawBufferPointer, with names: [String], pixels: Int, longestSide: Int
    ) -> Outcome {
        var problem: UnsafeMutablePointer<GError>?
        var loader: UnsafeMutablePointer<GdkPixbufLoader>?
        var missing: String?
        for name in names where loader == nil {
            loader = gdk_pixbuf_loader_new_with_type(name, &problem)
            missing = message(&problem) ?? missing
        }
        guard let loader else { return .notInstalled(cause: missing) }
        defer { g_object_unref(UnsafeMutableRawPointer(loader)) }
        let limit = SizeLimit(pixels: pixels, longestSide: longestSide)
        limit.watch(loader)
        let isWritten =
            gdk_pixbuf_loader_write(loader, bytes.bindMemory(to: UInt8.self).baseAddress, gsize(bytes.count), &problem)
            != 0
        // The first error has the most detail. The loader must be closed in any case.
        var laterProblem: UnsafeMutablePointer<GError>?
        let isClosed = gdk_pixbuf_loader_close(loader, &laterProblem) != 0
        let (first, later) = (message(&problem), message(&laterProblem))
        if let (width, height) = limit.exceeded { return .tooLarge(width: width, height: height) }
        guard isWritten, isClosed, let picture = gdk_pixbuf_loader_get_pixbuf(loader) else {
            return .damaged(cause: first ?? later)
        }
        g_object_ref(UnsafeMutableRawPointer(picture))
        return .decoded(picture)
    }

    /// Returns the text of an error, and frees the error.
    static func message(_ problem: inout UnsafeMutablePointer<GError>?) -> String? {
        defer { g_clear_error(&problem) }
        return problem?.pointee.message.map { String(cString: $0) }
    }
}

/// A limit that stops a loader before the loader allocates memory for an image that is too large.
private final class SizeLimit {
    private let pixels: Int
    private let longestSide: Int
    private(set) var exceeded: (width: Int, height: Int)?

    init(pixels: Int, longestSide: Int) { (self.pixels, self.longestSide) = (pixels, longestSide) }

    func watch(_ loader: UnsafeMutablePointer<GdkPixbufLoader>) {
        let callback: @convention(c) (UnsafeMutablePointer<GdkPixbufLoader>?, Int32, Int32, gpointer?) -> Void = {
            loader, width, height, limit in
            guard let limit else { return }
            let isFine = Unmanaged<SizeLimit>.fromOpaque(limit).takeUnretainedValue()
                .allows(width: Int(width), height: Int(height))
            // Every loader stops if the size is set to 0 × 0.
            if !isFine { gdk_pixbuf_loader_set_size(loader, 0, 0) }
        }
        g_signal_connect_data(
            UnsafeMutableRawPointer(loader), "size-prepared", unsafeBitCast(callback, to: GCallback.self),
            Unmanaged.passUnretained(self).toOpaque(), nil, GConnectFlags(rawValue: 0))
    }

    private func allows(width: Int, height: Int) -> Bool {
        guard width * height > pixels || max(width, height) > longestSide else { return true }
        exceeded = (width, height)
        return false
    }
}
