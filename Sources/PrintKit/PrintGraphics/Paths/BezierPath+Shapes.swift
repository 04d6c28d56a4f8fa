// Rectangles, ovals and arcs.

import FoundationEssentials
import Glibc

/// A set of corners of a rectangle.
///
/// The names of the corners apply if y grows downwards (`UIRectCorner`).
public struct RectCorners: OptionSet, Hashable, Sendable {
    /// The bit set, with one bit per corner.
    public let rawValue: Int

    /// Creates a set of corners from a bit set.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The upper left corner of a rectangle.
    public static let topLeft = RectCorners(rawValue: 1)
    /// The upper right corner of a rectangle.
    public static let topRight = RectCorners(rawValue: 2)
    /// The lower left corner of a rectangle.
    public static let bottomLeft = RectCorners(rawValue: 4)
    /// The lower right corner of a rectangle.
    public static let bottomRight = RectCorners(rawValue: 8)
    /// The set of all four corners.
    public static let allCorners: RectCorners = [.topLeft, .topRight, .bottomLeft, .bottomRight]
}

extension BezierPath {
    /// Creates a rectangle.
    ///
    /// The path starts at the upper left corner and runs clockwise.
    public init(rect: Rect) {
        self.init()
        move(to: rect.origin)
        addLine(to: Point(x: rect.maxX, y: rect.minY))
        addLine(to: Point(x: rect.maxX, y: rect.maxY))
        addLine(to: Point(x: rect.minX, y: rect.maxY))
        close()
    }

    /// Creates the ellipse inscribed in a rectangle.
    public init(ovalIn rect: Rect) {
        self.init()
        var circle = BezierPath(
            arcCenter: .zero, radius: 1, startAngle: 0, endAngle: 2 * .pi, clockwise: true)
        circle.close()
        circle.apply(
            AffineTransform(a: rect.width / 2, b: 0, c: 0, d: rect.height / 2, tx: rect.midX, ty: rect.midY))
        append(circle)
    }

    /// Creates a rectangle with rounded corners.
    ///
    /// The radius is limited to half of the shorter side.
    public init(roundedRect rect: Rect, cornerRadius: Double) {
        self.init(
            roundedRect: rect, byRoundingCorners: .allCorners,
            cornerRadii: Size(width: cornerRadius, height: cornerRadius))
    }

    /// Creates a rectangle with some rounded corners.
    ///
    /// The radii are limited to half of the width and half of the height.
    public init(roundedRect rect: Rect, byRoundingCorners corners: RectCorners, cornerRadii: Size) {
        self.init()
        let x = max(0, min(cornerRadii.width, abs(rect.width) / 2))
        let y = max(0, min(cornerRadii.height, abs(rect.height) / 2))
        guard x > 0, y > 0 else {
            self.init(rect: rect)
            return
        }
        // Adds a corner, given its start and end points in clockwise order.
        func corner(_ which: RectCorners, _ point: Point, from: Point, to: Point) {
            guard corners.contains(which) else { return addLine(to: point) }
            addLine(to: from)
            addCurve(
                to: to, controlPoint1: from.between(point, circleArc), controlPoint2: to.between(point, circleArc))
        }
        let (left, top, right, bottom) = (rect.minX, rect.minY, rect.maxX, rect.maxY)
        move(to: Point(x: corners.contains(.topLeft) ? left + x : left, y: top))
        corner(.topRight, Point(x: right, y: top), from: Point(x: right - x, y: top), to: Point(x: right, y: top + y))
        corner(
            .bottomRight, Point(x: right, y: bottom), from: Point(x: right, y: bottom - y),
            to: Point(x: right - x, y: bottom))
        corner(
            .bottomLeft, Point(x: left, y: bottom), from: Point(x: left + x, y: bottom),
            to: Point(x: left, y: bottom - y))
        if corners.contains(.topLeft) {
            corner(.topLeft, rect.origin, from: Point(x: left, y: top + y), to: Point(x: left + x, y: top))
        }
        close()
    }

    /// Creates an arc of a circle.
    ///
    /// See `addArc` for the parameters.
    public init(arcCenter: Point, radius: Double, startAngle: Double, endAngle: Double, clockwise: Bool) {
        self.init()
        addArc(
            withCenter: arcCenter, radius: radius, startAngle: startAngle, endAngle: endAngle, clockwise: clockwise)
    }

    /// Adds an arc of a circle, and a line from the current point to the start of the arc if the path is not empty.
    ///
    /// Angles are in radians and grow clockwise when y grows downwards. The angle 0 is to the right, and π/2 is below
    /// the center. In a context where y grows upwards, angles grow counterclockwise. An arc of more than one turn
    /// becomes one full turn. A negative radius counts as its absolute value. If a value is not finite, the method adds
    /// nothing.
    ///
    /// - Parameters:
    ///   - radius: The radius, in points.
    ///   - clockwise: Whether the arc runs in the direction of growing angles.
    public mutating func addArc(
        withCenter center: Point, radius: Double, startAngle: Double, endAngle: Double, clockwise: Bool
    ) {
        guard center.isFinite, radius.isFinite, startAngle.isFinite, endAngle.isFinite else { return }
        let radius = abs(radius)
        let sweep = Self.sweep(from: startAngle, to: endAngle, clockwise: clockwise)
        func place(_ angle: Double) -> Point {
            Point(x: center.x + radius * cos(angle), y: center.y + radius * sin(angle))
        }
        if isEmpty { move(to: place(startAngle)) } else { addLine(to: place(startAngle)) }
        let count = Int((abs(sweep) / (.pi / 2)).rounded(.up))
        guard count > 0 else { return }
        let step = sweep / Double(count)
        let reach = radius * 4 / 3 * tan(step / 4)
        for index in 0..<count {
            let from = startAngle + Double(index) * step
            let to = from + step
            addCurve(
                to: place(to), controlPoint1: place(from).moved(x: -reach * sin(from), y: reach * cos(from)),
                controlPoint2: place(to).moved(x: reach * sin(to), y: -reach * cos(to)))
        }
    }

    /// Returns the angle from start to end in the given direction, limited to one turn.
    ///
    /// The angle is negative for the counterclockwise direction.
    private static func sweep(from start: Double, to end: Double, clockwise: Bool) -> Double {
        let turn = 2 * Double.pi
        let distance = clockwise ? end - start : start - end
        if distance >= turn - 1e-9 { return clockwise ? turn : -turn }
        var rest = distance.truncatingRemainder(dividingBy: turn)
        if rest < 0 { rest += turn }
        return clockwise ? rest : -rest
    }
}

/// The distance between a control point and the nearest end point of a quarter circle, as a fraction of the radius.
private let circleArc = 0.5522847498307936

extension Point {
    fileprivate func between(_ other: Point, _ share: Double) -> Point {
        Point(x: x + (other.x - x) * share, y: y + (other.y - y) * share)
    }
}
