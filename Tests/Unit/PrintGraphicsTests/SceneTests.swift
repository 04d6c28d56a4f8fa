import FoundationEssentials
import PrintGraphics
import PrintTestSupport
import Testing

/// Tests of small scenes that combine states, clips, layers, lines and transformations, in pixels and in a PDF.
struct SceneTests {
    private func line(_ start: Point, _ end: Point, width: Double) -> BezierPath {
        var path = BezierPath()
        path.move(to: start)
        path.addLine(to: end)
        path.lineWidth = width
        return path
    }

    @Test func `a round cap extends half the line width beyond the end of the line`() throws {
        try expectScene(
            """
            _.KKKK._
            _.KKKK._
            """
        ) { _ in
            var path = line(Point(x: 20, y: 10), Point(x: 60, y: 10), width: 20)
            path.lineCapStyle = .round
            path.stroke()
        }
    }

    @Test func `a line with a round join has no sharp corner`() throws {
        try expectScene("KKKKK.\nKKKKKK\nKKKKKK\nKKKKKK\n__KKKK\n__KKKK") { _ in
            var path = BezierPath()
            path.move(to: Point(x: 0, y: 20))
            path.addLine(to: Point(x: 40, y: 20))
            path.addLine(to: Point(x: 40, y: 60))
            path.lineWidth = 40
            path.lineJoinStyle = .round
            path.stroke()
        }
    }

    @Test func `if two shapes overlap, the shape that is drawn second covers the shape that is drawn first`() throws {
        try expectScene("RRGG\nRRGG") { context in
            context.fill(.red, 0, 0, 4, 2)
            context.fill(.green, 2, 0, 2, 2)
        }
    }

    @Test func `black with an alpha of 0.5 on white is gray`() throws {
        try expectScene("A_") { $0.fill(Color(white: 0, alpha: 0.5), 0, 0, 1, 1) }
    }

    @Test func `two clips limit drawing to their intersection`() throws {
        try expectScene(
            """
            ____
            _BB_
            ____
            """
        ) { context in
            context.clip(to: cells(1, 0, 2, 3))
            context.clip(to: cells(0, 1, 4, 1))
            context.fill(.blue, 0, 0, 4, 3)
        }
    }

    @Test func `a clip with the even-odd rule excludes the hole of a path`() throws {
        try expectScene(
            """
            GGGG
            G__G
            GGGG
            """
        ) { context in
            var ring = BezierPath(rect: cells(0, 0, 4, 3))
            ring.append(BezierPath(rect: cells(1, 1, 2, 1)))
            ring.usesEvenOddFillRule = true
            ring.addClip()
            context.fill(.green, 0, 0, 4, 3)
        }
    }

    @Test func `a scale changes the width and the length of a line by the same factor`() throws {
        try expectScene(
            """
            KKKK
            KKKK
            ____
            """
        ) { context in
            context.scale(x: 2, y: 2)
            line(Point(x: 0, y: 5), Point(x: 20, y: 5), width: 10).stroke()
        }
    }

    @Test func `a rotation by 90° turns a column into a row`() throws {
        try expectScene(
            """
            ____
            RRR_
            ____
            """
        ) { context in
            context.translate(x: 30, y: 10)
            context.rotate(by: .pi / 2)
            context.fill(.red, 0, 0, 1, 3)
        }
    }

    @Test func `a negative scale mirrors the drawing`() throws {
        try expectScene("GGR_") { context in
            context.translate(x: 40, y: 0)
            context.scale(x: -1, y: 1)
            context.fill(.red, 1, 0, 1, 1)
            context.fill(.green, 2, 0, 2, 1)
        }
    }

    @Test func `a sheared square is a parallelogram`() throws {
        try expectScene(
            """
            _.BBBB_
            _.BBB._
            """
        ) { context in
            context.concatenate(AffineTransform(a: 1, b: 0, c: -0.5, d: 1, tx: 20, ty: 0))
            context.fill(.blue, 0, 0, 4, 2)
        }
    }

    @Test func `each restore of the graphics state undoes the changes since the matching save`() throws {
        try expectScene("RGBGR") { context in
            context.fillColor = .red
            context.fill(cells(0, 0, 1, 1))
            context.withSavedState { context in
                context.fillColor = .green
                context.fill(cells(1, 0, 1, 1))
                context.withSavedState { $0.fill(.blue, 2, 0, 1, 1) }
                context.fill(cells(3, 0, 1, 1))
            }
            context.fill(cells(4, 0, 1, 1))
        }
    }

    @Test func `overlapping shapes in a layer do not darken each other`() throws {
        try expectScene("AAAA") { context in
            context.alpha = 0.5
            context.withTransparencyLayer { layer in
                layer.fill(.black, 0, 0, 3, 1)
                layer.fill(.black, 1, 0, 3, 1)
            }
        }
    }

    @Test func `the alpha of nested layers is the product of their alphas`() throws {
        try expectScene("L_") { context in
            context.alpha = 0.5
            context.withTransparencyLayer { outer in
                outer.alpha = 0.5
                outer.withTransparencyLayer { $0.fill(.black, 0, 0, 1, 1) }
            }
        }
    }

    @Test func `a line can be stroked with a pattern`() throws {
        try expectScene("R_R_R_") { context in
            let stripes = Pattern(cell: Size(width: 20, height: 10)) { $0.fill(.red, 0, 0, 1, 1) }
            stripes.setStroke()
            line(Point(x: 0, y: 5), Point(x: 60, y: 5), width: 10).stroke()
        }
    }

    @Test func `half of a rectangle's stroke width is outside the rectangle`() throws {
        try expectScene(
            """
            BBBB
            B__B
            BBBB
            """
        ) { context in
            context.strokeColor = .blue
            context.lineWidth = 10
            context.stroke(Rect(x: 5, y: 5, width: 30, height: 20))
        }
    }

    @Test func `a dash pattern continues around a corner`() throws {
        try expectScene(
            """
            KK_K
            ___K
            """
        ) { _ in
            var path = BezierPath()
            path.move(to: Point(x: 0, y: 5))
            path.addLine(to: Point(x: 35, y: 5))
            path.addLine(to: Point(x: 35, y: 20))
            path.lineWidth = 10
            path.lineDash = LineDash(lengths: [20, 10, 30])
            path.stroke()
        }
    }

    @Test func `a CMYK color looks in pixels the same as the equivalent RGB color`() throws {
        let image = try bitmap(50, 10) { context in
            for (index, ink) in [(1.0, 0.0, 0.0, 0.0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1), (0, 1, 1, 0)]
                .enumerated()
            {
                let color = Color(cyan: ink.0, magenta: ink.1, yellow: ink.2, black: ink.3)
                context.fill(color, Double(index), 0, 1, 1)
            }
        }
        expectPixelsOf(image, "CMYKR")
    }

    @Test(arguments: BlendMode.allCases)
    func `in every blend mode, green on magenta looks the same in pixels and in a PDF`(mode: BlendMode) throws {
        let image = try bitmap(30, 10) { context in
            context.fill(.magenta, 0, 0, 3, 1)
            context.blendMode = mode
            context.fill(.green, 1, 0, 1, 1)
        }
        // The `clear` mode leaves white paper in a PDF and transparent pixels in a bitmap.
        guard ![.clear, .sourceOut, .destinationOut, .xor].contains(mode) else { return }
        try expectScene(pixelLetters(of: ImageSheet(image: image), columns: 3, rows: 1), agreement: 0.1) { context in
            context.fill(.magenta, 0, 0, 3, 1)
            context.blendMode = mode
            context.fill(.green, 1, 0, 1, 1)
        }
    }
}
