// Defines the accounting record of a job.

/// The accounting entry of a job: user, printer, and printed sides and sheets.
///
/// `printd` writes the entry once, when the job ends.
public struct AccountingEntry: Hashable, Sendable, Codable {
    package var jobID: Int
    package var user: String
    package var printer: String
    package var title: String
    package var submittedAt: UnixTime
    package var endedAt: UnixTime
    /// The final state: completed, canceled or aborted.
    package var state: JobState
    package var copies: Int
    /// The sides and sheets that the printer reported as printed.
    package var printed: PrintedSides
    /// Whether the job was printed in color; nil for a job that was never prepared for a printer.
    package var isColor: Bool?
    /// The PWG name of the medium; nil for a job that was never prepared for a printer.
    package var media: String?
    /// The total size of the documents, in bytes.
    package var bytes: Int

    package init(
        jobID: Int, user: String, printer: String, title: String, submittedAt: UnixTime, endedAt: UnixTime,
        state: JobState, copies: Int, printed: PrintedSides, isColor: Bool?, media: String?, bytes: Int
    ) {
        (self.jobID, self.user, self.printer, self.title) = (jobID, user, printer, title)
        (self.submittedAt, self.endedAt, self.state, self.copies) = (submittedAt, endedAt, state, copies)
        (self.printed, self.isColor, self.media, self.bytes) = (printed, isColor, media, bytes)
    }

    /// Creates the accounting entry of a job; nil for a job that has not ended.
    package init?(_ job: Job) {
        guard job.state.isTerminal, let endedAt = job.completedAt else { return nil }
        self.init(
            jobID: job.id, user: job.owner, printer: job.printer, title: job.name, submittedAt: job.createdAt,
            endedAt: endedAt, state: job.state, copies: job.sheetPlan?.copies ?? job.ticket.copies ?? 1,
            printed: job.printed, isColor: job.sheetPlan?.isColor, media: job.sheetPlan?.media,
            bytes: job.documents.reduce(0) { $0 + $1.bytes })
    }

    /// The position of this entry in the list of all accounting entries.
    ///
    /// The list is ordered by the end times of jobs.
    package var place: Place { Place(endedAt: endedAt, jobID: jobID) }

    /// The position of an accounting entry in the list of all entries.
    ///
    /// As text, the position consists of the end time and the job number: `1795300651.25:12`.
    public struct Place: Hashable, Sendable, CustomStringConvertible {
        package var endedAt: UnixTime
        package var jobID: Int

        package init(endedAt: UnixTime, jobID: Int) {
            self.endedAt = endedAt
            self.jobID = jobID
        }

        /// Parses a position; nil for invalid text.
        package init?(_ text: String) {
            let parts = text.split(separator: ":", omittingEmptySubsequences: false)
            guard parts.count == 2, let endedAt = Double(parts[0]), endedAt.isFinite, let jobID = Int(parts[1]) else {
                return nil
            }
            self.init(endedAt: endedAt, jobID: jobID)
        }

        /// The position as text, without loss of precision.
        public var description: String { "\(endedAt):\(jobID)" }
    }
}

/// A query for accounting entries.
///
/// The result begins with the job that ended first.
public struct AccountingQuery: Hashable, Sendable {
    /// The name of a printer; nil for all printers.
    package var printer: String?
    /// The name of a user; nil for all users.
    package var user: String?
    /// The earliest end time of the jobs, inclusive; nil for no limit.
    package var since: UnixTime?
    /// The latest end time of the jobs, exclusive; nil for no limit.
    package var until: UnixTime?
    /// The position after which the result starts; nil to start with the first entry.
    package var after: AccountingEntry.Place?
    /// The maximum number of entries to return, at most 500.
    package var limit: Int

    /// The maximum number of entries in one result.
    public static let mostAtOnce = 500

    /// Creates a query; by default for all entries.
    public init(
        printer: String? = nil, user: String? = nil, since: UnixTime? = nil, until: UnixTime? = nil,
        after: AccountingEntry.Place? = nil, limit: Int = mostAtOnce
    ) {
        (self.printer, self.user, self.since, self.until, self.after) = (printer, user, since, until, after)
        self.limit = min(max(1, limit), Self.mostAtOnce)
    }
}
