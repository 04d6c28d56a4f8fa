// Path objects.

public import PrintKit

/// A path that cannot be changed.
public class CGPath {
    /// The elements of the path.
    public internal(set) var path: Path

    init(_ path: Path) { self.path = path }

    /// Creates a rectangle.
    public convenience init(rect: CGRect, transform: UnsafePointer<CGAffineTransform>?) {
        self.init(Path(rect: rect).applying(transform?.pointee ?? .identity))
    }

    /// Creates the ellipse inscribed in a rectangle.
    public convenience init(ellipseIn rect: CGRect, transform: UnsafePointer<CGAffineTransform>?) {
        self.init(Path(ellipseIn: rect).applying(transform?.pointee ?? .identity))
    }

    /// Creates a rectangle with rounded corners.
    public convenience init(
        roundedRect rect: CGRect, cornerWidth: CGFloat, cornerHeight: CGFloat,
        transform: UnsafePointer<CGAffineTransform>?
    ) {
        let radii = CGSize(width: cornerWidth, height: cornerHeight)
        let shape = BezierPath(roundedRect: rect, byRoundingCorners: .allCorners, cornerRadii: radii)
        self.init(shape.cgPath.applying(transform?.pointee ?? .identity))
    }

    /// Whether the path has no elements.
    public var isEmpty: Bool { path.isEmpty }
    /// The end of the last segment; zero for an empty path.
    public var currentPoint: CGPoint { path.currentPoint ?? .zero }
    /// The smallest rectangle that contains the path, ignoring control points; `null` for an empty path.
    public var boundingBoxOfPath: CGRect { path.isEmpty ? .null : path.bounds }

    /// Returns whether a point lies in the filled area.
    public func contains(
        _ point: CGPoint, using rule: CGPathFillRule = .winding, transform: CGAffineTransform = .identity
    ) -> Bool { path.applying(transform).contains(point, using: rule) }

    /// Returns a copy that cannot be changed.
    public func copy() -> CGPath? { CGPath(path) }

    /// Returns a copy that can be changed.
    public func mutableCopy() -> CGMutablePath? { CGMutablePath(path) }
}

/// A path to which segments can be added.
public final class CGMutablePath: CGPath {
    /// Creates an empty path.
    public convenience init() { self.init(Path()) }

    /// Starts a new subpath at a point.
    public func move(to point: CGPoint, transform: CGAffineTransform = .identity) {
        path.move(to: point.applying(transform))
    }

    /// Adds a straight line.
    public func addLine(to point: CGPoint, transform: CGAffineTransform = .identity) {
        path.addLine(to: point.applying(transform))
    }

    /// Adds lines between points.
    public func addLines(between points: [CGPoint], transform: CGAffineTransform = .identity) {
        guard let first = points.first else { return }
        move(to: first, transform: transform)
        for point in points.dropFirst() { addLine(to: point, transform: transform) }
    }

    /// Adds a cubic Bézier curve.
    public func addCurve(
        to end: CGPoint, control1: CGPoint, control2: CGPoint, transform: CGAffineTransform = .identity
    ) {
        path.addCurve(
            to: end.applying(transform), control1: control1.applying(transform), control2: control2.applying(transform))
    }

    /// Adds a quadratic Bézier curve.
    public func addQuadCurve(to end: CGPoint, control: CGPoint, transform: CGAffineTransform = .identity) {
        path.addQuadCurve(to: end.applying(transform), control: control.applying(transform))
    }

    /// Adds an arc.
    ///
    /// - Parameter clockwise: Whether the angles fall from the start to the end, as in Core Graphics. The arc is then
    ///   counterclockwise where y grows downwards.
    public func addArc(
        center: CGPoint, radius: CGFloat, startAngle: CGFloat, endAngle: CGFloat, clockwise: Bool,
        transform: CGAffineTransform = .identity
    ) {
        let back = transform.inverted()
        var arc = path.applying(back)
        arc.addArc(center: center, radius: radius, startAngle: startAngle, endAngle: endAngle, clockwise: !clockwise)
        path = arc.applying(transform)
    }

    /// Adds a rectangle.
    public func addRect(_ rect: CGRect, transform: CGAffineTransform = .identity) {
        path.addPath(Path(rect: rect).applying(transform))
    }

    /// Adds rectangles.
    public func addRects(_ rects: [CGRect], transform: CGAffineTransform = .identity) {
        for rect in rects { addRect(rect, transform: transform) }
    }

    /// Adds the ellipse inscribed in a rectangle.
    public func addEllipse(in rect: CGRect, transform: CGAffineTransform = .identity) {
        path.addPath(Path(ellipseIn: rect).applying(transform))
    }

    /// Adds a rectangle with rounded corners.
    public func addRoundedRect(
        in rect: CGRect, cornerWidth: CGFloat, cornerHeight: CGFloat, transform: CGAffineTransform = .identity
    ) {
        let shape = CGPath(roundedRect: rect, cornerWidth: cornerWidth, cornerHeight: cornerHeight, transform: nil)
        path.addPath(shape.path.applying(transform))
    }

    /// Adds another path.
    public func addPath(_ other: CGPath, transform: CGAffineTransform = .identity) {
        path.addPath(other.path.applying(transform))
    }

    /// Closes the last subpath with a line to its start.
    public func closeSubpath() { path.closeSubpath() }
}
