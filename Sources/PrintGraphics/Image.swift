// Pictures made of pixels.

import CCairo
import FoundationEssentials

/// A picture, as `UIImage`: pixels, and how many of them make a point.
///
/// It never changes and may be given to any task.
public struct Image: Sendable {
    let content: ImageContent
    /// Pixels a point.
    public let scale: Double

    init(pixels: PixelBuffer, scale: Double) {
        content = ImageContent(pixels: pixels)
        self.scale = scale
    }

    /// The width and height in points.
    public var size: Size { Size(width: Double(pixelWidth) / scale, height: Double(pixelHeight) / scale) }
    /// The width in pixels.
    public var pixelWidth: Int { content.width }
    /// The height in pixels.
    public var pixelHeight: Int { content.height }
}

/// What images that look alike share.
final class ImageContent: Sendable {
    let width: Int
    let height: Int
    let pixels: PixelBuffer

    init(pixels: PixelBuffer) {
        (width, height, self.pixels) = (pixels.width, pixels.height, pixels)
    }
}

extension Image {
    /// One pixel; `y` counts downwards from the top.
    ///
    /// A place outside of the image is a programming error.
    public subscript(x: Int, y: Int) -> Pixel { content.pixels.pixel(x: x, y: y) }
}
