// The settings of a context, and its transformations.

import CCairo
import FoundationEssentials

extension GraphicsContext {
    /// The color of fills and text.
    ///
    /// The initial color is black. The property returns black while a fill pattern is set.
    public var fillColor: Color {
        get { state.fill.color ?? .black }
        set { state.fill = .color(newValue) }
    }

    /// The color of lines.
    ///
    /// The initial color is black. The property returns black while a stroke pattern is set.
    public var strokeColor: Color {
        get { state.stroke.color ?? .black }
        set { state.stroke = .color(newValue) }
    }

    /// Sets the pattern for fills.
    ///
    /// The pattern applies until a fill color is set.
    public func setFillPattern(_ pattern: Pattern) { state.fill = .pattern(pattern) }

    /// Sets the pattern for lines.
    ///
    /// The pattern applies until a stroke color is set.
    public func setStrokePattern(_ pattern: Pattern) { state.stroke = .pattern(pattern) }

    /// The opacity of all drawing, from 0 to 1, multiplied with the alpha of each color.
    ///
    /// The default is 1.
    public var alpha: Double {
        get { state.alpha }
        set { state.alpha = clamped(newValue) }
    }

    /// The blend mode of all drawing.
    ///
    /// The default is `normal`.
    public var blendMode: BlendMode {
        get { state.blendMode }
        set { state.blendMode = newValue }
    }

    /// The shadow of all drawing, or `nil` for no shadow.
    ///
    /// The default is `nil`.
    public var shadow: Shadow? {
        get { state.shadow }
        set { state.shadow = newValue }
    }

    /// The width in points of lines that are drawn without a `BezierPath`.
    ///
    /// The default is 1. A width of 0 draws a line of one pixel.
    public var lineWidth: Double {
        get { state.line.width }
        set { state.line.width = newValue }
    }

    /// The shape of the ends of open lines.
    ///
    /// The default is `butt`.
    public var lineCap: LineCap {
        get { state.line.cap }
        set { state.line.cap = newValue }
    }

    /// The shape of line corners.
    ///
    /// The default is `miter`.
    public var lineJoin: LineJoin {
        get { state.line.join }
        set { state.line.join = newValue }
    }

    /// The maximum miter length as a multiple of the line width.
    ///
    /// The default is 10.
    public var miterLimit: Double {
        get { state.line.miterLimit }
        set { state.line.miterLimit = newValue }
    }

    /// The pattern of strokes and gaps.
    ///
    /// The default is `solid`.
    public var lineDash: LineDash {
        get { state.line.dash }
        set { state.line.dash = newValue }
    }

    /// The maximum deviation of a drawn curve from the exact curve, from 0.01 to 100 pixels.
    ///
    /// The default is 0.1.
    public var flatness: Double {
        get { state.flatness }
        set {
            state.flatness = newValue.isFinite ? max(0.01, min(newValue, 100)) : 0.1
            if let cairo { cairo_set_tolerance(cairo, state.flatness) }
        }
    }

    /// Whether edges are antialiased.
    ///
    /// The default is true.
    public var shouldAntialias: Bool {
        get { state.antialiases }
        set {
            state.antialiases = newValue
            if let cairo { cairo_set_antialias(cairo, newValue ? CAIRO_ANTIALIAS_DEFAULT : CAIRO_ANTIALIAS_NONE) }
        }
    }

    /// The rendering intent of the context.
    ///
    /// The intent is saved with the state but has no effect.
    public var renderingIntent: RenderingIntent {
        get { state.renderingIntent }
        set { state.renderingIntent = newValue }
    }

    /// The way in which glyphs are drawn.
    ///
    /// The default is `fill`.
    public var textDrawingMode: TextDrawingMode {
        get { state.textDrawingMode }
        set { state.textDrawingMode = newValue }
    }
}

extension GraphicsContext {
    /// The transformation from user space to the untransformed page (CTM), in points.
    public var transform: AffineTransform { state.transform }

    /// Applies a transform before the current transformation (`concatCTM`).
    ///
    /// Ignores a transform that is not finite.
    ///
    /// After a degenerate transform, such as a scale of 0, nothing is drawn until the state is restored.
    public func concatenate(_ transform: AffineTransform) {
        let combined = transform.concatenating(state.transform)
        guard combined.isFinite else { return }
        state.transform = combined
        applyTransform()
    }

    /// Moves all subsequent drawing by the given distances, in points.
    public func translate(x: Double, y: Double) {
        concatenate(.translation(x: x, y: y))
    }

    /// Scales all subsequent drawing by a horizontal and a vertical factor.
    public func scale(x: Double, y: Double) {
        concatenate(.scale(x: x, y: y))
    }

    /// Rotates all subsequent drawing by an angle in radians, clockwise when y grows downwards.
    public func rotate(by angle: Double) {
        concatenate(.rotation(by: angle))
    }
}

extension Paint {
    /// The color, or `nil` if the paint is a pattern.
    var color: Color? {
        guard case .color(let color) = self else { return nil }
        return color
    }
}
