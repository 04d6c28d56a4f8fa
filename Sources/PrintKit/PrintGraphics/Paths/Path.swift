// Paths without line attributes.

import FoundationEssentials

/// The rule that decides which areas lie inside a path (`CGPathFillRule`).
public enum FillRule: Hashable, Sendable, CaseIterable {
    /// The rule by which a point is inside if the path turns around the point.
    case winding
    /// The rule by which a point is inside if a ray from the point crosses the path an odd number of times.
    case evenOdd
}

/// The ways to draw a path (`CGPathDrawingMode`).
public enum PathDrawingMode: Hashable, Sendable, CaseIterable {
    /// A fill with the winding rule.
    case fill
    /// A fill with the even-odd rule.
    case eoFill
    /// A line along the path with the line attributes of the context.
    case stroke
    /// A fill with the winding rule, then a stroke.
    case fillStroke
    /// A fill with the even-odd rule, then a stroke.
    case eoFillStroke

    /// The rule of the fill; `nil` without a fill.
    var fillRule: FillRule? {
        switch self {
        case .fill, .fillStroke: .winding
        case .eoFill, .eoFillStroke: .evenOdd
        case .stroke: nil
        }
    }

    /// Whether the line is drawn.
    var strokes: Bool { [.stroke, .fillStroke, .eoFillStroke].contains(self) }
}

/// A path of straight and curved segments, without line attributes and fill rule (`CGPath`).
///
///     var ring = Path()
///     ring.addEllipse(in: Rect(x: 0, y: 0, width: 300, height: 300))
///     ring.addEllipse(in: Rect(x: 50, y: 50, width: 200, height: 200))
///     context.addPath(ring)
///     context.fillPath(using: .evenOdd)
///
/// `BezierPath.cgPath` is the path of a `BezierPath`. Segments with coordinates that are not finite are ignored.
public struct Path: Hashable, Sendable {
    var outline: BezierPath

    /// Creates an empty path.
    public init() { outline = BezierPath() }

    /// Creates a rectangle.
    public init(rect: Rect) { outline = BezierPath(rect: rect) }

    /// Creates the ellipse inscribed in a rectangle.
    public init(ellipseIn rect: Rect) { outline = BezierPath(ovalIn: rect) }

    /// Creates a path from an outline whose attributes are the default attributes.
    init(outline: BezierPath) { self.outline = outline }

    /// The elements of the path, in order.
    public var elements: [BezierPath.Element] { outline.elements }
    /// Whether the path has no elements.
    public var isEmpty: Bool { outline.isEmpty }
    /// The end of the last segment; `nil` if the path is empty.
    public var currentPoint: Point? { outline.currentPoint }
    /// The smallest rectangle that contains the path, ignoring control points; zero for an empty path.
    public var bounds: Rect { outline.bounds }

    /// Starts a new subpath at a point.
    public mutating func move(to point: Point) { outline.move(to: point) }

    /// Adds a straight line.
    public mutating func addLine(to point: Point) { outline.addLine(to: point) }

    /// Adds a cubic Bézier curve.
    public mutating func addCurve(to point: Point, control1: Point, control2: Point) {
        outline.addCurve(to: point, controlPoint1: control1, controlPoint2: control2)
    }

    /// Adds a quadratic Bézier curve.
    public mutating func addQuadCurve(to point: Point, control: Point) {
        outline.addQuadCurve(to: point, controlPoint: control)
    }

    /// Adds an arc of a circle, as `BezierPath.addArc` does.
    public mutating func addArc(
        center: Point, radius: Double, startAngle: Double, endAngle: Double, clockwise: Bool
    ) {
        outline.addArc(
            withCenter: center, radius: radius, startAngle: startAngle, endAngle: endAngle, clockwise: clockwise)
    }

    /// Adds a rectangle as a closed subpath.
    public mutating func addRect(_ rect: Rect) { outline.append(BezierPath(rect: rect)) }

    /// Adds the ellipse inscribed in a rectangle as a closed subpath.
    public mutating func addEllipse(in rect: Rect) { outline.append(BezierPath(ovalIn: rect)) }

    /// Adds the elements of another path.
    public mutating func addPath(_ other: Path) { outline.append(other.outline) }

    /// Closes the subpath with a line to its start.
    public mutating func closeSubpath() { outline.close() }

    /// Returns the path with all points transformed.
    ///
    /// A transform that is not finite is ignored.
    public func applying(_ transform: AffineTransform) -> Path { Path(outline: outline.applying(transform)) }

    /// Returns whether a point lies in the filled area.
    ///
    /// Open subpaths contain no points.
    public func contains(_ point: Point, using rule: FillRule = .winding) -> Bool { filled(by: rule).contains(point) }

    /// Returns the path with a fill rule.
    func filled(by rule: FillRule) -> BezierPath {
        var path = outline
        path.usesEvenOddFillRule = rule == .evenOdd
        return path
    }
}

extension BezierPath {
    /// Creates a path with the elements of another path, and with the default line attributes.
    public init(_ path: Path) {
        self.init()
        append(path.outline)
    }

    /// The elements of the path (`CGPath`).
    ///
    /// Setting the property replaces the elements, and keeps the line attributes and the fill rule. A copy can be
    /// changed and set back.
    public var cgPath: Path {
        get {
            var path = Path()
            path.outline.append(self)
            return path
        }
        set {
            removeAllPoints()
            append(newValue.outline)
        }
    }
}
