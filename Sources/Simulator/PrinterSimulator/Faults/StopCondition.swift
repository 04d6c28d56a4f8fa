// The conditions that stop a printer until a person resolves them.

import PrintModel

/// A condition that stops a printer at the next side until the condition is resolved.
///
/// `printer-state-reasons` contains the condition with the severity, such as `media-empty-error` (RFC 8011 §5.4.12).
struct StopCondition: Hashable, Sendable {
    /// The IPP keyword without the severity, such as `media-empty`, `media-jam` or `cover-open`.
    var reason: String
    var message: String

    /// The keyword with the severity, as in `printer-state-reasons`.
    var keyword: String { reason == "paused" ? reason : reason + "-error" }

    static let paused = StopCondition(reason: "paused", message: "Paused")

    /// Returns the stop condition for a disk that has no space for the files of a job (RFC 8011 §5.4.12).
    static func spoolAreaFull(_ problem: String) -> StopCondition {
        StopCondition(reason: "spool-area-full", message: problem)
    }

    static func mediaEmpty(tray: String) -> StopCondition {
        StopCondition(reason: "media-empty", message: "Tray '\(tray)' is empty; load paper")
    }

    /// - Parameter wrong: The tray that was expected to contain the paper, and the actual size in this tray.
    static func mediaNeeded(_ paper: PrintPaper, wrong: (tray: String, media: Media)? = nil) -> StopCondition {
        let type = paper.type.map { " (\($0))" } ?? ""
        let wanted = "\(paper.media.localizedName)\(type)"
        return StopCondition(
            reason: "media-needed",
            message: wrong.map { "Tray '\($0.tray)' holds \($0.media.localizedName); load \(wanted)" }
                ?? "No tray has \(wanted); load \(wanted)")
    }

    static func supplyEmpty(_ name: String, isToner: Bool) -> StopCondition {
        StopCondition(
            reason: isToner ? "toner-empty" : "marker-supply-empty", message: "\(name) is empty; replace the supply")
    }
}
