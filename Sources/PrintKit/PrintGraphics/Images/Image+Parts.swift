// Images made of images: parts, masks, stretchable ones.

import FoundationEssentials

extension Image {
    /// The part of the image in a rectangle, in points of the image as shown (`CGImageCreateWithImageInRect`).
    ///
    /// The rectangle is cut to the image and widened to whole pixels.
    ///
    /// - Throws: `invalidGeometry` when nothing of the image lies in it; `damaged` or `tooLarge` when its pixels cannot be
    ///   had.
    public func cropped(to rect: Rect) throws(GraphicsError) -> Image {
        let whole = Rect(origin: .zero, size: size)
        let part = rect.isFinite ? rect.intersection(whole) : .zero
        guard !part.isEmpty else { throw .invalidSize(rect.size, of: "a part of an image, outside of it or") }
        let source = try uprightPixels()
        let (left, top) = (Int(part.minX * scale), Int(part.minY * scale))
        let right = min(Int((part.maxX * scale).rounded(.up)), source.width)
        let bottom = min(Int((part.maxY * scale).rounded(.up)), source.height)
        let width = right - left
        let pixels = try PixelBuffer(width: width, height: bottom - top, isOpaque: source.isOpaque) { target in
            for y in top..<bottom {
                (target + (y - top) * width * 4).update(
                    from: source.bytes.assumingMemoryBound(to: UInt8.self) + (y * source.width + left) * 4,
                    count: width * 4)
            }
        }
        return Image(pixels: pixels, scale: scale)
    }

    /// The image seen through another: where the mask is white it stays, where it is black or clear it vanishes
    /// (`CGImageCreateWithMask` with an image).
    ///
    /// The mask is stretched to the image's size.
    ///
    /// - Throws: `damaged` or `tooLarge` when the pixels cannot be had.
    public func masked(by mask: Image) throws(GraphicsError) -> Image {
        let (source, cover) = try (uprightPixels(), mask.uprightPixels())
        let pixels = try PixelBuffer(width: source.width, height: source.height, isOpaque: false) { target in
            let from = source.bytes.assumingMemoryBound(to: UInt8.self)
            for y in 0..<source.height {
                for x in 0..<source.width {
                    let there = cover.pixel(x: x * cover.width / source.width, y: y * cover.height / source.height)
                    let index = (y * source.width + x) * 4
                    for component in 0..<4 {
                        let value = component == 3 && source.isOpaque ? 255 : Int(from[index + component])
                        target[index + component] = UInt8((value * there.coverage + 127) / 255)
                    }
                }
            }
        }
        return Image(pixels: pixels, scale: scale)
    }

    /// The image with edges that keep their size when it is drawn larger (`resizableImageWithCapInsets:`).
    ///
    /// Corners stay as they are, edges are stretched along themselves, and the middle both ways. Insets are in points;
    /// those that are negative, not finite, or leave no middle are not used.
    public func resizable(withCapInsets insets: EdgeInsets) -> Image {
        let isUsable =
            [insets.top, insets.left, insets.bottom, insets.right].allSatisfy { $0 >= 0 && $0.isFinite }
            && insets.left + insets.right < size.width && insets.top + insets.bottom < size.height
        return Image(
            content: content, scale: scale, orientation: orientation, capInsets: isUsable ? insets : .zero)
    }

    /// The pixels as they are shown.
    func uprightPixels() throws(GraphicsError) -> PixelBuffer {
        let stored = try content.pixels()
        guard orientation != .up, let back = orientation.transform.inverted else { return stored }
        let (width, height) = (pixelWidth, pixelHeight)
        return try PixelBuffer(width: width, height: height, isOpaque: stored.isOpaque) { target in
            let from = stored.bytes.assumingMemoryBound(to: UInt32.self)
            target.withMemoryRebound(to: UInt32.self, capacity: width * height) { target in
                for y in 0..<height {
                    for x in 0..<width {
                        let place = back.apply(
                            to: Point(x: (Double(x) + 0.5) / Double(width), y: (Double(y) + 0.5) / Double(height)))
                        let column = min(Int(place.x * Double(stored.width)), stored.width - 1)
                        let row = min(Int(place.y * Double(stored.height)), stored.height - 1)
                        target[y * width + x] = from[row * stored.width + column]
                    }
                }
            }
        }
    }

    /// Returns one pixel as shown; `y` counts downwards from the top.
    ///
    /// A point outside the image is a programming error. The function is convenient rather than fast.
    ///
    /// - Throws: `damaged` or `tooLarge` when the image cannot be decoded.
    public func pixel(x: Int, y: Int) throws(GraphicsError) -> Pixel {
        let stored = try content.pixels()
        guard orientation != .up, let back = orientation.transform.inverted else { return stored.pixel(x: x, y: y) }
        precondition(
            x >= 0 && x < pixelWidth && y >= 0 && y < pixelHeight,
            "(\(x), \(y)) is outside of \(pixelWidth) × \(pixelHeight)")
        let place = back.apply(
            to: Point(x: (Double(x) + 0.5) / Double(pixelWidth), y: (Double(y) + 0.5) / Double(pixelHeight)))
        return stored.pixel(x: Int(place.x * Double(stored.width)), y: Int(place.y * Double(stored.height)))
    }

    /// Makes sure that the pixels can be had: a JPEG is decoded only when they are needed.
    ///
    /// - Throws: `damaged` or `tooLarge`.
    public func decode() throws(GraphicsError) { _ = try content.pixels() }
}

extension Image.Pixel {
    /// How much a mask lets through, from 0 to 255.
    fileprivate var coverage: Int { (54 * Int(red) + 183 * Int(green) + 19 * Int(blue)) / 256 * Int(alpha) / 255 }
}
