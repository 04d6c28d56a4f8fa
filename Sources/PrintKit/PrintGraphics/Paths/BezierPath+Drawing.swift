// A path draws itself into the current context.

import FoundationEssentials

extension BezierPath {
    /// Fills the path with the current context's fill colour; without a current context nothing happens.
    ///
    /// Open subpaths are filled as if they were closed. Fill before stroking, or the fill hides half of the line.
    public func fill() {
        GraphicsContext.current?.fill(self)
    }

    /// Fills the path in a blend mode and with an alpha of its own, instead of the context's.
    public func fill(with blendMode: BlendMode, alpha: Double) {
        GraphicsContext.current?.withOwn(blendMode, alpha: alpha) { $0.fill(self) }
    }

    /// Draws the path's line in the current context's stroke colour, with the path's own line attributes; without a
    /// current context nothing happens.
    public func stroke() {
        GraphicsContext.current?.stroke(self)
    }

    /// Draws the path's line in a blend mode and with an alpha of its own, instead of the context's.
    public func stroke(with blendMode: BlendMode, alpha: Double) {
        GraphicsContext.current?.withOwn(blendMode, alpha: alpha) { $0.stroke(self) }
    }

    /// From now on only what lies inside the path is drawn, until the context's state is restored.
    public func addClip() {
        GraphicsContext.current?.clip(to: self)
    }
}
