import FoundationEssentials
import PDFRendering
import PrintGraphics
import PrintRaster
import PrintTestSupport
import Testing

/// Tests of paths as objects, of the current path of a context, and of PDFs with the origin at the lower left.
struct CurrentPathTests {
    @Test func `a path that is copied, changed and set back replaces the elements and keeps the attributes`() {
        var path = BezierPath(rect: cells(0, 0, 2, 2))
        (path.lineWidth, path.usesEvenOddFillRule) = (7, true)
        var copy = path.cgPath
        copy.addEllipse(in: cells(1, 1, 4, 4))
        path.cgPath = copy
        #expect(path.elements == copy.elements && path.elements.count == 5 + 6)
        #expect(path.lineWidth == 7 && path.usesEvenOddFillRule && path.bounds == cells(0, 0, 5, 5))
        // The path continues at the end of the new elements.
        path.addLine(to: .zero)
        #expect(path.elements.last == .line(to: .zero))
    }

    @Test(arguments: PathDrawingMode.allCases)
    func `each drawing mode fills and strokes the current path, and removes it`(mode: PathDrawingMode) throws {
        let image = try bitmap(50, 50) { context in
            (context.fillColor, context.strokeColor, context.lineWidth) = (.green, .blue, 4)
            context.addRect(cells(1, 1, 3, 3))
            context.addRect(cells(2, 2, 1, 1))
            context.drawPath(using: mode)
            #expect(context.path.isEmpty)
        }
        let (white, green, blue) = (Color.white, Color.green, Color.blue)
        // Outside, on the line, between the rectangles, and in the inner rectangle.
        let expected: [Color] =
            switch mode {
            case .fill: [white, green, green, green]
            case .eoFill: [white, green, green, white]
            case .stroke: [white, blue, white, white]
            case .fillStroke: [white, blue, green, green]
            case .eoFillStroke: [white, blue, green, white]
            }
        for ((x, y), color) in zip([(5, 5), (11, 25), (15, 15), (25, 25)], expected) {
            let pixel = image[x, y]
            #expect(
                [pixel.red, pixel.green, pixel.blue] == [color.red, color.green, color.blue].map { UInt8($0 * 255) },
                "(\(x), \(y)): \(pixel)")
        }
    }

    @Test func `segments of the current path stay in place when the transformation changes`() throws {
        try expectScene("____\n_GG_\n_GG_\n____") { context in
            context.fillColor = .green
            context.move(to: Point(x: 10, y: 10))
            context.addLine(to: Point(x: 30, y: 10))
            context.saveState()
            context.translate(x: 10, y: 10)
            context.addLine(to: Point(x: 20, y: 20))
            #expect(context.path.bounds == Rect(x: 0, y: 0, width: 20, height: 20))
            context.restoreState()
            context.addLine(to: Point(x: 10, y: 30))
            context.closePath()
            context.fillPath()
        }
    }

    @Test func `the current path clips, and curves continue at its end`() throws {
        try expectScene("RR__\nRR__\n__RR\n__RR") { context in
            context.addRect(cells(0, 0, 4, 4))
            context.addRect(cells(2, 0, 2, 2))
            context.addRect(cells(0, 2, 2, 2))
            context.clip(using: .evenOdd)
            context.fill(.red, 0, 0, 4, 4)
        }
        let bitmap = try BitmapContext(size: Size(width: 10, height: 10))
        bitmap.move(to: .zero)
        bitmap.addQuadCurve(to: Point(x: 10, y: 0), control: Point(x: 5, y: 10))
        bitmap.addCurve(to: Point(x: 20, y: 0), control1: Point(x: 12, y: -5), control2: Point(x: 18, y: -5))
        #expect(bitmap.path.currentPoint == Point(x: 20, y: 0) && bitmap.path.elements.count == 3)
    }

    @Test func `a hit test follows the drawing mode, the fill rule and the line of the context`() throws {
        let context = try BitmapContext(size: Size(width: 100, height: 100))
        context.lineWidth = 10
        context.addRect(Rect(x: 10, y: 10, width: 80, height: 80))
        context.addRect(Rect(x: 40, y: 40, width: 20, height: 20))
        let (hole, edge, outside) = (Point(x: 50, y: 50), Point(x: 93, y: 50), Point(x: 97, y: 50))
        #expect(context.pathContains(hole, mode: .fill) && !context.pathContains(hole, mode: .eoFill))
        #expect(!context.pathContains(edge, mode: .fill) && context.pathContains(edge, mode: .stroke))
        #expect(context.pathContains(edge, mode: .eoFillStroke) && !context.pathContains(hole, mode: .eoFillStroke))
        #expect(!context.pathContains(outside, mode: .fillStroke))
        #expect(!context.path.isEmpty, "a hit test keeps the path")
        #expect(context.path.contains(hole) && !context.path.contains(hole, using: .evenOdd))
    }

    @Test func `each page begins with an empty path`() throws {
        let context = try PDFContext()
        context.beginPage()
        context.addRect(cells(0, 0, 1, 1))
        context.beginPage()
        #expect(context.path.isEmpty)
    }

    @Test func `a frame lies inside its rectangle and has the fill color`() throws {
        let image = try bitmap(8, 8) { context in
            context.fillColor = .red
            context.strokeColor = .blue
            context.fillFrame(of: Rect(x: 1, y: 1, width: 6, height: 6))
        }
        let red = Image.Pixel(red: 255, green: 0, blue: 0)
        #expect(image[1, 1] == red && image[6, 6] == red && image[6, 1] == red)
        for (x, y) in [(0, 0), (2, 2), (5, 5), (7, 7)] { #expect(image[x, y].green == 255, "(\(x), \(y))") }
    }

    @Test func `a PDF with the origin at the lower left draws, links and clips with y growing upwards`() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("a.pdf")
        let bounds = Rect(x: 10, y: 20, width: 40, height: 60)
        let context = try PDFContext(path: path, bounds: bounds, origin: .lowerLeft)
        context.beginPage()
        #expect(context.clipBounds == bounds)
        context.fillColor = .red
        context.fill(Rect(x: 10, y: 20, width: 10, height: 20))
        context.setURL(try #require(URL(string: "https://example.org")), for: Rect(x: 20, y: 30, width: 10, height: 5))
        try context.close()
        let page = try PDFDocument(path: path).render(page: 0, dpi: 72)
        expectPixels(PageSheet(bitmap: page), "____\n____\n____\n____\nR___\nR___")
        let text = try await ProgramRun(
            "/usr/bin/qpdf", ["--qdf", "--object-streams=disable", path, "-"], environment: [:], in: folder.path
        ).output
        #expect(text.filter { $0 != " " && $0 != "\n" }.contains("/Rect[10102015]"))
    }

    @Test func `pixels of an image come out, can be changed, and become an image again`() throws {
        let half = try Image(width: 2, height: 1, rgba: [255, 0, 0, 128, 0, 0, 255, 255])
        #expect(half.bytesPerRow == 8)
        var bytes = try half.rgbaBytes()
        #expect(bytes == [255, 0, 0, 128, 0, 0, 255, 255])
        bytes[4] = 255
        let changed = try Image(width: 2, height: 1, rgba: bytes)
        #expect(changed[1, 0] == .init(red: 255, green: 0, blue: 255))
        // The pixels are those of the upright image.
        let turned = half.with(scale: 1, orientation: .right)
        #expect(try turned.rgbaBytes() == [255, 0, 0, 128, 0, 0, 255, 255] && turned.bytesPerRow == 4)
        #expect(turned.pixelHeight == 2)
    }
}
