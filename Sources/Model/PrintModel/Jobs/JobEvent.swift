// Defines an entry of the event log.

/// An entry of the event log.
public struct JobEvent: Hashable, Sendable, Codable {
    /// The sequence number in the log; ascending and never reused.
    public var sequence: Int
    /// The number of the job; nil for a printer event.
    public var jobID: Int?
    /// The name of the printer.
    public var printer: String
    /// The time of the event.
    public var time: UnixTime
    /// The type of event: `job-created`, `job-state-changed`, `job-config-changed`, `job-progress`, `job-completed`,
    /// `printer-added`, `printer-deleted`, `printer-config-changed`, `printer-state-changed` (RFC 3995 §5.3.3.4, CUPS).
    public var kind: String
    /// The job's state after the event; nil for a printer event.
    public var state: JobState?
    /// A description of the event for users; empty if the job's or the printer's state describes the event.
    public var message: String
    /// The printer's state after the event; nil for a job event.
    public var printerState: PrinterState?
    /// The reasons for the state: `job-state-reasons` or `printer-state-reasons`.
    public var reasons: [String]
    /// The number of non-blank sides of one copy (IPP `job-impressions`); nil when unknown.
    public var impressions: Int?
    /// The number of non-blank sides printed so far, over all copies; nil for a printer event.
    public var impressionsCompleted: Int?
    /// The number of document pages in each copy; nil when unknown.
    public var pages: Int?
    /// The number of copies of the job.
    public var copies = 1
    /// The job's current name; nil for a printer event.
    public var jobName: String?
    /// The job's owner; nil for a printer event.
    public var owner: String?
    /// Whether the printer accepts new jobs.
    public var isAccepting: Bool

    /// Creates an entry of the event log.
    public init(
        sequence: Int, jobID: Int?, printer: String, time: UnixTime, kind: String, state: JobState?, message: String,
        printerState: PrinterState? = nil, reasons: [String] = [], impressions: Int? = nil,
        impressionsCompleted: Int? = nil, jobName: String? = nil, owner: String? = nil, isAccepting: Bool = true
    ) {
        self.sequence = sequence
        self.jobID = jobID
        self.printer = printer
        self.time = time
        self.kind = kind
        self.state = state
        self.message = message
        self.printerState = printerState
        self.reasons = reasons
        self.impressions = impressions
        self.impressionsCompleted = impressionsCompleted
        self.jobName = jobName
        self.owner = owner
        self.isAccepting = isAccepting
    }
}

extension JobEvent {
    /// The event as one line of text: `job 7 (Letter) on color-laser: printing page 2 of 5`.
    public var line: String {
        guard let jobID else { return "\(printer): \(printerWords)" }
        let name = jobName.map { $0.isEmpty ? "" : " (\($0))" } ?? ""
        return "job \(jobID)\(name) on \(printer): \(jobWords)"
    }

    private var printerWords: String { message.isEmpty ? "changed" : Self.lowercased(message) }

    private var jobWords: String {
        if kind == "job-created" { return state == .pendingHeld ? "accepted, \(heldWords)" : "accepted" }
        if kind == "job-config-changed", !message.isEmpty { return Self.lowercased(message) }
        let said = message.isEmpty ? "" : Self.lowercased(message)
        switch state {
        case .completed?: return "completed" + (said.isEmpty ? pageWords : ", \(said)")
        case .aborted?: return "aborted" + (said.isEmpty ? because : ": \(said)")
        case .canceled?: return "canceled" + canceler + (said.isEmpty ? "" : ": \(said)")
        case .processingStopped?: return said.isEmpty ? "stopped" : "stopped: \(said)"
        case .pendingHeld?: return said.isEmpty ? heldWords : said
        case .pending?: return said.isEmpty ? "waiting" : "waiting: \(said)"
        case .processing?, nil: return said.isEmpty ? "processing" : said
        }
    }

    private var heldWords: String {
        let isComing = reasons.contains(JobStateReason.jobIncoming.rawValue)
        return isComing ? "waiting for documents" : "held"
    }

    private var pageWords: String {
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
