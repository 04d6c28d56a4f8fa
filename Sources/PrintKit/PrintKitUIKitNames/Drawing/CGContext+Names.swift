// Core Graphics' names of the state and the drawing of a context.

public import PrintKit

extension CGContext {
    /// Saves the state.
    public func saveGState() { saveState() }

    /// Restores the last saved state.
    public func restoreGState() { restoreState() }

    /// The transformation from user space to the page.
    public var ctm: CGAffineTransform { transform }

    /// Moves all subsequent drawing.
    public func translateBy(x: CGFloat, y: CGFloat) { translate(x: x, y: y) }

    /// Scales all subsequent drawing.
    public func scaleBy(x: CGFloat, y: CGFloat) { scale(x: x, y: y) }

    // MARK: Colors

    /// Sets the color of fills.
    public func setFillColor(_ color: CGColor) { fillColor = color }

    /// Sets the color of fills from red, green and blue.
    public func setFillColor(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
        fillColor = CGColor(red: red, green: green, blue: blue, alpha: alpha)
    }

    /// Sets the color of fills from a gray level.
    public func setFillColor(gray: CGFloat, alpha: CGFloat) { fillColor = CGColor(white: gray, alpha: alpha) }

    /// Sets the color of fills from four inks.
    public func setFillColor(cyan: CGFloat, magenta: CGFloat, yellow: CGFloat, black: CGFloat, alpha: CGFloat) {
        fillColor = CGColor(cyan: cyan, magenta: magenta, yellow: yellow, black: black, alpha: alpha)
    }

    /// Sets the color of lines.
    public func setStrokeColor(_ color: CGColor) { strokeColor = color }

    /// Sets the color of lines from red, green and blue.
    public func setStrokeColor(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
        strokeColor = CGColor(red: red, green: green, blue: blue, alpha: alpha)
    }

    /// Sets the color of lines from a gray level.
    public func setStrokeColor(gray: CGFloat, alpha: CGFloat) { strokeColor = CGColor(white: gray, alpha: alpha) }

    /// Sets the color of lines from four inks.
    public func setStrokeColor(cyan: CGFloat, magenta: CGFloat, yellow: CGFloat, black: CGFloat, alpha: CGFloat) {
        strokeColor = CGColor(cyan: cyan, magenta: magenta, yellow: yellow, black: black, alpha: alpha)
    }

    // MARK: Line and quality

    /// Sets the line width in points.
    public func setLineWidth(_ width: CGFloat) { lineWidth = width }

    /// Sets the shape of the ends of open lines.
    public func setLineCap(_ cap: CGLineCap) { lineCap = cap }

    /// Sets the shape of line corners.
    public func setLineJoin(_ join: CGLineJoin) { lineJoin = join }

    /// Sets the maximum miter length as a multiple of the line width.
    public func setMiterLimit(_ limit: CGFloat) { miterLimit = limit }

    /// Sets the pattern of strokes and gaps; empty for a solid line.
    public func setLineDash(phase: CGFloat, lengths: [CGFloat]) { lineDash = LineDash(lengths: lengths, phase: phase) }

    /// Sets the maximum deviation of a drawn curve from the exact curve, in pixels.
    public func setFlatness(_ flatness: CGFloat) { self.flatness = flatness }

    /// Sets the opacity of all drawing.
    public func setAlpha(_ alpha: CGFloat) { self.alpha = alpha }

    /// Sets the blend mode of all drawing.
    public func setBlendMode(_ mode: CGBlendMode) { blendMode = mode }

    /// Sets the rendering intent.
    public func setRenderingIntent(_ intent: CGColorRenderingIntent) { renderingIntent = intent }

    /// Sets whether edges are antialiased.
    public func setShouldAntialias(_ shouldAntialias: Bool) { self.shouldAntialias = shouldAntialias }

    /// Sets whether edges may be antialiased, as `setShouldAntialias(_:)` does.
    public func setAllowsAntialiasing(_ allows: Bool) { shouldAntialias = allows }

    /// Sets the way in which glyphs are drawn.
    public func setTextDrawingMode(_ mode: CGTextDrawingMode) { textDrawingMode = mode }

    /// Sets a shadow with black of an alpha of 1/3.
    ///
    /// In a context with the origin at the top left, the shadow of a positive height falls downwards.
    public func setShadow(offset: CGSize, blur: CGFloat) { shadow = Shadow(offset: offset, blurRadius: blur) }

    /// Sets a shadow; a color of `nil` removes the shadow.
    public func setShadow(offset: CGSize, blur: CGFloat, color: CGColor?) {
        shadow = color.map { Shadow(offset: offset, blurRadius: blur, color: $0) }
    }

    // MARK: Shapes

    /// Fills rectangles.
    public func fill(_ rects: [CGRect]) { for rect in rects { fill(rect) } }

    /// Strokes the edges of a rectangle with a line width.
    public func stroke(_ rect: CGRect, width: CGFloat) {
        let before = lineWidth
        lineWidth = width
        stroke(rect)
        lineWidth = before
    }

    /// Strokes the lines between each two points.
    public func strokeLineSegments(between points: [CGPoint]) {
        for index in stride(from: 0, to: points.count - 1, by: 2) {
            strokeLine(from: points[index], to: points[index + 1])
        }
    }

    /// Adds a path to the current path.
    public func addPath(_ path: CGPath) { addPath(path.path) }

    /// Adds lines between points to the current path.
    public func addLines(between points: [CGPoint]) {
        guard let first = points.first else { return }
        move(to: first)
        for point in points.dropFirst() { addLine(to: point) }
    }

    /// Adds rectangles to the current path.
    public func addRects(_ rects: [CGRect]) { for rect in rects { addRect(rect) } }

    /// Adds an arc to the current path.
    ///
    /// - Parameter clockwise: Whether the angles fall from the start to the end, as in Core Graphics. The arc is then
    ///   counterclockwise where y grows downwards.
    public func addArc(center: CGPoint, radius: CGFloat, startAngle: CGFloat, endAngle: CGFloat, clockwise: Bool) {
        var path = path
        path.addArc(center: center, radius: radius, startAngle: startAngle, endAngle: endAngle, clockwise: !clockwise)
        beginPath()
        addPath(path)
    }

    /// Whether the current path has no segments.
    public var isPathEmpty: Bool { path.isEmpty }
    /// The end of the current path; zero for an empty path.
    public var currentPointOfPath: CGPoint { path.currentPoint ?? .zero }
    /// The smallest rectangle that contains the current path, ignoring control points; `null` for an empty path.
    public var boundingBoxOfPath: CGRect { path.isEmpty ? .null : path.bounds }
    /// The smallest rectangle that contains the clip.
    public var boundingBoxOfClipPath: CGRect { clipBounds }

    /// Limits drawing to several rectangles.
    public func clip(to rects: [CGRect]) {
        beginPath()
        addRects(rects)
        clip()
    }

    // MARK: Images, gradients and layers

    /// Draws an image into a rectangle, upright where y grows upwards.
    ///
    /// As on iOS, the image is upside down in a context with the origin at the top left that is not flipped.
    public func draw(_ image: CGImage, in rect: CGRect) {
        withSavedState { context in
            context.translate(x: 0, y: rect.minY + rect.maxY)
            context.scale(x: 1, y: -1)
            context.draw(image.image, in: rect)
        }
    }

    /// Draws a page of a PDF in its natural size, upright where y grows upwards, with its lower left corner at the
    /// origin.
    public func drawPDFPage(_ page: CGPDFPage) {
        let size = page.page.size
        withSavedState { context in
            context.translate(x: 0, y: size.height)
            context.scale(x: 1, y: -1)
            context.draw(page.page, in: CGRect(origin: .zero, size: size))
        }
    }

    /// Fills the clip with a gradient between two points.
    public func drawLinearGradient(
        _ gradient: CGGradient, start: CGPoint, end: CGPoint, options: CGGradientDrawingOptions
    ) { drawLinearGradient(gradient, from: start, to: end, extending: options) }

    /// Fills the clip with a gradient between two circles.
    public func drawRadialGradient(
        _ gradient: CGGradient, startCenter: CGPoint, startRadius: CGFloat, endCenter: CGPoint, endRadius: CGFloat,
        options: CGGradientDrawingOptions
    ) {
        drawRadialGradient(
            gradient, startCenter: startCenter, startRadius: startRadius, endCenter: endCenter, endRadius: endRadius,
            extending: options)
    }

    /// Begins a transparency layer.
    public func beginTransparencyLayer(auxiliaryInfo: CFDictionary?) { beginTransparencyLayer() }
}

extension CGGradient {
    /// Creates a gradient of colors at locations.
    ///
    /// - Parameters:
    ///   - colorsSpace: The color space, which has no effect.
    ///   - colors: Values of `CGColor`.
    ///   - locations: The locations from 0 to 1; `nil` for even distances.
    /// - Returns: `nil` if a value is not a color, or if the numbers of colors and locations differ.
    public init?(colorsSpace: CGColorSpace?, colors: CFArray, locations: [CGFloat]?) {
        let known = colors.compactMap { $0 as? CGColor }
        guard known.count == colors.count, locations.map({ $0.count == known.count }) ?? true else { return nil }
        guard let locations else {
            self.init(colors: known)
            return
        }
        self.init(stops: zip(known, locations).map { Stop(color: $0, location: $1) })
    }
}

extension CGGradientDrawingOptions {
    /// The option that continues the first color before the start.
    public static let drawsBeforeStartLocation = CGGradientDrawingOptions.beforeStart
    /// The option that continues the last color after the end.
    public static let drawsAfterEndLocation = CGGradientDrawingOptions.afterEnd
}

/// A color space.
///
/// All output is sRGB, so color spaces only describe values.
public final class CGColorSpace: Sendable {
    /// The name of the color space.
    public let name: CFString?
    /// The number of components of a color.
    public let numberOfComponents: Int

    /// The name of the color space sRGB.
    public static let sRGB: CFString = "kCGColorSpaceSRGB"

    init(_ name: CFString, numberOfComponents: Int) {
        (self.name, self.numberOfComponents) = (name, numberOfComponents)
    }

    /// Creates the color space sRGB; `nil` for another name.
    public convenience init?(name: CFString) {
        guard name == Self.sRGB else { return nil }
        self.init(name, numberOfComponents: 3)
    }
}

/// Returns the color space of red, green and blue.
public func CGColorSpaceCreateDeviceRGB() -> CGColorSpace { CGColorSpace(CGColorSpace.sRGB, numberOfComponents: 3) }
/// Returns the color space of gray levels.
public func CGColorSpaceCreateDeviceGray() -> CGColorSpace {
    CGColorSpace("kCGColorSpaceDeviceGray", numberOfComponents: 1)
}
/// Returns the color space of four inks.
public func CGColorSpaceCreateDeviceCMYK() -> CGColorSpace {
    CGColorSpace("kCGColorSpaceDeviceCMYK", numberOfComponents: 4)
}
