// UIKit's renderers of PDFs and images, whose closures draw.

public import Foundation
public import PrintKit

/// The format of a PDF renderer.
public final class UIGraphicsPDFRendererFormat {
    /// Values for `kCGPDFContextTitle` and similar keys.
    public var documentInfo: [String: Any] = [:]

    /// Creates a format without values.
    public init() {}

    /// Returns a format without values.
    public static func `default`() -> UIGraphicsPDFRendererFormat { UIGraphicsPDFRendererFormat() }
}

/// A renderer that makes PDFs from drawing closures.
///
/// Closures and errors: `pdfData(actions:)` cannot throw, so an error such as drawing without a page is written to
/// standard error, and the data is empty.
public final class UIGraphicsPDFRenderer {
    /// The format of the renderer.
    public let format: UIGraphicsPDFRendererFormat
    private let bounds: CGRect

    /// Creates a renderer for pages with default bounds.
    public init(bounds: CGRect, format: UIGraphicsPDFRendererFormat = .default()) {
        (self.bounds, self.format) = (bounds, format)
    }

    private var info: DocumentInfo { DocumentInfo(uiKit: format.documentInfo) }

    /// Returns the PDF that a closure draws; empty data if an error occurred.
    public func pdfData(actions: (UIGraphicsPDFRendererContext) -> Void) -> Data {
        do {
            return try PDFContext.data(bounds: bounds, info: info) { actions(UIGraphicsPDFRendererContext($0, format)) }
        } catch {
            report(error)
            return Data()
        }
    }

    /// Writes the PDF that a closure draws to a file.
    ///
    /// - Throws: `GraphicsError`, for example if the file cannot be written.
    public func writePDF(to url: URL, withActions actions: (UIGraphicsPDFRendererContext) -> Void) throws {
        try PDFContext.write(to: url.path, bounds: bounds, info: info) {
            actions(UIGraphicsPDFRendererContext($0, format))
        }
    }
}

/// The context of a PDF renderer's closure.
public final class UIGraphicsPDFRendererContext {
    /// The format of the renderer.
    public let format: UIGraphicsPDFRendererFormat
    private let context: PDFContext

    init(_ context: PDFContext, _ format: UIGraphicsPDFRendererFormat) {
        (self.context, self.format) = (context, format)
    }

    /// The context that draws, which is also the current context.
    public var cgContext: CGContext { context }
    /// The bounds of the open page.
    public var pdfContextBounds: CGRect { context.pageBounds }

    /// Begins a page with the default bounds.
    public func beginPage() { context.beginPage() }

    /// Begins a page.
    ///
    /// - Parameter pageInfo: Values for `kCGPDFContextCropBox` and similar keys.
    public func beginPage(withBounds bounds: CGRect, pageInfo: [String: Any]) {
        context.beginPage(bounds: bounds, boxes: PageBoxes(uiKit: pageInfo))
    }

    /// Links a rectangle of the page to a URL.
    public func setURL(_ url: URL, for rect: CGRect) { context.setURL(url, for: rect) }

    /// Adds a named destination at a point of the page.
    public func addDestination(withName name: String, at point: CGPoint) { context.addDestination(name, at: point) }

    /// Links a rectangle of the page to a named destination.
    public func setDestinationWithName(_ name: String, for rect: CGRect) { context.setDestination(name, for: rect) }

    /// Fills a rectangle with the fill color.
    public func fill(_ rect: CGRect) { context.fill(rect) }

    /// Strokes a frame of one point inside a rectangle, in the stroke color.
    public func stroke(_ rect: CGRect) { context.stroke(rect.inset(x: 0.5, y: 0.5), width: 1) }

    /// Limits drawing to a rectangle.
    public func clip(to rect: CGRect) { context.clip(to: rect) }
}

/// The format of an image renderer.
public final class UIGraphicsImageRendererFormat {
    /// The number of pixels per point.
    ///
    /// The default is 2, as on a screen with a high resolution.
    public var scale: CGFloat = BitmapContext.defaultScale
    /// Whether the pixels have no alpha.
    public var opaque = false

    /// Creates the default format.
    public init() {}

    /// Returns the default format.
    public static func `default`() -> UIGraphicsImageRendererFormat { UIGraphicsImageRendererFormat() }

    /// Returns the default format.
    public static func preferred() -> UIGraphicsImageRendererFormat { UIGraphicsImageRendererFormat() }
}

/// A renderer that makes images from drawing closures.
public final class UIGraphicsImageRenderer {
    /// The format of the renderer.
    public let format: UIGraphicsImageRendererFormat
    private let bounds: CGRect

    /// Creates a renderer for images of a size in points.
    public convenience init(size: CGSize, format: UIGraphicsImageRendererFormat = .default()) {
        self.init(bounds: CGRect(origin: .zero, size: size), format: format)
    }

    /// Creates a renderer for images of a rectangle, whose origin is the upper left corner of the image.
    public init(bounds: CGRect, format: UIGraphicsImageRendererFormat = .default()) {
        (self.bounds, self.format) = (bounds, format)
    }

    /// Returns the image that a closure draws.
    ///
    /// An image that is too large or empty ends the program, because the method cannot return an error.
    public func image(actions: (UIGraphicsImageRendererContext) -> Void) -> UIImage {
        do {
            let context = try BitmapContext(size: bounds.size, isOpaque: format.opaque, scale: format.scale)
            context.translate(x: -bounds.minX, y: -bounds.minY)
            context.draw { actions(UIGraphicsImageRendererContext(context, format)) }
            return try context.makeImage()
        } catch {
            preconditionFailure("cannot draw an image of \(bounds.width) × \(bounds.height) points: \(error)")
        }
    }

    /// Returns the drawing of a closure as PNG data.
    public func pngData(actions: (UIGraphicsImageRendererContext) -> Void) -> Data {
        image(actions: actions).pngData() ?? Data()
    }

    /// Returns the drawing of a closure as JPEG data.
    public func jpegData(
        withCompressionQuality quality: CGFloat, actions: (UIGraphicsImageRendererContext) -> Void
    ) -> Data { image(actions: actions).jpegData(compressionQuality: quality) ?? Data() }
}

/// The context of an image renderer's closure.
public final class UIGraphicsImageRendererContext {
    /// The format of the renderer.
    public let format: UIGraphicsImageRendererFormat
    private let context: BitmapContext

    init(_ context: BitmapContext, _ format: UIGraphicsImageRendererFormat) {
        (self.context, self.format) = (context, format)
    }

    /// The context that draws, which is also the current context.
    public var cgContext: CGContext { context }
    /// The drawing so far.
    ///
    /// An error, such as a damaged image, ends the program, because the property cannot return an error.
    public var currentImage: UIImage {
        do { return try context.makeImage() } catch { preconditionFailure("cannot copy the image: \(error)") }
    }

    /// Fills a rectangle with the fill color.
    public func fill(_ rect: CGRect) { context.fill(rect) }

    /// Fills a rectangle in a blend mode.
    public func fill(_ rect: CGRect, blendMode: CGBlendMode) { UIRectFillUsingBlendMode(rect, blendMode) }

    /// Strokes a frame of one point inside a rectangle, in the stroke color.
    public func stroke(_ rect: CGRect) { context.stroke(rect.inset(x: 0.5, y: 0.5), width: 1) }

    /// Limits drawing to a rectangle.
    public func clip(to rect: CGRect) { context.clip(to: rect) }
}
