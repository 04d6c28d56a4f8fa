import Glibc
import PrintGraphics
import Testing

struct ShapeTests {
    @Test func `a filled rectangle colors only the area of the rectangle`() throws {
        try expectScene(
            """
            ______
            _RRR__
            _RRR__
            ______
            """
        ) { $0.fill(.red, 1, 1, 3, 2) }
    }

    @Test func `half of a stroke's width lies on each side of the path`() throws {
        try expectScene(
            """
            ________
            _KKKKKK_
            _K____K_
            _K____K_
            _KKKKKK_
            ________
            """
        ) { _ in
            var path = BezierPath(rect: Rect(x: 15, y: 15, width: 50, height: 30))
            path.lineWidth = 10
            path.stroke()
        }
    }

    @Test func `if a path is stroked and then filled, the fill hides the inner half of the stroke`() throws {
        try expectScene(
            """
            KKKKKK
            KYYYYK
            KYYYYK
            KKKKKK
            """
        ) { context in
            context.fillColor = .yellow
            var path = BezierPath(rect: cells(1, 1, 4, 2))
            path.lineWidth = 20
            path.stroke()
            path.fill()
        }
    }

    @Test func `an oval touches the middle of each edge of its rectangle and not the corners`() throws {
        try expectScene(
            """
            __.BB.__
            .BBBBBB.
            BBBBBBBB
            BBBBBBBB
            .BBBBBB.
            __.BB.__
            """
        ) { context in
            context.fillColor = .blue
            BezierPath(ovalIn: cells(0, 0, 8, 6)).fill()
        }
    }

    @Test func `only the chosen corners of a rounded rectangle are round`() throws {
        try expectScene(
            """
            _.GG.___
            .GGGG.__
            GGGGGG__
            GGGGGG__
            GGGGGG__
            GGGGGG__
            """
        ) { context in
            context.fillColor = .green
            BezierPath(
                roundedRect: cells(0, 0, 6, 6), byRoundingCorners: [.topLeft, .topRight],
                cornerRadii: Size(width: 30, height: 30)
            ).fill()
        }
    }

    @Test func `an arc from 0 to π/2 runs clockwise from the right to the bottom`() throws {
        try expectScene(
            """
            ______
            ______
            ______
            ___RR.
            ___RR.
            ___...
            """
        ) { context in
            context.fillColor = .red
            var path = BezierPath()
            path.move(to: Point(x: 30, y: 30))
            path.addArc(
                withCenter: Point(x: 30, y: 30), radius: 28, startAngle: 0, endAngle: .pi / 2, clockwise: true)
            path.close()
            path.fill()
        }
    }

    @Test func `a counterclockwise arc from 0 to π/2 covers three quarters of the circle`() throws {
        try expectScene(
            """
            ..RR..
            .RRRR.
            RRRRRR
            RRR___
            .RR___
            ..R___
            """
        ) { context in
            context.fillColor = .red
            var path = BezierPath()
            path.move(to: Point(x: 30, y: 30))
            path.addArc(
                withCenter: Point(x: 30, y: 30), radius: 30, startAngle: 0, endAngle: .pi / 2, clockwise: false)
            path.close()
            path.fill()
        }
    }

    @Test func `the nonzero rule fills the inner of two contours, and the even-odd rule leaves a hole`() throws {
        var path = BezierPath(rect: cells(0, 0, 5, 5))
        path.append(BezierPath(rect: cells(1, 1, 3, 3)))
        try expectScene("RRRRR\nRRRRR\nRRRRR\nRRRRR\nRRRRR") { context in
            context.fillColor = .red
            path.fill()
        }
        path.usesEvenOddFillRule = true
        try expectScene("RRRRR\nR___R\nR___R\nR___R\nRRRRR") { context in
            context.fillColor = .red
            path.fill()
        }
    }

    @Test func `an inner contour with the opposite direction is a hole`() throws {
        var path = BezierPath(rect: cells(0, 0, 5, 5))
        path.append(BezierPath(rect: cells(1, 1, 3, 3)).reversing())
        try expectScene("RRRRR\nR___R\nR___R\nR___R\nRRRRR") { context in
            context.fillColor = .red
            path.fill()
        }
    }

    @Test func `a dash pattern draws dashes and gaps, and starts at the given phase`() throws {
        try expectScene(
            """
            KK_KK_KK_KK_
            K_KK_KK_KK_K
            """
        ) { _ in
            for (row, phase) in [(0.0, 0.0), (1, 10)] {
                var path = BezierPath()
                path.move(to: Point(x: 0, y: row * 10 + 5))
                path.addLine(to: Point(x: 120, y: row * 10 + 5))
                path.lineWidth = 10
                path.lineDash = LineDash(lengths: [20, 10], phase: phase)
                path.stroke()
            }
        }
    }

    @Test func `an invalid dash pattern draws a solid line`() throws {
        for lengths in [[0, 0], [-1, 2], [Double.nan, 3], [.infinity]] {
            try expectScene("KKKK") { context in
                context.lineWidth = 10
                context.lineDash = LineDash(lengths: lengths)
                context.strokeLine(from: Point(x: 0, y: 5), to: Point(x: 40, y: 5))
            }
        }
    }

    @Test func `a square cap extends half the line width beyond the end of the line, and a butt cap does not`() throws {
        try expectScene(
            """
            __KKKK__
            _KKKKKK_
            """
        ) { context in
            context.lineWidth = 10
            context.strokeLine(from: Point(x: 20, y: 5), to: Point(x: 60, y: 5))
            context.lineCap = .square
            context.lineWidth = 10
            context.strokeLine(from: Point(x: 15, y: 15), to: Point(x: 65, y: 15))
        }
    }

    @Test func `a miter join fills the corner, and a bevel join cuts the corner off`() throws {
        func corner(_ join: LineJoin) -> (GraphicsContext) -> Void {
            { _ in
                var path = BezierPath()
                path.move(to: Point(x: 0, y: 20))
                path.addLine(to: Point(x: 40, y: 20))
                path.addLine(to: Point(x: 40, y: 60))
                path.lineWidth = 40
                path.lineJoinStyle = join
                path.stroke()
            }
        }
        try expectScene("KKKKKK\nKKKKKK\nKKKKKK\nKKKKKK\n__KKKK\n__KKKK", corner(.miter))
        try expectScene("KKKK__\nKKKK._\nKKKKK.\nKKKKKK\n__KKKK\n__KKKK", corner(.bevel))
    }

    @Test func `a curve bends towards its control points`() throws {
        try expectScene(
            """
            ________
            ________
            __.##.__
            _######_
            .######.
            ########
            """
        ) { context in
            context.fillColor = .magenta
            var path = BezierPath()
            path.move(to: Point(x: 0, y: 60))
            path.addQuadCurve(to: Point(x: 80, y: 60), controlPoint: Point(x: 40, y: -20))
            path.close()
            path.fill()
        }
    }

    @Test func `a clip path affects only shapes that are drawn before the graphics state is restored`() throws {
        try expectScene(
            """
            ______
            _BBB__
            _BBB__
            _____R
            """
        ) { context in
            context.withSavedState { context in
                BezierPath(rect: cells(1, 1, 3, 2)).addClip()
                context.fill(.blue, 0, 0, 6, 4)
            }
            context.fill(.red, 5, 3, 1, 1)
        }
    }

    @Test func `the bounds of a path contain its curves and not the control points`() {
        var path = BezierPath()
        path.move(to: .zero)
        path.addCurve(
            to: Point(x: 40, y: 0), controlPoint1: Point(x: 0, y: 40), controlPoint2: Point(x: 40, y: 40))
        #expect(path.bounds == Rect(x: 0, y: 0, width: 40, height: 30))
        #expect(BezierPath().bounds == .zero)
        #expect(BezierPath().currentPoint == nil)
        let oval = BezierPath(ovalIn: Rect(x: 10, y: 20, width: 30, height: 40)).bounds
        #expect(abs(oval.minX - 10) < 1e-9 && abs(oval.maxX - 40) < 1e-9)
        #expect(abs(oval.minY - 20) < 1e-9 && abs(oval.maxY - 60) < 1e-9)
    }

    @Test func `a closed path contains the points inside the path, and an open path contains no points`() {
        var path = BezierPath()
        path.move(to: .zero)
        path.addLine(to: Point(x: 40, y: 0))
        path.addLine(to: Point(x: 40, y: 40))
        #expect(!path.contains(Point(x: 35, y: 10)))
        path.close()
        #expect(path.contains(Point(x: 35, y: 10)))
        #expect(!path.contains(Point(x: 5, y: 35)))
        #expect(!path.contains(Point(x: Double.nan, y: 0)))
    }

    @Test func `with the even-odd rule, a ring does not contain the points in the hole`() {
        var ring = BezierPath(ovalIn: cells(0, 0, 6, 6))
        ring.append(BezierPath(ovalIn: cells(2, 2, 2, 2)))
        #expect(ring.contains(Point(x: 30, y: 30)))
        ring.usesEvenOddFillRule = true
        #expect(!ring.contains(Point(x: 30, y: 30)))
        #expect(ring.contains(Point(x: 10, y: 30)))
    }

    @Test func `'strokeContains' is true only for points within half the line width of the path`() {
        var path = BezierPath()
        path.move(to: .zero)
        path.addLine(to: Point(x: 100, y: 0))
        path.lineWidth = 8
        #expect(path.strokeContains(Point(x: 50, y: 3.9)))
        #expect(!path.strokeContains(Point(x: 50, y: 4.1)))
        #expect(!path.strokeContains(Point(x: 104, y: 0)))
    }

    @Test func `a reversed path has the same shape, and the start and the end are exchanged`() {
        var path = BezierPath()
        path.move(to: Point(x: 1, y: 1))
        path.addLine(to: Point(x: 5, y: 1))
        path.addCurve(
            to: Point(x: 9, y: 9), controlPoint1: Point(x: 7, y: 1), controlPoint2: Point(x: 9, y: 3))
        let reversed = path.reversing()
        #expect(reversed.elements.first == .move(to: Point(x: 9, y: 9)))
        #expect(reversed.currentPoint == Point(x: 1, y: 1))
        #expect(reversed.bounds == path.bounds)
        #expect(reversed.reversing() == path)
    }

    @Test func `path elements are ignored if their coordinates are not finite`() {
        var path = BezierPath()
        path.move(to: Point(x: .nan, y: 0))
        path.addLine(to: Point(x: 0, y: .infinity))
        path.addArc(withCenter: .zero, radius: .nan, startAngle: 0, endAngle: 1, clockwise: true)
        #expect(path.isEmpty)
        path.addLine(to: Point(x: 3, y: 4))
        #expect(path.elements == [.move(to: Point(x: 3, y: 4))])
        path.apply(AffineTransform(a: .nan, b: 0, c: 0, d: 1, tx: 0, ty: 0))
        #expect(path.currentPoint == Point(x: 3, y: 4))
    }

    @Test func `after a subpath is closed, the next segment begins at the start of the closed subpath`() {
        var path = BezierPath(rect: Rect(x: 2, y: 3, width: 10, height: 10))
        path.addLine(to: Point(x: 0, y: 0))
        #expect(path.elements.suffix(2) == [.move(to: Point(x: 2, y: 3)), .line(to: Point(x: 0, y: 0))])
    }

    @Test func `a transform and the inverse transform cancel each other`() throws {
        let map = AffineTransform.identity.translated(x: 5, y: 7).rotated(by: 0.3).scaled(x: 2, y: 3)
        let back = try #require(map.inverted)
        let point = back.apply(to: map.apply(to: Point(x: 11, y: 13)))
        #expect(abs(point.x - 11) < 1e-9 && abs(point.y - 13) < 1e-9)
        #expect(AffineTransform.scale(x: 0, y: 1).inverted == nil)
    }

    @Test func `the visible parts of huge and tiny shapes are drawn`() throws {
        try expectScene("RRRR\nRRRR") { context in
            context.fillColor = .red
            BezierPath(rect: Rect(x: -1e12, y: -1e12, width: 2e12, height: 2e12)).fill()
            BezierPath(rect: .zero).fill()
            BezierPath(ovalIn: Rect(x: 0, y: 0, width: 0, height: 5)).stroke()
        }
    }
}
