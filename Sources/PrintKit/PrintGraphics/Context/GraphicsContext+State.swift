// What can be set on a context, and transformations.

import CCairo
import FoundationEssentials

extension GraphicsContext {
    /// The colour of fills and text; black at first, and while a pattern is set.
    public var fillColor: Color {
        get { state.fill.color ?? .black }
        set { state.fill = .color(newValue) }
    }

    /// The colour of lines; black at first, and while a pattern is set.
    public var strokeColor: Color {
        get { state.stroke.color ?? .black }
        set { state.stroke = .color(newValue) }
    }

    /// Fills with a pattern from now on, until a colour is set.
    public func setFillPattern(_ pattern: Pattern) { state.fill = .pattern(pattern) }

    /// Draws lines with a pattern from now on, until a colour is set.
    public func setStrokePattern(_ pattern: Pattern) { state.stroke = .pattern(pattern) }

    /// The opacity of everything drawn, from 0 to 1, besides the colours' own; 1 at first.
    public var alpha: Double {
        get { state.alpha }
        set { state.alpha = clamped(newValue) }
    }

    /// How drawings meet what is there; `normal` at first.
    public var blendMode: BlendMode {
        get { state.blendMode }
        set { state.blendMode = newValue }
    }

    /// The shadow of everything drawn; none at first.
    public var shadow: Shadow? {
        get { state.shadow }
        set { state.shadow = newValue }
    }

    /// The width of lines drawn without a path, in points; 1 at first, 0 is the thinnest line there is.
    public var lineWidth: Double {
        get { state.line.width }
        set { state.line.width = newValue }
    }

    /// How open ends of lines look; `butt` at first.
    public var lineCap: LineCap {
        get { state.line.cap }
        set { state.line.cap = newValue }
    }

    /// How corners of lines look; `miter` at first.
    public var lineJoin: LineJoin {
        get { state.line.join }
        set { state.line.join = newValue }
    }

    /// The longest miter, as a multiple of the line width; 10 at first.
    public var miterLimit: Double {
        get { state.line.miterLimit }
        set { state.line.miterLimit = newValue }
    }

    /// The pattern of strokes and gaps; solid at first.
    public var lineDash: LineDash {
        get { state.line.dash }
        set { state.line.dash = newValue }
    }

    /// How far a drawn curve may be from the true one, in pixels: 0.1 at first, and from 0.01 to 100.
    public var flatness: Double {
        get { state.flatness }
        set {
            state.flatness = newValue.isFinite ? max(0.01, min(newValue, 100)) : 0.1
            if let cairo { cairo_set_tolerance(cairo, state.flatness) }
        }
    }

    /// Whether edges are smoothed; true at first.
    public var shouldAntialias: Bool {
        get { state.antialiases }
        set {
            state.antialiases = newValue
            if let cairo { cairo_set_antialias(cairo, newValue ? CAIRO_ANTIALIAS_DEFAULT : CAIRO_ANTIALIAS_NONE) }
        }
    }

    /// How colours outside of the device's would be brought in; it is kept and changes nothing.
    public var renderingIntent: RenderingIntent {
        get { state.renderingIntent }
        set { state.renderingIntent = newValue }
    }

    /// How letters are drawn; filled at first.
    public var textDrawingMode: TextDrawingMode {
        get { state.textDrawingMode }
        set { state.textDrawingMode = newValue }
    }
}

extension GraphicsContext {
    /// The map from user space to the untransformed page (CTM), in points.
    public var transform: AffineTransform { state.transform }

    /// Puts a map before what is there already (`concatCTM`); one that is not finite changes nothing.
    ///
    /// Under a map in which everything vanishes, such as a scale of 0, nothing is drawn until the state is restored.
    public func concatenate(_ transform: AffineTransform) {
        let combined = transform.concatenating(state.transform)
        guard combined.isFinite else { return }
        state.transform = combined
        applyTransform()
    }

    /// Moves what is drawn from now on, in points.
    public func translate(x: Double, y: Double) {
        concatenate(.translation(x: x, y: y))
    }

    /// Changes the size of what is drawn from now on.
    public func scale(x: Double, y: Double) {
        concatenate(.scale(x: x, y: y))
    }

    /// Turns what is drawn from now on by an angle in radians: clockwise where y grows downwards.
    public func rotate(by angle: Double) {
        concatenate(.rotation(by: angle))
    }
}

extension Paint {
    /// The colour, if it is one.
    var color: Color? {
        guard case .color(let color) = self else { return nil }
        return color
    }
}
