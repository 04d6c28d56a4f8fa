// Draws page numbers, headers, watermarks and cut marks.

import FoundationEssentials
import Glibc
import PrintGraphics
import PrintModel

/// A text or mark that is drawn on an area of a side.
///
/// The area is in reading orientation.
///
/// PrintGraphics draws the text, which can be in any script.
struct OverlayDrawing: Hashable {
    /// The kinds of overlay drawings.
    enum Content: Hashable {
        /// A watermark: light gray text along the diagonal.
        case watermark(String)
        /// Lines of text at the edges of the area.
        case lines([Line])
        /// The crop marks of a poster sheet, with the row and column numbers of the sheet.
        case cutMarks(Poster, tile: Int)
    }

    /// A line of text at an edge of the area.
    struct Line: Hashable {
        let text: String
        let position: PageNumberPosition
    }

    let content: Content
    /// The size of the area, in points.
    let size: Size

    /// Writes a PDF with one page for each overlay drawing.
    static func write(_ drawings: [OverlayDrawing], to path: String) throws(WorkError) {
        do {
            try PDFContext.write(to: path) { pdf in
                for drawing in drawings {
                    pdf.beginPage(bounds: Rect(origin: .zero, size: drawing.size))
                    drawing.draw(in: pdf)
                }
            }
        } catch {
            throw WorkError(
                .writeFailed, "the page numbers, header, footer or watermark cannot be drawn; omit these options",
                detail: "\(error)")
        }
    }

    private func draw(in context: PDFContext) {
        switch content {
        case .watermark(let text): drawWatermark(text, in: context)
        case .lines(let lines): for line in lines { draw(line) }
        case .cutMarks(let poster, let tile): drawCutMarks(poster, tile: tile)
        }
    }

    /// Draws text along the diagonal from the lower left to the upper right, as large as possible.
    private func drawWatermark(_ text: String, in context: PDFContext) {
        let natural = text.size(with: .boldSystem(ofSize: 100))
        guard natural.width > 0, natural.height > 0 else { return }
        let diagonal = (size.width * size.width + size.height * size.height).squareRoot()
        let scale = min(0.75 * diagonal / natural.width, 0.3 * min(size.width, size.height) / natural.height)
        let font = Font.boldSystem(ofSize: max(1, 100 * scale))
        let drawn = text.size(with: font)
        context.translate(x: size.width / 2, y: size.height / 2)
        context.rotate(by: -atan2(size.height, size.width))
        Color(white: 0.85).setFill()
        text.draw(at: Point(x: -drawn.width / 2, y: -drawn.height / 2), with: font)
    }

    /// Draws a line of text at an edge, and truncates a line that is too long.
    private func draw(_ line: Line) {
        let shortest = min(size.width, size.height)
        // 8 mm from the edge and 9 points on common paper; less on labels.
        let inset = min(Length.millimeters(8).points, 0.06 * shortest)
        let font = Font.system(ofSize: max(3, min(9, shortest / 30)))
        let width = size.width - 2 * inset
        let drawn = line.text.size(with: font)
        let x =
            switch line.position {
            case .bottomLeft, .topLeft: inset
            case .bottomCenter, .topCenter: max(inset, (size.width - drawn.width) / 2)
            case .bottomRight, .topRight: max(inset, size.width - inset - drawn.width)
            }
        let isTop = [.topLeft, .topCenter, .topRight].contains(line.position)
        let y = isTop ? inset : size.height - inset - drawn.height
        Color.black.setFill()
        line.text.draw(
            in: Rect(x: x, y: y, width: min(width, drawn.width + 1), height: drawn.height + 1), with: font,
            lineBreakMode: .byTruncatingTail)
    }

    /// Draws crop marks: thin lines in the trim margin of a poster sheet.
    ///
    /// The inner ends of the lines mark the corners of the trimmed sheet.
    private func drawCutMarks(_ poster: Poster, tile: Int) {
        let upwards = poster.trim(ofTile: tile, onSheets: size)
        let trim = Rect(
            x: upwards.minX, y: size.height - upwards.maxY, width: upwards.width, height: upwards.height)
        var marks = BezierPath()
        marks.lineWidth = 0.25
        for (x, outerX) in [(trim.minX, 0), (trim.maxX, size.width)] {
            for (y, outerY) in [(trim.minY, 0), (trim.maxY, size.height)] {
                // A mark at the edge of the area is moved inside, so that it is not cut off.
                let (markX, markY) = (min(max(x, 0.5), size.width - 0.5), min(max(y, 0.5), size.height - 0.5))
                if x != outerX {
                    marks.move(to: Point(x: x, y: markY))
                    marks.addLine(to: Point(x: outerX, y: markY))
                }
                if y != outerY {
                    marks.move(to: Point(x: markX, y: y))
                    marks.addLine(to: Point(x: markX, y: outerY))
                }
            }
        }
        Color.black.setStroke()
        marks.stroke()
        drawLabel(poster, tile: tile, beside: trim)
    }

    /// Draws the row and column numbers of a poster sheet in the trim margin, if the margin is wide enough.
    private func drawLabel(_ poster: Poster, tile: Int, beside trim: Rect) {
        let (row, column) = poster.position(ofTile: tile)
        let text = "\(row + 1), \(column + 1)"
        let font = Font.system(ofSize: 6)
        let drawn = text.size(with: font)
        let strips = [
            Rect(x: trim.minX, y: trim.maxY, width: trim.width, height: size.height - trim.maxY),
            Rect(x: trim.minX, y: 0, width: trim.width, height: trim.minY),
            Rect(x: trim.maxX, y: trim.minY, width: size.width - trim.maxX, height: trim.height),
            Rect(x: 0, y: trim.minY, width: trim.minX, height: trim.height),
        ]
        guard let strip = strips.first(where: { $0.width > drawn.width + 2 && $0.height > drawn.height + 2 }) else {
            return
        }
        Color.black.setFill()
        text.draw(at: Point(x: strip.midX - drawn.width / 2, y: strip.midY - drawn.height / 2), with: font)
    }
}
