// Rulers that show the edges of the paper and of the printable area.

import PrintGraphics

/// Millimeter rulers along the edges of the printable area, and from each edge of the paper inward.
///
/// The frame shows the printable area that the printer reports. The scale at each edge begins with 0 at the edge of the
/// paper. The first visible mark of a scale shows the actual margin of the printer.
struct TestRulers {
    let paper: Rect
    let printable: Rect

    private static let millimeter = 72 / 25.4

    /// The depth of the rulers inside the printable area, in points.
    var depth: Double { isTiny ? 4 : isSmall ? 9 : 15 }
    private var isTiny: Bool { min(paper.width, paper.height) < 72 }
    private var isSmall: Bool { min(paper.width, paper.height) < 200 }
    private var font: Font { .system(ofSize: isSmall ? 3.2 : 5) }

    func draw() {
        Color.black.set()
        stroke(BezierPath(rect: printable), width: 0.3)
        ruler(length: printable.width) { mark, size in
            line(from: Point(x: printable.minX + mark, y: printable.minY), dx: 0, dy: size)
            line(from: Point(x: printable.minX + mark, y: printable.maxY), dx: 0, dy: -size)
        } label: { mark, text, size in
            draw(text, centeredAt: Point(x: printable.minX + mark, y: printable.minY + size + font.size * 0.7))
        }
        ruler(length: printable.height) { mark, size in
            line(from: Point(x: printable.minX, y: printable.minY + mark), dx: size, dy: 0)
            line(from: Point(x: printable.maxX, y: printable.minY + mark), dx: -size, dy: 0)
        } label: { mark, text, size in
            draw(text, centeredAt: Point(x: printable.minX + size + font.size * 0.8, y: printable.minY + mark))
        }
        edges()
    }

    /// Draws a mark for each millimeter.
    ///
    /// Marks at multiples of 5 mm are longer, and marks at multiples of 10 mm have a number.
    private func ruler(
        length: Double, mark: (Double, Double) -> Void, label: (Double, String, Double) -> Void
    ) {
        let unit = isTiny ? 0.4 : isSmall ? 0.55 : 1.0
        for millimeters in 1..<max(1, Int(length / Self.millimeter)) + 1 {
            let place = Double(millimeters) * Self.millimeter
            let size = (millimeters.isMultiple(of: 10) ? 8.0 : millimeters.isMultiple(of: 5) ? 5.5 : 3) * unit
            mark(place, size)
            // A number at the end would overlap the adjacent ruler.
            if !isTiny, millimeters.isMultiple(of: 10), length - place > 3 * Self.millimeter {
                label(place, "\(millimeters)", size)
            }
        }
    }

    private func edges() {
        let reach = min(15, Int(min(paper.width, paper.height) / Self.millimeter / 6))
        for millimeters in 0...reach {
            let place = Double(millimeters) * Self.millimeter
            let half = millimeters.isMultiple(of: 5) ? 5.0 : 2.5
            let size = half * (isSmall ? 0.55 : 1)
            // At three quarters of the edge, so that the scales do not overlap the title.
            let (x, y) = (paper.minX + paper.width * 0.75, paper.minY + paper.height * 0.75)
            line(from: Point(x: x - size, y: paper.minY + place), dx: 2 * size, dy: 0)
            line(from: Point(x: x - size, y: paper.maxY - place), dx: 2 * size, dy: 0)
            line(from: Point(x: paper.minX + place, y: y - size), dx: 0, dy: 2 * size)
            line(from: Point(x: paper.maxX - place, y: y - size), dx: 0, dy: 2 * size)
        }
        let whole = Double(reach) * Self.millimeter
        line(from: Point(x: paper.minX + paper.width * 0.75, y: paper.minY), dx: 0, dy: whole)
        line(from: Point(x: paper.minX + paper.width * 0.75, y: paper.maxY), dx: 0, dy: -whole)
        line(from: Point(x: paper.minX, y: paper.minY + paper.height * 0.75), dx: whole, dy: 0)
        line(from: Point(x: paper.maxX, y: paper.minY + paper.height * 0.75), dx: -whole, dy: 0)
    }

    private func line(from point: Point, dx: Double, dy: Double) {
        var path = BezierPath()
        path.move(to: point)
        path.addLine(to: Point(x: point.x + dx, y: point.y + dy))
        stroke(path, width: 0.25)
    }

    private func stroke(_ path: BezierPath, width: Double) {
        var path = path
        path.lineWidth = width
        path.stroke()
    }

    private func draw(_ text: String, centeredAt center: Point) {
        let size = text.size(with: font)
        text.draw(at: Point(x: center.x - size.width / 2, y: center.y - size.height / 2), with: font)
    }
}
