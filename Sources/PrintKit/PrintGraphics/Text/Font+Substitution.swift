// Fonts that are used instead of others.

extension Font {
    /// A font that is used because the one that was asked for is not installed.
    public struct Substitution: Hashable, Sendable, CustomStringConvertible {
        /// The family that was asked for.
        public let requested: String
        /// The family that is used.
        public let used: String
        /// Whether the letters of both have the same widths, as fontconfig says, so that lines break where they should.
        public let hasSameMetrics: Bool

        init(requested: String, used: String, hasSameMetrics: Bool) {
            (self.requested, self.used, self.hasSameMetrics) = (requested, used, hasSameMetrics)
        }

        /// What is used and what to do about it, in words.
        public var description: String {
            let widths = hasSameMetrics ? "the same widths" : "other widths; install it, or choose an installed font"
            return "the font '\(requested)' is not installed; '\(used)' is used, whose letters have \(widths)"
        }
    }

    /// What is used instead of the font's family; nil when the family is installed, or when it names a kind of font (`serif`).
    public var substitution: Substitution? {
        let engine = TextEngine.ofThisThread
        return engine.lock.withLock { engine.metrics(of: self).substitution }
    }
}

extension GraphicsContext {
    /// Notes that text in a font is drawn, so that `fontSubstitutions` can tell of it.
    func note(_ font: Font) {
        guard font != lastFont else { return }
        lastFont = font
        guard let substitution = font.substitution, !fontSubstitutions.contains(substitution) else { return }
        fontSubstitutions.append(substitution)
    }
}
