// Draws the pictures of the PrintKit documentation. They show the rectangles of a page renderer.

import PrintKit

/// A program that writes the pictures to a folder: `PrintingPictures FOLDER`.
@main
struct PrintingPictures {
    static func main() throws {
        guard CommandLine.arguments.count == 2 else { return print("usage: PrintingPictures FOLDER") }
        let bitmap = try BitmapContext(size: Size(width: 640, height: 400), isOpaque: true, scale: 2)
        bitmap.fillColor = .white
        bitmap.fill(Rect(x: 0, y: 0, width: 640, height: 400))
        try bitmap.draw { () throws in try layout(on: bitmap) }
        // DocC derives the scale from the file name.
        try bitmap.makeImage().writePNG(to: "\(CommandLine.arguments[1])/layout@2x.png")
    }

    /// Draws two pages of a formatter with header and footer.
    static func layout(on context: GraphicsContext) throws {
        let renderer = LayoutRenderer()
        let formatter = Area()
        formatter.contentInsets = EdgeInsets(top: 64, left: 20, bottom: 0, right: 36)
        (renderer.headerHeight, renderer.footerHeight) = (40, 32)
        renderer.use(
            PrintPaper(
                media: .custom(width: .millimeters(100), height: .millimeters(130)), margins: .all(.millimeters(11))))
        renderer.addPrintFormatter(formatter, startingAtPageAt: 0)
        for index in 0..<renderer.numberOfPages {
            try context.withSavedState { context throws in
                context.translate(x: 16 + 316 * Double(index), y: 12)
                try renderer.drawPage(at: index, in: renderer.printableRect)
            }
        }
    }
}

/// A renderer that draws the rectangles of its draw methods.
private final class LayoutRenderer: PrintPageRenderer {
    override func drawPage(at index: Int, in printableRect: Rect) throws {
        show(paperRect, Color(white: 0.98), "paperRect", at: 2)
        show(printableRect, .white, index == 0 ? "printableRect" : "", at: -12)
        try super.drawPage(at: index, in: printableRect)
    }

    override func drawHeaderForPage(at index: Int, in rect: Rect) {
        show(rect, Color(red: 0.8, green: 0.88, blue: 1), "header: headerHeight", at: 4)
    }

    override func drawContentForPage(at index: Int, in rect: Rect) {
        show(rect, Color(red: 1, green: 0.96, blue: 0.8), index == 0 ? "content area" : "", at: 4)
    }

    override func drawPrintFormatter(_ formatter: PrintFormatter, forPageAt index: Int) throws {
        try super.drawPrintFormatter(formatter, forPageAt: index)
        let rect = formatter.rectForPage(at: index)
        show(rect, Color(red: 0.82, green: 0.94, blue: 0.8), "formatter, page \(index)", at: 4)
        let content = pageLayout.contentRect
        arrow(from: Point(x: content.minX, y: rect.midY), to: Point(x: rect.minX, y: rect.midY), "left")
        arrow(from: Point(x: rect.maxX, y: rect.midY), to: Point(x: content.maxX, y: rect.midY), "right")
        guard index == 0 else { return }
        arrow(from: Point(x: rect.midX, y: content.minY), to: Point(x: rect.midX, y: rect.minY), "contentInsets.top")
    }

    override func drawFooterForPage(at index: Int, in rect: Rect) {
        show(rect, Color(red: 0.8, green: 0.88, blue: 1), "footer: footerHeight", at: 4)
    }

    private func show(_ rect: Rect, _ color: Color, _ name: String, at distance: Double) {
        GraphicsContext.current?.withSavedState { context in
            context.fillColor = color
            context.fill(rect)
            context.strokeColor = .gray
            context.lineWidth = 0.75
            context.stroke(rect)
            context.fillColor = .black
            name.draw(at: Point(x: rect.minX + 4, y: rect.minY + distance), with: .system(ofSize: 9))
        }
    }

    private func arrow(from start: Point, to end: Point, _ name: String) {
        GraphicsContext.current?.withSavedState { context in
            context.strokeColor = .red
            context.fillColor = .red
            var path = BezierPath()
            path.move(to: start)
            path.addLine(to: end)
            path.stroke()
            let isUpright = start.x == end.x
            for point in [start, end] {
                context.fillEllipse(in: Rect(x: point.x - 1.5, y: point.y - 1.5, width: 3, height: 3))
            }
            let place =
                isUpright
                ? Point(x: end.x + 4, y: (start.y + end.y) / 2 - 4) : Point(x: min(start.x, end.x), y: end.y + 3)
            name.draw(at: place, with: .system(ofSize: 8))
        }
    }
}

/// A formatter with two empty pages.
private final class Area: PrintFormatter {
    override func layOut(on pages: FormatterPages) throws -> Int { 2 }
}
