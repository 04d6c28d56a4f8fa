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

/// Draws a PDF page as an image in the width of a view (listing 5-2).
func pageImage(to path: String) throws {
    let pdf = "\(path).pdf"
    try pentagon(to: pdf)
    guard let page = try PDFFile(path: pdf).page(at: 0) else { return }
    let frame = Rect(x: 0, y: 0, width: 110, height: 80)

    var pageRect = Rect(origin: .zero, size: page.size)
    let scale = frame.width / pageRect.width
    pageRect.size = Size(width: pageRect.width * scale, height: pageRect.height * scale)
    let context = try BitmapContext(size: pageRect.size, isOpaque: true, scale: scale, origin: .lowerLeft)
    context.pdfRasterizer = PopplerRasterizer()
    // First the white background.
    context.fillColor = Color(red: 1, green: 1, blue: 1)
    context.fill(pageRect)
    context.saveState()
    // PrintGraphics draws pages upright where y grows downwards, so the lower-left context is flipped.
    context.translate(x: 0, y: pageRect.height)
    context.scale(x: 1, y: -1)
    // The page is drawn in its own size, in a context that is scaled.
    context.scale(x: scale, y: scale)
    context.draw(page, in: Rect(origin: .zero, size: page.size))
    context.restoreState()
    try context.makeImage().writePNG(to: path)
}
