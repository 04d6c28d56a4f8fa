import FoundationEssentials
import PrintGraphics
import PrintRaster
import PrintTestSupport
import Testing

struct ImageTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Returns an image of four quarters: red and green in the upper half, blue and yellow in the lower half.
    private func quarters(_ side: Double = 20, scale: Double = 1) throws -> Image {
        let half = side / 2
        return try bitmap(side, side, scale: scale) { context in
            for (color, x, y) in [(Color.red, 0.0, 0.0), (.green, half, 0), (.blue, 0, half), (.yellow, half, half)] {
                context.fillColor = color
                context.fill(Rect(x: x, y: y, width: half, height: half))
            }
        }
    }

    @Test func `if an image is drawn at a point, the image is upright and keeps its size`() throws {
        let image = try quarters()
        try expectScene("____\n_RG_\n_BY_\n____", agreement: 0.06) { _ in image.draw(at: Point(x: 10, y: 10)) }
    }

    @Test func `if an image is drawn in a rectangle, the image is stretched to the rectangle`() throws {
        let image = try quarters()
        try expectScene("RRGG\nRRGG\nBBYY\nBBYY", agreement: 0.06) { _ in image.draw(in: cells(0, 0, 4, 4)) }
    }

    @Test func `alpha and blend mode apply to images`() throws {
        let image = try bitmap(10, 10) { $0.fill(.black, 0, 0, 1, 1) }
        try expectScene("AK", agreement: 0.1) { context in
            image.draw(at: .zero, blendMode: .normal, alpha: 0.5)
            image.draw(in: cells(1, 0, 1, 1), blendMode: .multiply, alpha: 1)
            #expect(context.alpha == 1)
        }
    }

    @Test func `an image with scale 2 has half as many points as pixels`() throws {
        let image = try quarters(20, scale: 2)
        #expect(image.pixelWidth == 40 && image.size == Size(width: 20, height: 20))
        try expectScene("RG\nBY", agreement: 0.06) { _ in image.draw(at: .zero) }
    }

    @Test(arguments: [
        (Image.Orientation.up, "RG\nBY"), (.upMirrored, "GR\nYB"), (.down, "YB\nGR"), (.downMirrored, "BY\nRG"),
        (.leftMirrored, "RB\nGY"), (.right, "BR\nYG"), (.rightMirrored, "YG\nBR"), (.left, "GY\nRB"),
    ])
    func `the orientation of an image applies to drawing, reading pixels and writing a file`(
        orientation: Image.Orientation, picture: String
    ) throws {
        let image = try quarters().with(scale: 1, orientation: orientation)
        try expectScene(picture, agreement: 0.06) { _ in image.draw(at: .zero) }
        expectPixelsOf(image, picture)
        expectPixelsOf(try Image(data: image.pngData()), picture)
    }

    @Test func `the Exif orientation applies to decoded and embedded JPEGs`() throws {
        let jpeg = try quarters(40).jpegData(quality: 1)
        // An Exif segment with orientation 6: rotated by 90° clockwise.
        let exif: [UInt8] =
            [0xFF, 0xE1, 0, 34] + Array("Exif\0\0MM\0*".utf8) + [
                0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0,
            ]
            + [0, 0, 0, 0]
        let image = try Image(data: Data(jpeg.prefix(2)) + Data(exif) + jpeg.dropFirst(2))
        #expect(image.orientation == .right)
        try expectScene("BBRR\nBBRR\nYYGG\nYYGG", agreement: 0.06) { _ in image.draw(at: .zero) }
    }

    @Test func `a PDF contains the unchanged data of a JPEG only once, even if the JPEG is drawn repeatedly`()
        async throws
    {
        let jpeg = try quarters(64).jpegData(quality: 0.8)
        let image = try Image(data: jpeg)
        let pdf = try PDFContext.data { pdf in
            for _ in 0..<3 {
                pdf.beginPage()
                image.draw(in: Rect(x: 72, y: 72, width: 200, height: 100))
                pdf.alpha = 0.5
                pdf.withTransparencyLayer { $0.draw(image, in: Rect(x: 72, y: 272, width: 200, height: 100)) }
            }
        }
        #expect(pdf.firstRange(of: jpeg) != nil)
        #expect(pdf.count < jpeg.count + 12_000)
        try pdf.write(to: URL(filePath: folder.path("photo.pdf")))
        let images = try await run("pdfimages", "-list", folder.path("photo.pdf"))
        #expect(images.contains("jpeg"))
        let check = try await ProgramRun(
            "/usr/bin/qpdf", ["--check", folder.path("photo.pdf")], environment: [:], in: folder.path)
        #expect(check.code == 0, "\(check.output)")
    }

    @Test func `a JPEG is decoded if the page is rasterized`() throws {
        let image = try Image(data: quarters(40).jpegData(quality: 1))
        try expectScene("RRGG\nRRGG\nBBYY\nBBYY", agreement: 0.2) { context in
            image.draw(at: .zero)
            context.blendMode = .destinationOver
            context.fill(.black, 0, 0, 4, 4)
        }
    }

    @Test func `PNG data keeps alpha, and JPEG data has a white background`() throws {
        let context = try BitmapContext(size: Size(width: 2, height: 1))
        context.fillColor = Color(red: 1, green: 0, blue: 0, alpha: 0.5)
        context.fill(Rect(x: 0, y: 0, width: 1, height: 1))
        let image = try context.makeImage()
        let back = try Image(data: image.pngData())
        #expect(back[0, 0].alpha == 128 && back[0, 0].red == 255 && back[1, 0].alpha == 0)
        let flat = try Image(data: image.jpegData(quality: 1))
        #expect(flat[1, 0].red > 240 && flat[1, 0].alpha == 255)
    }

    @Test func `the crop rectangle of an image is measured in points`() throws {
        let part = try quarters(20, scale: 2).cropped(to: Rect(x: 10, y: 0, width: 50, height: 10))
        #expect(part.size == Size(width: 10, height: 10) && part.scale == 2)
        #expect(part[0, 0] == Image.Pixel(red: 0, green: 255, blue: 0))
        let image = try quarters()
        expectFailure(.invalidGeometry) { _ = try image.cropped(to: Rect(x: 30, y: 0, width: 5, height: 5)) }
    }

    @Test func `a masked image keeps the parts where the mask is white`() throws {
        let mask = try bitmap(20, 20) { $0.fill(.black, 0, 0, 1, 2) }
        let image = try quarters().masked(by: mask)
        try expectScene("_G\n_Y", agreement: 0.06) { _ in image.draw(at: .zero) }
    }

    @Test func `if an image with cap insets is stretched, the center is stretched and the edges are not stretched`()
        throws
    {
        let button = try bitmap(30, 30) { context in
            context.fill(.black, 0, 0, 3, 3)
            context.fill(.red, 1, 1, 1, 1)
        }.resizable(withCapInsets: EdgeInsets(top: 10, left: 10, bottom: 10, right: 10))
        try expectScene("KKKKKK\nKRRRRK\nKRRRRK\nKKKKKK", agreement: 0.1) { _ in button.draw(in: cells(0, 0, 6, 4)) }
        let odd = button.resizable(withCapInsets: EdgeInsets(top: 20, left: 20, bottom: 20, right: 20))
        #expect(odd.capInsets == .zero)
    }

    @Test func `an image for high-resolution output is read from the '@2x' file`() throws {
        try quarters(10).writePNG(to: folder.path("logo.png"))
        try quarters(20).writePNG(to: folder.path("logo@2x.png"))
        let fine = try Image(contentsOfFile: folder.path("logo.png"))
        #expect(fine.scale == 2 && fine.size == Size(width: 10, height: 10))
        let coarse = try Image(contentsOfFile: folder.path("logo.png"), outputScale: 1)
        #expect(coarse.scale == 1 && coarse.pixelWidth == 10)
        #expect(try Image(contentsOfFile: folder.path("logo@2x.png")).scale == 2)
    }

    @Test(arguments: ["png", "jpg", "tiff", "gif", "bmp", "ico", "cur", "xbm"])
    func `the content of a file, not its name, determines the image format`(name: String) throws {
        let bytes = try #require(SampleImages.bytes[name])
        try bytes.write(to: URL(filePath: folder.path("image.dat")))
        let image = try Image(contentsOfFile: folder.path("image.dat"))
        #expect(image.pixelWidth == 8 && image.pixelHeight == 8)
        let (first, last) = (image[1, 1], image[6, 6])
        #expect(first.red < 60 && first.green < 60 && first.blue < 60 && first.alpha == 255, "\(first)")
        #expect(last.red > 200 && last.green > 200, "\(last)")
    }

    @Test func `an unsupported, truncated or missing image causes an error`() throws {
        expectFailure(.unsupportedFormat) { _ = try Image(data: Data("hello".utf8)) }
        expectFailure(.unsupportedFormat) { _ = try Image(data: Data()) }
        expectFailure(.unreadable) { _ = try Image(contentsOfFile: folder.path("none.png")) }
        expectFailure(.unreadable) { _ = try Image(contentsOfFile: folder.path) }
        let png = try quarters().pngData()
        expectFailure(.damaged) { _ = try Image(data: png.prefix(30)) }
        expectFailure(.unsupportedFormat) {
            _ = try Image(data: Data("<svg xmlns='http://www.w3.org/2000/svg'/>".utf8))
        }
    }

    @Test func `if an image has too many pixels, an error is thrown before the image is decoded`() throws {
        let png = try quarters(100).pngData()
        expectFailure(.tooLarge) { _ = try Image(data: png, maximumPixels: 9_999) }
        let jpeg = try quarters(100).jpegData()
        expectFailure(.tooLarge) { _ = try Image(data: jpeg, maximumPixels: 9_999) }
        // A PNG header for 30,000 × 30,000 pixels, without pixel data.
        let bomb: [UInt8] =
            [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8)
            + [0, 0, 0x75, 0x30, 0, 0, 0x75, 0x30, 8, 2, 0, 0, 0, 0x2F, 0xD8, 0x3C, 0x3C]
        let error = #expect(throws: GraphicsError.self) { try Image(data: Data(bomb)) }
        #expect(error?.code == .tooLarge || error?.code == .damaged)
    }

    @Test func `if a JPEG is damaged, the decoding of its pixels throws an error`() throws {
        var jpeg = try quarters(40).jpegData()
        // Removes the tables and keeps the frame header.
        let table = try #require(jpeg.firstRange(of: Data([0xFF, 0xC4])))
        jpeg.replaceSubrange(table.lowerBound + 4..<table.lowerBound + 20, with: [UInt8](repeating: 0xFF, count: 16))
        let image = try Image(data: jpeg)
        expectFailure(.damaged) { try image.decode() }
        let context = try BitmapContext(size: Size(width: 5, height: 5))
        context.draw(image, in: Rect(x: 0, y: 0, width: 5, height: 5))
        expectFailure(.damaged) { _ = try context.makeImage() }
        _ = try context.makeImage()
    }

    @Test func `an image is not drawn if its rectangle is invalid`() throws {
        let image = try quarters()
        try expectScene("__", agreement: 0.06) { _ in
            image.draw(in: .zero)
            image.draw(in: Rect(x: .nan, y: 0, width: 1, height: 1))
            image.draw(in: Rect(x: 0, y: 0, width: .infinity, height: 1))
        }
    }
}
