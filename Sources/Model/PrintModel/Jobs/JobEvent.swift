// One thing that happened, as the event log keeps it.

/// One thing that happened, as the event log keeps it.
public struct JobEvent: Hashable, Sendable, Codable {
    /// Its place in the log; ascending, without reuse.
    public var sequence: Int
    /// The job it happened to; nil for a printer's own event.
    public var jobID: Int?
    /// The printer it happened at.
    public var printer: String
    /// When.
    public var time: UnixTime
    /// What: `job-created`, `job-state-changed`, `job-config-changed`, `job-progress`, `job-completed`,
    /// `printer-added`, `printer-deleted`, `printer-config-changed`, `printer-state-changed` (RFC 3995 §5.3.3.4, CUPS).
    public var kind: String
    /// The job's state then; nil for a printer's event.
    public var state: JobState?
    /// In words; empty when the state says it all.
    public var message: String
    /// The printer's state then; nil for a job's event.
    public var printerState: PrinterState?
    /// Why it was in that state: job-state-reasons, or printer-state-reasons.
    public var reasons: [String]
    /// The sides of one copy that have something on them, when their number was known (IPP `job-impressions`).
    public var impressions: Int?
    /// The sides with something on them that were printed by then, over all copies; nil for a printer's event.
    public var impressionsCompleted: Int?
    /// The pages of the job's documents that are printed, of one copy; nil while their number is not known.
    public var pages: Int?
    /// The number of copies.
    public var copies = 1
    /// The job's name, as it is now; nil for a printer's event.
    public var jobName: String?
    /// Who owns the job; nil for a printer's event.
    public var owner: String?
    /// Whether the printer takes new jobs now.
    public var isAccepting: Bool

    /// An event.
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
    /// What happened, to what, in one line: `job 7 (Letter) on color-laser: printing page 2 of 5`.
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
        return isComing ? "its documents are coming" : "held"
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

    /// The sentence as it goes on after a colon; what begins like an abbreviation keeps its capitals.
    private static func lowercased(_ sentence: String) -> String {
        guard let first = sentence.first, let second = sentence.dropFirst().first, second.isLowercase else {
            return sentence
        }
        return first.lowercased() + sentence.dropFirst()
    }
}
