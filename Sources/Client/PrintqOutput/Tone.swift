// The colors of states on a terminal.

import PrintModel
package import SpoolerClient

/// The color of a text on a terminal.
package enum Tone: String, Sendable, Hashable, CaseIterable {
    /// A successful result, such as `completed`.
    case good = "32"
    /// Work in progress, such as `printing`.
    case active = "36"
    /// A state that continues only after an action of a person or at a certain time, such as `held` or `paused`.
    case attention = "33"
    /// A failure or a fault, such as `aborted` or `stopped`.
    case bad = "31"
    /// A final state that requires no attention, such as `canceled`.
    case dim = "2"

    /// Returns the text with the color, as an SGR sequence of ECMA-48.
    package func painted(_ text: String) -> String { "\u{1B}[\(rawValue)m\(text)\u{1B}[0m" }
}

extension JobView {
    /// The color of the job's state; nil for a waiting job.
    package var tone: Tone? {
        switch state {
        case .processing?: .active
        case .pendingHeld?: .attention
        case .processingStopped?, .aborted?: .bad
        case .canceled?: .dim
        case .completed?: reasons.contains("job-completed-with-warnings") ? .attention : .good
        case .pending?, nil: nil
        }
    }
}

extension PrinterView {
    /// The color of the printer's state.
    package var tone: Tone {
        switch phase {
        case .ready: .good
        case .printing: .active
        case .paused, .refusing: .attention
        case .offline, .stopped: .bad
        }
    }
}
