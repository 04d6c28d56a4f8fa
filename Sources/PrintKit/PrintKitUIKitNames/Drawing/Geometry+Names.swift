// Core Graphics' names of points, sizes, rectangles and transforms.

public import Foundation
public import PrintKit

extension Point {
    /// Creates a point from whole numbers.
    public init(x: Int, y: Int) { self.init(x: Double(x), y: Double(y)) }

    /// Returns the point after a transformation.
    public func applying(_ transform: CGAffineTransform) -> CGPoint { transform.apply(to: self) }

    /// Returns whether both points have the same coordinates.
    public func equalTo(_ other: CGPoint) -> Bool { self == other }
}

extension Size {
    /// Creates a size from whole numbers.
    public init(width: Int, height: Int) { self.init(width: Double(width), height: Double(height)) }

    /// Returns whether both sizes have the same width and height.
    public func equalTo(_ other: CGSize) -> Bool { self == other }
}

extension Rect {
    /// Creates a rectangle from whole numbers.
    public init(x: Int, y: Int, width: Int, height: Int) {
        self.init(x: Double(x), y: Double(y), width: Double(width), height: Double(height))
    }

    /// A rectangle without a position, which contains no points.
    ///
    /// `intersection(_:)` returns an empty rectangle, not this one, when the rectangles do not overlap.
    public static let null = CGRect(x: .infinity, y: .infinity, width: 0.0, height: 0.0)

    /// Whether the rectangle is `null`.
    public var isNull: Bool { minX == .infinity || minY == .infinity }

    /// The rectangle with a width and a height that are not negative.
    public var standardized: CGRect {
        CGRect(x: min(minX, maxX), y: min(minY, maxY), width: abs(width), height: abs(height))
    }

    /// The smallest rectangle with whole coordinates that contains the rectangle.
    public var integral: CGRect {
        let (left, top) = (minX.rounded(.down), minY.rounded(.down))
        return CGRect(x: left, y: top, width: maxX.rounded(.up) - left, height: maxY.rounded(.up) - top)
    }

    /// Returns the rectangle after moving each edge inwards.
    ///
    /// Returns `null` if the distances exceed the size.
    public func insetBy(dx: CGFloat, dy: CGFloat) -> CGRect {
        2 * dx > width || 2 * dy > height ? .null : inset(x: dx, y: dy)
    }

    /// Returns the rectangle after moving each edge inwards by a separate distance.
    public func inset(by insets: UIEdgeInsets) -> CGRect {
        CGRect(
            x: minX + insets.left, y: minY + insets.top, width: width - insets.left - insets.right,
            height: height - insets.top - insets.bottom)
    }

    /// Returns the rectangle at another position.
    public func offsetBy(dx: CGFloat, dy: CGFloat) -> CGRect {
        CGRect(x: minX + dx, y: minY + dy, width: width, height: height)
    }

    /// Returns whether the rectangles have points in common.
    public func intersects(_ other: CGRect) -> Bool {
        minX < other.maxX && other.minX < maxX && minY < other.maxY && other.minY < maxY
    }

    /// Returns whether the other rectangle lies inside this rectangle.
    public func contains(_ other: CGRect) -> Bool {
        other.minX >= minX && other.maxX <= maxX && other.minY >= minY && other.maxY <= maxY
    }

    /// Returns two parts of the rectangle: the part up to a distance from an edge, and the rest.
    public func divided(atDistance distance: CGFloat, from edge: CGRectEdge) -> (slice: CGRect, remainder: CGRect) {
        let isAcross = edge == .minXEdge || edge == .maxXEdge
        let length = max(0, min(distance, isAcross ? width : height))
        func part(_ start: CGFloat, _ length: CGFloat) -> CGRect {
            isAcross
                ? CGRect(x: minX + start, y: minY, width: length, height: height)
                : CGRect(x: minX, y: minY + start, width: width, height: length)
        }
        let whole = isAcross ? width : height
        return edge == .minXEdge || edge == .minYEdge
            ? (part(0, length), part(length, whole - length))
            : (part(whole - length, length), part(0, whole - length))
    }

    /// Returns the bounding box of the rectangle after a transformation.
    public func applying(_ transform: CGAffineTransform) -> CGRect { transform.apply(to: self) }

    /// Returns whether both rectangles have the same position and size.
    public func equalTo(_ other: CGRect) -> Bool { self == other }
}

/// An edge of a rectangle, named by the axis that it crosses.
public enum CGRectEdge: UInt32, Hashable, Sendable {
    /// The left edge.
    case minXEdge
    /// The edge with the smallest y: the upper edge if y grows downwards.
    case minYEdge
    /// The right edge.
    case maxXEdge
    /// The edge with the largest y.
    case maxYEdge
}

extension CGAffineTransform {
    /// Creates a translation.
    public init(translationX x: CGFloat, y: CGFloat) { self = .translation(x: x, y: y) }

    /// Creates a scaling.
    public init(scaleX x: CGFloat, y: CGFloat) { self = .scale(x: x, y: y) }

    /// Creates a rotation by an angle in radians.
    public init(rotationAngle angle: CGFloat) { self = .rotation(by: angle) }

    /// Returns a transform that applies a translation before this transform.
    public func translatedBy(x: CGFloat, y: CGFloat) -> CGAffineTransform { translated(x: x, y: y) }

    /// Returns a transform that applies a scaling before this transform.
    public func scaledBy(x: CGFloat, y: CGFloat) -> CGAffineTransform { scaled(x: x, y: y) }

    /// Whether the transform moves no point.
    public var isIdentity: Bool { self == .identity }

    /// Returns the inverse transform, or the transform itself if it has no inverse.
    public func inverted() -> CGAffineTransform {
        let inverse: CGAffineTransform? = inverted
        return inverse ?? self
    }
}

extension NSValue {
    /// Creates a value that contains a rectangle.
    public convenience init(cgRect rect: CGRect) {
        self.init(rect: Foundation.CGRect(x: rect.minX, y: rect.minY, width: rect.width, height: rect.height))
    }

    /// The rectangle that the value contains.
    public var cgRectValue: CGRect {
        let rect = rectValue
        return CGRect(
            x: Double(rect.origin.x), y: Double(rect.origin.y), width: Double(rect.width), height: Double(rect.height))
    }
}
