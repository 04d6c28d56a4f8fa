// How lines end, meet and are broken, and how they are drawn.

import CCairo

/// How the ends of an open line look (`CGLineCap`).
public enum LineCap: Hashable, Sendable, CaseIterable {
    /// Cut off at the end point.
    case butt
    /// A half circle around the end point.
    case round
    /// Half a square beyond the end point.
    case square
}

/// How two pieces of a line meet (`CGLineJoin`).
public enum LineJoin: Hashable, Sendable, CaseIterable {
    /// A sharp corner, up to the miter limit.
    case miter
    /// A rounded corner.
    case round
    /// A corner that is cut off.
    case bevel
}

/// A pattern of strokes and gaps along a line, in points (`CGContextSetLineDash`).
public struct LineDash: Hashable, Sendable {
    /// The lengths of stroke, gap, stroke, gap …; repeated along the line.
    public var lengths: [Double]
    /// Where in the pattern the line begins.
    public var phase: Double

    /// A pattern of the given lengths.
    ///
    /// A pattern in which a length is negative or not finite, or all are 0, makes the line solid.
    public init(lengths: [Double], phase: Double = 0) {
        (self.lengths, self.phase) = (lengths, phase)
    }

    /// An unbroken line.
    public static let solid = LineDash(lengths: [])

    /// Whether there is anything to break the line by.
    var isUsable: Bool {
        lengths.allSatisfy { $0 >= 0 && $0.isFinite } && lengths.contains { $0 > 0 } && phase.isFinite
    }
}

/// How colours outside of what a device can show would be brought in (`CGColorRenderingIntent`).
///
/// It is part of the saved state; all that is made here is sRGB, so that it changes nothing.
public enum RenderingIntent: Hashable, Sendable, CaseIterable {
    /// What the context does by itself.
    case `default`
    /// Colours stay, those outside are clipped.
    case absoluteColorimetric
    /// Colours are shifted by the paper's white.
    case relativeColorimetric
    /// The relations between colours stay.
    case perceptual
    /// Colours stay strong.
    case saturation
}

/// What a stroke looks like.
struct LineAttributes: Hashable, Sendable {
    var width = 1.0
    var cap = LineCap.butt
    var join = LineJoin.miter
    var miterLimit = 10.0
    var dash = LineDash.solid

    /// Sets them on a cairo context; a width of 0 becomes `hairline`.
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
