// Color gradients.

import CCairo
import FoundationEssentials

/// A sequence of colors at locations between a start (0) and an end (1) (`CGGradient`).
///
///     let dusk = Gradient(colors: [.orange, .purple])
///     context.drawLinearGradient(dusk, from: .zero, to: Point(x: 0, y: 100))
public struct Gradient: Hashable, Sendable {
    /// A color at a location.
    public struct Stop: Hashable, Sendable {
        /// The color at the location of the stop.
        public var color: Color
        /// The location, from 0 at the start to 1 at the end.
        public var location: Double

        /// Creates a stop.
        ///
        /// A location outside the range from 0 to 1 is clamped.
        public init(color: Color, location: Double) {
            (self.color, self.location) = (color, clamped(location))
        }
    }

    /// The stops, in any order.
    public var stops: [Stop]

    /// Creates a gradient from stops.
    ///
    /// A gradient without stops draws nothing.
    public init(stops: [Stop]) { self.stops = stops }

    /// Creates a gradient of evenly spaced colors.
    public init(colors: [Color]) {
        let last = Double(max(colors.count - 1, 1))
        stops = colors.enumerated().map { Stop(color: $1, location: Double($0) / last) }
    }

    /// The ends beyond which a gradient continues (`CGGradientDrawingOptions`).
    ///
    /// If the set contains an end, the area beyond this end has the color of the end.
    public struct Extension: OptionSet, Hashable, Sendable {
        /// The bit set, with one bit per end.
        public let rawValue: Int

        /// Creates a set of ends from a bit set.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// An extension of the first color before the start.
        public static let beforeStart = Extension(rawValue: 1)
        /// An extension of the last color after the end.
        public static let afterEnd = Extension(rawValue: 2)
    }
}

extension GraphicsContext {
    /// Fills the clip with a gradient between two points (`CGContextDrawLinearGradient`).
    ///
    /// Draws nothing if the points are equal or not finite.
    ///
    /// - Parameters:
    ///   - start: The position of the first color, in user space.
    ///   - end: The position of the last color.
    ///   - extending: The ends beyond which the area is filled with the color of the end; empty by default.
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
    /// Draws nothing if a radius is negative, or if a radius or coordinate is not finite.
    ///
    /// - Parameters:
    ///   - startCenter: The center of the circle with the first color, in user space.
    ///   - startRadius: The radius of the circle with the first color, in points.
    ///   - endCenter: The center of the circle with the last color.
    ///   - endRadius: The radius of the circle with the last color, in points.
    ///   - extending: The ends beyond which the area is filled with the color of the end; empty by default.
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
    // Cairo extends a gradient beyond both ends or neither. To extend one end, a transparent stop hides the other.
    fileprivate func addStops(to pattern: OpaquePointer, extending: Extension, alpha: Double) {
        func add(_ location: Double, _ color: Color, _ alpha: Double) {
            cairo_pattern_add_color_stop_rgba(pattern, location, color.red, color.green, color.blue, alpha)
        }
        let sorted = stops.enumerated().sorted { ($0.element.location, $0.offset) < ($1.element.location, $1.offset) }
            .map(\.element)
        guard let first = sorted.first, let last = sorted.last else { return }
        cairo_pattern_set_extend(pattern, extending.isEmpty ? CAIRO_EXTEND_NONE : CAIRO_EXTEND_PAD)
        if extending == .afterEnd { add(0, first.color, 0) }
        // The first color applies from 0, and the last color applies until 1.
        add(0, first.color, first.color.alpha * alpha)
        for stop in sorted { add(stop.location, stop.color, stop.color.alpha * alpha) }
        add(1, last.color, last.color.alpha * alpha)
        if extending == .beforeStart { add(1, last.color, 0) }
    }
}
