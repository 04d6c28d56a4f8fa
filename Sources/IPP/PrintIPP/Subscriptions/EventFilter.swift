// Which events somebody has subscribed to.

package import PrintModel

/// Which events a subscription is about (`notify-events`, RFC 3995 §5.3.3).
package struct EventFilter: Hashable, Sendable {
    /// The subscribed events, as they were asked for.
    package var keywords: [String]
    /// The printer whose events these are; nil for all.
    package var printer: String?
    /// The jobs whose events these are, beside the printer's own; nil for all.
    package var jobs: Set<Int>?
    /// Whose jobs' events these are, beside the printers' own; nil for everybody's.
    package var owner: String?

    /// A filter.
    package init(keywords: [String], printer: String? = nil, jobs: Set<Int>? = nil, owner: String? = nil) {
        self.keywords = keywords
        self.printer = printer
        self.jobs = jobs
        self.owner = owner
    }

    /// The events that can be subscribed to, those of CUPS among them; `all` stands for every one.
    static let supported = [
        "none", "all", "job-completed", "job-config-changed", "job-created", "job-progress", "job-state-changed",
        "job-stopped", "printer-added", "printer-config-changed", "printer-deleted", "printer-modified",
        "printer-state-changed", "printer-stopped",
    ]

    /// How many a subscription may name.
    static let mostKeywords = 32

    /// The keyword under which an event is told; nil when it is not.
    ///
    /// An event that matches a subscribed event and a part of it is told once, under the closer one (RFC 3995
    /// §5.3.3.5.3).
    package func keyword(for event: JobEvent) -> String? {
        if let printer, event.printer != printer { return nil }
        if let jobID = event.jobID {
            if let jobs, !jobs.contains(jobID) { return nil }
            if let owner, event.owner != owner { return nil }
        }
        let names = event.keywords
        return names.first(where: keywords.contains) ?? (keywords.contains("all") ? names.first : nil)
    }
}

extension JobEvent {
    /// The subscribed events that it is, the closest first (RFC 3995 §5.3.3.4, CUPS).
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
