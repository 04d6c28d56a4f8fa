// Reads a job from its IPP attributes.

package import IPP
public import PrintModel

/// A job in the queue or in its history, as the user of the request may see it.
///
/// A property that the user may not see is empty, and its text is ``withheld``.
public struct JobView: Sendable, Identifiable {
    /// The job's number.
    public var id: Int
    /// The name of the job's printer.
    public var printer: String
    /// The user who submitted the job.
    public var owner: String
    /// The job's name.
    public var name: String
    /// The state of the job; nil if the attribute is missing or unknown.
    public var state: JobState?
    /// The reasons for the job's state, without `none`.
    public var reasons: [String]
    /// The message about the job's state.
    public var message: String
    /// The number of non-blank sides in one copy; nil if the number is unknown.
    public var impressions: Int?
    /// The number of non-blank sides that were printed, over all copies.
    public var impressionsCompleted: Int
    /// The progress, counted in document pages; nil until the number of pages is known.
    public var progress: PageProgress?
    /// The number of printed sheets.
    public var sheetsCompleted: Int
    /// The time at which a held job is released; nil if the job is not held, or is held indefinitely.
    public var heldUntil: UnixTime?
    /// The time at which the job was accepted; nil if printd did not report the time.
    public var createdAt: UnixTime?
    /// The time at which the job ended; nil if the job has not ended.
    public var completedAt: UnixTime?
    /// The explanation of the state that `printq why` shows; empty for a job of a list.
    public var why: String
    /// The path of the folder with the job's output on a simulated printer; nil for a job of a list, or if there
    /// is no such folder.
    public var outputFolder: String?
    /// The path of the job's output file on a folder printer; nil for a job of a list, or if there is no such
    /// file.
    public var outputFile: String?
    /// The number of the side at which the job continues after a resume, counted from 1 over all copies.
    ///
    /// The value is nil if the whole job is printed, and for a job of a list.
    public var resumeFrom: Int?
    /// The number of jobs that the printer prints before this job; nil if the order of the list gives the number.
    public var jobsBefore: Int?
    private var givenResumeText: String?

    /// The text that replaces the name and the owner of a job that printd hides from the user.
    ///
    /// CUPS uses the same text.
    public static let withheld = "withheld"

    /// The job attributes to request for the table of the queue.
    ///
    /// The list contains only the necessary attributes, because the queue can be long.
    package static let tableNames = [
        "job-id", "job-printer-uri", "job-originating-user-name", "job-name", "job-state", "job-state-reasons",
        "job-state-message", "job-impressions", "job-impressions-completed", "job-pages",
        "job-pages-completed-current-copy",
        "job-hold-until-time", "time-at-creation", "printq-jobs-before-in-turn",
    ]
    /// The job attributes to request for a list that shows all properties of jobs.
    package static let listedNames = [
        "job-id", "job-printer-uri", "job-originating-user-name", "job-name", "job-state", "job-state-reasons",
        "job-state-message", "job-impressions", "job-impressions-completed", "job-media-sheets-completed", "job-pages",
        "job-pages-completed-current-copy", "printq-copies", "printq-current-copy", "job-hold-until-time",
        "time-at-creation", "time-at-completed", "printq-jobs-before-in-turn",
    ]
    /// The job attributes to request while a program waits until a job ends.
    package static let followedNames = listedNames + ["printq-why", "printq-output-folder", "printq-output-file"]
    /// The job attributes to request for the result of an ended job.
    package static let endedNames = followedNames + ["printq-output-files"]
    /// The job attributes to request after a job was resumed.
    package static let resumedNames = listedNames + ["printq-resume-from", "printq-resume-words"]

    /// Creates a job from its attributes.
    ///
    /// Missing attributes become empty values. A missing name or owner becomes `withheld`.
    package init(_ group: AttributeGroup) {
        id = Int(group.integer("job-id") ?? 0)
        printer = group.string("job-printer-uri")?.split(separator: "/").last.map(String.init) ?? ""
        owner = group.string("job-originating-user-name") ?? Self.withheld
        name = group.string("job-name") ?? Self.withheld
        state = group.integer("job-state").flatMap { JobState(rawValue: Int($0)) }
        reasons = group.keywords("job-state-reasons").filter { $0 != "none" }
        message = (group.string("job-state-message") ?? "").printable
        impressions = group.integer("job-impressions").map(Int.init)
        impressionsCompleted = Int(group.integer("job-impressions-completed") ?? 0)
        sheetsCompleted = Int(group.integer("job-media-sheets-completed") ?? 0)
        heldUntil = (group["job-hold-until-time"]?.dateTimeValue?.unixTime).map(UnixTime.init)
        createdAt = group.integer("time-at-creation").map(UnixTime.init)
        completedAt = group.integer("time-at-completed").map(UnixTime.init)
        why = (group.string("printq-why") ?? "").printable
        outputFolder = group.string("printq-output-folder").flatMap { $0.isEmpty ? nil : $0 }
        outputFile = group.string("printq-output-file").flatMap { $0.isEmpty ? nil : $0 }
        resumeFrom = group.integer("printq-resume-from").map(Int.init)
        givenResumeText = group.string("printq-resume-words")?.printable
        jobsBefore = group.integer("printq-jobs-before").map(Int.init)
        if let pages = group.integer("job-pages"), pages > 0 {
            progress = PageProgress(
                pages: Int(pages), copies: Int(group.integer("printq-copies") ?? 1),
                copy: Int(group.integer("printq-current-copy") ?? 1),
                completed: Int(group.integer("job-pages-completed-current-copy") ?? 0))
        }
    }

    /// Whether the printer is printing the job, or has stopped while printing the job.
    package var isAtPrinter: Bool {
        switch state {
        case .processing: !reasons.contains("job-transforming")
        case .processingStopped: !isSuspended
        default: false
        }
    }

    /// Whether the job is suspended.
    ///
    /// Some pages of a suspended job might already be printed, and a person must decide how to continue.
    public var isSuspended: Bool { state == .processingStopped && reasons.contains("job-suspended") }

    /// The page from which the job continues, as text such as `page 3 of 5`.
    public var resumeText: String {
        givenResumeText ?? "page \(resumeFrom ?? 1)" + (impressions.map { " of \($0)" } ?? "")
    }

    /// The phase of the job; nil if the state is unknown.
    ///
    /// The attributes of a job in the queue do not contain the time of the next attempt. Therefore a job that waits for
    /// a retry is `waiting`.
    public var phase: JobPhase? {
        state.map { JobPhase($0, reasons: reasons, isRetrying: false, impressionsCompleted: impressionsCompleted) }
    }

    /// The explanation that `printq why` shows; the message of the job for a job of a list.
    public var explanation: String { why.isEmpty ? message : why }

    /// Whether the job has reached a final state.
    public var hasEnded: Bool { state?.isTerminal ?? false }

    /// Returns the state as text of one to four words: `waiting`, `held until 18:30`, `printing`, `stopping`.
    public func stateText(now: UnixTime) -> String {
        switch phase {
        case .held? where reasons.contains("job-password-wait"): "held for its PIN"
        case .held?: heldUntil.map { "held until \(LocalTime.short($0, now: now))" } ?? "held"
        case .failed?: "aborted"
        case let phase?: phase.rawValue
        case nil: "unknown"
        }
    }

    /// The number of document pages as text, regardless of copies: `5`.
    ///
    /// For a job that is printing or that ended early, the text also contains the number of printed pages: `2/5`. If
    /// the number of pages is unknown, the text contains the number of printed sides, or is empty if no side is
    /// printed.
    public var pages: String {
        guard let progress = pageProgress else { return impressionsCompleted > 0 ? "\(impressionsCompleted)" : "" }
        return impressionsCompleted > 0 && progress.completed < progress.pages
            ? "\(progress.completed)/\(progress.pages)" : "\(progress.pages)"
    }

    /// The progress in document pages, or in non-blank sides if the number of pages is unknown.
    ///
    /// The value is nil if both numbers are unknown.
    public var pageProgress: PageProgress? {
        progress ?? impressions.map { PageProgress(pages: $0, completed: min(impressionsCompleted, $0)) }
    }
}
