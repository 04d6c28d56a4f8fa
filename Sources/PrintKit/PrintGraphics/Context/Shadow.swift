// Shadows beneath what is drawn.

import FoundationEssentials

/// A shadow that falls from everything that is drawn (`NSShadow`).
///
/// The offset is in points of the untransformed page, whatever the context's transformation is: a positive one falls to
/// the lower right in a context whose origin is at the top left, and to the upper right where it is at the lower left.
/// Flipping the context does not turn it over.
public struct Shadow: Hashable, Sendable {
    /// How far the shadow is moved; numbers that are not finite count as 0.
    public var offset: Size
    /// How soft its edge is: about twice the standard deviation, in points.
    ///
    /// 0 is sharp, 1000 the most.
    public var blurRadius: Double
    /// Its colour, and how much it darkens.
    public var color: Color

    /// A shadow; black at a third of its strength unless said otherwise.
    public init(offset: Size, blurRadius: Double = 0, color: Color = Color(white: 0, alpha: 1 / 3)) {
        (self.offset, self.blurRadius, self.color) = (offset, blurRadius, color)
    }
}
