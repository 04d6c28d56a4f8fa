// Draws pictures of paths and lines.

import PrintGraphics

extension DrawingPictures {
    /// Draws a pentagon, an arc, a ring, a dashed curve and a hit test.
    static func paths(on context: GraphicsContext) {
        let samples: [(String, (Point) -> Void)] = [
            ("addLine", pentagon), ("addArc", arc), ("even-odd", ring), ("dash", dashedCurve), ("contains", hits),
        ]
        for (index, sample) in samples.enumerated() {
            let corner = Point(x: 10 + Double(index) * 94, y: 15)
            sample.1(corner)
            context.fillColor = .black
            label(sample.0, below: Rect(origin: corner, size: Size(width: 84, height: 90)))
        }
    }

    private static func pentagon(at corner: Point) {
        var path = BezierPath()
        path.move(to: Point(x: corner.x + 42, y: corner.y))
        for (x, y) in [(84.0, 32.0), (68, 84), (16, 84), (0, 32)] {
            path.addLine(to: Point(x: corner.x + x, y: corner.y + y))
        }
        path.close()
        Color.red.setFill()
        path.fill()
    }

    private static func arc(at corner: Point) {
        var path = BezierPath(
            arcCenter: Point(x: corner.x + 42, y: corner.y + 42), radius: 34, startAngle: 0, endAngle: .pi * 0.75,
            clockwise: true)
        path.lineWidth = 12
        path.lineCapStyle = .round
        Color.blue.setStroke()
        path.stroke()
    }

    private static func ring(at corner: Point) {
        var ring = BezierPath(ovalIn: Rect(x: corner.x, y: corner.y, width: 84, height: 84))
        ring.append(BezierPath(ovalIn: Rect(x: corner.x + 22, y: corner.y + 22, width: 40, height: 40)))
        ring.usesEvenOddFillRule = true
        Color.purple.setFill()
        ring.fill()
    }

    private static func dashedCurve(at corner: Point) {
        var path = BezierPath()
        path.move(to: Point(x: corner.x + 4, y: corner.y + 70))
        path.addCurve(
            to: Point(x: corner.x + 80, y: corner.y + 14), controlPoint1: Point(x: corner.x + 20, y: corner.y - 60),
            controlPoint2: Point(x: corner.x + 60, y: corner.y + 140))
        path.lineWidth = 5
        path.lineDash = LineDash(lengths: [12, 6])
        Color.orange.setStroke()
        path.stroke()
    }

    private static func hits(at corner: Point) {
        let oval = BezierPath(ovalIn: Rect(x: corner.x, y: corner.y, width: 84, height: 84))
        for y in stride(from: 3.5, to: 84, by: 7) {
            for x in stride(from: 3.5, to: 84, by: 7) {
                let isInside = oval.contains(Point(x: corner.x + x, y: corner.y + y))
                (isInside ? Color.green : Color(white: 0.8)).setFill()
                BezierPath(rect: Rect(x: corner.x + x - 3, y: corner.y + y - 3, width: 6, height: 6)).fill()
            }
        }
    }
}
