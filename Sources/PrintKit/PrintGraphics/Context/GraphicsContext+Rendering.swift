// Draws on the surface: the shadow first, then the drawing in its blend mode.

import CCairo

extension GraphicsContext {
    /// Runs a drawing closure if there is a surface and the transformation is not degenerate.
    ///
    /// - Parameters:
    ///   - bounds: The area that a blend mode can change; `nil` for no limit.
    ///   - body: A closure that draws on the given cairo context. The context's transformation and operator are already
    ///     set. The closure can be called several times, for example with a context that only records the shape.
    func render(boundedBy bounds: BezierPath? = nil, _ body: (OpaquePointer) -> Void) {
        guard let cairo else { return handleDrawingWithoutSurface() }
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

    func withOwn(_ blendMode: BlendMode, alpha: Double, _ body: (GraphicsContext) -> Void) {
        let before = state
        state.blendMode = blendMode
        state.alpha = clamped(alpha)
        body(self)
        (state.blendMode, state.alpha) = (before.blendMode, before.alpha)
    }

    /// Draws in the mode `plusDarker`, which cairo lacks.
    ///
    /// The result is S + D − 1 (S is the new drawing, D is the existing content), limited to the area of the new
    /// drawing. The function computes the result as the inverse of the sum of the inverted colors.
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
        // The inverse of the source, limited to the area of the source.
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

    /// Sets the source of a cairo context to a color or a pattern.
    ///
    /// The cairo context must have the same transformation as this graphics context.
    func setSource(_ paint: Paint, on cairo: OpaquePointer) {
        switch paint {
        case .color(let color):
            let (red, green, blue) = components(of: color)
            cairo_set_source_rgba(cairo, red, green, blue, color.alpha * state.alpha)
        case .pattern(let pattern):
            pattern.setSource(on: cairo, of: self)
        }
    }

    /// Returns the components for cairo: in a PDF, the marker of a color that is not RGB or gray.
    private func components(of color: Color) -> (red: Double, green: Double, blue: Double) {
        guard marks.keepsProfiles else { return (color.red, color.green, color.blue) }
        if marks.note(color), let marker = ColorMarkers.shared.marker(of: color) {
            return (Double(marker.red) / 65535, Double(marker.green) / 65535, Double(marker.blue) / 65535)
        }
        return (ColorMarkers.plain(color.red), ColorMarkers.plain(color.green), ColorMarkers.plain(color.blue))
    }

    /// Draws with a color or a pattern.
    ///
    /// If the drawing has a pattern, the context's alpha is applied to the drawing as a whole.
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
