// How large a font's letters are.

import CCairo
import FoundationEssentials

extension Font {
    /// How far letters reach above the baseline, in points.
    public var ascender: Double { metrics.ascent }
    /// How far letters reach below the baseline: a negative number of points, as in `UIFont`.
    public var descender: Double { -metrics.descent }
    /// The space that the font wants between lines, in points.
    public var leading: Double { max(0, metrics.height - metrics.ascent - metrics.descent) }
    /// The distance from baseline to baseline, in points.
    public var lineHeight: Double { metrics.ascent + metrics.descent + leading }
    /// How high capital letters are, in points.
    public var capHeight: Double { metrics.capHeight }
    /// How high small letters without ascenders are, in points.
    public var xHeight: Double { metrics.xHeight }
    /// Where an underline's middle lies: a negative number of points below the baseline.
    public var underlinePosition: Double { metrics.underlinePosition }
    /// How thick an underline is, in points.
    public var underlineThickness: Double { metrics.underlineThickness }

    /// The family of the font that was found for this one.
    public var resolvedFamily: String { metrics.family }

    /// The names of all families installed, sorted.
    public static var families: [String] {
        let engine = TextEngine.ofThisThread
        return engine.lock.withLock { engine.families }
    }

    private var metrics: FontMetrics {
        let engine = TextEngine.ofThisThread
        return engine.lock.withLock { engine.metrics(of: self) }
    }
}

/// What is asked of a font, in points.
struct FontMetrics {
    var ascent = 0.0
    var descent = 0.0
    var height = 0.0
    var capHeight = 0.0
    var xHeight = 0.0
    var underlinePosition = 0.0
    var underlineThickness = 0.0
    var family = ""
    var substitution: Font.Substitution?
}
