// Ready-made shapes, and arcs.

import FoundationEssentials
import Glibc

/// Some of a rectangle's corners, as seen where y grows downwards (`UIRectCorner`).
public struct RectCorners: OptionSet, Hashable, Sendable {
    /// One bit a corner.
    public let rawValue: Int

    /// The corners of the given bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The upper left corner.
    public static let topLeft = RectCorners(rawValue: 1)
    /// The upper right corner.
    public static let topRight = RectCorners(rawValue: 2)
    /// The lower left corner.
    public static let bottomLeft = RectCorners(rawValue: 4)
    /// The lower right corner.
    public static let bottomRight = RectCorners(rawValue: 8)
    /// All four.
    public static let allCorners: RectCorners = [.topLeft, .topRight, .bottomLeft, .bottomRight]
}

extension BezierPath {
    /// A rectangle, from its upper left corner clockwise.
    public init(rect: Rect) {
        self.init()
        move(to: rect.origin)
        addLine(to: Point(x: rect.maxX, y: rect.minY))
        addLine(to: Point(x: rect.maxX, y: rect.maxY))
        addLine(to: Point(x: rect.minX, y: rect.maxY))
        close()
    }

    /// The ellipse that touches a rectangle's edges.
    public init(ovalIn rect: Rect) {
        self.init()
        var circle = BezierPath(
            arcCenter: .zero, radius: 1, startAngle: 0, endAngle: 2 * .pi, clockwise: true)
        circle.close()
        circle.apply(
            AffineTransform(a: rect.width / 2, b: 0, c: 0, d: rect.height / 2, tx: rect.midX, ty: rect.midY))
        append(circle)
    }

    /// A rectangle with rounded corners; the radius is at most half of the shorter side.
    public init(roundedRect rect: Rect, cornerRadius: Double) {
        self.init(
            roundedRect: rect, byRoundingCorners: .allCorners,
            cornerRadii: Size(width: cornerRadius, height: cornerRadius))
    }

    /// A rectangle with some rounded corners; radii are at most half of the sides.
    public init(roundedRect rect: Rect, byRoundingCorners corners: RectCorners, cornerRadii: Size) {
        self.init()
        let x = max(0, min(cornerRadii.width, abs(rect.width) / 2))
        let y = max(0, min(cornerRadii.height, abs(rect.height) / 2))
        guard x > 0, y > 0 else {
            self.init(rect: rect)
            return
        }
        // A corner by the point where it begins and the one where it ends, clockwise.
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

    /// A part of a circle; see `addArc`.
    public init(arcCenter: Point, radius: Double, startAngle: Double, endAngle: Double, clockwise: Bool) {
        self.init()
        addArc(
            withCenter: arcCenter, radius: radius, startAngle: startAngle, endAngle: endAngle, clockwise: clockwise)
    }

    /// Adds a part of a circle, and a line to its beginning when the path has a current point.
    ///
    /// Angles are in radians and grow clockwise where y grows downwards: 0 is to the right, π/2 below. In a flipped
    /// context everything turns the other way. An arc that would go round more than once goes round once. A radius below 0
    /// counts as its absolute value; with one that is not finite nothing is added.
    ///
    /// - Parameters:
    ///   - center: The circle's centre.
    ///   - radius: Its radius, in points.
    ///   - startAngle: Where the arc begins.
    ///   - endAngle: Where it ends.
    ///   - clockwise: Whether it goes there by growing angles.
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

    /// How far to turn, at most once around.
    private static func sweep(from start: Double, to end: Double, clockwise: Bool) -> Double {
        let turn = 2 * Double.pi
        let distance = clockwise ? end - start : start - end
        if distance >= turn - 1e-9 { return clockwise ? turn : -turn }
        var rest = distance.truncatingRemainder(dividingBy: turn)
        if rest < 0 { rest += turn }
        return clockwise ? rest : -rest
    }
}

/// How far towards the corner the control points of a quarter of a circle lie.
private let circleArc = 0.5522847498307936

extension Point {
    fileprivate func between(_ other: Point, _ share: Double) -> Point {
        Point(x: x + (other.x - x) * share, y: y + (other.y - y) * share)
    }
}
