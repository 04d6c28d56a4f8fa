// Listings 3-1 to 3-6: paths.

import PrintGraphics

/// Draws a pentagon of lines (listing 3-1).
func pentagon(to path: String) throws {
    try PDFContext.write(to: path, bounds: Rect(x: 0, y: 0, width: 220, height: 160)) { pdf in
        pdf.beginPage()
        var path = BezierPath()
        path.move(to: Point(x: 100, y: 0))
        path.addLine(to: Point(x: 200, y: 40))
        path.addLine(to: Point(x: 160, y: 140))
        path.addLine(to: Point(x: 40, y: 140))
        path.addLine(to: Point(x: 0, y: 40))
        path.close()
        Color.red.setFill()
        path.fill()
    }
}

/// Draws an arc from 0° to 135°, clockwise (listing 3-2).
func arc(to path: String) throws {
    try PDFContext.write(to: path, bounds: Rect(x: 0, y: 0, width: 300, height: 300)) { pdf in
        pdf.beginPage()
        var path = BezierPath(
            arcCenter: Point(x: 150, y: 150), radius: 75, startAngle: 0, endAngle: 135 * .pi / 180, clockwise: true)
        path.lineWidth = 10
        path.stroke()
    }
}

/// Assigns a new path of two ellipses to a path with attributes (listing 3-3).
///
/// With the even-odd rule, the inner ellipse is a hole.
func evenOdd(to path: String) throws {
    try PDFContext.write(to: path, bounds: Rect(x: 0, y: 0, width: 300, height: 300)) { pdf in
        pdf.beginPage()
        var ellipses = Path()
        ellipses.addEllipse(in: Rect(x: 0, y: 0, width: 300, height: 300))
        ellipses.addEllipse(in: Rect(x: 50, y: 50, width: 200, height: 200))
        var ring = BezierPath()
        ring.cgPath = ellipses
        ring.usesEvenOddFillRule = true
        Color.blue.setFill()
        ring.fill()
    }
}

/// Adds an ellipse to a copy of a path, and sets the copy back (listing 3-4).
///
/// With the winding rule, both ellipses are filled.
func appendedOval(to path: String) throws {
    try PDFContext.write(to: path, bounds: Rect(x: 0, y: 0, width: 300, height: 300)) { pdf in
        pdf.beginPage()
        var ovals = BezierPath(ovalIn: Rect(x: 0, y: 0, width: 300, height: 300))
        var copy = ovals.cgPath
        copy.addEllipse(in: Rect(x: 50, y: 50, width: 200, height: 200))
        ovals.cgPath = copy
        Color.green.setFill()
        ovals.fill()
        ovals.stroke()
    }
}

/// Builds an oval at the origin and draws it elsewhere, first filled, then stroked (listing 3-5).
func filledOval(to path: String) throws {
    try PDFContext.write(to: path, bounds: Rect(x: 0, y: 0, width: 300, height: 200)) { pdf in
        pdf.beginPage()
        var oval = BezierPath(ovalIn: Rect(x: 0, y: 0, width: 200, height: 100))
        Color.black.setStroke()
        Color.red.setFill()
        pdf.withSavedState { context in
            context.translate(x: 50, y: 50)
            oval.lineWidth = 10
            oval.fill()
            oval.stroke()
        }
    }
}

/// Returns whether a point lies in the fill or on the stroke of a path (listing 3-6).
func isHit(_ point: Point, on path: BezierPath, inFill: Bool) -> Bool {
    guard let context = GraphicsContext.current else { return false }
    // Without `inFill`, the stroke is tested.
    var mode = PathDrawingMode.stroke
    if inFill { mode = path.usesEvenOddFillRule ? .eoFill : .fill }
    context.saveState()
    context.lineWidth = path.lineWidth
    context.addPath(path.cgPath)
    let isHit = context.pathContains(point, mode: mode)
    // The saved state has no path, so the path is removed separately.
    context.beginPath()
    context.restoreState()
    return isHit
}

/// Draws a grid of tested points (listing 3-6).
///
/// Hits are green, other points are red.
func hitTest(to path: String) throws {
    try PDFContext.write(to: path, bounds: Rect(x: 0, y: 0, width: 400, height: 200)) { pdf in
        pdf.beginPage()
        for inFill in [true, false] {
            var oval = BezierPath(ovalIn: Rect(x: inFill ? 10 : 210, y: 10, width: 180, height: 180))
            oval.lineWidth = 20
            for y in stride(from: 10.0, to: 200, by: 20) {
                for x in stride(from: inFill ? 10.0 : 210, to: inFill ? 200 : 400, by: 20) {
                    let color: Color = isHit(Point(x: x, y: y), on: oval, inFill: inFill) ? .green : .red
                    color.setFill()
                    BezierPath(rect: Rect(x: x - 10, y: y - 10, width: 20, height: 20)).fill()
                }
            }
        }
    }
}
