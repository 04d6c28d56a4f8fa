// Shapes, clips, gradients and layers on a context.

import CCairo
import FoundationEssentials

extension GraphicsContext {
    /// Fills a path with the fill colour or pattern, by the path's own rule.
    public func fill(_ path: BezierPath) {
        render(boundedBy: path) { cairo in
            paint(with: state.fill, on: cairo) { cairo in
                path.trace(on: cairo)
                cairo_set_fill_rule(cairo, path.fillRule)
                withFlatness(path.flatness, on: cairo) { cairo_fill(cairo) }
            }
        }
    }

    /// Draws a path's line with the stroke colour or pattern, with the path's own line attributes.
    public func stroke(_ path: BezierPath) {
        stroke(path, attributes: path.line)
    }

    /// Fills a rectangle (`UIRectFill`).
    public func fill(_ rect: Rect) { fill(BezierPath(rect: rect)) }

    /// Draws the frame of a rectangle with the context's line attributes, half of it outside (`CGContextStrokeRect`).
    public func stroke(_ rect: Rect) { stroke(BezierPath(rect: rect), attributes: state.line) }

    /// Fills the ellipse that touches a rectangle's edges.
    public func fillEllipse(in rect: Rect) { fill(BezierPath(ovalIn: rect)) }

    /// Draws the ellipse that touches a rectangle's edges, with the context's line attributes.
    public func strokeEllipse(in rect: Rect) { stroke(BezierPath(ovalIn: rect), attributes: state.line) }

    /// Draws a straight line with the context's line attributes.
    public func strokeLine(from start: Point, to end: Point) {
        var path = BezierPath()
        path.move(to: start)
        path.addLine(to: end)
        stroke(path, attributes: state.line)
    }

    /// Makes a rectangle transparent, or black where the context is opaque (`CGContextClearRect`).
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

    /// One pixel, in the units of user space.
    var hairline: Double { 1 / (resolution * abs(state.transform.determinant).squareRoot()) }

    /// A path that wants to be flatter than the context demands is.
    private func withFlatness(_ flatness: Double, on cairo: OpaquePointer, _ body: () -> Void) {
        let usual = cairo_get_tolerance(cairo)
        if flatness > 0, flatness < usual { cairo_set_tolerance(cairo, max(flatness, 0.01)) }
        body()
        cairo_set_tolerance(cairo, usual)
    }
}

extension GraphicsContext {
    /// From now on only what lies inside the path is drawn, until the state is restored.
    public func clip(to path: BezierPath) {
        guard let cairo else { return noteNothingOpen() }
        guard !state.isDegenerate else { return }
        path.trace(on: cairo)
        cairo_set_fill_rule(cairo, path.fillRule)
        cairo_clip(cairo)
    }

    /// From now on only what lies inside the rectangle is drawn, until the state is restored (`UIRectClip`).
    public func clip(to rect: Rect) { clip(to: BezierPath(rect: rect)) }

    /// The smallest rectangle around the clip, in user space; empty while nothing can be drawn on.
    public var clipBounds: Rect {
        guard let cairo, !state.isDegenerate else { return .zero }
        var (left, top, right, bottom) = (0.0, 0.0, 0.0, 0.0)
        cairo_clip_extents(cairo, &left, &top, &right, &bottom)
        return Rect(x: left, y: top, width: right - left, height: bottom - top)
    }
}

extension GraphicsContext {
    /// Begins a layer: what is drawn until its end is put together first, and gets the alpha, blend mode and shadow that
    /// are set now as one drawing (`CGContextBeginTransparencyLayer`).
    ///
    /// Inside, alpha is 1, the blend mode `normal`, and there is no shadow. The state of now returns with the end.
    ///
    /// - Parameter rect: All that the layer may cover; everything if `nil`.
    public func beginTransparencyLayer(in rect: Rect? = nil) {
        guard let cairo else { return noteNothingOpen() }
        push(isLayer: true)
        if let rect { clip(to: rect) }
        cairo_push_group(cairo)
        state.alpha = 1
        state.blendMode = .normal
        state.shadow = nil
    }

    /// Ends the layer that was begun last and draws it; states saved inside are restored.
    ///
    /// Without a layer nothing happens.
    public func endTransparencyLayer() {
        guard let cairo, saved.contains(where: \.isLayer) else { return }
        while saved.last?.isLayer == false { pop() }
        let layer = cairo_pop_group(cairo)
        defer { cairo_pattern_destroy(layer) }
        // The clip of the layer itself still holds while it is drawn.
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

    /// Draws inside a transparency layer.
    public func withTransparencyLayer<Result, Failure: Error>(
        in rect: Rect? = nil, _ body: (GraphicsContext) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        beginTransparencyLayer(in: rect)
        let depth = saved.count
        defer {
            while saved.count > depth, let last = saved.last {
                if last.isLayer { endTransparencyLayer() } else { restoreState() }
            }
            if saved.count == depth { endTransparencyLayer() }
        }
        return try body(self)
    }
}
