// Additions to the geometry types that drawing needs: rotation, inversion, concatenation.

import FoundationEssentials
import Glibc

extension AffineTransform {
    /// Returns a rotation by an angle in radians, clockwise when y grows downwards (`CGAffineTransformMakeRotation`).
    public static func rotation(by angle: Double) -> AffineTransform {
        let (sine, cosine) = (sin(angle), cos(angle))
        return AffineTransform(a: cosine, b: sine, c: -sine, d: cosine, tx: 0, ty: 0)
    }

    /// Returns a transform that applies a translation before this transform (`translatedBy`).
    public func translated(x: Double, y: Double) -> AffineTransform {
        AffineTransform.translation(x: x, y: y).concatenating(self)
    }

    /// Returns a transform that applies a scaling before this transform (`scaledBy`).
    public func scaled(x: Double, y: Double) -> AffineTransform {
        AffineTransform.scale(x: x, y: y).concatenating(self)
    }

    /// Returns a transform that applies a rotation, in radians, before this transform (`rotated(by:)`).
    public func rotated(by angle: Double) -> AffineTransform {
        AffineTransform.rotation(by: angle).concatenating(self)
    }

    /// The factor by which the transform multiplies areas.
    ///
    /// The determinant is negative for a mirror image, and 0 if the transform maps all points to one line.
    public var determinant: Double { a * d - b * c }

    /// The inverse transform, or `nil` if the determinant is 0 or a coefficient is not finite.
    public var inverted: AffineTransform? {
        let determinant = determinant
        guard isFinite, determinant != 0, (1 / determinant).isFinite else { return nil }
        return AffineTransform(
            a: d / determinant, b: -b / determinant, c: -c / determinant, d: a / determinant,
            tx: (c * ty - d * tx) / determinant, ty: (b * tx - a * ty) / determinant)
    }

    var isFinite: Bool {
        a.isFinite && b.isFinite && c.isFinite && d.isFinite && tx.isFinite && ty.isFinite
    }
}

extension Point {
    var isFinite: Bool { x.isFinite && y.isFinite }

    func moved(x dx: Double = 0, y dy: Double = 0) -> Point { Point(x: x + dx, y: y + dy) }
}

extension Rect {
    var isFinite: Bool { origin.isFinite && size.width.isFinite && size.height.isFinite }

    /// Returns the smallest rectangle that contains both rectangles.
    public func union(_ other: Rect) -> Rect {
        let (left, top) = (min(minX, other.minX), min(minY, other.minY))
        return Rect(x: left, y: top, width: max(maxX, other.maxX) - left, height: max(maxY, other.maxY) - top)
    }

    /// Returns the rectangle after moving each edge inwards (`insetBy`).
    ///
    /// Negative distances move the edges outwards.
    ///
    /// - Parameters:
    ///   - dx: The distance by which the left and right edges move inwards, in points.
    ///   - dy: The distance by which the upper and lower edges move inwards, in points.
    public func inset(x dx: Double, y dy: Double) -> Rect {
        Rect(x: minX + dx, y: minY + dy, width: width - 2 * dx, height: height - 2 * dy)
    }

    /// Returns whether the rectangle contains a point.
    ///
    /// Points on the left and top edges are in the rectangle.
    public func contains(_ point: Point) -> Bool {
        point.x >= minX && point.x < maxX && point.y >= minY && point.y < maxY
    }
}
