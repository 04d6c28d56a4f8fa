// Points, sizes and rectangles on a page, in points, and what moves them.

import FoundationEssentials

/// A place on a page, in points (1/72 inch).
public struct Point: Hashable, Sendable, Codable {
    /// The distance from the left edge, in points.
    public var x: Double
    /// The distance from the origin's edge, in points: from the top in everything drawn, from the bottom in PDF space.
    public var y: Double

    /// The origin.
    public static let zero = Point(x: 0, y: 0)

    /// A place at the given distances, in points.
    public init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }
}

/// A width and a height, in points (1/72 inch).
public struct Size: Hashable, Sendable, Codable {
    /// The width in points.
    public var width: Double
    /// The height in points.
    public var height: Double

    /// No extent at all.
    public static let zero = Size(width: 0, height: 0)

    /// A size in points.
    public init(width: Double, height: Double) {
        self.width = width
        self.height = height
    }

    /// The same size lying on its side.
    public var turned: Size { Size(width: height, height: width) }

    /// Whether it is wider than high.
    public var isLandscape: Bool { width > height }

    /// Whether both sides differ from the other's by no more than `tolerance` points.
    public func isNearly(_ other: Size, tolerance: Double = 2) -> Bool {
        abs(width - other.width) <= tolerance && abs(height - other.height) <= tolerance
    }
}

/// A rectangle on a page, in points (1/72 inch).
public struct Rect: Hashable, Sendable, Codable {
    /// The corner nearest to the origin.
    public var origin: Point
    /// The extent.
    public var size: Size

    /// The empty rectangle at the origin.
    public static let zero = Rect(x: 0, y: 0, width: 0, height: 0)

    /// A rectangle from its corner and extent.
    public init(origin: Point, size: Size) {
        self.origin = origin
        self.size = size
    }

    /// A rectangle from four numbers, in points.
    public init(x: Double, y: Double, width: Double, height: Double) {
        self.init(origin: Point(x: x, y: y), size: Size(width: width, height: height))
    }

    /// The smallest x.
    public var minX: Double { origin.x }
    /// The smallest y.
    public var minY: Double { origin.y }
    /// The largest x.
    public var maxX: Double { origin.x + size.width }
    /// The largest y.
    public var maxY: Double { origin.y + size.height }
    /// The x of the middle.
    public var midX: Double { origin.x + size.width / 2 }
    /// The y of the middle.
    public var midY: Double { origin.y + size.height / 2 }
    /// The width in points.
    public var width: Double { size.width }
    /// The height in points.
    public var height: Double { size.height }
    /// Whether nothing fits in it.
    public var isEmpty: Bool { size.width <= 0 || size.height <= 0 }

    /// What both rectangles cover; empty when they do not meet.
    public func intersection(_ other: Rect) -> Rect {
        let left = max(minX, other.minX)
        let top = max(minY, other.minY)
        return Rect(
            x: left, y: top, width: max(0, min(maxX, other.maxX) - left), height: max(0, min(maxY, other.maxY) - top))
    }
}

/// An affine map of the plane, written as in PDF: `x' = a·x + c·y + tx`, `y' = b·x + d·y + ty`.
public struct AffineTransform: Hashable, Sendable, Codable {
    /// The coefficients, in PDF's order.
    public var a, b, c, d, tx, ty: Double

    /// The map that leaves everything where it is.
    public static let identity = AffineTransform(a: 1, b: 0, c: 0, d: 1, tx: 0, ty: 0)

    /// A map of the given coefficients, in PDF's order.
    public init(a: Double, b: Double, c: Double, d: Double, tx: Double, ty: Double) {
        (self.a, self.b, self.c, self.d, self.tx, self.ty) = (a, b, c, d, tx, ty)
    }

    /// A move by the given distances, in points.
    public static func translation(x: Double, y: Double) -> AffineTransform {
        AffineTransform(a: 1, b: 0, c: 0, d: 1, tx: x, ty: y)
    }

    /// A change of size by the given factors.
    public static func scale(x: Double, y: Double) -> AffineTransform {
        AffineTransform(a: x, b: 0, c: 0, d: y, tx: 0, ty: 0)
    }

    /// A turn by a number of quarters, counter-clockwise where y grows upwards; exact, without sines.
    public static func quarterTurns(_ turns: Int) -> AffineTransform {
        switch ((turns % 4) + 4) % 4 {
        case 1: AffineTransform(a: 0, b: 1, c: -1, d: 0, tx: 0, ty: 0)
        case 2: AffineTransform(a: -1, b: 0, c: 0, d: -1, tx: 0, ty: 0)
        case 3: AffineTransform(a: 0, b: -1, c: 1, d: 0, tx: 0, ty: 0)
        default: .identity
        }
    }

    /// This map first, then `next`.
    public func concatenating(_ next: AffineTransform) -> AffineTransform {
        AffineTransform(
            a: a * next.a + b * next.c, b: a * next.b + b * next.d,
            c: c * next.a + d * next.c, d: c * next.b + d * next.d,
            tx: tx * next.a + ty * next.c + next.tx, ty: tx * next.b + ty * next.d + next.ty)
    }

    /// Where a point goes.
    public func apply(to point: Point) -> Point {
        Point(x: a * point.x + c * point.y + tx, y: b * point.x + d * point.y + ty)
    }

    /// The smallest upright rectangle around what a rectangle becomes.
    public func apply(to rect: Rect) -> Rect {
        let corners = [
            apply(to: rect.origin), apply(to: Point(x: rect.maxX, y: rect.minY)),
            apply(to: Point(x: rect.minX, y: rect.maxY)), apply(to: Point(x: rect.maxX, y: rect.maxY)),
        ]
        let xs = corners.map(\.x)
        let ys = corners.map(\.y)
        let (left, top) = (xs.min() ?? 0, ys.min() ?? 0)
        return Rect(x: left, y: top, width: (xs.max() ?? 0) - left, height: (ys.max() ?? 0) - top)
    }
}
