// Defines an entry of the event log.

/// An entry of the event log.
public struct JobEvent: Hashable, Sendable, Codable {
    /// The sequence number in the log; ascending and never reused.
    package var sequence: Int
    /// The number of the job; nil for a printer event.
    package var jobID: Int?
    package var printer: String
    package var time: UnixTime
    /// The type of event: `job-created`, `job-state-changed`, `job-config-changed`, `job-progress`, `job-completed`,
    /// `printer-added`, `printer-deleted`, `printer-config-changed`, `printer-state-changed` (RFC 3995 §5.3.3.4, CUPS).
    package var kind: String
    /// The job's state after the event; nil for a printer event.
    package var state: JobState?
    /// A description of the event for users; empty if the job's or the printer's state describes the event.
    package var message: String
    /// The printer's state after the event; nil for a job event.
    package var printerState: PrinterState?
    /// The reasons for the state: `job-state-reasons` or `printer-state-reasons`.
    package var reasons: [String]
    /// The number of non-blank sides of one copy (IPP `job-impressions`); nil when unknown.
    package var impressions: Int?
    /// The number of non-blank sides printed so far, over all copies; nil for a printer event.
    package var impressionsCompleted: Int?
    /// The number of document pages in each copy; nil when unknown.
    package var pages: Int?
    package var copies = 1
    /// The job's current name; nil for a printer event.
    package var jobName: String?
    /// The job's owner; nil for a printer event.
    package var owner: String?
    package var isAccepting: Bool

    package init(
        sequence: Int, jobID: Int?, printer: String, time: UnixTime, kind: String, state: JobState?, message: String,
        printerState: PrinterState? = nil, reasons: [String] = [], impressions: Int? = nil,
        impressionsCompleted: Int? = nil, jobName: String? = nil, owner: String? = nil, isAccepting: Bool = true
    ) {
        (self.sequence, self.jobID, self.printer, self.time) = (sequence, jobID, printer, time)
        (self.kind, self.state, self.message, self.printerState) = (kind, state, message, printerState)
        (self.reasons, self.impressions, self.impressionsCompleted) = (reasons, impressions, impressionsCompleted)
        (self.jobName, self.owner, self.isAccepting) = (jobName, owner, isAccepting)
    }
}

extension JobEvent {
    /// The event as one line of text: `job 7 (Letter) on color-laser: printing page 2 of 5`.
    package var line: String {
        guard let jobID else { return "\(printer): \(printerText)" }
        let name = jobName.map { $0.isEmpty ? "" : " (\($0))" } ?? ""
        return "job \(jobID)\(name) on \(printer): \(jobText)"
    }

    private var printerText: String { message.isEmpty ? "changed" : Self.lowercased(message) }

    private var jobText: String {
        if kind == "job-created" { return state == .pendingHeld ? "accepted, \(heldText)" : "accepted" }
        if kind == "job-config-changed", !message.isEmpty { return Self.lowercased(message) }
        let text = message.isEmpty ? "" : Self.lowercased(message)
        switch state {
        case .completed?: return "completed" + (text.isEmpty ? pageText : ", \(text)")
        case .aborted?: return "aborted" + (text.isEmpty ? because : ": \(text)")
        case .canceled?: return "canceled" + canceler + (text.isEmpty ? "" : ": \(text)")
        case .processingStopped?: return text.isEmpty ? "stopped" : "stopped: \(text)"
        case .pendingHeld?: return text.isEmpty ? heldText : text
        case .pending?: return text.isEmpty ? "waiting" : "waiting: \(text)"
        case .processing?, nil: return text.isEmpty ? "processing" : text
        }
    }

    private var heldText: String {
        let isComing = reasons.contains(JobStateReason.jobIncoming.rawValue)
        return isComing ? "waiting for documents" : "held"
    }

    private var pageText: String {
        guard let count = pages ?? impressionsCompleted, count > 0 else { return "" }
        return ": \(copies > 1 && pages != nil ? "\(copies) copies of " : "")\(count) page\(count == 1 ? "" : "s")"
    }

    private var because: String { reasons.first.map { ": \($0)" } ?? "" }

    private var canceler: String {
        switch reasons.first.map(JobStateReason.init(rawValue:)) {
        case .jobCanceledByUser?: " by its owner"
        case .jobCanceledByOperator?: " by an administrator"
        case .jobCanceledAtDevice?: " at the printer"
        default: ""
        }
    }

    /// Returns the sentence with a lowercase first letter, for use after a colon.
    ///
    /// An abbreviation keeps its capitals.
    private static func lowercased(_ sentence: String) -> String {
        guard let first = sentence.first, let second = sentence.dropFirst().first, second.isLowercase else {
            return sentence
        }
        return first.lowercased() + sentence.dropFirst()
    }
}
