// Colours that flow into one another.

import CCairo
import FoundationEssentials

/// Colours at places between a start (0) and an end (1), as `CGGradient`.
///
///     let dusk = Gradient(colors: [.orange, .purple])
///     context.drawLinearGradient(dusk, from: .zero, to: Point(x: 0, y: 100))
public struct Gradient: Hashable, Sendable {
    /// A colour at a place.
    public struct Stop: Hashable, Sendable {
        /// The colour there.
        public var color: Color
        /// The place, from 0 at the start to 1 at the end.
        public var location: Double

        /// A colour at a place; a location beyond 0 and 1 is taken as the nearest of them.
        public init(color: Color, location: Double) {
            (self.color, self.location) = (color, clamped(location))
        }
    }

    /// The colours, in the order of their places.
    public var stops: [Stop]

    /// A gradient of stops; without any it draws nothing.
    public init(stops: [Stop]) { self.stops = stops }

    /// A gradient of colours, evenly spread.
    public init(colors: [Color]) {
        let last = Double(max(colors.count - 1, 1))
        stops = colors.enumerated().map { Stop(color: $1, location: Double($0) / last) }
    }

    /// How far a gradient's end colours reach (`CGGradientDrawingOptions`).
    public struct Extension: OptionSet, Hashable, Sendable {
        /// One bit an end.
        public let rawValue: Int

        /// The ends of the given bits.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// The first colour goes on before the start.
        public static let beforeStart = Extension(rawValue: 1)
        /// The last colour goes on after the end.
        public static let afterEnd = Extension(rawValue: 2)
    }
}

extension GraphicsContext {
    /// Fills the clip with a gradient between two points (`CGContextDrawLinearGradient`).
    ///
    /// Between points that are the same, or not finite, nothing is drawn.
    ///
    /// - Parameters:
    ///   - gradient: The colours.
    ///   - start: Where the first colour lies, in user space.
    ///   - end: Where the last colour lies.
    ///   - extending: Beyond which ends the colours go on; neither unless said.
    public func drawLinearGradient(
        _ gradient: Gradient, from start: Point, to end: Point, extending: Gradient.Extension = []
    ) {
        guard start.isFinite, end.isFinite, start != end else { return }
        draw(gradient, extending) {
            cairo_pattern_create_linear(bounded(start.x), bounded(start.y), bounded(end.x), bounded(end.y))
        }
    }

    /// Fills the clip with a gradient between two circles (`CGContextDrawRadialGradient`).
    ///
    /// With a radius below 0, or anything that is not finite, nothing is drawn.
    ///
    /// - Parameters:
    ///   - gradient: The colours.
    ///   - startCenter: The centre of the circle that has the first colour, in user space.
    ///   - startRadius: Its radius, in points.
    ///   - endCenter: The centre of the circle that has the last colour.
    ///   - endRadius: Its radius, in points.
    ///   - extending: Beyond which circle the colours go on; neither unless said.
    public func drawRadialGradient(
        _ gradient: Gradient, startCenter: Point, startRadius: Double, endCenter: Point, endRadius: Double,
        extending: Gradient.Extension = []
    ) {
        guard startCenter.isFinite, endCenter.isFinite, startRadius >= 0, endRadius >= 0, startRadius.isFinite,
            endRadius.isFinite
        else { return }
        draw(gradient, extending) {
            cairo_pattern_create_radial(
                bounded(startCenter.x), bounded(startCenter.y), bounded(startRadius), bounded(endCenter.x),
                bounded(endCenter.y), bounded(endRadius))
        }
    }

    private func draw(_ gradient: Gradient, _ extending: Gradient.Extension, _ make: () -> OpaquePointer?) {
        guard !gradient.stops.isEmpty, let pattern = make() else { return }
        defer { cairo_pattern_destroy(pattern) }
        gradient.addStops(to: pattern, extending: extending, alpha: state.alpha)
        render { cairo in
            cairo_set_source(cairo, pattern)
            cairo_paint(cairo)
        }
    }
}

extension Gradient {
    /// Cairo extends both ends or neither; one end alone is cut off by a stop that cannot be seen.
    fileprivate func addStops(to pattern: OpaquePointer, extending: Extension, alpha: Double) {
        func add(_ location: Double, _ color: Color, _ alpha: Double) {
            cairo_pattern_add_color_stop_rgba(pattern, location, color.red, color.green, color.blue, alpha)
        }
        let sorted = stops.enumerated().sorted { ($0.element.location, $0.offset) < ($1.element.location, $1.offset) }
            .map(\.element)
        guard let first = sorted.first, let last = sorted.last else { return }
        cairo_pattern_set_extend(pattern, extending.isEmpty ? CAIRO_EXTEND_NONE : CAIRO_EXTEND_PAD)
        if extending == .afterEnd { add(0, first.color, 0) }
        // Before the first stop its colour holds, and after the last one's, up to the gradient's ends.
        add(0, first.color, first.color.alpha * alpha)
        for stop in sorted { add(stop.location, stop.color, stop.color.alpha * alpha) }
        add(1, last.color, last.color.alpha * alpha)
        if extending == .beforeStart { add(1, last.color, 0) }
    }
}
