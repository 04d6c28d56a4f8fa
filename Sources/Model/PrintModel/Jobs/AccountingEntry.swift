// What a job has cost.

/// What a job has cost: who had what printed where, and what came out; written once, when the job ends.
public struct AccountingEntry: Hashable, Sendable, Codable {
    /// The job's number.
    public var jobID: Int
    /// Whose job it was.
    public var user: String
    /// The printer on which it ended.
    public var printer: String
    /// The job's name.
    public var title: String
    /// When it was accepted.
    public var submittedAt: UnixTime
    /// When it ended.
    public var endedAt: UnixTime
    /// How it ended: completed, canceled or aborted.
    public var state: JobState
    /// The copies that were asked for.
    public var copies: Int
    /// What came out, as far as it was seen.
    public var printed: PrintedSides
    /// Whether it was printed in colour; nil for a job that never was made ready for a printer.
    public var isColor: Bool?
    /// The medium by its PWG name; nil for a job that never was made ready for a printer.
    public var media: String?
    /// How large its documents were together.
    public var bytes: Int

    /// An entry of all its parts.
    public init(
        jobID: Int, user: String, printer: String, title: String, submittedAt: UnixTime, endedAt: UnixTime,
        state: JobState, copies: Int, printed: PrintedSides, isColor: Bool?, media: String?, bytes: Int
    ) {
        self.jobID = jobID
        self.user = user
        self.printer = printer
        self.title = title
        self.submittedAt = submittedAt
        self.endedAt = endedAt
        self.state = state
        self.copies = copies
        self.printed = printed
        self.isColor = isColor
        self.media = media
        self.bytes = bytes
    }

    /// What a job that has ended has cost; nil for another.
    public init?(_ job: Job) {
        guard job.state.isTerminal, let endedAt = job.completedAt else { return nil }
        self.init(
            jobID: job.id, user: job.owner, printer: job.printer, title: job.name, submittedAt: job.createdAt,
            endedAt: endedAt, state: job.state, copies: job.sheetPlan?.copies ?? job.ticket.copies ?? 1,
            printed: job.printed, isColor: job.sheetPlan?.isColor, media: job.sheetPlan?.media,
            bytes: job.documents.reduce(0) { $0 + $1.bytes })
    }

    /// Where it stands among all: those that ended earlier come first.
    public var place: Place { Place(endedAt: endedAt, jobID: jobID) }

    /// A place among entries, `1795300651.25:12` in text.
    public struct Place: Hashable, Sendable, CustomStringConvertible {
        /// When the job ended.
        public var endedAt: UnixTime
        /// The job's number.
        public var jobID: Int

        /// The place of a job.
        public init(endedAt: UnixTime, jobID: Int) {
            self.endedAt = endedAt
            self.jobID = jobID
        }

        /// Reads a place; nil for a text that is none.
        public init?(_ text: String) {
            let parts = text.split(separator: ":", omittingEmptySubsequences: false)
            guard parts.count == 2, let endedAt = Double(parts[0]), endedAt.isFinite, let jobID = Int(parts[1]) else {
                return nil
            }
            self.init(endedAt: endedAt, jobID: jobID)
        }

        /// Its text, exact to the last bit.
        public var description: String { "\(endedAt):\(jobID)" }
    }
}

/// Which entries someone wants to see, oldest first.
public struct AccountingQuery: Hashable, Sendable {
    /// Of one printer; nil for all.
    public var printer: String?
    /// Of one user; nil for all.
    public var user: String?
    /// Of jobs that ended at that moment or later.
    public var since: UnixTime?
    /// Of jobs that ended before that moment.
    public var until: UnixTime?
    /// Those after a place; nil begins with the first.
    public var after: AccountingEntry.Place?
    /// The most to return, 500 at most.
    public var limit: Int

    /// The most entries of one answer.
    public static let mostAtOnce = 500

    /// A query.
    public init(
        printer: String? = nil, user: String? = nil, since: UnixTime? = nil, until: UnixTime? = nil,
        after: AccountingEntry.Place? = nil, limit: Int = mostAtOnce
    ) {
        self.printer = printer
        self.user = user
        self.since = since
        self.until = until
        self.after = after
        self.limit = min(max(1, limit), Self.mostAtOnce)
    }
}
