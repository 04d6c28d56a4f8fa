// How much faster than paper a simulated printer is.

import FoundationEssentials

/// How fast a simulated printer prints, as a multiple of the speed it claims.
///
/// In a printer's file: `"instant"`, or a factor as `"×10"`, `"x10"` or `10`.
package enum PrintSpeed: Hashable, Sendable {
    /// Without any wait.
    case instant
    /// That many times the printer's pages per minute.
    case times(Double)

    /// As fast as the printer it plays.
    package static let real = PrintSpeed.times(1)

    /// The speed of the given words; nil when they are none, or the factor is not between 0.01 and 10,000.
    package init?(_ text: String) {
        if text == "instant" {
            self = .instant
            return
        }
        let digits = text.hasPrefix("×") || text.hasPrefix("x") ? text.dropFirst() : Substring(text)
        guard let factor = Double(digits), (0.01...10_000).contains(factor) else { return nil }
        self = .times(factor)
    }

    /// How long one side takes at the given pages per minute.
    package func interval(pagesPerMinute: Int) -> Duration {
        switch self {
        case .instant: .zero
        case .times(let factor): .seconds(60 / (Double(max(1, pagesPerMinute)) * factor))
        }
    }
}
