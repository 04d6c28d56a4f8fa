// Finds room for lines of text in a path.

import CCairo

/// The outline of a path, as straight edges that approximate the curves.
struct Outline {
    private var edges: [(from: Point, to: Point)] = []
    private let usesEvenOdd: Bool

    init(_ path: BezierPath) {
        usesEvenOdd = path.usesEvenOddFillRule
        let surface = cairo_image_surface_create(CAIRO_FORMAT_A8, 1, 1)
        defer { cairo_surface_destroy(surface) }
        guard let cairo = cairo_create(surface) else { return }
        defer { cairo_destroy(cairo) }
        path.trace(on: cairo)
        guard let flat = cairo_copy_path_flat(cairo) else { return }
        defer { cairo_path_destroy(flat) }
        read(flat.pointee)
    }

    private mutating func read(_ path: cairo_path_t) {
        var (start, current) = (Point.zero, Point.zero)
        var index = 0
        while index < Int(path.num_data) {
            let element = path.data[index]
            let end: Point? =
                element.header.length > 1
                ? Point(x: path.data[index + 1].point.x, y: path.data[index + 1].point.y) : nil
            if element.header.type == CAIRO_PATH_MOVE_TO, let end {
                if current != start { edges.append((current, start)) }
                start = end
            } else {
                edges.append((current, end ?? start))
            }
            current = end ?? start
            index += Int(element.header.length)
        }
        if current != start { edges.append((current, start)) }
    }

    /// Returns the widest horizontal span that fits into the path between two y coordinates.
    ///
    /// The span must be inside the path at the top, in the middle and at the bottom of the area between the
    /// coordinates. Returns `nil` if there is no such span.
    func span(from top: Double, to bottom: Double) -> ClosedRange<Double>? {
        let rows = [top + 1e-6, (top + bottom) / 2, bottom - 1e-6].map(spans(at:))
        var widest: ClosedRange<Double>?
        for first in rows[0] {
            for second in rows[1] where first.overlaps(second) {
                for third in rows[2] {
                    let left = max(first.lowerBound, second.lowerBound, third.lowerBound)
                    let right = min(first.upperBound, second.upperBound, third.upperBound)
                    guard left < right, right - left > (widest.map { $0.upperBound - $0.lowerBound } ?? 0) else {
                        continue
                    }
                    widest = left...right
                }
            }
        }
        return widest
    }

    /// Returns the spans of the horizontal line at `y` that are inside the path, from left to right.
    private func spans(at y: Double) -> [ClosedRange<Double>] {
        var crossings: [(x: Double, direction: Int)] = []
        for (from, to) in edges where (from.y <= y) != (to.y <= y) {
            let x = from.x + (y - from.y) / (to.y - from.y) * (to.x - from.x)
            crossings.append((x, to.y > from.y ? 1 : -1))
        }
        crossings.sort { $0.x < $1.x }
        var spans: [ClosedRange<Double>] = []
        var winding = 0
        for (index, crossing) in crossings.enumerated() {
            winding += crossing.direction
            let isInside = usesEvenOdd ? index % 2 == 0 : winding != 0
            if isInside, index + 1 < crossings.count { spans.append(crossing.x...crossings[index + 1].x) }
        }
        return spans
    }
}
