// The current path of a context.

import FoundationEssentials

extension GraphicsContext {
    /// The current path, in user space (`CGContextCopyPath`).
    ///
    /// Segments keep their places on the page when the transformation changes later. The path is not part of the
    /// saved state. A new page begins with an empty path. While the transformation is degenerate, the path is empty.
    public var path: Path {
        state.transform.inverted.map(pathOnPage.applying) ?? Path()
    }

    /// Removes all segments of the current path.
    public func beginPath() { pathOnPage = Path() }

    /// Starts a new subpath of the current path at a point.
    public func move(to point: Point) { extend { $0.move(to: point) } }

    /// Adds a straight line to the current path.
    public func addLine(to point: Point) { extend { $0.addLine(to: point) } }

    /// Adds a cubic Bézier curve to the current path.
    public func addCurve(to point: Point, control1: Point, control2: Point) {
        extend { $0.addCurve(to: point, control1: control1, control2: control2) }
    }

    /// Adds a quadratic Bézier curve to the current path.
    public func addQuadCurve(to point: Point, control: Point) {
        extend { $0.addQuadCurve(to: point, control: control) }
    }

    /// Adds a rectangle to the current path.
    public func addRect(_ rect: Rect) { extend { $0.addRect(rect) } }

    /// Adds the ellipse inscribed in a rectangle to the current path.
    public func addEllipse(in rect: Rect) { extend { $0.addEllipse(in: rect) } }

    /// Adds a path to the current path.
    public func addPath(_ path: Path) { extend { $0.addPath(path) } }

    /// Closes the last subpath with a line to its start.
    public func closePath() { pathOnPage.closeSubpath() }

    /// Fills the current path with the fill color or pattern, then removes the path.
    public func fillPath(using rule: FillRule = .winding) {
        drawPath(using: rule == .winding ? .fill : .eoFill)
    }

    /// Strokes the current path with the context's line attributes, then removes the path.
    public func strokePath() { drawPath(using: .stroke) }

    /// Draws the current path, then removes the path.
    public func drawPath(using mode: PathDrawingMode) {
        let path = path
        beginPath()
        if let rule = mode.fillRule { fill(path.filled(by: rule)) }
        if mode.strokes { stroke(path.outline, attributes: state.line) }
    }

    /// Limits drawing to the inside of the current path until the state is restored, then removes the path.
    public func clip(using rule: FillRule = .winding) {
        let path = path
        beginPath()
        clip(to: path.filled(by: rule))
    }

    /// Returns whether a drawing of the current path would cover a point (`CGContextPathContainsPoint`).
    ///
    /// A stroke has the context's line attributes. Open subpaths contain no points, except on their stroke. The path
    /// remains.
    ///
    /// - Parameters:
    ///   - point: The point, in user space.
    ///   - mode: The way in which the path would be drawn.
    public func pathContains(_ point: Point, mode: PathDrawingMode) -> Bool {
        var path = path.filled(by: mode.fillRule ?? .winding)
        path.line = state.line
        return mode.fillRule != nil && path.contains(point) || mode.strokes && path.strokeContains(point)
    }

    /// Draws a frame just inside the edges of a rectangle, in the fill color (`UIRectFrame`).
    ///
    /// - Parameter width: The width of the frame in points.
    public func fillFrame(of rect: Rect, width: Double = 1) {
        var frame = Path(rect: rect)
        let inner = rect.inset(x: width, y: width)
        if !inner.isEmpty { frame.addRect(inner) }
        fill(frame.filled(by: .evenOdd))
    }

    private func extend(_ body: (inout Path) -> Void) {
        guard state.transform.inverted != nil else { return }
        var path = path
        body(&path)
        pathOnPage = path.applying(state.transform)
    }
}
