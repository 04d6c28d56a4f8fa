// Defines points, sizes, rectangles and affine transforms in points.

import FoundationEssentials

/// A position on a page, in points (1/72 inch).
public struct Point: Hashable, Sendable, Codable {
    /// The distance from the left edge, in points.
    public var x: Double
    /// The vertical distance in points.
    ///
    /// The distance is measured from the top edge in drawings, and from the bottom edge in PDF coordinates.
    public var y: Double

    /// The origin of the coordinate system.
    public static let zero = Point(x: 0, y: 0)

    /// Creates a point from its coordinates, in points.
    public init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }
}

/// A width and a height, in points (1/72 inch).
public struct Size: Hashable, Sendable, Codable {
    /// The width, in points (1/72 inch).
    public var width: Double
    /// The height, in points (1/72 inch).
    public var height: Double

    /// A size of zero width and height.
    public static let zero = Size(width: 0, height: 0)

    /// Creates a size from a width and a height, in points.
    public init(width: Double, height: Double) {
        self.width = width
        self.height = height
    }

    /// The size after swapping width and height.
    public var turned: Size { Size(width: height, height: width) }

    /// Whether the width is larger than the height.
    public var isLandscape: Bool { width > height }

    /// Returns whether the widths and the heights of the two sizes differ by at most `tolerance` points.
    public func isNearly(_ other: Size, tolerance: Double = 2) -> Bool {
        abs(width - other.width) <= tolerance && abs(height - other.height) <= tolerance
    }
}

/// A rectangle on a page, in points (1/72 inch).
public struct Rect: Hashable, Sendable, Codable {
    /// The corner with the smallest coordinates.
    public var origin: Point
    /// The width and height of the rectangle.
    public var size: Size

    /// The empty rectangle at the origin.
    public static let zero = Rect(x: 0, y: 0, width: 0, height: 0)

    /// Creates a rectangle from the corner with the smallest coordinates and a size.
    public init(origin: Point, size: Size) {
        self.origin = origin
        self.size = size
    }

    /// Creates a rectangle from four numbers, in points.
    public init(x: Double, y: Double, width: Double, height: Double) {
        self.init(origin: Point(x: x, y: y), size: Size(width: width, height: height))
    }

    /// The smallest x coordinate of the rectangle.
    public var minX: Double { origin.x }
    /// The smallest y coordinate of the rectangle.
    public var minY: Double { origin.y }
    /// The largest x coordinate of the rectangle.
    public var maxX: Double { origin.x + size.width }
    /// The largest y coordinate of the rectangle.
    public var maxY: Double { origin.y + size.height }
    /// The x coordinate of the center.
    public var midX: Double { origin.x + size.width / 2 }
    /// The y coordinate of the center.
    public var midY: Double { origin.y + size.height / 2 }
    /// The width of the rectangle, in points.
    public var width: Double { size.width }
    /// The height of the rectangle, in points.
    public var height: Double { size.height }
    /// Whether the width or the height is zero or negative.
    public var isEmpty: Bool { size.width <= 0 || size.height <= 0 }

    /// Returns the common area of two rectangles; empty when the rectangles do not overlap.
    public func intersection(_ other: Rect) -> Rect {
        let left = max(minX, other.minX)
        let top = max(minY, other.minY)
        return Rect(
            x: left, y: top, width: max(0, min(maxX, other.maxX) - left), height: max(0, min(maxY, other.maxY) - top))
    }
}

/// An affine transform in PDF's notation: `x' = a·x + c·y + tx`, `y' = b·x + d·y + ty`.
public struct AffineTransform: Hashable, Sendable, Codable {
    /// The coefficients of the transform, in PDF's order.
    public var a, b, c, d, tx, ty: Double

    /// The transform that moves no point.
    public static let identity = AffineTransform(a: 1, b: 0, c: 0, d: 1, tx: 0, ty: 0)

    /// Creates a transform from its coefficients, in PDF's order.
    public init(a: Double, b: Double, c: Double, d: Double, tx: Double, ty: Double) {
        (self.a, self.b, self.c, self.d, self.tx, self.ty) = (a, b, c, d, tx, ty)
    }

    /// Returns a translation by the given distances, in points.
    public static func translation(x: Double, y: Double) -> AffineTransform {
        AffineTransform(a: 1, b: 0, c: 0, d: 1, tx: x, ty: y)
    }

    /// Returns a scaling by the given factors.
    public static func scale(x: Double, y: Double) -> AffineTransform {
        AffineTransform(a: x, b: 0, c: 0, d: y, tx: 0, ty: 0)
    }

    /// Returns a rotation by quarter turns.
    ///
    /// The rotation is counterclockwise where y increases upwards. The coefficients are exact integers.
    public static func quarterTurns(_ turns: Int) -> AffineTransform {
        switch ((turns % 4) + 4) % 4 {
        case 1: AffineTransform(a: 0, b: 1, c: -1, d: 0, tx: 0, ty: 0)
        case 2: AffineTransform(a: -1, b: 0, c: 0, d: -1, tx: 0, ty: 0)
        case 3: AffineTransform(a: 0, b: -1, c: 1, d: 0, tx: 0, ty: 0)
        default: .identity
        }
    }

    /// Returns a transform that first applies this transform and then `next`.
    public func concatenating(_ next: AffineTransform) -> AffineTransform {
        AffineTransform(
            a: a * next.a + b * next.c, b: a * next.b + b * next.d,
            c: c * next.a + d * next.c, d: c * next.b + d * next.d,
            tx: tx * next.a + ty * next.c + next.tx, ty: tx * next.b + ty * next.d + next.ty)
    }

    /// Applies the transform to a point, and returns the new point.
    public func apply(to point: Point) -> Point {
        Point(x: a * point.x + c * point.y + tx, y: b * point.x + d * point.y + ty)
    }

    /// Returns the bounding box of a rectangle after the transformation.
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
