// The state of a printer, as far as it explains the state of jobs.

package import IPP
package import PrintModel
package import SpoolerClient

/// The facts about a printer that explain why a job waits or has stopped.
package struct PrinterFacts: Sendable {
    package let name: String
    package let state: PrinterState
    /// The values of `printer-state-reasons`, without `none`.
    package let reasons: [String]
    /// The value of `printer-state-message`.
    package let message: String
    /// The default paper of the printer, for jobs that request no paper; nil if unknown.
    package let defaultMedia: String?

    /// The names of the printer attributes to request from printd.
    package static let attributeNames = [
        "printer-name", "printer-state", "printer-state-reasons", "printer-state-message", "media-default",
    ]

    /// Reads the state of a printer from its attributes.
    package init(_ group: AttributeGroup) {
        name = group.string("printer-name") ?? ""
        state = group.integer("printer-state").flatMap { PrinterState(rawValue: Int($0)) } ?? .idle
        reasons = group.keywords("printer-state-reasons").filter { $0 != "none" }
        message = (group.string("printer-state-message") ?? "").printable
        defaultMedia = group.string("media-default")
    }

    /// Returns the states of all printers, by printer name.
    package static func all(of spooler: Spooler) async throws(SpoolerClientError) -> [String: PrinterFacts] {
        let groups = try await spooler.ask(.cupsGetPrinters, requested: attributeNames).groups(.printer)
        return Dictionary(groups.map(PrinterFacts.init).map { ($0.name, $0) }) { first, _ in first }
    }

    /// Whether a person paused the printer.
    package var isPaused: Bool { reasons.contains("paused") || reasons.contains("moving-to-paused") }

    /// Whether the printer has stopped because of a problem that a person must solve.
    package var needsAttention: Bool { state == .stopped && !isPaused }

    /// Whether the printer does not respond to requests.
    package var isOffline: Bool { reasons.contains { $0.hasPrefix("offline") } }

    /// The state reason that prevents printing, without its severity, such as `media-empty`; nil if no state reason
    /// prevents printing.
    package var stopReason: String? {
        if isPaused { return "paused" }
        if isOffline { return "offline" }
        guard needsAttention else { return nil }
        let severities = ["-error", "-warning", "-report"]
        let stems = reasons.map { reason in
            severities.first(where: reason.hasSuffix).map { String(reason.dropLast($0.count)) } ?? reason
        }
        // Reasons with the severity "error" stop a printer (RFC 8011 §5.4.12).
        let errors = zip(reasons, stems).filter { !$0.0.hasSuffix("-report") && !$0.0.hasSuffix("-warning") }.map(\.1)
        return errors.first ?? stems.first ?? "stopped"
    }
}
