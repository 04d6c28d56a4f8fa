// UIBezierPath as a class, because programs change paths that they keep as constants.

public import PrintKit

/// A path with its line attributes and its fill rule.
///
/// `BezierPath` is the value behind the object.
open class UIBezierPath {
    /// The path as a value.
    public final var bezierPath: BezierPath

    /// Creates an object for a path.
    public init(_ path: BezierPath) { bezierPath = path }

    /// Creates an empty path.
    public convenience init() { self.init(BezierPath()) }

    /// Creates a rectangle.
    public convenience init(rect: CGRect) { self.init(BezierPath(rect: rect)) }

    /// Creates the ellipse inscribed in a rectangle.
    public convenience init(ovalIn rect: CGRect) { self.init(BezierPath(ovalIn: rect)) }

    /// Creates a rectangle with rounded corners.
    public convenience init(roundedRect rect: CGRect, cornerRadius: CGFloat) {
        self.init(BezierPath(roundedRect: rect, cornerRadius: cornerRadius))
    }

    /// Creates a rectangle with some rounded corners.
    public convenience init(roundedRect rect: CGRect, byRoundingCorners corners: UIRectCorner, cornerRadii: CGSize) {
        self.init(BezierPath(roundedRect: rect, byRoundingCorners: corners, cornerRadii: cornerRadii))
    }

    /// Creates an arc of a circle.
    public convenience init(
        arcCenter center: CGPoint, radius: CGFloat, startAngle: CGFloat, endAngle: CGFloat, clockwise: Bool
    ) {
        self.init(
            BezierPath(
                arcCenter: center, radius: radius, startAngle: startAngle, endAngle: endAngle, clockwise: clockwise))
    }

    /// Creates a path from a path object.
    public convenience init(cgPath: CGPath) { self.init(BezierPath(cgPath.path)) }

    /// The elements of the path.
    ///
    /// Setting the property replaces the elements.
    public final var cgPath: CGPath {
        get { CGPath(bezierPath.cgPath) }
        set { bezierPath.cgPath = newValue.path }
    }

    /// The line width in points.
    public final var lineWidth: CGFloat {
        get { bezierPath.lineWidth }
        set { bezierPath.lineWidth = newValue }
    }
    /// The shape of the ends of open lines.
    public final var lineCapStyle: CGLineCap {
        get { bezierPath.lineCapStyle }
        set { bezierPath.lineCapStyle = newValue }
    }
    /// The shape of line corners.
    public final var lineJoinStyle: CGLineJoin {
        get { bezierPath.lineJoinStyle }
        set { bezierPath.lineJoinStyle = newValue }
    }
    /// The maximum miter length as a multiple of the line width.
    public final var miterLimit: CGFloat {
        get { bezierPath.miterLimit }
        set { bezierPath.miterLimit = newValue }
    }
    /// The maximum deviation of a drawn curve from the exact curve, in pixels.
    public final var flatness: CGFloat {
        get { bezierPath.flatness }
        set { bezierPath.flatness = newValue }
    }
    /// Whether the filled area follows the even-odd rule.
    public final var usesEvenOddFillRule: Bool {
        get { bezierPath.usesEvenOddFillRule }
        set { bezierPath.usesEvenOddFillRule = newValue }
    }

    /// Sets the pattern of strokes and gaps.
    ///
    /// - Parameters:
    ///   - pattern: The lengths in points; `nil` for a solid line.
    ///   - count: The number of lengths.
    ///   - phase: The position in the pattern at which the line begins, in points.
    public final func setLineDash(_ pattern: UnsafePointer<CGFloat>?, count: Int, phase: CGFloat) {
        bezierPath.lineDash = LineDash(
            lengths: Array(UnsafeBufferPointer(start: pattern, count: pattern == nil ? 0 : max(0, count))), phase: phase
        )
    }

    /// Whether the path has no elements.
    public final var isEmpty: Bool { bezierPath.isEmpty }
    /// The smallest rectangle that contains the path, ignoring control points.
    public final var bounds: CGRect { bezierPath.bounds }
    /// The end of the last segment; zero for an empty path.
    public final var currentPoint: CGPoint { bezierPath.currentPoint ?? .zero }

    /// Starts a new subpath at a point.
    public final func move(to point: CGPoint) { bezierPath.move(to: point) }

    /// Adds a straight line.
    public final func addLine(to point: CGPoint) { bezierPath.addLine(to: point) }

    /// Adds a cubic Bézier curve.
    public final func addCurve(to end: CGPoint, controlPoint1: CGPoint, controlPoint2: CGPoint) {
        bezierPath.addCurve(to: end, controlPoint1: controlPoint1, controlPoint2: controlPoint2)
    }

    /// Adds a quadratic Bézier curve.
    public final func addQuadCurve(to end: CGPoint, controlPoint: CGPoint) {
        bezierPath.addQuadCurve(to: end, controlPoint: controlPoint)
    }

    /// Adds an arc of a circle.
    public final func addArc(
        withCenter center: CGPoint, radius: CGFloat, startAngle: CGFloat, endAngle: CGFloat, clockwise: Bool
    ) {
        bezierPath.addArc(
            withCenter: center, radius: radius, startAngle: startAngle, endAngle: endAngle, clockwise: clockwise)
    }

    /// Closes the subpath with a line to its start.
    public final func close() { bezierPath.close() }

    /// Removes all elements.
    public final func removeAllPoints() { bezierPath.removeAllPoints() }

    /// Adds the elements of another path.
    public final func append(_ other: UIBezierPath) { bezierPath.append(other.bezierPath) }

    /// Transforms all points.
    public final func apply(_ transform: CGAffineTransform) { bezierPath.apply(transform) }

    /// Returns the path with the opposite direction.
    public final func reversing() -> UIBezierPath { UIBezierPath(bezierPath.reversing()) }

    /// Returns a copy of the path.
    public final func copy() -> Any { UIBezierPath(bezierPath) }

    /// Returns whether a point lies in the filled area.
    public final func contains(_ point: CGPoint) -> Bool { bezierPath.contains(point) }

    /// Fills the path with the fill color of the current context.
    public final func fill() { bezierPath.fill() }

    /// Fills the path with a blend mode and an alpha.
    public final func fill(with blendMode: CGBlendMode, alpha: CGFloat) {
        bezierPath.fill(with: blendMode, alpha: alpha)
    }

    /// Strokes the path with the stroke color of the current context.
    public final func stroke() { bezierPath.stroke() }

    /// Strokes the path with a blend mode and an alpha.
    public final func stroke(with blendMode: CGBlendMode, alpha: CGFloat) {
        bezierPath.stroke(with: blendMode, alpha: alpha)
    }

    /// Limits drawing to the inside of the path until the context's state is restored.
    public final func addClip() { bezierPath.addClip() }
}
