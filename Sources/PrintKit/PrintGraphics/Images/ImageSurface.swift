// A cairo surface of an image.

import CCairo
import Glibc

/// A cairo surface with the pixels of an image, or with undecoded JPEG data.
final class ImageSurface {
    let pointer: OpaquePointer
    /// The image whose data must still be decoded into the surface, or `nil`.
    private var undecoded: ImageContent?

    init(_ pointer: OpaquePointer) { self.pointer = pointer }

    /// Creates a surface for a PDF, which embeds the JPEG data unchanged.
    ///
    /// Returns `nil` if there is not enough memory.
    init?(jpeg: ImageBytes, of content: ImageContent) {
        // The pixels are never touched, so the system does not allocate physical memory for them.
        guard
            let surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, Int32(content.width), Int32(content.height))
        else { return nil }
        pointer = surface
        undecoded = content
        let owner = Unmanaged.passRetained(jpeg).toOpaque()
        let status = cairo_surface_set_mime_data(
            surface, CAIRO_MIME_TYPE_JPEG, jpeg.buffer.bindMemory(to: UInt8.self).baseAddress,
            UInt(jpeg.buffer.count),
            { owner in
                if let owner { Unmanaged<ImageBytes>.fromOpaque(owner).release() }
            }, owner)
        if status != CAIRO_STATUS_SUCCESS {
            Unmanaged<ImageBytes>.fromOpaque(owner).release()
            return nil
        }
    }

    /// Sets a unique identifier of the image, so that a PDF contains the image only once.
    func identify(_ name: String) {
        guard let copy = strdup(name) else { return }
        let status = cairo_surface_set_mime_data(
            pointer, CAIRO_MIME_TYPE_UNIQUE_ID, UnsafeRawPointer(copy).assumingMemoryBound(to: UInt8.self),
            UInt(strlen(copy)), { free($0) }, copy)
        if status != CAIRO_STATUS_SUCCESS { free(copy) }
    }

    func decode() throws(GraphicsError) {
        guard let content = undecoded else { return }
        undecoded = nil
        let pixels = try content.pixels()
        // Do not flush the surface or mark it dirty: cairo's snapshots share its memory and need the pixels too.
        guard let data = cairo_image_surface_get_data(pointer) else { return }
        let stride = Int(cairo_image_surface_get_stride(pointer))
        for y in 0..<content.height {
            memcpy(data + y * stride, pixels.bytes + y * pixels.bytesPerRow, pixels.bytesPerRow)
        }
    }

    deinit { cairo_surface_destroy(pointer) }
}
