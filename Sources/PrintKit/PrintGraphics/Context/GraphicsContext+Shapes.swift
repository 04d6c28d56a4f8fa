// Draws shapes, and handles clips and transparency layers.

import CCairo
import FoundationEssentials

extension GraphicsContext {
    /// Fills a path with the fill color or pattern, using the path's fill rule.
    public func fill(_ path: BezierPath) {
        render(boundedBy: path) { cairo in
            paint(with: state.fill, on: cairo) { cairo in
                path.trace(on: cairo)
                cairo_set_fill_rule(cairo, path.fillRule)
                withFlatness(path.flatness, on: cairo) { cairo_fill(cairo) }
            }
        }
    }

    /// Strokes a path with the stroke color or pattern, using the path's line attributes.
    public func stroke(_ path: BezierPath) {
        stroke(path, attributes: path.line)
    }

    /// Fills a rectangle with the fill color or pattern (`UIRectFill`).
    public func fill(_ rect: Rect) { fill(BezierPath(rect: rect)) }

    /// Strokes the edges of a rectangle with the context's line attributes (`CGContextStrokeRect`).
    ///
    /// The center of each line lies on the edge.
    public func stroke(_ rect: Rect) { stroke(BezierPath(rect: rect), attributes: state.line) }

    /// Fills the ellipse inscribed in a rectangle.
    public func fillEllipse(in rect: Rect) { fill(BezierPath(ovalIn: rect)) }

    /// Strokes the ellipse inscribed in a rectangle with the context's line attributes.
    public func strokeEllipse(in rect: Rect) { stroke(BezierPath(ovalIn: rect), attributes: state.line) }

    /// Strokes a straight line with the context's line attributes.
    public func strokeLine(from start: Point, to end: Point) {
        var path = BezierPath()
        path.move(to: start)
        path.addLine(to: end)
        stroke(path, attributes: state.line)
    }

    /// Makes a rectangle transparent, or black if the context is opaque (`CGContextClearRect`).
    public func clear(_ rect: Rect) {
        let shadow = state.shadow
        state.shadow = nil
        withOwn(.clear, alpha: 1) { $0.fill(rect) }
        state.shadow = shadow
    }

    func stroke(_ path: BezierPath, attributes: LineAttributes) {
        render { cairo in
            paint(with: state.stroke, on: cairo) { cairo in
                path.trace(on: cairo)
                attributes.apply(to: cairo, hairline: hairline)
                withFlatness(path.flatness, on: cairo) { cairo_stroke(cairo) }
            }
        }
    }

    /// The size of one pixel in user space units.
    var hairline: Double { 1 / (resolution * abs(state.transform.determinant).squareRoot()) }

    /// Runs the body with the finer of two flatness values: the value of the path and the value of the context.
    private func withFlatness(_ flatness: Double, on cairo: OpaquePointer, _ body: () -> Void) {
        let usual = cairo_get_tolerance(cairo)
        if flatness > 0, flatness < usual { cairo_set_tolerance(cairo, max(flatness, 0.01)) }
        body()
        cairo_set_tolerance(cairo, usual)
    }
}

extension GraphicsContext {
    /// Limits drawing to the inside of a path until the state is restored.
    public func clip(to path: BezierPath) {
        guard let cairo else { return handleDrawingWithoutSurface() }
        guard !state.isDegenerate else { return }
        path.trace(on: cairo)
        cairo_set_fill_rule(cairo, path.fillRule)
        cairo_clip(cairo)
    }

    /// Limits drawing to a rectangle until the state is restored (`UIRectClip`).
    public func clip(to rect: Rect) { clip(to: BezierPath(rect: rect)) }

    /// The smallest rectangle that contains the clip, in user space.
    ///
    /// The rectangle is empty while there is no surface.
    public var clipBounds: Rect {
        guard let cairo, !state.isDegenerate else { return .zero }
        var (left, top, right, bottom) = (0.0, 0.0, 0.0, 0.0)
        cairo_clip_extents(cairo, &left, &top, &right, &bottom)
        return Rect(x: left, y: top, width: right - left, height: bottom - top)
    }
}

extension GraphicsContext {
    /// Begins a transparency layer (`CGContextBeginTransparencyLayer`).
    ///
    /// Drawing goes into the layer until `endTransparencyLayer()`. The layer is then drawn as one image with the alpha,
    /// blend mode and shadow that are set when the layer begins. Inside the layer, alpha is 1, the blend mode is
    /// `normal`, and there is no shadow. At the end of the layer, the context restores the state that it had before the
    /// layer.
    ///
    /// - Parameter rect: The area that the layer can cover; `nil` for no limit.
    public func beginTransparencyLayer(in rect: Rect? = nil) {
        guard let cairo else { return handleDrawingWithoutSurface() }
        push(isLayer: true)
        if let rect { clip(to: rect) }
        cairo_push_group(cairo)
        state.alpha = 1
        state.blendMode = .normal
        state.shadow = nil
    }

    /// Ends the innermost transparency layer and draws the layer.
    ///
    /// States that were saved inside the layer, and not yet restored, are restored first.
    ///
    /// Does nothing without an open layer.
    public func endTransparencyLayer() {
        guard let cairo, saved.contains(where: \.isLayer) else { return }
        while saved.last?.isLayer == false { pop() }
        let layer = cairo_pop_group(cairo)
        defer { cairo_pattern_destroy(layer) }
        // The clip of the layer stays in effect while the layer is drawn.
        if let before = saved.last?.state {
            state = before
            applyTransform()
        }
        render { cairo in
            cairo_set_source(cairo, layer)
            cairo_paint_with_alpha(cairo, state.alpha)
        }
        pop()
    }

    /// Runs the body inside a transparency layer.
    public func withTransparencyLayer<Result, Failure: Error>(
        in rect: Rect? = nil, _ body: (GraphicsContext) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        beginTransparencyLayer(in: rect)
        let depth = saved.count
        defer {
            unwind(to: depth)
            if saved.count == depth { endTransparencyLayer() }
        }
        return try body(self)
    }
}
