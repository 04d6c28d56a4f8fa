// The events of a subscription.

package import PrintModel

/// A filter that selects the events of a subscription (`notify-events`, RFC 3995 §5.3.3).
package struct EventFilter: Hashable, Sendable {
    package var keywords: [String]
    /// The printer whose events are included, or `nil` for all printers.
    package var printer: String?
    /// The jobs whose events are included, or `nil` for all jobs.
    ///
    /// Printer events are always included.
    package var jobs: Set<Int>?
    /// The owner of the jobs whose events are included, or `nil` for all owners.
    ///
    /// Printer events are always included.
    package var owner: String?
    /// The printers whose printer events are not included.
    package var hidden: Set<String>

    package init(
        keywords: [String], printer: String? = nil, jobs: Set<Int>? = nil, owner: String? = nil,
        hidden: Set<String> = []
    ) {
        (self.keywords, self.printer, self.jobs, self.owner) = (keywords, printer, jobs, owner)
        self.hidden = hidden
    }

    /// The supported events, including the events of CUPS.
    ///
    /// `all` stands for every event.
    static let supported = [
        "none", "all", "job-completed", "job-config-changed", "job-created", "job-progress", "job-state-changed",
        "job-stopped", "printer-added", "printer-config-changed", "printer-deleted", "printer-modified",
        "printer-state-changed", "printer-stopped",
    ]

    /// The maximum number of events in a subscription.
    static let mostKeywords = 32

    /// Returns the subscribed keyword that matches an event, or `nil` if no keyword matches.
    ///
    /// If an event matches a subscribed event and a subscribed subevent, only the subevent is reported (RFC 3995
    /// §5.3.3.5.3).
    package func keyword(for event: JobEvent) -> String? {
        if let printer, event.printer != printer { return nil }
        if let jobID = event.jobID {
            if let jobs, !jobs.contains(jobID) { return nil }
            if let owner, event.owner != owner { return nil }
        } else if hidden.contains(event.printer) {
            return nil
        }
        let names = event.keywords
        return names.first(where: keywords.contains) ?? (keywords.contains("all") ? names.first : nil)
    }
}

extension JobEvent {
    /// The keywords that match the event, the most specific keyword first (RFC 3995 §5.3.3.4, CUPS).
    var keywords: [String] {
        switch kind {
        case "job-created", "job-completed": [kind, "job-state-changed"]
        case "job-state-changed" where state == .processingStopped: ["job-stopped", kind]
        case "printer-state-changed" where printerState == .stopped: ["printer-stopped", kind]
        case "printer-added", "printer-deleted": [kind, "printer-config-changed"]
        case "printer-config-changed": [kind, "printer-modified"]
        default: [kind]
        }
    }
}
