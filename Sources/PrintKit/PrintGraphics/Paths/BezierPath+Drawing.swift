// Draws paths into the current context.

import FoundationEssentials

extension BezierPath {
    /// Fills the path with the fill color of the current context.
    ///
    /// Does nothing without a current context.
    ///
    /// Open subpaths are filled as if they were closed. Fill before stroking; otherwise the fill hides half of the
    /// line.
    public func fill() {
        GraphicsContext.current?.fill(self)
    }

    /// Fills the path with the given blend mode and alpha instead of the context's blend mode and alpha.
    public func fill(with blendMode: BlendMode, alpha: Double) {
        GraphicsContext.current?.withOwn(blendMode, alpha: alpha) { $0.fill(self) }
    }

    /// Strokes the path with the stroke color of the current context and the path's line attributes.
    ///
    /// Does nothing without a current context.
    public func stroke() {
        GraphicsContext.current?.stroke(self)
    }

    /// Strokes the path with the given blend mode and alpha instead of the context's blend mode and alpha.
    public func stroke(with blendMode: BlendMode, alpha: Double) {
        GraphicsContext.current?.withOwn(blendMode, alpha: alpha) { $0.stroke(self) }
    }

    /// Limits drawing to the inside of the path until the context's state is restored.
    public func addClip() {
        GraphicsContext.current?.clip(to: self)
    }
}
