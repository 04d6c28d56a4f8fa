// An image as cairo draws it.

import CCairo
import Glibc

/// A cairo surface of an image's pixels, or one whose pixels are not there because a JPEG stands for them.
final class ImageSurface {
    let pointer: OpaquePointer
    /// What the pixels still have to be made of.
    private var undecoded: ImageContent?

    init(_ pointer: OpaquePointer) { self.pointer = pointer }

    /// A surface for a PDF, which takes the JPEG's bytes as they are; nil when there is no memory.
    init?(jpeg: ImageBytes, of content: ImageContent) {
        // Nobody touches these pixels, so that the system never has to find memory for them.
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

    /// Names the picture, so that a PDF holds it once however often it is drawn.
    func identify(_ name: String) {
        guard let copy = strdup(name) else { return }
        let status = cairo_surface_set_mime_data(
            pointer, CAIRO_MIME_TYPE_UNIQUE_ID, UnsafeRawPointer(copy).assumingMemoryBound(to: UInt8.self),
            UInt(strlen(copy)), { free($0) }, copy)
        if status != CAIRO_STATUS_SUCCESS { free(copy) }
    }

    /// Makes the pixels that a JPEG stands for.
    func decode() throws(GraphicsError) {
        guard let content = undecoded else { return }
        undecoded = nil
        let pixels = try content.pixels()
        // Neither flushed nor marked: cairo's snapshots of the surface share its memory and shall see the pixels, too.
        guard let data = cairo_image_surface_get_data(pointer) else { return }
        let stride = Int(cairo_image_surface_get_stride(pointer))
        for y in 0..<content.height {
            memcpy(data + y * stride, pixels.bytes + y * pixels.bytesPerRow, pixels.bytesPerRow)
        }
    }

    deinit { cairo_surface_destroy(pointer) }
}
