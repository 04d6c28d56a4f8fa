// Shapes made of lines and curves.

import FoundationEssentials

/// A shape of straight and curved segments, and how it is stroked and filled, as `UIBezierPath`.
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
/// Build it around (0, 0) and move the context to where it shall appear. A segment with a coordinate that is not a finite
/// number is left out. Its own line attributes, and not the context's, count for `stroke()`.
public struct BezierPath: Hashable, Sendable {
    /// A piece of a path (`CGPathElement`).
    public enum Element: Hashable, Sendable {
        /// Begins a subpath.
        case move(to: Point)
        /// A straight line.
        case line(to: Point)
        /// A quadratic curve.
        case quadCurve(to: Point, control: Point)
        /// A cubic curve.
        case curve(to: Point, control1: Point, control2: Point)
        /// A line back to where the subpath began.
        case close
    }

    /// The pieces in order; each subpath begins with a move.
    public private(set) var elements: [Element] = []
    /// The width of the stroke, in points; 0 is the thinnest line there is.
    public var lineWidth: Double {
        get { line.width }
        set { line.width = newValue }
    }
    /// How open ends look.
    public var lineCapStyle: LineCap {
        get { line.cap }
        set { line.cap = newValue }
    }
    /// How corners look.
    public var lineJoinStyle: LineJoin {
        get { line.join }
        set { line.join = newValue }
    }
    /// The longest miter, as a multiple of the line width; beyond it a corner is beveled.
    ///
    /// 10 unless set.
    public var miterLimit: Double {
        get { line.miterLimit }
        set { line.miterLimit = newValue }
    }
    /// The pattern of strokes and gaps; solid unless set.
    public var lineDash: LineDash {
        get { line.dash }
        set { line.dash = newValue }
    }
    /// How far a drawn curve may be from the true one, in pixels; 0.6 unless set.
    public var flatness = 0.6
    /// Whether a place counts as inside when an odd number of contours lies around it, rather than by their direction.
    public var usesEvenOddFillRule = false

    var line = LineAttributes()
    /// Where the current subpath began.
    private var start: Point?

    /// The end of the last segment; `nil` while the path is empty.
    public private(set) var currentPoint: Point?

    /// An empty path.
    public init() {}

    /// Whether it has no element at all.
    public var isEmpty: Bool { elements.isEmpty }

    /// Begins a new subpath.
    public mutating func move(to point: Point) {
        guard point.isFinite else { return }
        elements.append(.move(to: point))
        start = point
        currentPoint = point
    }

    /// Adds a straight line; in an empty path it only moves there.
    public mutating func addLine(to point: Point) {
        guard point.isFinite, begin(at: point) else { return }
        elements.append(.line(to: point))
        currentPoint = point
    }

    /// Adds a cubic curve; in an empty path it begins at its end.
    public mutating func addCurve(to point: Point, controlPoint1: Point, controlPoint2: Point) {
        guard point.isFinite, controlPoint1.isFinite, controlPoint2.isFinite, begin(at: point) else { return }
        elements.append(.curve(to: point, control1: controlPoint1, control2: controlPoint2))
        currentPoint = point
    }

    /// Adds a quadratic curve; in an empty path it begins at its end.
    public mutating func addQuadCurve(to point: Point, controlPoint: Point) {
        guard point.isFinite, controlPoint.isFinite, begin(at: point) else { return }
        elements.append(.quadCurve(to: point, control: controlPoint))
        currentPoint = point
    }

    /// Draws a line back to the beginning of the subpath and ends it there.
    public mutating func close() {
        guard let start, elements.last != .close else { return }
        elements.append(.close)
        currentPoint = start
    }

    /// Takes all elements away; the line attributes stay.
    public mutating func removeAllPoints() {
        elements = []
        (start, currentPoint) = (nil, nil)
    }

    /// Adds another path's elements; its line attributes do not come along.
    public mutating func append(_ other: BezierPath) {
        elements += other.elements
        if !other.isEmpty { (start, currentPoint) = (other.start, other.currentPoint) }
    }

    /// Moves every point by a map; one that is not finite changes nothing.
    public mutating func apply(_ transform: AffineTransform) {
        guard transform.isFinite else { return }
        elements = elements.map { $0.mapped(transform.apply(to:)) }
        start = start.map(transform.apply(to:))
        currentPoint = currentPoint.map(transform.apply(to:))
    }

    /// The path with every point moved by a map.
    public func applying(_ transform: AffineTransform) -> BezierPath {
        var path = self
        path.apply(transform)
        return path
    }

    /// Whether a segment may follow: false for an empty path, in which it only begins one.
    ///
    /// After a close, the next segment begins where the closed subpath did.
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
    /// Where it ends; `nil` for a close.
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
