// The graphics state that a context saves and restores.

/// The colors, line attributes, transformation and other settings of a context.
///
/// Cairo stores the clip.
struct GraphicsState {
    /// The transformation from user space to the untransformed page, in points.
    var transform = AffineTransform.identity
    var fill = Paint.color(.black)
    var stroke = Paint.color(.black)
    var alpha = 1.0
    var blendMode = BlendMode.normal
    var shadow: Shadow?
    var line = LineAttributes()
    var flatness = 0.1
    var antialiases = true
    var renderingIntent = RenderingIntent.default
    var textDrawingMode = TextDrawingMode.fill

    /// Whether the transformation has no inverse, so that nothing is visible.
    ///
    /// Cairo rejects a matrix without an inverse.
    var isDegenerate: Bool { transform.inverted == nil }
}

enum Paint {
    case color(Color)
    case pattern(Pattern)
}

/// The way in which glyphs are drawn (`CGTextDrawingMode`).
public enum TextDrawingMode: Hashable, Sendable, CaseIterable {
    /// Glyphs that are filled with the text color.
    case fill
    /// Outlines that are stroked with the context's stroke color and line attributes.
    case stroke
    /// Filled glyphs with stroked outlines.
    case fillStroke
    /// No visible glyphs: the text is not drawn.
    case invisible
}
