// Low-level images, which Core Graphics draws upside down where y grows downwards.

public import Foundation
public import PrintKit

/// An image of pixels without scale and orientation.
public final class CGImage {
    /// The pixels as an image with one pixel per point.
    public let image: Image

    init(_ image: Image) { self.image = image }

    /// The width in pixels.
    public var width: Int { image.pixelWidth }
    /// The height in pixels.
    public var height: Int { image.pixelHeight }
    /// The number of bits of a component: 8.
    public var bitsPerComponent: Int { 8 }
    /// The number of bits of a pixel: 32.
    public var bitsPerPixel: Int { 32 }
    /// The number of bytes in a row of the data.
    public var bytesPerRow: Int { image.bytesPerRow }
    /// The color space: sRGB.
    public var colorSpace: CGColorSpace? { CGColorSpaceCreateDeviceRGB() }

    /// The pixels: red, green, blue and alpha of each pixel, not premultiplied, top row first.
    ///
    /// The value is `nil` if the image cannot be decoded.
    public var dataProvider: CGDataProvider? { (try? image.rgbaBytes()).map { CGDataProvider(data: Data($0)) } }

    /// Returns the part within a rectangle in pixels; `nil` if the rectangle does not overlap the image.
    public func cropping(to rect: CGRect) -> CGImage? { (try? image.cropped(to: rect)).map(CGImage.init) }

    /// Returns the image with a mask, whose black pixels hide the image; `nil` if an image cannot be decoded.
    public func masking(_ mask: CGImage) -> CGImage? { (try? image.masked(by: mask.image)).map(CGImage.init) }

    /// Returns the same image.
    public func copy() -> CGImage? { self }
}

/// The bytes of an image.
public final class CGDataProvider {
    /// The bytes.
    public let data: CFData?

    /// Creates a provider of bytes.
    public init(data: CFData) { self.data = data }
}
