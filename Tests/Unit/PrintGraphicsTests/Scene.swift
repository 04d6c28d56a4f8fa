// Compares drawings in bitmaps and in PDFs.

import FoundationEssentials
import PrintGraphics
import PrintRaster
import PrintTestSupport
import Testing

/// Expects a drawing to match a picture of letters.
///
/// Each letter stands for 10 × 10 points on white paper.
///
/// The function draws into a bitmap, and into a PDF that another program rasterizes. Both results must match.
///
/// - Parameter agreement: The fraction of pixels that may differ visibly between the bitmap and the PDF.
func expectScene(
    _ picture: String, agreement: Double = 0.01, line: Int = #line, fileID: String = #fileID,
    filePath: String = #filePath, _ draw: (GraphicsContext) -> Void
) throws {
    let rows = picture.split(separator: "\n")
    let size = Size(width: Double(rows[0].filter { $0 != " " }.count) * 10, height: Double(rows.count) * 10)

    let bitmap = try BitmapContext(size: size, isOpaque: true)
    bitmap.withSavedState { context in
        context.fillColor = .white
        context.fill(Rect(origin: .zero, size: size))
    }
    bitmap.draw { draw(bitmap) }
    let image = try bitmap.makeImage()
    expectPixels(ImageSheet(image: image), picture, fileID: fileID, filePath: filePath, line: line)

    let folder = try TemporaryFolder()
    try PDFContext.write(to: folder.path("scene.pdf"), bounds: Rect(origin: .zero, size: size)) { pdf in
        pdf.beginPage()
        draw(pdf)
    }
    let page = try PDFDocument(path: folder.path("scene.pdf")).render(page: 0, dpi: 72)
    expectPixels(PageSheet(bitmap: page), picture, fileID: fileID, filePath: filePath, line: line)
    let location = SourceLocation(fileID: fileID, filePath: filePath, line: line, column: 1)
    let differing = differingPixels(image, page)
    #expect(
        Double(differing) <= agreement * size.width * size.height, "\(differing) pixels differ",
        sourceLocation: location)
}

/// Returns the number of pixels in which a color component differs by more than a quarter of its range.
func differingPixels(_ image: Image, _ page: Bitmap) -> Int {
    guard image.pixelWidth == page.width, image.pixelHeight == page.height else { return .max }
    var count = 0
    for y in 0..<page.height {
        for x in 0..<page.width {
            let (a, b) = (image[x, y], page[x, y])
            func differ(_ one: UInt8, _ other: UInt8) -> Bool { abs(Int(one) - Int(other)) > 64 }
            if differ(a.red, b.red) || differ(a.green, b.green) || differ(a.blue, b.blue) { count += 1 }
        }
    }
    return count
}

/// Draws into an opaque white bitmap with a size in points.
func bitmap(_ width: Double, _ height: Double, scale: Double = 1, _ draw: (GraphicsContext) -> Void) throws -> Image {
    let context = try BitmapContext(size: Size(width: width, height: height), isOpaque: true, scale: scale)
    context.withSavedState { context in
        context.fillColor = .white
        context.fill(Rect(x: 0, y: 0, width: width, height: height))
    }
    context.draw { draw(context) }
    return try context.makeImage()
}

/// Returns a rectangle measured in cells of 10 × 10 points.
func cells(_ x: Double, _ y: Double, _ width: Double, _ height: Double) -> Rect {
    Rect(x: x * 10, y: y * 10, width: width * 10, height: height * 10)
}

extension GraphicsContext {
    /// Fills a rectangle measured in cells of 10 × 10 points.
    func fill(_ color: Color, _ x: Double, _ y: Double, _ width: Double, _ height: Double) {
        fillColor = color
        fill(cells(x, y, width, height))
    }
}

/// The pixels of an image on white paper.
struct ImageSheet: PixelSheet {
    var image: Image
    var width: Int { image.pixelWidth }
    var height: Int { image.pixelHeight }

    func rgb(x: Int, y: Int) -> (red: UInt8, green: UInt8, blue: UInt8) {
        let pixel = image[x, y]
        func over(_ value: UInt8) -> UInt8 {
            UInt8((Int(value) * Int(pixel.alpha) + 255 * (255 - Int(pixel.alpha))) / 255)
        }
        return (over(pixel.red), over(pixel.green), over(pixel.blue))
    }
}

/// The pixels of a page that poppler drew.
struct PageSheet: PixelSheet {
    var bitmap: Bitmap
    var width: Int { bitmap.width }
    var height: Int { bitmap.height }

    func rgb(x: Int, y: Int) -> (red: UInt8, green: UInt8, blue: UInt8) {
        let pixel = bitmap[x, y]
        return (pixel.red, pixel.green, pixel.blue)
    }
}

/// Expects an image to match a picture of letters.
func expectPixelsOf(
    _ image: Image, _ picture: String, line: Int = #line, fileID: String = #fileID, filePath: String = #filePath
) {
    expectPixels(ImageSheet(image: image), picture, fileID: fileID, filePath: filePath, line: line)
}

/// Expects a closure to throw an error with the given code.
func expectFailure(
    _ code: GraphicsError.Code, sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Void
) {
    let error = #expect(throws: GraphicsError.self, sourceLocation: sourceLocation) { try body() }
    #expect(error?.code == code, sourceLocation: sourceLocation)
}

extension Image {
    /// The pixel at a position of an image without damage.
    subscript(x: Int, y: Int) -> Pixel { try! pixel(x: x, y: y) }
}
