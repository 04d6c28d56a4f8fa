// What makes a printer stop until someone sees to it.

import PrintModel

/// What makes a printer stop at the next side until it is seen to.
///
/// A condition shows in `printer-state-reasons` (RFC 8011 §5.4.12) with its severity: `media-empty-error`.
package struct StopCondition: Hashable, Sendable {
    /// IPP's keyword, without severity: `media-empty`, `media-jam`, `cover-open`.
    package var reason: String
    /// What is wrong and what to do about it, in words.
    package var message: String

    /// A condition.
    package init(reason: String, message: String) {
        self.reason = reason
        self.message = message
    }

    /// The keyword with its severity, as printers show it.
    package var keyword: String { reason == "paused" ? reason : reason + "-error" }

    /// A sheet is stuck.
    package static let mediaJam = StopCondition(reason: "media-jam", message: "Paper jam; clear it")
    /// A cover is open.
    package static let coverOpen = StopCondition(reason: "cover-open", message: "A cover is open; close it")

    static let paused = StopCondition(reason: "paused", message: "Paused")

    /// What is written of a job finds no room (RFC 8011 §5.4.12).
    static func spoolAreaFull(_ words: String) -> StopCondition {
        StopCondition(reason: "spool-area-full", message: words)
    }

    static func mediaEmpty(tray: String) -> StopCondition {
        StopCondition(reason: "media-empty", message: "Tray '\(tray)' is empty; load paper")
    }

    /// - Parameter wrong: the tray that should have the paper, and what is in it instead.
    static func mediaNeeded(_ paper: PrintPaper, wrong: (tray: String, media: Media)? = nil) -> StopCondition {
        let type = paper.type.map { " (\($0))" } ?? ""
        let wanted = "\(paper.media.localizedName)\(type)"
        return StopCondition(
            reason: "media-needed",
            message: wrong.map { "Tray '\($0.tray)' holds \($0.media.localizedName); load \(wanted)" }
                ?? "No tray has \(wanted); load it")
    }

    static func supplyEmpty(_ name: String, isToner: Bool) -> StopCondition {
        StopCondition(reason: isToner ? "toner-empty" : "marker-supply-empty", message: "\(name) is empty; replace it")
    }
}
