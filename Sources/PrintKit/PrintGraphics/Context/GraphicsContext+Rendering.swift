// How a drawing reaches the surface: its shadow first, then the drawing in its blend mode.

import CCairo

extension GraphicsContext {
    /// Draws, unless nothing can be drawn on or everything would vanish.
    ///
    /// - Parameters:
    ///   - bounds: the shape to which blend modes are held that reach beyond it; none if the drawing has none.
    ///   - body: draws on the cairo context it is given, whose transformation is the context's and whose operator is
    ///     set. It may be called several times, also with a context that only takes up the shape.
    func render(boundedBy bounds: BezierPath? = nil, _ body: (OpaquePointer) -> Void) {
        guard let cairo else { return noteNothingOpen() }
        guard !state.isDegenerate else { return }
        if !state.blendMode.isKnownToPDF { preparePixels() }
        if let shadow = state.shadow { drawShadow(shadow, on: cairo, of: body) }
        switch state.blendMode {
        case .normal:
            body(cairo)
        case .plusDarker:
            darken(cairo, by: body)
        case let mode:
            cairo_save(cairo)
            if mode.reachesBeyondShape, let bounds {
                bounds.trace(on: cairo)
                cairo_set_fill_rule(cairo, bounds.fillRule)
                cairo_clip(cairo)
            }
            cairo_set_operator(cairo, mode.cairo)
            body(cairo)
            cairo_restore(cairo)
        }
    }

    /// Draws in a blend mode and with an alpha instead of those that are set.
    func withOwn(_ blendMode: BlendMode, alpha: Double, _ body: (GraphicsContext) -> Void) {
        let before = state
        state.blendMode = blendMode
        state.alpha = clamped(alpha)
        body(self)
        (state.blendMode, state.alpha) = (before.blendMode, before.alpha)
    }

    /// S + D − 1 is the inverse of the sum of both inverses, as far as S covers.
    private func darken(_ cairo: OpaquePointer, by body: (OpaquePointer) -> Void) {
        cairo_push_group(cairo)
        body(cairo)
        let source = cairo_pop_group(cairo)
        defer { cairo_pattern_destroy(source) }
        func invert() {
            cairo_set_operator(cairo, CAIRO_OPERATOR_DIFFERENCE)
            cairo_set_source_rgb(cairo, 1, 1, 1)
            cairo_mask(cairo, source)
        }
        // The inverse of what is drawn, within what is drawn.
        cairo_push_group(cairo)
        cairo_set_source(cairo, source)
        cairo_paint(cairo)
        invert()
        let inverse = cairo_pop_group(cairo)
        defer { cairo_pattern_destroy(inverse) }

        cairo_save(cairo)
        invert()
        cairo_set_operator(cairo, CAIRO_OPERATOR_ADD)
        cairo_set_source(cairo, inverse)
        cairo_paint(cairo)
        invert()
        cairo_restore(cairo)
    }

    /// Sets what is drawn with, on this or another cairo context that has the same transformation.
    func setSource(_ paint: Paint, on cairo: OpaquePointer) {
        switch paint {
        case .color(let color):
            cairo_set_source_rgba(cairo, color.red, color.green, color.blue, color.alpha * state.alpha)
        case .pattern(let pattern):
            pattern.setSource(on: cairo, of: self)
        }
    }

    /// Draws with a paint; a pattern's alpha is applied to all of it at once.
    func paint(with paint: Paint, on cairo: OpaquePointer, _ body: (OpaquePointer) -> Void) {
        guard case .pattern = paint, state.alpha < 1 else {
            setSource(paint, on: cairo)
            return body(cairo)
        }
        let mode = cairo_get_operator(cairo)
        cairo_push_group(cairo)
        cairo_set_operator(cairo, CAIRO_OPERATOR_OVER)
        setSource(paint, on: cairo)
        body(cairo)
        cairo_pop_group_to_source(cairo)
        cairo_set_operator(cairo, mode)
        cairo_paint_with_alpha(cairo, state.alpha)
    }
}
