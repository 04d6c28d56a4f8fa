// What a context saves and restores.

/// Colours, lines, transformation and the rest; the clip is kept by cairo.
struct GraphicsState {
    /// From user space to the context's base space, in points.
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

    /// Whether everything drawn would vanish; cairo must not see such a matrix.
    var isDegenerate: Bool { transform.inverted == nil }
}

/// What is drawn with.
enum Paint {
    case color(Color)
    case pattern(Pattern)
}

/// How letters are drawn (`CGTextDrawingMode`).
public enum TextDrawingMode: Hashable, Sendable, CaseIterable {
    /// In their colour.
    case fill
    /// Their outlines in the context's stroke colour and line attributes.
    case stroke
    /// Their colour, then their outlines.
    case fillStroke
    /// Not at all.
    case invisible
}
