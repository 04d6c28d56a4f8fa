// Crops, masks and resizable images.

import FoundationEssentials

extension Image {
    /// Returns the part of the image within a rectangle (`CGImageCreateWithImageInRect`).
    ///
    /// The rectangle is in points of the upright image. The rectangle is clipped to the image and expanded to whole
    /// pixels.
    ///
    /// - Throws: `GraphicsError`: `invalidGeometry` if the rectangle does not overlap the image; `damaged` or
    ///   `tooLarge` if the image cannot be decoded.
    public func cropped(to rect: Rect) throws(GraphicsError) -> Image {
        let whole = Rect(origin: .zero, size: size)
        let part = rect.isFinite ? rect.intersection(whole) : .zero
        guard !part.isEmpty else {
            throw GraphicsError(
                .invalidGeometry, "the crop rectangle does not overlap the image; choose a rectangle within the image")
        }
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

    /// Returns the image with a mask applied (`CGImageCreateWithMask` with an image).
    ///
    /// White parts of the mask show the image. Black and transparent parts hide the image.
    ///
    /// The mask is scaled to the size of the image.
    ///
    /// - Throws: `GraphicsError`: `damaged` or `tooLarge` if an image cannot be decoded.
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

    /// Returns an image that can be stretched without distorting its corners (`resizableImageWithCapInsets:`).
    ///
    /// The corners keep their size, the edges stretch in one direction, and the center stretches in both directions.
    /// Insets are in points. Insets that are negative, not finite or too large for the image are ignored.
    public func resizable(withCapInsets insets: EdgeInsets) -> Image {
        let isUsable =
            [insets.top, insets.left, insets.bottom, insets.right].allSatisfy { $0 >= 0 && $0.isFinite }
            && insets.left + insets.right < size.width && insets.top + insets.bottom < size.height
        return Image(
            content: content, scale: scale, orientation: orientation, capInsets: isUsable ? insets : .zero)
    }

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

    /// Returns one pixel of the upright image.
    ///
    /// `y` counts downwards from the top.
    ///
    /// If the point is outside the image, the program stops with a precondition failure. The function is too slow for
    /// reading many pixels.
    ///
    /// - Throws: `damaged` or `tooLarge` when the image cannot be decoded.
    public func pixel(x: Int, y: Int) throws(GraphicsError) -> Pixel {
        let stored = try content.pixels()
        guard orientation != .up, let back = orientation.transform.inverted else { return stored.pixel(x: x, y: y) }
        precondition(
            x >= 0 && x < pixelWidth && y >= 0 && y < pixelHeight,
            "pixel (\(x), \(y)) is outside the image of \(pixelWidth) × \(pixelHeight) pixels")
        let place = back.apply(
            to: Point(x: (Double(x) + 0.5) / Double(pixelWidth), y: (Double(y) + 0.5) / Double(pixelHeight)))
        return stored.pixel(x: Int(place.x * Double(stored.width)), y: Int(place.y * Double(stored.height)))
    }

    /// Decodes the image.
    ///
    /// Without this call, a JPEG is decoded when its pixels are first needed.
    ///
    /// - Throws: `GraphicsError`: `damaged` or `tooLarge`.
    public func decode() throws(GraphicsError) { _ = try content.pixels() }
}

extension Image.Pixel {
    /// The opacity that a mask pixel gives to the masked image, from 0 to 255.
    fileprivate var coverage: Int { (54 * Int(red) + 183 * Int(green) + 19 * Int(blue)) / 256 * Int(alpha) / 255 }
}
