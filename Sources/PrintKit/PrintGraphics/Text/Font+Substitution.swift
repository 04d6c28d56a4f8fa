// Font substitutions.

extension Font {
    /// The replacement of a font that is not installed.
    public struct Substitution: Hashable, Sendable, CustomStringConvertible {
        /// The font family that was requested.
        public let requested: String
        /// The font family that is used instead of the requested family.
        public let used: String
        /// Whether the two families have the same glyph widths according to fontconfig, so that line breaks do not
        /// change.
        public let hasSameMetrics: Bool

        init(requested: String, used: String, hasSameMetrics: Bool) {
            (self.requested, self.used, self.hasSameMetrics) = (requested, used, hasSameMetrics)
        }

        /// A message for people with the names of the two families.
        public var description: String {
            let widths = hasSameMetrics ? "the same glyph widths" : "different glyph widths; install the font"
            return "font '\(requested)' is not installed; using '\(used)', which has \(widths)"
        }
    }

    /// The replacement of the font's family; `nil` if the family is installed or generic (`serif`).
    public var substitution: Substitution? {
        let engine = TextEngine.ofThisThread
        return engine.lock.withLock { engine.metrics(of: self).substitution }
    }
}

extension GraphicsContext {
    /// Records that text was drawn in a font.
    ///
    /// If another font replaces this font, the method adds the replacement to `fontSubstitutions`.
    func note(_ font: Font) {
        guard font != lastFont else { return }
        lastFont = font
        guard let substitution = font.substitution, !fontSubstitutions.contains(substitution) else { return }
        fontSubstitutions.append(substitution)
    }
}
