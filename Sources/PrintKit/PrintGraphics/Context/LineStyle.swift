// Line caps, joins, dashes and other stroke attributes.

import CCairo

/// The shape of the ends of an open line (`CGLineCap`).
public enum LineCap: Hashable, Sendable, CaseIterable {
    /// A straight edge at the end point.
    case butt
    /// A half circle around the end point.
    case round
    /// A straight edge beyond the end point, at a distance of half the line width.
    case square
}

/// The shape of the corner between two line segments (`CGLineJoin`).
public enum LineJoin: Hashable, Sendable, CaseIterable {
    /// A sharp corner, up to the miter limit.
    case miter
    /// A corner with the radius of half the line width.
    case round
    /// A corner without its tip: a straight edge between the outer ends of both lines.
    case bevel
}

/// A pattern of strokes and gaps along a line, in points (`CGContextSetLineDash`).
public struct LineDash: Hashable, Sendable {
    /// The lengths of stroke, gap, stroke, gap and so on, in points.
    ///
    /// The sequence repeats along the line.
    public var lengths: [Double]
    /// The position in the pattern at which the line begins, in points.
    public var phase: Double

    /// Creates a dash pattern.
    ///
    /// The line is solid if a length is negative, if a length or the phase is not finite, or if all lengths are 0.
    public init(lengths: [Double], phase: Double = 0) {
        (self.lengths, self.phase) = (lengths, phase)
    }

    /// A line without gaps.
    public static let solid = LineDash(lengths: [])

    var isUsable: Bool {
        lengths.allSatisfy { $0 >= 0 && $0.isFinite } && lengths.contains { $0 > 0 } && phase.isFinite
    }
}

/// The handling of colors that a device cannot reproduce (`CGColorRenderingIntent`).
///
/// The rendering intent is part of the saved state. The intent has no effect, because all output is sRGB.
public enum RenderingIntent: Hashable, Sendable, CaseIterable {
    /// The default rendering intent of the context.
    case `default`
    /// An intent that keeps colors inside the gamut unchanged, and clips other colors to the gamut.
    case absoluteColorimetric
    /// An intent that shifts colors by the white point of the paper.
    case relativeColorimetric
    /// An intent that adapts all colors so that the relations between the colors are kept.
    case perceptual
    /// An intent that keeps colors as saturated as possible.
    case saturation
}

struct LineAttributes: Hashable, Sendable {
    var width = 1.0
    var cap = LineCap.butt
    var join = LineJoin.miter
    var miterLimit = 10.0
    var dash = LineDash.solid

    /// A width of 0 becomes `hairline`.
    func apply(to cairo: OpaquePointer, hairline: Double) {
        cairo_set_line_width(cairo, width > 0 && width.isFinite ? width : hairline)
        cairo_set_line_cap(cairo, cap.cairo)
        cairo_set_line_join(cairo, join.cairo)
        cairo_set_miter_limit(cairo, miterLimit >= 1 ? min(miterLimit, 1e6) : 1)
        if dash.isUsable {
            cairo_set_dash(cairo, dash.lengths, Int32(dash.lengths.count), dash.phase)
        } else {
            cairo_set_dash(cairo, nil, 0, 0)
        }
    }
}

extension LineCap {
    fileprivate var cairo: cairo_line_cap_t {
        switch self {
        case .butt: CAIRO_LINE_CAP_BUTT
        case .round: CAIRO_LINE_CAP_ROUND
        case .square: CAIRO_LINE_CAP_SQUARE
        }
    }
}

extension LineJoin {
    fileprivate var cairo: cairo_line_join_t {
        switch self {
        case .miter: CAIRO_LINE_JOIN_MITER
        case .round: CAIRO_LINE_JOIN_ROUND
        case .bevel: CAIRO_LINE_JOIN_BEVEL
        }
    }
}
