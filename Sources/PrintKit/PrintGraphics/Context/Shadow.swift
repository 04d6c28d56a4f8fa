// Shadows.

import FoundationEssentials

/// A shadow that all drawing casts (`NSShadow`).
///
/// The offset is in points of the untransformed page. The context's transformation does not affect the offset. A
/// positive offset points to the lower right if the origin is at the top left. If the origin is at the bottom left, a
/// positive offset points to the upper right.
public struct Shadow: Hashable, Sendable {
    /// The offset of the shadow in points.
    ///
    /// A value that is not finite counts as 0.
    public var offset: Size
    /// The blur radius in points, about twice the standard deviation of the blur.
    ///
    /// A radius of 0 draws a sharp shadow. The maximum is 1000.
    public var blurRadius: Double
    /// The color and opacity of the shadow.
    public var color: Color

    /// Creates a shadow.
    ///
    /// The default color is black with an alpha of 1/3.
    public init(offset: Size, blurRadius: Double = 0, color: Color = Color(white: 0, alpha: 1 / 3)) {
        (self.offset, self.blurRadius, self.color) = (offset, blurRadius, color)
    }
}
