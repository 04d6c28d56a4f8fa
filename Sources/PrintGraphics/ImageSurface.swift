// An image as cairo draws it.

import CCairo

/// A cairo surface of an image's pixels.
final class ImageSurface {
    let pointer: OpaquePointer

    init(_ pointer: OpaquePointer) { self.pointer = pointer }

    deinit { cairo_surface_destroy(pointer) }
}
