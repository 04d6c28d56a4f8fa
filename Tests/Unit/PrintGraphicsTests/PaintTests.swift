import PrintGraphics
import Testing

struct PaintTests {
    @Test(arguments: [
        (BlendMode.normal, "R"), (.multiply, "R"), (.screen, "Y"), (.darken, "R"), (.lighten, "Y"),
        (.difference, "G"), (.exclusion, "G"), (.colorDodge, "Y"), (.colorBurn, "Y"),
        (.copy, "R"), (.sourceAtop, "R"), (.destinationOver, "Y"), (.plusLighter, "Y"), (.plusDarker, "R"),
        (.sourceIn, "R"), (.sourceOut, "K"), (.destinationAtop, "Y"), (.destinationIn, "Y"), (.xor, "K"),
        (.clear, "K"), (.destinationOut, "K"), (.overlay, "Y"), (.hardLight, "R"),
    ])
    func `if red is drawn on yellow, the result has the color that the formula of the blend mode specifies`(
        mode: BlendMode, letter: String
    ) throws {
        let context = try BitmapContext(size: Size(width: 30, height: 10), isOpaque: true)
        context.fill(.yellow, 0, 0, 3, 1)
        context.blendMode = mode
        context.fill(.red, 1, 0, 1, 1)
        expectPixelsOf(try context.makeImage(), "Y\(letter)Y")
    }

    @Test(arguments: [
        (BlendMode.multiply, "YRR"), (.screen, "YYY"), (.darken, "YRR"), (.lighten, "YYY"), (.difference, "YGG"),
        (.plusDarker, "YRR"), (.plusLighter, "YYY"), (.sourceAtop, "YRR"),
    ])
    func `each blend mode looks the same in pixels and in a PDF`(mode: BlendMode, picture: String) throws {
        try expectScene(picture) { context in
            context.fill(.yellow, 0, 0, 3, 1)
            context.blendMode = mode
            context.fill(.red, 1, 0, 2, 1)
        }
    }

    @Test func `the blend modes hue, saturation, color and luminosity take the named component from the source color`()
        throws
    {
        func blended(_ mode: BlendMode) throws -> Image.Pixel {
            try bitmap(1, 1) { context in
                context.fillColor = .red
                context.fill(Rect(x: 0, y: 0, width: 1, height: 1))
                context.blendMode = mode
                context.fillColor = .gray
                context.fill(Rect(x: 0, y: 0, width: 1, height: 1))
            }[0, 0]
        }
        let luminosity = try blended(.luminosity)
        #expect(luminosity.red > luminosity.green + 30)
        for mode in [BlendMode.hue, .saturation, .color] {
            let grey = try blended(mode)
            #expect(abs(Int(grey.red) - Int(grey.green)) < 3, "\(mode)")
        }
    }

    @Test func `the blend mode and alpha of a single fill do not change the context's blend mode and alpha`() throws {
        try expectScene("AK") { context in
            BezierPath(rect: cells(0, 0, 1, 1)).fill(with: .normal, alpha: 0.5)
            #expect(context.alpha == 1)
            BezierPath(rect: cells(1, 0, 1, 1)).fill()
        }
    }

    @Test func `a stroke with a blend mode and an alpha does not change the context`() throws {
        try expectScene("AARR") { context in
            context.fill(.yellow, 2, 0, 2, 1)
            context.lineWidth = 10
            for (x, color, mode, alpha) in [(0.0, Color.black, BlendMode.normal, 0.5), (2, .magenta, .multiply, 1)] {
                context.strokeColor = color
                var line = BezierPath()
                line.move(to: Point(x: x * 10, y: 5))
                line.addLine(to: Point(x: x * 10 + 20, y: 5))
                line.lineWidth = 10
                line.stroke(with: mode, alpha: alpha)
            }
            #expect(context.alpha == 1 && context.blendMode == .normal)
        }
    }

    @Test func `a linear gradient is drawn only between the start and end points, unless the gradient is extended`()
        throws
    {
        let gradient = Gradient(colors: [.black, .white])
        try expectScene("___DAL___") { context in
            context.drawLinearGradient(gradient, from: Point(x: 25, y: 0), to: Point(x: 65, y: 0))
            context.fill(.white, 0, 0, 3, 1)
            context.fill(.white, 6, 0, 3, 1)
        }
        try expectScene("KKKK____", agreement: 0.05) { context in
            context.drawLinearGradient(
                gradient, from: Point(x: 40, y: 0), to: Point(x: 42, y: 0), extending: .beforeStart)
        }
        try expectScene("____RRRR", agreement: 0.05) { context in
            context.drawLinearGradient(
                Gradient(colors: [.white, .red]), from: Point(x: 40, y: 0), to: Point(x: 42, y: 0),
                extending: .afterEnd)
        }
    }

    @Test func `gradient stops determine the positions of the colors`() throws {
        let gradient = Gradient(stops: [
            .init(color: .red, location: 0), .init(color: .red, location: 0.5), .init(color: .blue, location: 0.5),
            .init(color: .blue, location: 1),
        ])
        try expectScene("RRRRBBBB") { context in
            context.drawLinearGradient(gradient, from: .zero, to: Point(x: 80, y: 0))
        }
    }

    @Test func `a radial gradient fills the area between its start circle and its end circle`() throws {
        let gradient = Gradient(stops: [.init(color: .red, location: 0.99), .init(color: .green, location: 1)])
        try expectScene(
            """
            __.RR.__
            _RRRRRR_
            .RRRRRR.
            RRRRRRRR
            RRRRRRRR
            .RRRRRR.
            _RRRRRR_
            __.RR.__
            """
        ) { context in
            let middle = Point(x: 40, y: 40)
            context.drawRadialGradient(
                gradient, startCenter: middle, startRadius: 0, endCenter: middle, endRadius: 40)
        }
    }

    @Test func `clip and alpha apply to a gradient`() throws {
        try expectScene("_AA_") { context in
            context.alpha = 0.5
            context.clip(to: cells(1, 0, 2, 1))
            context.drawLinearGradient(
                Gradient(colors: [.black, .black]), from: .zero, to: Point(x: 40, y: 0), extending: .beforeStart)
        }
    }

    @Test func `the cells of a pattern start at the corner of the page, regardless of the transformation`() throws {
        let checks = Pattern(cell: Size(width: 20, height: 20)) { cell in
            cell.fill(.red, 0, 0, 1, 1)
            cell.fill(.blue, 1, 1, 1, 1)
        }
        try expectScene(
            """
            _______
            _B_B_B_
            __R_R__
            _B_B_B_
            _______
            """
        ) { context in
            context.translate(x: 10, y: 10)
            checks.setFill()
            context.fill(Rect(x: 0, y: 0, width: 50, height: 30))
        }
    }

    @Test func `the context's alpha applies to a pattern`() throws {
        let plain = Pattern(cell: Size(width: 10, height: 10)) { $0.fill(.black, 0, 0, 1, 1) }
        try expectScene("AAA") { context in
            plain.setFill()
            context.alpha = 0.5
            context.fill(cells(0, 0, 3, 1))
        }
    }

    @Test func `a pattern repeats an image`() throws {
        let image = try bitmap(20, 10) { context in
            context.fill(.red, 0, 0, 1, 1)
            context.fill(.blue, 1, 0, 1, 1)
        }
        try expectScene("RBRBRB\nRBRBRB", agreement: 0.06) { context in
            Pattern(cell: image.size) { $0.draw(image, in: Rect(origin: .zero, size: image.size)) }.setFill()
            context.fill(cells(0, 0, 6, 2))
        }
    }

    @Test func `a pattern without a size draws nothing`() throws {
        try expectScene("__") { context in
            Pattern(cell: .zero) { $0.fill(.black, 0, 0, 1, 1) }.setFill()
            context.fill(cells(0, 0, 2, 1))
        }
    }

    @Test func `a sharp shadow falls to the lower right, regardless of the transformation`() throws {
        try expectScene(
            """
            _____
            _RR__
            _RRK_
            __KK_
            _____
            """
        ) { context in
            context.shadow = Shadow(offset: Size(width: 10, height: 10), color: .black)
            context.translate(x: 0, y: 50)
            context.scale(x: 1, y: -1)
            context.fill(.red, 1, 2, 2, 2)
        }
    }

    @Test func `in a context with a lower-left origin, a shadow falls to the upper right even after a flip`() throws {
        for isFlipped in [false, true] {
            let context = try BitmapContext(size: Size(width: 50, height: 50), isOpaque: true, origin: .lowerLeft)
            context.fill(.white, 0, 0, 5, 5)
            context.shadow = Shadow(offset: Size(width: 10, height: 10), color: .black)
            if isFlipped {
                context.translate(x: 0, y: 50)
                context.scale(x: 1, y: -1)
            }
            context.fill(.red, 1, isFlipped ? 2 : 1, 2, 2)
            expectPixelsOf(try context.makeImage(), "_____\n__KK_\n_RRK_\n_RR__\n_____")
        }
    }

    @Test func `a blurred shadow has soft edges in pixels and in a PDF`() throws {
        try expectScene(
            """
            RRRRRR_
            RRRRRR.
            RRRRRR.
            RRRRRR#
            RRRRRR#
            ..####.
            """, agreement: 0.02
        ) { context in
            context.shadow = Shadow(offset: Size(width: 8, height: 8), blurRadius: 6, color: .black)
            context.fill(.red, 0, 0, 6, 5)
        }
    }

    @Test func `the alpha of a layer applies to the layer as a whole, and not to each shape`() throws {
        try expectScene(
            """
            ###__
            ###__
            """
        ) { context in
            context.alpha = 0.5
            context.withTransparencyLayer { context in
                #expect(context.alpha == 1)
                context.fill(.red, 0, 0, 2, 2)
                context.fill(.red, 1, 0, 2, 2)
            }
            #expect(context.alpha == 0.5)
        }
        let image = try bitmap(30, 10) { context in
            context.alpha = 0.5
            context.withTransparencyLayer { context in
                context.fill(.red, 0, 0, 2, 1)
                context.fill(.red, 1, 0, 2, 1)
            }
        }
        // The layer is not more opaque where the shapes overlap.
        #expect(image[5, 5] == image[15, 5])
    }

    @Test func `at the end of a layer, the graphics states that were saved inside the layer are restored`() throws {
        try expectScene("RRB") { context in
            context.beginTransparencyLayer()
            context.saveState()
            context.translate(x: 100, y: 100)
            context.saveState()
            context.endTransparencyLayer()
            #expect(context.transform == .identity)
            context.fill(.red, 0, 0, 2, 1)
            context.beginTransparencyLayer(in: cells(2, 0, 1, 1))
            context.fill(.blue, 0, 0, 3, 1)
            context.restoreState()
            context.endTransparencyLayer()
        }
    }
}
