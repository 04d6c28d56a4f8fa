// Paths of lines and curves.

import FoundationEssentials

/// A path of straight and curved segments with its line attributes and fill rule (`UIBezierPath`).
///
///     var path = BezierPath()
///     path.move(to: Point(x: 100, y: 0))
///     path.addLine(to: Point(x: 200, y: 40))
///     path.addLine(to: Point(x: 160, y: 140))
///     path.close()
///     Color.red.setFill()
///     path.fill()
///     path.stroke()
///
/// Programs often build a path around (0, 0), and then translate the context to the position of the path. Segments with
/// coordinates that are not finite are ignored. `stroke()` uses the line attributes of the path, not the line
/// attributes of the context.
public struct BezierPath: Hashable, Sendable {
    /// An element of a path (`CGPathElement`).
    public enum Element: Hashable, Sendable {
        /// The start of a subpath.
        case move(to: Point)
        /// A straight line to a point.
        case line(to: Point)
        /// A quadratic Bézier curve to a point.
        case quadCurve(to: Point, control: Point)
        /// A cubic Bézier curve to a point.
        case curve(to: Point, control1: Point, control2: Point)
        /// A line to the start of the subpath, which closes the subpath.
        case close
    }

    /// The elements of the path, in order.
    ///
    /// Each subpath begins with a move.
    public private(set) var elements: [Element] = []
    /// The line width in points.
    ///
    /// A width of 0 draws a line of one pixel.
    public var lineWidth: Double {
        get { line.width }
        set { line.width = newValue }
    }
    /// The shape of the ends of open lines.
    public var lineCapStyle: LineCap {
        get { line.cap }
        set { line.cap = newValue }
    }
    /// The shape of line corners.
    public var lineJoinStyle: LineJoin {
        get { line.join }
        set { line.join = newValue }
    }
    /// The maximum miter length as a multiple of the line width.
    ///
    /// The default is 10. Corners that exceed the limit are beveled.
    public var miterLimit: Double {
        get { line.miterLimit }
        set { line.miterLimit = newValue }
    }
    /// The pattern of strokes and gaps.
    ///
    /// The default is `solid`.
    public var lineDash: LineDash {
        get { line.dash }
        set { line.dash = newValue }
    }
    /// The maximum deviation of a drawn curve from the exact curve, in pixels.
    ///
    /// The default is 0.6.
    public var flatness = 0.6
    /// Whether the filled area follows the even-odd rule.
    ///
    /// If false, the filled area follows the nonzero winding number rule.
    public var usesEvenOddFillRule = false

    var line = LineAttributes()
    private var start: Point?

    /// The end of the last segment; `nil` if the path is empty.
    public private(set) var currentPoint: Point?

    /// Creates an empty path.
    public init() {}

    /// Whether the path has no elements.
    public var isEmpty: Bool { elements.isEmpty }

    /// Starts a new subpath at a point.
    public mutating func move(to point: Point) {
        guard point.isFinite else { return }
        elements.append(.move(to: point))
        start = point
        currentPoint = point
    }

    /// Adds a straight line.
    ///
    /// If the path is empty, the method only moves to the end of the line.
    public mutating func addLine(to point: Point) {
        guard point.isFinite, begin(at: point) else { return }
        elements.append(.line(to: point))
        currentPoint = point
    }

    /// Adds a cubic Bézier curve.
    ///
    /// If the path is empty, the method only moves to the end of the curve.
    public mutating func addCurve(to point: Point, controlPoint1: Point, controlPoint2: Point) {
        guard point.isFinite, controlPoint1.isFinite, controlPoint2.isFinite, begin(at: point) else { return }
        elements.append(.curve(to: point, control1: controlPoint1, control2: controlPoint2))
        currentPoint = point
    }

    /// Adds a quadratic Bézier curve.
    ///
    /// If the path is empty, the method only moves to the end of the curve.
    public mutating func addQuadCurve(to point: Point, controlPoint: Point) {
        guard point.isFinite, controlPoint.isFinite, begin(at: point) else { return }
        elements.append(.quadCurve(to: point, control: controlPoint))
        currentPoint = point
    }

    /// Closes the subpath with a line to its start.
    public mutating func close() {
        guard let start, elements.last != .close else { return }
        elements.append(.close)
        currentPoint = start
    }

    /// Removes all elements.
    ///
    /// The line attributes remain.
    public mutating func removeAllPoints() {
        elements = []
        (start, currentPoint) = (nil, nil)
    }

    /// Appends the elements of another path.
    ///
    /// The line attributes of the other path are ignored.
    public mutating func append(_ other: BezierPath) {
        elements += other.elements
        if !other.isEmpty { (start, currentPoint) = (other.start, other.currentPoint) }
    }

    /// Transforms all points.
    ///
    /// Ignores a transform that is not finite.
    public mutating func apply(_ transform: AffineTransform) {
        guard transform.isFinite else { return }
        elements = elements.map { $0.mapped(transform.apply(to:)) }
        start = start.map(transform.apply(to:))
        currentPoint = currentPoint.map(transform.apply(to:))
    }

    /// Returns the path with all points transformed.
    public func applying(_ transform: AffineTransform) -> BezierPath {
        var path = self
        path.apply(transform)
        return path
    }

    /// Prepares the path for a segment.
    ///
    /// If the path is empty, the method adds only a move to `point` and returns false.
    ///
    /// After a close, the next segment begins at the start of the closed subpath.
    private mutating func begin(at point: Point) -> Bool {
        guard let start else {
            move(to: point)
            return false
        }
        if elements.last == .close { elements.append(.move(to: start)) }
        return true
    }
}

extension BezierPath.Element {
    /// The end point of the element; `nil` if the element is `close`.
    var end: Point? {
        switch self {
        case .move(let point), .line(let point), .quadCurve(let point, _), .curve(let point, _, _): point
        case .close: nil
        }
    }

    func mapped(_ map: (Point) -> Point) -> BezierPath.Element {
        switch self {
        case .move(let point): .move(to: map(point))
        case .line(let point): .line(to: map(point))
        case .quadCurve(let point, let control): .quadCurve(to: map(point), control: map(control))
        case .curve(let point, let one, let two): .curve(to: map(point), control1: map(one), control2: map(two))
        case .close: .close
        }
    }
}
