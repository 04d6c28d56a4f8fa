// Maps as drawing wants them: turned, inverted, put before what is there already.

import FoundationEssentials
import Glibc

extension AffineTransform {
    /// A turn by an angle in radians, clockwise as seen where y grows downwards (`CGAffineTransformMakeRotation`).
    public static func rotation(by angle: Double) -> AffineTransform {
        let (sine, cosine) = (sin(angle), cos(angle))
        return AffineTransform(a: cosine, b: sine, c: -sine, d: cosine, tx: 0, ty: 0)
    }

    /// This map with a move before it (`translatedBy`).
    public func translated(x: Double, y: Double) -> AffineTransform {
        AffineTransform.translation(x: x, y: y).concatenating(self)
    }

    /// This map with a change of size before it (`scaledBy`).
    public func scaled(x: Double, y: Double) -> AffineTransform {
        AffineTransform.scale(x: x, y: y).concatenating(self)
    }

    /// This map with a turn before it, in radians (`rotated(by:)`).
    public func rotated(by angle: Double) -> AffineTransform {
        AffineTransform.rotation(by: angle).concatenating(self)
    }

    /// How much larger areas become; negative for a mirror image, 0 when everything lands on a line.
    public var determinant: Double { a * d - b * c }

    /// The map back, or `nil` when there is none: areas vanish, or a coefficient is not finite.
    public var inverted: AffineTransform? {
        let determinant = determinant
        guard isFinite, determinant != 0, (1 / determinant).isFinite else { return nil }
        return AffineTransform(
            a: d / determinant, b: -b / determinant, c: -c / determinant, d: a / determinant,
            tx: (c * ty - d * tx) / determinant, ty: (b * tx - a * ty) / determinant)
    }

    /// Whether every coefficient is a finite number.
    var isFinite: Bool {
        a.isFinite && b.isFinite && c.isFinite && d.isFinite && tx.isFinite && ty.isFinite
    }
}

extension Point {
    /// Whether it is somewhere.
    var isFinite: Bool { x.isFinite && y.isFinite }

    /// The place that far away.
    func moved(x dx: Double = 0, y dy: Double = 0) -> Point { Point(x: x + dx, y: y + dy) }
}

extension Rect {
    /// Whether it is somewhere and has finite sides.
    var isFinite: Bool { origin.isFinite && size.width.isFinite && size.height.isFinite }

    /// The smallest rectangle around both.
    func union(_ other: Rect) -> Rect {
        let (left, top) = (min(minX, other.minX), min(minY, other.minY))
        return Rect(x: left, y: top, width: max(maxX, other.maxX) - left, height: max(maxY, other.maxY) - top)
    }

    /// The rectangle whose edges lie that much further in; further out for negative distances (`insetBy`).
    ///
    /// - Parameters:
    ///   - dx: The distance of the left and right edges, in points.
    ///   - dy: The distance of the upper and lower edges, in points.
    public func inset(x dx: Double, y dy: Double) -> Rect {
        Rect(x: minX + dx, y: minY + dy, width: width - 2 * dx, height: height - 2 * dy)
    }

    /// Whether a point lies within; the left and top edges belong to it.
    public func contains(_ point: Point) -> Bool {
        point.x >= minX && point.x < maxX && point.y >= minY && point.y < maxY
    }
}
