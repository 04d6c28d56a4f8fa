// The pixels of an image for a terminal.

public import PageComparison

/// A namespace for functions that read page images.
///
/// The functions refuse images with too many pixels.
public enum TerminalPixels {
    /// The maximum number of pixels of an image.
    ///
    /// An A3 page at 150 dpi has 4.3 million pixels.
    public static let mostPixels = 40_000_000

    /// Returns the image in a PNG file; nil if the file cannot be read, is damaged, or has too many pixels.
    public static func read(_ path: String) -> PagePixels? {
        guard let size = TerminalPNG.size(ofFile: path), size.width * size.height <= mostPixels else { return nil }
        return try? PagePixels(png: path)
    }
}

extension PagePixels {
    /// Returns the image, reduced to the given width and height in pixels.
    ///
    /// Each pixel of the result is the mean of the original pixels in its area.
    ///
    /// An image is never enlarged.
    ///
    /// - Precondition: The width and the height are at least 1.
    public func reduced(width newWidth: Int, height newHeight: Int) -> PagePixels {
        let (newWidth, newHeight) = (min(newWidth, width), min(newHeight, height))
        if newWidth == width, newHeight == height { return self }
        var result = [UInt8](repeating: 255, count: 3 * newWidth * newHeight)
        bytes.withUnsafeBufferPointer { source in
            result.withUnsafeMutableBufferPointer { target in
                for y in 0..<newHeight {
                    let rows = (y * height / newHeight)..<max((y + 1) * height / newHeight, y * height / newHeight + 1)
                    for x in 0..<newWidth {
                        let first = x * width / newWidth
                        let columns = first..<max((x + 1) * width / newWidth, first + 1)
                        var (red, green, blue) = (0, 0, 0)
                        for row in rows {
                            for column in columns {
                                let start = 3 * (row * width + column)
                                red += Int(source[start])
                                green += Int(source[start + 1])
                                blue += Int(source[start + 2])
                            }
                        }
                        let (count, start) = (rows.count * columns.count, 3 * (y * newWidth + x))
                        target[start] = UInt8((red + count / 2) / count)
                        target[start + 1] = UInt8((green + count / 2) / count)
                        target[start + 2] = UInt8((blue + count / 2) / count)
                    }
                }
            }
        }
        return PagePixels(width: newWidth, height: newHeight, bytes: result)
    }

    /// Returns the color of a pixel as 24 bits: red, green, blue.
    func packedColor(_ x: Int, _ y: Int) -> Int {
        let start = 3 * (y * width + x)
        return Int(bytes[start]) << 16 | Int(bytes[start + 1]) << 8 | Int(bytes[start + 2])
    }
}
