import PrintGraphics
import Testing

/// Tests of the parts of the graphics state that seldom change.
struct StateTests {
    @Test func `inside of 'write', the PDF context is the current context`() throws {
        _ = try PDFContext.data { pdf in
            #expect(GraphicsContext.current === pdf)
            pdf.beginPage()
            Color.red.setFill()
            #expect(pdf.fillColor == .red)
        }
        #expect(GraphicsContext.current == nil)
    }

    @Test func `'clipBounds' is the rectangle around the clip, in the coordinates of the current transformation`()
        throws
    {
        let context = try BitmapContext(size: Size(width: 50, height: 40))
        #expect(context.clipBounds == Rect(x: 0, y: 0, width: 50, height: 40))
        context.withSavedState { context in
            context.clip(to: Rect(x: 10, y: 10, width: 20, height: 20))
            context.translate(x: 5, y: 0)
            #expect(context.clipBounds == Rect(x: 5, y: 10, width: 20, height: 20))
            context.scale(x: 2, y: 2)
            context.clip(to: BezierPath(ovalIn: Rect(x: 5, y: 0, width: 10, height: 10)))
            #expect(context.clipBounds == Rect(x: 5, y: 5, width: 7.5, height: 5))
            context.clip(to: Rect(x: 50, y: 50, width: 1, height: 1))
            #expect(context.clipBounds.isEmpty)
        }
        #expect(context.clipBounds == Rect(x: 0, y: 0, width: 50, height: 40))
    }

    @Test func `a corner that exceeds the miter limit is cut off`() throws {
        // The miter of a right angle is 1.41 times as long as the line is wide.
        for (limit, corner) in [(1.5, "K"), (1.3, "_")] {
            try expectScene("\(corner).K\n.KK\nKKK") { context in
                var path = BezierPath()
                path.move(to: Point(x: 30, y: 20))
                path.addLine(to: Point(x: 20, y: 20))
                path.addLine(to: Point(x: 20, y: 30))
                path.lineWidth = 40
                path.miterLimit = limit
                path.stroke()
            }
            try expectScene("\(corner).K\n.KK\nKKK") { context in
                context.lineWidth = 40
                context.miterLimit = limit
                context.stroke(Rect(x: 20, y: 20, width: 100, height: 100))
            }
        }
    }

    @Test func `a flatness of 20 pixels turns a circle with a radius of 50 pixels into a square`() throws {
        func area(flatness: Double) throws -> Int {
            try inkedPixels { context in
                context.flatness = flatness
                var circle = BezierPath(ovalIn: Rect(x: 0, y: 0, width: 100, height: 100))
                circle.flatness = 100
                circle.fill()
            }
        }
        #expect(abs(try area(flatness: 0.1) - 7854) < 50)
        #expect(abs(try area(flatness: 20) - 5000) < 50)
        let context = try BitmapContext(size: Size(width: 1, height: 1))
        context.saveState()
        context.flatness = 1000
        #expect(context.flatness == 100)
        context.restoreState()
        #expect(context.flatness == 0.1)
    }

    @Test func `a path with a finer flatness than its context is drawn with its own flatness`() throws {
        let area = try inkedPixels { context in
            context.flatness = 20
            var circle = BezierPath(ovalIn: Rect(x: 0, y: 0, width: 100, height: 100))
            circle.flatness = 0.1
            circle.fill()
        }
        #expect(abs(area - 7854) < 50)
    }

    @Test func `the rendering intent is saved and restored with the state`() throws {
        let context = try BitmapContext(size: Size(width: 1, height: 1))
        #expect(context.renderingIntent == .default)
        context.saveState()
        context.renderingIntent = .saturation
        #expect(context.renderingIntent == .saturation)
        context.restoreState()
        #expect(context.renderingIntent == .default)
    }

    @Test func `a rotation turns counterclockwise if the y axis points up`() throws {
        for (origin, picture) in [(GraphicsContext.Origin.topLeft, "__\nR_"), (.lowerLeft, "R_\n__")] {
            let context = try BitmapContext(size: Size(width: 20, height: 20), isOpaque: true, origin: origin)
            context.fill(.white, 0, 0, 2, 2)
            context.translate(x: 10, y: 10)
            context.rotate(by: .pi / 2)
            context.fill(.red, 0, 0, 1, 1)
            expectPixelsOf(try context.makeImage(), picture)
        }
    }

    @Test func `a transform maps a rectangle and a path to the same bounds`() {
        let rect = Rect(x: 10, y: 20, width: 30, height: 40)
        let turned = AffineTransform.rotation(by: .pi / 2).concatenating(.scale(x: 2, y: 1))
        let exact = Rect(x: -120, y: 10, width: 80, height: 30)
        for bounds in [BezierPath(rect: rect).applying(turned).bounds, turned.apply(to: rect)] {
            let distances = [
                bounds.minX - exact.minX, bounds.minY - exact.minY, bounds.maxX - exact.maxX, bounds.maxY - exact.maxY,
            ]
            #expect(distances.allSatisfy { abs($0) < 1e-9 }, "\(bounds)")
        }
    }

    /// Returns the number of pixels of 100 × 100 that are darker than gray.
    private func inkedPixels(_ draw: (GraphicsContext) -> Void) throws -> Int {
        let image = try bitmap(100, 100) { context in
            context.shouldAntialias = false
            draw(context)
        }
        return (0..<10_000).count { image[$0 % 100, $0 / 100].red < 128 }
    }
}
