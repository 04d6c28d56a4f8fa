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

/// Draws two ellipses (listing 3-3).
///
/// With the even-odd rule, the inner ellipse is a hole.
func evenOdd(to path: String) throws {
    try PDFContext.write(to: path, bounds: Rect(x: 0, y: 0, width: 200, height: 200)) { pdf in
        pdf.beginPage()
        var ring = BezierPath(ovalIn: Rect(x: 0, y: 0, width: 200, height: 200))
        ring.append(BezierPath(ovalIn: Rect(x: 50, y: 50, width: 100, height: 100)))
        ring.usesEvenOddFillRule = true
        Color.blue.setFill()
        ring.fill()
    }
}

/// Adds an ellipse to an existing path (listing 3-4).
func appendedOval(to path: String) throws {
    try PDFContext.write(to: path, bounds: Rect(x: 0, y: 0, width: 200, height: 100)) { pdf in
        pdf.beginPage()
        var shape = BezierPath(rect: Rect(x: 0, y: 0, width: 80, height: 100))
        shape.append(BezierPath(ovalIn: Rect(x: 120, y: 20, width: 60, height: 60)))
        Color.green.setFill()
        shape.fill()
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

/// Tests whether points lie in the fill or on the stroke (listing 3-6).
///
/// Hits are green, other points are red.
func hitTest(to path: String) throws {
    func isHit(_ path: BezierPath, _ point: Point, inFill: Bool) -> Bool {
        inFill ? path.contains(point) : path.strokeContains(point)
    }
    try PDFContext.write(to: path, bounds: Rect(x: 0, y: 0, width: 400, height: 200)) { pdf in
        pdf.beginPage()
        for inFill in [true, false] {
            var oval = BezierPath(ovalIn: Rect(x: inFill ? 10 : 210, y: 10, width: 180, height: 180))
            oval.lineWidth = 20
            for y in stride(from: 10.0, to: 200, by: 20) {
                for x in stride(from: inFill ? 10.0 : 210, to: inFill ? 200 : 400, by: 20) {
                    let color: Color = isHit(oval, Point(x: x, y: y), inFill: inFill) ? .green : .red
                    color.setFill()
                    BezierPath(rect: Rect(x: x - 10, y: y - 10, width: 20, height: 20)).fill()
                }
            }
        }
    }
}
