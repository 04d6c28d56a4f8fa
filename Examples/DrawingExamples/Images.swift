// Listings 5-1 and 5-2: drawing into pixels.

import PDFRendering
import PrintGraphics

/// Draws a thumbnail in a bitmap context (listing 5-1).
func thumbnail(to path: String) throws {
    let large = try BitmapContext(size: Size(width: 400, height: 300))
    large.draw {
        Color.yellow.setFill()
        BezierPath(rect: Rect(x: 0, y: 0, width: 400, height: 300)).fill()
        Color.blue.setFill()
        BezierPath(ovalIn: Rect(x: 100, y: 50, width: 200, height: 200)).fill()
    }
    let photo = try large.makeImage()

    let small = try BitmapContext(size: Size(width: 40, height: 30))
    small.draw { photo.draw(in: Rect(x: 0, y: 0, width: 40, height: 30)) }
    try small.makeImage().writePNG(to: path)
}

/// Draws a PDF page as an image: white paper, then the scaled page (listing 5-2).
func pageImage(to path: String) throws {
    let pdf = "\(path).pdf"
    try filledOval(to: pdf)
    guard let page = try PDFFile(path: pdf).page(at: 0) else { return }

    let size = Size(width: 150, height: 100)
    let bitmap = try BitmapContext(size: size, isOpaque: true)
    bitmap.pdfRasterizer = PopplerRasterizer()
    bitmap.fillColor = .white
    bitmap.fill(Rect(origin: .zero, size: size))
    bitmap.draw(page, in: Rect(origin: .zero, size: size))
    try bitmap.makeImage().writePNG(to: path)
}
