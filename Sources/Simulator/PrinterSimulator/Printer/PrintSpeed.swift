// The print speed of a simulated printer.

import FoundationEssentials

/// The print speed of a simulated printer, as a multiple of the reported speed.
///
/// In a printer file the speed is `"instant"`, or a factor such as `"×10"`, `"x10"` or `10`.
package enum PrintSpeed: Hashable, Sendable {
    case instant
    /// A speed that is this factor times the speed that the printer reports (pages per minute).
    case times(Double)

    package static let real = PrintSpeed.times(1)

    /// Parses a speed; nil if the text is invalid or the factor is not between 0.01 and 10,000.
    package init?(_ text: String) {
        if text == "instant" {
            self = .instant
            return
        }
        let digits = text.hasPrefix("×") || text.hasPrefix("x") ? text.dropFirst() : Substring(text)
        guard let factor = Double(digits), (0.01...10_000).contains(factor) else { return nil }
        self = .times(factor)
    }

    /// Returns the time for printing one side, at a reported speed in pages per minute.
    package func interval(pagesPerMinute: Int) -> Duration {
        switch self {
        case .instant: .zero
        case .times(let factor): .seconds(60 / (Double(max(1, pagesPerMinute)) * factor))
        }
    }
}
