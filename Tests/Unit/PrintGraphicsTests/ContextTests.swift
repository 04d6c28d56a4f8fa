import FoundationEssentials
import PrintGraphics
import Testing

struct ContextTests {
    @Test
    func `a transformation affects the shapes that are drawn after it, and the last transformation is applied first`()
        throws
    {
        try expectScene(
            """
            ______
            __RR__
            __RR__
            __RR__
            """
        ) { context in
            context.translate(x: 40, y: 10)
            context.rotate(by: .pi / 2)
            context.scale(x: 3, y: 2)
            context.fillColor = .red
            context.fill(Rect(x: 0, y: 0, width: 10, height: 10))
        }
    }

    @Test func `a restored graphics state has the saved color, line style, transformation and clip`() throws {
        try expectScene("RRRR\nRRRR") { context in
            context.fillColor = .red
            context.saveState()
            context.fillColor = .blue
            context.lineWidth = 7
            context.alpha = 0.2
            context.blendMode = .multiply
            context.translate(x: 100, y: 0)
            context.clip(to: Rect(x: 0, y: 0, width: 1, height: 1))
            context.restoreState()
            #expect(context.lineWidth == 1 && context.alpha == 1 && context.transform == .identity)
            context.fill(Rect(x: 0, y: 0, width: 40, height: 20))
        }
    }

    @Test func `a restore of the graphics state does nothing if no state was saved`() throws {
        try expectScene("GG") { context in
            context.fillColor = .green
            context.restoreState()
            context.endTransparencyLayer()
            context.fill(Rect(x: 0, y: 0, width: 20, height: 10))
        }
    }

    @Test func `if a saved graphics state is not restored on a page, the state does not affect the next page`() throws {
        let data = try PDFContext.data(bounds: Rect(x: 0, y: 0, width: 20, height: 10)) { pdf in
            pdf.beginPage()
            pdf.saveState()
            pdf.beginTransparencyLayer()
            pdf.saveState()
            pdf.fillColor = .red
            pdf.translate(x: 5, y: 5)
            pdf.beginPage()
            #expect(pdf.fillColor == .black && pdf.transform == .identity)
        }
        #expect(data.count > 100)
    }

    @Test func `the current context is the context that was pushed most recently`() throws {
        let (outer, inner) = try (
            BitmapContext(size: Size(width: 1, height: 1)), BitmapContext(size: Size(width: 1, height: 1))
        )
        #expect(GraphicsContext.current == nil)
        GraphicsContext.push(outer)
        Color.red.setFill()
        inner.draw {
            Color.blue.setFill()
            #expect(GraphicsContext.current === inner)
        }
        #expect(GraphicsContext.current === outer)
        GraphicsContext.pop()
        GraphicsContext.pop()
        #expect(GraphicsContext.current == nil)
        #expect(outer.fillColor == .red && inner.fillColor == .blue)
    }

    @Test func `drawing without a current context does nothing`() {
        Color.red.set()
        var path = BezierPath(rect: Rect(x: 0, y: 0, width: 1, height: 1))
        path.fill()
        path.stroke()
        path.addClip()
        path.removeAllPoints()
        #expect(path.isEmpty)
    }

    @Test func `in a context with a lower-left origin, the y axis points up, but after a flip, the y axis points down`()
        throws
    {
        let context = try BitmapContext(
            size: Size(width: 20, height: 20), isOpaque: true, origin: .lowerLeft)
        context.fill(.white, 0, 0, 2, 2)
        context.fill(.red, 0, 0, 1, 1)
        expectPixelsOf(try context.makeImage(), "__\nR_")
        context.translate(x: 0, y: 20)
        context.scale(x: 1, y: -1)
        context.fill(.blue, 1, 0, 1, 1)
        expectPixelsOf(try context.makeImage(), "_B\nR_")
    }

    @Test func `a clockwise arc looks counterclockwise if the y axis points up`() throws {
        func quarter(_ origin: GraphicsContext.Origin) throws -> Image {
            let context = try BitmapContext(size: Size(width: 60, height: 60), isOpaque: true, origin: origin)
            context.fill(.white, 0, 0, 6, 6)
            context.fillColor = .red
            var path = BezierPath()
            path.move(to: Point(x: 30, y: 30))
            path.addArc(
                withCenter: Point(x: 30, y: 30), radius: 60, startAngle: 0, endAngle: .pi / 2, clockwise: true)
            context.fill(path)
            return try context.makeImage()
        }
        expectPixelsOf(try quarter(.topLeft), "__\n_R")
        expectPixelsOf(try quarter(.lowerLeft), "_R\n__")
    }

    @Test func `the context's alpha multiplies the opacity of filled shapes`() throws {
        try expectScene("LAK") { context in
            for (x, alpha) in [(0.0, 0.25), (1, 0.5), (2, 1)] {
                context.alpha = alpha
                context.fill(.black, x, 0, 1, 1)
            }
        }
    }

    @Test func `a scale of 2 creates two pixels per point, and a scale of 0 selects the default scale`() throws {
        #expect(try bitmap(10, 5, scale: 2) { _ in }.pixelWidth == 20)
        #expect(try bitmap(10, 5, scale: 2) { _ in }.size == Size(width: 10, height: 5))
        #expect(try bitmap(10, 5, scale: 0) { _ in }.scale == BitmapContext.defaultScale)
    }

    @Test func `a line of width 0 is one pixel wide at any scale`() throws {
        for scale in [1.0, 4] {
            let image = try bitmap(10, 10, scale: scale) { context in
                context.shouldAntialias = false
                context.lineWidth = 0
                context.strokeLine(from: Point(x: 5.1, y: 0), to: Point(x: 5.1, y: 10))
            }
            let dark = (0..<image.pixelWidth).filter { image[$0, image.pixelHeight / 2].red < 128 }
            #expect(dark.count == 1)
        }
    }

    @Test func `without antialiasing, edges have no blended colors`() throws {
        let image = try bitmap(20, 20) { context in
            context.shouldAntialias = false
            context.fillEllipse(in: Rect(x: 1, y: 1, width: 18, height: 18))
        }
        let levels = Set((0..<400).map { image[$0 % 20, $0 / 20].red })
        #expect(levels == [0, 255])
    }

    @Test func `shapes are invisible if the scale is 0, and are visible after the graphics state is restored`() throws {
        try expectScene("RR\nGG") { context in
            context.fill(.red, 0, 0, 2, 1)
            context.withSavedState { context in
                context.scale(x: 0, y: 1)
                context.fill(.black, 0, 0, 2, 2)
                context.stroke(Rect(x: 0, y: 0, width: 5, height: 5))
                context.clip(to: Rect(x: 0, y: 0, width: 1, height: 1))
            }
            context.concatenate(AffineTransform(a: .nan, b: 0, c: 0, d: 1, tx: 0, ty: 0))
            context.translate(x: .infinity, y: 0)
            context.fill(.green, 0, 1, 2, 1)
        }
    }

    @Test func `a cleared rectangle of a bitmap is transparent`() throws {
        let context = try BitmapContext(size: Size(width: 2, height: 1))
        context.fill(Rect(x: 0, y: 0, width: 2, height: 1))
        context.clear(Rect(x: 1, y: 0, width: 1, height: 1))
        let image = try context.makeImage()
        #expect(image[0, 0].alpha == 255)
        #expect(image[1, 0].alpha == 0)
    }

    @Test func `an image of a context does not change if shapes are drawn in the context afterwards`() throws {
        let context = try BitmapContext(size: Size(width: 1, height: 1))
        context.fillColor = .red
        context.fill(Rect(x: 0, y: 0, width: 1, height: 1))
        let first = try context.makeImage()
        context.fillColor = .blue
        context.fill(Rect(x: 0, y: 0, width: 5, height: 5))
        #expect(first[0, 0] == Image.Pixel(red: 255, green: 0, blue: 0))
        #expect(try context.makeImage()[0, 0] == Image.Pixel(red: 0, green: 0, blue: 255))
    }

    @Test(arguments: [
        Size(width: 0, height: 5), Size(width: .nan, height: 5), Size(width: -1, height: 1),
        Size(width: .infinity, height: 1),
    ])
    func `the creation of a bitmap throws '.invalidGeometry' if the size is invalid`(size: Size) {
        expectFailure(.invalidGeometry) { _ = try BitmapContext(size: size) }
    }

    @Test func `if a bitmap exceeds the pixel limit, its creation throws '.tooLarge' before memory is allocated`() {
        for size in [
            Size(width: 40_000, height: 1), Size(width: 30_000, height: 30_000), Size(width: 1e300, height: 1),
        ] {
            expectFailure(.tooLarge) { _ = try BitmapContext(size: size) }
        }
    }

    @Test func `HSB, white and CMYK colors are converted to the equivalent RGB color`() {
        let orange = Color(hue: 30.0 / 360, saturation: 1, brightness: 1)
        #expect(abs(orange.red - 1) < 1e-9 && abs(orange.green - 0.5) < 1e-9 && orange.blue < 1e-9)
        let grey = Color(hue: 0.7, saturation: 0, brightness: 0.25)
        #expect(grey.red == 0.25 && grey.green == 0.25 && grey.blue == 0.25)
        #expect(Color(white: 0.5).green == 0.5)
        let ink = Color(cyan: 1, magenta: 0, yellow: 0, black: 0.5)
        #expect(ink.red == 0 && ink.green == 0.5 && ink.blue == 0.5)
        #expect(Color(red: 7, green: -1, blue: .nan, alpha: 2) == Color(red: 1, green: 0, blue: 0))
    }
}
