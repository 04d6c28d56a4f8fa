// Pictures made of pixels.

import CCairo
public import FoundationEssentials

/// A picture, as `UIImage`: pixels, how many of them make a point, and how they are turned for showing.
///
///     let photo = try Image(contentsOfFile: "beach.jpg")
///     photo.draw(in: Rect(x: 72, y: 72, width: 300, height: 200))
///
/// PNG, JPEG, TIFF, GIF (its first picture), BMP, ICO, CUR and XBM are read, by what is in them and not by name. A JPEG of
/// light that is drawn into a PDF goes there byte for byte. An image never changes and may be given to any task.
public struct Image: Sendable {
    let content: ImageContent
    /// Pixels a point.
    public let scale: Double
    /// How the stored pixels are turned and mirrored for showing.
    public let orientation: Orientation
    /// The edges that keep their size when the image is stretched; none unless `resizable` made the image.
    public let capInsets: EdgeInsets

    /// The most pixels that images are read with, unless said otherwise.
    public static let maximumPixels = 100_000_000

    init(content: ImageContent, scale: Double, orientation: Orientation = .up, capInsets: EdgeInsets = .zero) {
        (self.content, self.orientation, self.capInsets) = (content, orientation, capInsets)
        self.scale = scale > 0 && scale.isFinite ? scale : 1
    }

    init(pixels: PixelBuffer, scale: Double) {
        self.init(content: ImageContent(pixels: pixels), scale: scale)
    }

    /// An image of a file's bytes.
    ///
    /// - Parameters:
    ///   - data: The file's bytes.
    ///   - scale: Pixels a point.
    ///   - maximumPixels: A larger image is refused before memory is taken.
    /// - Throws: `unsupportedFormat`, `damaged` or `tooLarge`.
    public init(
        data: Data, scale: Double = 1, maximumPixels: Int = Image.maximumPixels
    ) throws(GraphicsError) {
        try self.init(bytes: ImageBytes(data), scale: scale, name: "the image", maximumPixels: maximumPixels)
    }

    /// An image in a file (`imageNamed:`, `imageWithContentsOfFile:`).
    ///
    /// For output finer than one pixel a point, as paper is, `logo@2x.png` is taken for `logo.png` when it is there. A file
    /// whose name says `@2x` or `@3x` has that scale.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - outputScale: How fine the output is, in pixels a point.
    ///   - maximumPixels: A larger image is refused before memory is taken.
    /// - Throws: `unreadable`, `unsupportedFormat`, `damaged` or `tooLarge`.
    public init(
        contentsOfFile path: String, outputScale: Double = 2, maximumPixels: Int = Image.maximumPixels
    ) throws(GraphicsError) {
        let file = ImageFileName(path)
        let chosen = outputScale > 1 ? file.finer ?? file : file
        let bytes = try ImageBytes(contentsOfFile: chosen.path)
        try self.init(bytes: bytes, scale: chosen.scale, name: "'\(chosen.path)'", maximumPixels: maximumPixels)
    }

    private init(bytes: ImageBytes, scale: Double, name: String, maximumPixels: Int) throws(GraphicsError) {
        if let header = JPEGImageHeader(bytes.buffer), header.isComplete, header.components != 4 {
            guard header.width * header.height <= maximumPixels, header.width <= PixelBuffer.longestSide,
                header.height <= PixelBuffer.longestSide
            else {
                throw .tooLarge(
                    name, width: Double(header.width), height: Double(header.height), limit: maximumPixels)
            }
            self.init(
                content: ImageContent(jpeg: bytes, width: header.width, height: header.height), scale: scale,
                orientation: Orientation(rawValue: header.orientation) ?? .up)
            return
        }
        let decoded = try ImageDecoder.decode(bytes.buffer, name: name, maximumPixels: maximumPixels)
        self.init(
            content: ImageContent(pixels: decoded.pixels), scale: scale,
            orientation: Orientation(rawValue: decoded.orientation) ?? .up)
    }

    /// The width and height as shown, in points.
    public var size: Size { Size(width: Double(pixelWidth) / scale, height: Double(pixelHeight) / scale) }
    /// The width as shown, in pixels.
    public var pixelWidth: Int { orientation.isOnItsSide ? content.height : content.width }
    /// The height as shown, in pixels.
    public var pixelHeight: Int { orientation.isOnItsSide ? content.width : content.height }

    /// The same pixels with another scale and orientation (`initWithCGImage:scale:orientation:`).
    public func with(scale: Double, orientation: Orientation) -> Image {
        Image(content: content, scale: scale, orientation: orientation, capInsets: capInsets)
    }

    /// How stored pixels are shown, numbered as in Exif (`UIImageOrientation`).
    public enum Orientation: Int, Hashable, Sendable, CaseIterable {
        /// As they are stored.
        case up = 1
        /// Mirrored from left to right.
        case upMirrored = 2
        /// Turned by 180°.
        case down = 3
        /// Mirrored from top to bottom.
        case downMirrored = 4
        /// Mirrored from left to right and turned by 90° counter-clockwise.
        case leftMirrored = 5
        /// Turned by 90° clockwise.
        case right = 6
        /// Mirrored from left to right and turned by 90° clockwise.
        case rightMirrored = 7
        /// Turned by 90° counter-clockwise.
        case left = 8

        /// Whether width and height change places.
        var isOnItsSide: Bool { rawValue >= 5 }

        /// From the stored image's unit square to the shown one's, y downwards.
        var transform: AffineTransform {
            let (a, b, c, d, tx, ty): (Double, Double, Double, Double, Double, Double) =
                switch self {
                case .up: (1, 0, 0, 1, 0, 0)
                case .upMirrored: (-1, 0, 0, 1, 1, 0)
                case .down: (-1, 0, 0, -1, 1, 1)
                case .downMirrored: (1, 0, 0, -1, 0, 1)
                case .leftMirrored: (0, 1, 1, 0, 0, 0)
                case .right: (0, 1, -1, 0, 1, 0)
                case .rightMirrored: (0, -1, -1, 0, 1, 1)
                case .left: (0, -1, 1, 0, 0, 1)
                }
            return AffineTransform(a: a, b: b, c: c, d: d, tx: tx, ty: ty)
        }
    }
}

/// Distances from the four edges of a rectangle, in points (`UIEdgeInsets`).
public struct EdgeInsets: Hashable, Sendable {
    /// From the upper edge.
    public var top: Double
    /// From the left edge.
    public var left: Double
    /// From the lower edge.
    public var bottom: Double
    /// From the right edge.
    public var right: Double

    /// No distance.
    public static let zero = EdgeInsets(top: 0, left: 0, bottom: 0, right: 0)

    /// Distances from the four edges.
    public init(top: Double, left: Double, bottom: Double, right: Double) {
        (self.top, self.left, self.bottom, self.right) = (top, left, bottom, right)
    }
}

/// What an image file's name says.
struct ImageFileName {
    let path: String
    /// Pixels a point, by the name.
    let scale: Double

    init(_ path: String) {
        self.path = path
        let stem = Self.split(path).stem
        scale = stem.hasSuffix("@2x") ? 2 : stem.hasSuffix("@3x") ? 3 : 1
    }

    /// The `@2x` file beside it, when there is one.
    var finer: ImageFileName? {
        guard scale == 1 else { return nil }
        let (stem, suffix) = Self.split(path)
        let finer = "\(stem)@2x\(suffix)"
        return FileManager.default.fileExists(atPath: finer) ? ImageFileName(finer) : nil
    }

    private static func split(_ path: String) -> (stem: Substring, suffix: Substring) {
        let name = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
        let dot = path[name...].lastIndex(of: ".") ?? path.endIndex
        return (path[..<dot], path[dot...])
    }
}
