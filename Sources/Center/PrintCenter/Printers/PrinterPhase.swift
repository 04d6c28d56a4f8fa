// The state of a printer in one word.

import SpoolerClient

/// The state of a printer as one word for lists.
package enum PrinterPhase: String, Sendable, CaseIterable {
    /// A printer that waits for a job.
    case ready
    /// A printer that prints a job.
    case printing
    /// A printer for which the server prepares a job.
    case preparing
    /// A printer that a person paused.
    case paused
    /// A printer that stopped for an unknown reason.
    case stopped
    /// A printer that does not respond.
    case offline
    /// A printer that refuses new jobs.
    case refusing
    /// A printer that requires the attention of a person.
    case attention

    /// Returns the phase of a printer.
    ///
    /// - Parameters:
    ///   - reasons: The values of `printer-state-reasons`.
    ///   - isStopped: Whether `printer-state` is `stopped`.
    ///   - isProcessing: Whether `printer-state` is `processing`.
    ///   - isAccepting: Whether the printer accepts new jobs.
    ///   - isPreparing: Whether the printer's current job is being prepared.
    package static func of(
        reasons: [String], isStopped: Bool, isProcessing: Bool, isAccepting: Bool, isPreparing: Bool
    ) -> PrinterPhase {
        if reasons.contains("paused") || reasons.contains("moving-to-paused") { return .paused }
        let alerts = PrinterAlert.all(reasons: reasons, isStopped: isStopped)
        if alerts.contains(where: { ["offline", "shutdown"].contains($0.code) }) { return .offline }
        if alerts.contains(where: { $0.severity == .error }) { return .attention }
        if isStopped { return .stopped }
        if isPreparing { return .preparing }
        if isProcessing { return .printing }
        return isAccepting ? .ready : .refusing
    }
}
