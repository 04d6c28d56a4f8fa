// A job as printq shows it.

package import IPP
package import PrintModel

/// What printd says of a job, as much as lists and progress show.
package struct JobView: Sendable {
    /// The job's number.
    package var id: Int
    /// Its printer's name.
    package var printer: String
    /// Who submitted it.
    package var owner: String
    /// Its name.
    package var name: String
    /// Its state; nil when the answer names none that is registered.
    package var state: JobState?
    /// Why it is in that state, without `none`.
    package var reasons: [String]
    /// The state in words.
    package var message: String
    /// The sides of one copy that have something on them, once known.
    package var impressions: Int?
    /// The sides with something on them that were printed so far, over all copies.
    package var impressionsCompleted: Int
    /// How far it has come, in pages of its documents; nil while their number is not known.
    package var progress: PageProgress?
    /// The sheets printed so far.
    package var sheetsCompleted: Int
    /// Until when it is held; nil until released.
    package var heldUntil: UnixTime?
    /// When it was accepted.
    package var createdAt: UnixTime?
    /// When it ended.
    package var completedAt: UnixTime?
    /// Why it waits and what happens next, when that was asked for.
    package var why: String
    /// The folder of a simulated printer's output, when that was asked for and there is one.
    package var outputFolder: String?
    /// The file that it has become in a folder, when that was asked for and there is one.
    package var outputFile: String?
    /// The side it goes on from after a doubt, when that was asked for; nil when all of it is printed.
    package var resumeFrom: Int?
    private var givenResumeWords: String?

    /// What stands for the name and the owner of somebody else's job, which printd does not tell; CUPS' own word.
    package static let withheld = "withheld"

    /// The attributes that the table of the queue shows; a long queue has very many jobs.
    package static let tableNames = [
        "job-id", "job-printer-uri", "job-originating-user-name", "job-name", "job-state", "job-state-reasons",
        "job-impressions", "job-impressions-completed", "job-pages", "job-pages-completed-current-copy",
        "job-hold-until-time", "time-at-creation",
    ]
    /// The attributes that say all of a job that lists can say.
    package static let listedNames = [
        "job-id", "job-printer-uri", "job-originating-user-name", "job-name", "job-state", "job-state-reasons",
        "job-state-message", "job-impressions", "job-impressions-completed", "job-media-sheets-completed", "job-pages",
        "job-pages-completed-current-copy", "printq-copies", "printq-current-copy", "job-hold-until-time",
        "time-at-creation", "time-at-completed",
    ]
    /// Those that following a job needs as well.
    package static let followedNames = listedNames + ["printq-why", "printq-output-folder", "printq-output-file"]
    /// Those that say where a job goes on.
    package static let resumedNames = listedNames + ["printq-resume-from", "printq-resume-words"]

    /// The job with these attributes; what is missing is empty.
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
        givenResumeWords = group.string("printq-resume-words")?.printable
        if let pages = group.integer("job-pages"), pages > 0 {
            progress = PageProgress(
                pages: Int(pages), copies: Int(group.integer("printq-copies") ?? 1),
                copy: Int(group.integer("printq-current-copy") ?? 1),
                completed: Int(group.integer("job-pages-completed-current-copy") ?? 0))
        }
    }

    /// Whether its printer has it in hand.
    package var isAtPrinter: Bool {
        switch state {
        case .processing: !reasons.contains("job-transforming")
        case .processingStopped: !isSuspended
        default: false
        }
    }

    /// Whether it may have been printed, and waits for a person's word.
    package var isSuspended: Bool { state == .processingStopped && reasons.contains("job-suspended") }

    /// Where it goes on: `page 3 of 5`.
    package var resumeWords: String {
        givenResumeWords ?? "page \(resumeFrom ?? 1)" + (impressions.map { " of \($0)" } ?? "")
    }

    /// Whether nothing will happen to it any more.
    package var hasEnded: Bool { state?.isTerminal ?? false }

    /// Its state in one to four words: `waiting`, `held until 18:30`, `printing`, `stopping`.
    package func stateWords(now: UnixTime) -> String {
        switch state {
        case .pending?: "waiting"
        case .pendingHeld?:
            if reasons.contains("job-incoming") || reasons.contains("job-data-insufficient") {
                "arriving"
            } else {
                heldUntil.map { "held until \(LocalTime.short($0, now: now))" } ?? "held"
            }
        case .processing?:
            if reasons.contains("processing-to-stop-point") {
                "stopping"
            } else {
                impressionsCompleted > 0 || reasons.contains("job-printing") ? "printing" : "preparing"
            }
        case .processingStopped?: isSuspended ? "suspended" : "stopped"
        case .canceled?, .aborted?, .completed?: state?.description ?? ""
        case nil: "unknown"
        }
    }

    /// The pages of its documents, however many copies there are: `5`, `2/5` while it prints or when it ended before all of
    /// them were printed, or nothing while unknown.
    package var pages: String {
        guard let progress = pageProgress else { return impressionsCompleted > 0 ? "\(impressionsCompleted)" : "" }
        return impressionsCompleted > 0 && progress.completed < progress.pages
            ? "\(progress.completed)/\(progress.pages)" : "\(progress.pages)"
    }

    /// How far it has come in pages; where their number is not known, in sides with something on them.
    package var pageProgress: PageProgress? {
        progress ?? impressions.map { PageProgress(pages: $0, completed: min(impressionsCompleted, $0)) }
    }
}
