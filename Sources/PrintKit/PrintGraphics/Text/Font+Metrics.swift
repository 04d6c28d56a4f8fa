// Font metrics.

import CCairo
import FoundationEssentials

extension Font {
    /// The maximum height above the baseline, in points.
    public var ascender: Double { metrics.ascent }
    /// The maximum depth below the baseline, in points.
    ///
    /// The value is negative, as in `UIFont`.
    public var descender: Double { -metrics.descent }
    /// The additional space between lines that the font recommends, in points.
    public var leading: Double { max(0, metrics.height - metrics.ascent - metrics.descent) }
    /// The distance between baselines, in points.
    public var lineHeight: Double { metrics.ascent + metrics.descent + leading }
    /// The height of capital letters, in points.
    public var capHeight: Double { metrics.capHeight }
    /// The height of lowercase letters without ascenders, in points.
    public var xHeight: Double { metrics.xHeight }
    /// The position of the middle of an underline, in points.
    ///
    /// The value is negative, because an underline lies below the baseline.
    public var underlinePosition: Double { metrics.underlinePosition }
    /// The thickness of an underline, in points.
    public var underlineThickness: Double { metrics.underlineThickness }

    /// The family of the installed font that is used for this font.
    public var resolvedFamily: String { metrics.family }

    /// The names of all installed font families, sorted.
    public static var families: [String] {
        let engine = TextEngine.ofThisThread
        return engine.lock.withLock { engine.families }
    }

    private var metrics: FontMetrics {
        let engine = TextEngine.ofThisThread
        return engine.lock.withLock { engine.metrics(of: self) }
    }
}

/// The metrics of a font, in points.
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
