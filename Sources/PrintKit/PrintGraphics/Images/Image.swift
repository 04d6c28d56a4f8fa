// Bitmap images.

import CCairo
public import FoundationEssentials

/// A bitmap image with its scale and orientation (`UIImage`).
///
///     let photo = try Image(contentsOfFile: "beach.jpg")
///     photo.draw(in: Rect(x: 72, y: 72, width: 300, height: 200))
///
/// The supported formats are PNG, JPEG, TIFF, GIF (first frame), BMP, ICO, CUR and XBM. The content of a file
/// determines the format; the file name has no effect. An RGB or grayscale JPEG that is drawn into a PDF is embedded
/// unchanged. An image is immutable and can be shared between tasks.
public struct Image: Sendable {
    let content: ImageContent
    /// The number of pixels per point.
    public let scale: Double
    /// The rotation and mirroring that are applied to the stored pixels.
    public let orientation: Orientation
    /// The distances from the edges of the image to its center part, which is stretched in both directions.
    ///
    /// The insets are zero unless the image was created by `resizable`.
    public let capInsets: EdgeInsets

    /// The default maximum number of pixels in an image.
    public static let maximumPixels = 100_000_000

    init(content: ImageContent, scale: Double, orientation: Orientation = .up, capInsets: EdgeInsets = .zero) {
        (self.content, self.orientation, self.capInsets) = (content, orientation, capInsets)
        self.scale = scale > 0 && scale.isFinite ? scale : 1
    }

    init(pixels: PixelBuffer, scale: Double) {
        self.init(content: ImageContent(pixels: pixels), scale: scale)
    }

    /// Creates an image from the data of an image file.
    ///
    /// - Parameters:
    ///   - scale: The number of pixels per point.
    ///   - maximumPixels: The pixel limit, which is checked before memory is allocated.
    /// - Throws: `GraphicsError`: `unsupportedFormat`, `damaged` or `tooLarge`.
    @_disfavoredOverload  // PrintKitUIKitNames has the failable initializer of UIKit.
    public init(
        data: Data, scale: Double = 1, maximumPixels: Int = Image.maximumPixels
    ) throws(GraphicsError) {
        try self.init(bytes: ImageBytes(data), scale: scale, name: "the image", maximumPixels: maximumPixels)
    }

    /// Creates an image from a file (`imageNamed:`, `imageWithContentsOfFile:`).
    ///
    /// For output with more than one pixel per point, such as paper, the initializer reads `logo@2x.png` instead of
    /// `logo.png` if `logo@2x.png` exists. A file name that ends with `@2x` or `@3x` sets the scale.
    ///
    /// - Parameters:
    ///   - outputScale: The resolution of the output in pixels per point.
    ///   - maximumPixels: The pixel limit, which is checked before memory is allocated.
    /// - Throws: `GraphicsError`: `unreadable`, `unsupportedFormat`, `damaged` or `tooLarge`.
    @_disfavoredOverload  // PrintKitUIKitNames has the failable initializer of UIKit.
    public init(
        contentsOfFile path: String, outputScale: Double = 2, maximumPixels: Int = Image.maximumPixels
    ) throws(GraphicsError) {
        let file = ImageFileName(path)
        let chosen = outputScale > 1 ? file.finer ?? file : file
        let bytes = try ImageBytes(contentsOfFile: chosen.path)
        try self.init(bytes: bytes, scale: chosen.scale, name: "'\(chosen.path)'", maximumPixels: maximumPixels)
    }

    private init(bytes: ImageBytes, scale: Double, name: String, maximumPixels: Int) throws(GraphicsError) {
        if let header = JPEGHeader(bytes.buffer), header.isSupportedByPDF, header.isComplete(in: bytes.buffer),
            header.components != 4
        {
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

    /// The size of the upright image in points.
    public var size: Size { Size(width: Double(pixelWidth) / scale, height: Double(pixelHeight) / scale) }
    /// The width of the upright image in pixels.
    public var pixelWidth: Int { orientation.isOnItsSide ? content.height : content.width }
    /// The height of the upright image in pixels.
    public var pixelHeight: Int { orientation.isOnItsSide ? content.width : content.height }

    /// Returns an image with the same pixels and another scale and orientation (`initWithCGImage:scale:orientation:`).
    public func with(scale: Double, orientation: Orientation) -> Image {
        Image(content: content, scale: scale, orientation: orientation, capInsets: capInsets)
    }

    /// The rotation and mirroring of stored pixels, numbered as in Exif (`UIImageOrientation`).
    public enum Orientation: Int, Hashable, Sendable, CaseIterable {
        /// The stored image, without rotation or mirroring.
        case up = 1
        /// A horizontal mirroring of the stored image.
        case upMirrored = 2
        /// A rotation of the stored image by 180°.
        case down = 3
        /// A vertical mirroring of the stored image.
        case downMirrored = 4
        /// A horizontal mirroring of the stored image, followed by a rotation by 90° counterclockwise.
        case leftMirrored = 5
        /// A rotation of the stored image by 90° clockwise.
        case right = 6
        /// A horizontal mirroring of the stored image, followed by a rotation by 90° clockwise.
        case rightMirrored = 7
        /// A rotation of the stored image by 90° counterclockwise.
        case left = 8

        var isOnItsSide: Bool { rawValue >= 5 }

        /// The transform from the unit square of the stored image to the unit square of the upright image.
        ///
        /// Y grows downwards.
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

/// The distances from the four edges of a rectangle, in points (`UIEdgeInsets`).
public struct EdgeInsets: Hashable, Sendable {
    /// The distance from the top edge.
    public var top: Double
    /// The distance from the left edge.
    public var left: Double
    /// The distance from the bottom edge.
    public var bottom: Double
    /// The distance from the right edge.
    public var right: Double

    /// Insets of zero on all edges.
    public static let zero = EdgeInsets(top: 0, left: 0, bottom: 0, right: 0)

    /// Creates insets from four distances in points.
    public init(top: Double, left: Double, bottom: Double, right: Double) {
        (self.top, self.left, self.bottom, self.right) = (top, left, bottom, right)
    }
}

struct ImageFileName {
    let path: String
    let scale: Double

    init(_ path: String) {
        self.path = path
        let stem = Self.split(path).stem
        scale = stem.hasSuffix("@2x") ? 2 : stem.hasSuffix("@3x") ? 3 : 1
    }

    /// The name of the `@2x` file in the same folder.
    ///
    /// The property is `nil` if there is no `@2x` file, or if this name ends with `@2x` or `@3x`.
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
