import FoundationEssentials
import PrintGraphics
import PrintTestSupport
import Testing

/// Tests of bitmaps with several pixels for each point.
struct ScaleTests {
    @Test(arguments: [1.0, 2, 3])
    func `a line of width 1 has as many pixels as the scale, and a line of width 1/scale has one pixel`(scale: Double)
        throws
    {
        for (width, pixels) in [(1.0, Int(scale)), (1 / scale, 1)] {
            let image = try bitmap(10, 10, scale: scale) { context in
                context.lineWidth = width
                context.strokeLine(from: Point(x: 5 + width / 2, y: 0), to: Point(x: 5 + width / 2, y: 10))
            }
            let dark = (0..<image.pixelWidth).filter { image[$0, image.pixelHeight / 2].red < 128 }
            #expect(dark.count == pixels, "width \(width)")
        }
    }

    @Test func `without a scale, a bitmap has one pixel for each point`() throws {
        let context = try BitmapContext(size: Size(width: 7, height: 5))
        #expect(context.scale == 1)
        #expect(try context.makeImage().pixelWidth == 7)
    }

    @Test func `a shape with edges between points has sharp edges at a scale of 2`() throws {
        func blended(scale: Double) throws -> Int {
            try middleTones(of: bitmap(20, 20, scale: scale) { $0.fill(Rect(x: 2.5, y: 2.5, width: 10, height: 10)) })
        }
        #expect(try blended(scale: 1) == 40)
        #expect(try blended(scale: 2) == 0)
    }

    @Test func `text has sharper edges at a scale of 4`() throws {
        func fraction(scale: Double) throws -> Double {
            let image = try bitmap(100, 30, scale: scale) { _ in
                "Sharp text".draw(at: Point(x: 2, y: 2), with: .system(ofSize: 16))
            }
            let ink = pixels(of: image).count { $0 < 250 }
            #expect(ink > 100)
            return Double(middleTones(of: image)) / Double(ink)
        }
        #expect(try fraction(scale: 4) < 0.6 * fraction(scale: 1))
    }

    @Test func `without a '@2x' file, the standard image is enlarged at a scale of 2`() throws {
        let folder = try TemporaryFolder()
        try bitmap(10, 10) { $0.fill(.red, 0, 0, 0.5, 1) }.writePNG(to: folder.path("dot.png"))
        let image = try Image(contentsOfFile: folder.path("dot.png"))
        #expect(image.scale == 1 && image.size == Size(width: 10, height: 10))
        let enlarged = try bitmap(10, 10, scale: 2) { _ in image.draw(at: .zero) }
        expectPixelsOf(enlarged, "R_\nR_")
    }

    @Test func `an opaque bitmap becomes a PNG without an alpha channel`() throws {
        // Byte 25 of a PNG is its color type: 2 for RGB, 6 for RGB with alpha.
        for (isOpaque, type) in [(true, UInt8(2)), (false, 6)] {
            let context = try BitmapContext(size: Size(width: 4, height: 4), isOpaque: isOpaque)
            let png = try context.makeImage().pngData()
            #expect(png[png.startIndex + 25] == type)
        }
    }

    private func pixels(of image: Image) -> [UInt8] {
        (0..<image.pixelHeight).flatMap { y in (0..<image.pixelWidth).map { image[$0, y].red } }
    }

    /// Returns the number of pixels that are neither black nor white.
    private func middleTones(of image: Image) -> Int { pixels(of: image).count { $0 > 20 && $0 < 235 } }
}
