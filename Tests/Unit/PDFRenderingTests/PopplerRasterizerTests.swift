import FoundationEssentials
import PDFRendering
import PrintGraphics
import PrintTestSupport
import Testing

/// Tests of drawing PDF pages into bitmap contexts.
struct PopplerRasterizerTests {
    let folder: TemporaryFolder
    private let bounds = Rect(x: 0, y: 0, width: 20, height: 10)

    init() throws { folder = try TemporaryFolder() }

    /// Creates a page of 20 × 10 points with a red square of 5 points in its lower left corner.
    private func page() throws -> PDFPage {
        let path = folder.path("page.pdf")
        try PDFContext.write(to: path, bounds: bounds) { pdf in
            pdf.beginPage()
            pdf.fillColor = .red
            pdf.fill(Rect(x: 0, y: 5, width: 5, height: 5))
        }
        return try #require(try PDFFile(path: path).page(at: 0))
    }

    private func bitmap(
        _ size: Size = Size(width: 20, height: 10), scale: Double = 1,
        origin: GraphicsContext.Origin = .topLeft, background: Color? = nil
    ) throws -> BitmapContext {
        let bitmap = try BitmapContext(size: size, scale: scale, origin: origin)
        bitmap.pdfRasterizer = PopplerRasterizer()
        if let background {
            bitmap.fillColor = background
            bitmap.fill(Rect(origin: .zero, size: size))
        }
        return bitmap
    }

    /// Returns the color of a pixel as a letter.
    private func letters(_ image: Image, _ places: [(x: Int, y: Int)]) throws -> String {
        String(
            try places.map { place -> Character in
                switch try image.pixel(x: place.x, y: place.y) {
                case Image.Pixel(red: 255, green: 0, blue: 0): "R"
                case Image.Pixel(red: 0, green: 0, blue: 255): "B"
                case Image.Pixel(red: 255, green: 255, blue: 255): "W"
                case Image.Pixel(red: 0, green: 0, blue: 0, alpha: 0): "."
                default: "?"
                }
            })
    }

    @Test func `a page is drawn into a flipped and scaled white bitmap`() throws {
        // Listing 5-2: fills white, flips, scales, and draws the whole page.
        let bitmap = try bitmap(Size(width: 40, height: 20), origin: .lowerLeft, background: .white)
        bitmap.translate(x: 0, y: 20)
        bitmap.scale(x: 1, y: -1)
        bitmap.scale(x: 2, y: 2)
        bitmap.draw(try page(), in: bounds)
        let image = try bitmap.makeImage()
        #expect(try letters(image, [(1, 11), (8, 18), (1, 8), (12, 18), (38, 1)]) == "RRWWW")
    }

    @Test func `the background of the bitmap stays visible in the areas where a page has no ink`() throws {
        let bitmap = try bitmap(background: .blue)
        bitmap.draw(try page(), in: bounds)
        #expect(try letters(try bitmap.makeImage(), [(1, 8), (1, 1), (18, 8)]) == "RBB")
        let clear = try self.bitmap()
        clear.draw(try page(), in: bounds)
        #expect(try letters(try clear.makeImage(), [(1, 8), (1, 1)]) == "R.")
    }

    @Test func `translucent ink keeps its color and its opacity`() throws {
        let path = folder.path("half.pdf")
        try PDFContext.write(to: path, bounds: bounds) { pdf in
            pdf.beginPage()
            pdf.alpha = 0.5
            pdf.fillColor = .red
            pdf.fill(bounds)
        }
        let page = try #require(try PDFFile(path: path).page(at: 0))
        let pixel = try PopplerRasterizer().image(of: page, width: 20, height: 10).pixel(x: 3, y: 3)
        #expect((254...255).contains(pixel.red) && pixel.green == 0 && pixel.blue == 0)
        #expect((127...128).contains(pixel.alpha))
    }

    @Test func `an image has the requested size, even if the page has a different aspect ratio`() throws {
        let image = try PopplerRasterizer().image(of: page(), width: 30, height: 90)
        #expect(image.pixelWidth == 30 && image.pixelHeight == 90)
        #expect(try letters(image, [(3, 85), (3, 50), (3, 40), (12, 85)]) == "RR..")
    }

    @Test func `if the requested image exceeds the pixel limit, the page is drawn at a lower resolution`() throws {
        let image = try PopplerRasterizer(maximumPixels: 200).image(of: page(), width: 2_000, height: 1_000)
        #expect(image.pixelWidth == 20 && image.pixelHeight == 10)
        #expect(try letters(image, [(1, 8), (1, 1)]) == "R.")
        let wide = try PopplerRasterizer().image(of: page(), width: 1_000_000, height: 1)
        #expect(wide.pixelWidth <= 32_767 && wide.pixelHeight == 1)
    }

    @Test
    func `a page of an encrypted PDF is drawn if the file was opened with the user password or the owner password`()
        throws
    {
        let path = folder.path("locked.pdf")
        try Data(EncryptedPDF.userPassword).write(to: URL(filePath: path))
        for password in ["secret", "owner"] {
            let page = try #require(try PDFFile(path: path, password: password).page(at: 0))
            let image = try PopplerRasterizer().image(of: page, width: 40, height: 20)
            #expect(try letters(image, [(10, 10), (30, 10)]) == "R.")
        }
    }

    @Test func `a page cannot be drawn if the PDF file was replaced after it was opened`() throws {
        let page = try page()
        try Data("no PDF".utf8).write(to: URL(filePath: page.file.path))
        let damaged = #expect(throws: GraphicsError.self) {
            try PopplerRasterizer().image(of: page, width: 20, height: 10)
        }
        #expect(damaged?.code == .damaged && damaged?.cause != nil)
        #expect(damaged?.message.contains("page 1 of '\(page.file.path)'") == true)
        try Data(EncryptedPDF.userPassword).write(to: URL(filePath: page.file.path))
        let bitmap = try bitmap()
        bitmap.draw(page, in: bounds)
        #expect(bitmap.failure?.code == .passwordRequired)
    }

    @Test func `the error for a missing rasterizer names the package product and the rasterizer type`() throws {
        let bitmap = try BitmapContext(size: Size(width: 20, height: 10))
        bitmap.draw(try page(), in: bounds)
        let message = try #require(bitmap.failure?.message)
        #expect(bitmap.failure?.code == .noRasterizer)
        #expect(message.contains("PopplerRasterizer()") && message.contains("product PDFRendering"))
    }

    @Test func `many tasks can concurrently draw pages with text, each from a different document`() async throws {
        let folder = folder
        try await withThrowingTaskGroup { group in
            for number in 1...8 {
                group.addTask {
                    let path = folder.path("text-\(number).pdf")
                    try PDFContext.write(to: path, bounds: Rect(x: 0, y: 0, width: 200, height: 40)) { pdf in
                        pdf.beginPage()
                        "number \(number)".draw(at: Point(x: 5, y: 5), with: .system(ofSize: 20))
                    }
                    let file = try PDFFile(path: path)
                    let page = try #require(file.page(at: 0))
                    let first = try PopplerRasterizer().image(of: page, width: 400, height: 80).pngData()
                    for _ in 1...5 {
                        #expect(try PopplerRasterizer().image(of: page, width: 400, height: 80).pngData() == first)
                        await Task.yield()
                    }
                }
            }
            try await group.waitForAll()
        }
    }
}
