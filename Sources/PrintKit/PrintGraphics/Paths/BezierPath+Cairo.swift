// Converts paths to cairo paths.

import CCairo

extension BezierPath {
    func trace(on cairo: OpaquePointer) {
        cairo_new_path(cairo)
        var current = Point.zero
        var start = Point.zero
        for element in elements {
            switch element {
            case .move(let point):
                cairo_move_to(cairo, bounded(point.x), bounded(point.y))
                start = point
            case .line(let point):
                cairo_line_to(cairo, bounded(point.x), bounded(point.y))
            case .quadCurve(let point, let control):
                cairo_curve_to(
                    cairo, bounded(current.x + (control.x - current.x) * 2 / 3),
                    bounded(current.y + (control.y - current.y) * 2 / 3),
                    bounded(point.x + (control.x - point.x) * 2 / 3),
                    bounded(point.y + (control.y - point.y) * 2 / 3), bounded(point.x), bounded(point.y))
            case .curve(let point, let one, let two):
                cairo_curve_to(
                    cairo, bounded(one.x), bounded(one.y), bounded(two.x), bounded(two.y), bounded(point.x),
                    bounded(point.y))
            case .close:
                cairo_close_path(cairo)
            }
            current = element.end ?? start
        }
    }

    var fillRule: cairo_fill_rule_t { usesEvenOddFillRule ? CAIRO_FILL_RULE_EVEN_ODD : CAIRO_FILL_RULE_WINDING }
}

/// Returns a coordinate, clamped to the range of cairo's 24.8 fixed-point numbers.
///
/// Larger numbers would overflow.
func bounded(_ coordinate: Double) -> Double { max(-4e6, min(coordinate, 4e6)) }

/// A one-pixel surface for hit tests with cairo.
///
/// Nothing is drawn on this surface.
enum ScratchCanvas {
    static func isInFill(of path: BezierPath, at point: Point) -> Bool {
        with(path) { cairo in
            cairo_set_fill_rule(cairo, path.fillRule)
            return cairo_in_fill(cairo, bounded(point.x), bounded(point.y)) != 0
        }
    }

    static func isInStroke(of path: BezierPath, at point: Point) -> Bool {
        with(path) { cairo in
            path.line.apply(to: cairo, hairline: 1)
            return cairo_in_stroke(cairo, bounded(point.x), bounded(point.y)) != 0
        }
    }

    private static func with(_ path: BezierPath, _ body: (OpaquePointer) -> Bool) -> Bool {
        let surface = cairo_image_surface_create(CAIRO_FORMAT_A8, 1, 1)
        defer { cairo_surface_destroy(surface) }
        guard let cairo = cairo_create(surface) else { return false }
        defer { cairo_destroy(cairo) }
        cairo_set_tolerance(cairo, 0.01)
        path.trace(on: cairo)
        return body(cairo)
    }
}
