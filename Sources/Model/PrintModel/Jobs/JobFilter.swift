// Defines which jobs a list contains: a filter, and a range of the filtered list.

/// A filter for lists of jobs (IPP `Get-Jobs`, RFC 8011 §4.2.6).
///
///     service.jobs(JobFilter(.all, owner: "ada"), in: JobListRange(limit: 10))
public struct JobFilter: Hashable, Sendable {
    /// The states of the jobs in a list (`which-jobs`, RFC 8011 §4.2.6.1, PWG 5100.11 §5.5).
    public enum Which: Hashable, Sendable {
        /// Jobs that have not ended. Jobs in progress come first, followed by the waiting jobs in the order of
        /// printing.
        case notCompleted
        /// Jobs that have ended. The job that ended last comes first.
        case completed
        /// All jobs. Jobs that have not ended come first, followed by the ended jobs.
        case all
        case state(JobState)

        /// The sections of the job list that the result contains, in order.
        package var parts: [QueuePosition.Part] {
            switch self {
            case .notCompleted: [.inProgress, .waiting]
            case .completed: [.ended]
            case .all: QueuePosition.Part.allCases
            case .state(let state): [QueuePosition.Part(state)]
            }
        }

        package func contains(_ state: JobState) -> Bool {
            if case .state(let wanted) = self { return state == wanted }
            return parts.contains(QueuePosition.Part(state))
        }
    }

    package var which: Which
    /// The printer of the listed jobs; nil for all printers.
    package var printer: String?
    /// The owner of the listed jobs; nil for all owners.
    package var owner: String?
    /// The job numbers of the listed jobs; nil for all job numbers.
    package var ids: [Int]?

    /// Whether the result contains only held jobs (true) or excludes held jobs (false); nil for no restriction.
    package var isHeld: Bool?
    /// The names of the printers that need attention; nil for no restriction.
    ///
    /// If the names are set, the result contains only jobs that need attention. A job needs attention if the job is
    /// stopped, suspended or waiting for a retry, or if its printer needs attention. A held job does not need
    /// attention.
    package var troubledPrinters: Set<String>?
    package var search: JobSearch?
    /// The printers whose jobs the requester may see; nil for all printers.
    package var reach: JobReach?

    /// The default filter matches all jobs that have not ended.
    public init(
        _ which: Which = .notCompleted, printer: String? = nil, owner: String? = nil, ids: [Int]? = nil
    ) {
        (self.which, self.printer, self.owner, self.ids) = (which, printer, owner, ids)
    }
}

/// The printers whose jobs a list contains.
public struct JobReach: Hashable, Sendable {
    /// The only printers whose jobs the list contains; nil for all printers.
    package var printers: Set<String>?
    /// The printers of which the list contains only the jobs of the reader.
    package var hidden: Set<String>
    /// The user who reads the list.
    package var reader: String

    package init(printers: Set<String>? = nil, hidden: Set<String> = [], reader: String) {
        (self.printers, self.hidden, self.reader) = (printers, hidden, reader)
    }
}

/// A search for text in the name, the owner and the printer of jobs.
public struct JobSearch: Hashable, Sendable {
    /// The text that the search looks for, ignoring case.
    package var text: String
    /// The user who searches; nil if this user can see the private values of all jobs.
    ///
    /// The search compares the name and the owner of a job only if the job belongs to this user. Otherwise a search
    /// could reveal hidden values. The names of printers are not private, so the search compares the printer of every
    /// job.
    package var reader: String?

    package init(_ text: String, reader: String?) { (self.text, self.reader) = (text, reader) }
}

/// The counts of the jobs that a filter matches.
public struct JobCounts: Hashable, Sendable {
    /// The number of jobs that have not ended and are not held.
    package var active = 0
    package var attention = 0
    package var held = 0
    package var ended = 0
    /// The number of jobs that have not ended, for each printer name.
    ///
    /// Printers without any of these jobs are omitted.
    package var queuedByPrinter: [String: Int] = [:]

    /// The number of jobs that have not ended.
    package var queue: Int { active + held }
    package var all: Int { queue + ended }

    package init() {}
}

/// A range of a list of jobs.
///
/// With ranges, a client can read a long list in several requests.
public struct JobListRange: Hashable, Sendable {
    /// The position after which the range begins; nil for the beginning of the list.
    package var after: QueuePosition?
    /// The maximum number of jobs; nil for no limit.
    package var limit: Int?
    package var offset: Int
    package var parts = JobParts.all

    /// The default range is the whole list.
    package init(after: QueuePosition? = nil, limit: Int? = nil, offset: Int = 0) {
        (self.after, self.limit, self.offset) = (after, limit, offset)
    }

    /// The whole list.
    public static let all = JobListRange()

    /// Returns the jobs of a complete list that are in the range.
    package func jobs(of list: some Sequence<Job>) -> [Job] {
        let rest = list.filter { job in after.map { $0 < QueuePosition(job) } ?? true }
        return Array(rest.dropFirst(max(0, offset)).prefix(max(0, limit ?? .max)))
    }
}

/// The parts of the jobs in a list, for readers that do not need whole jobs.
///
/// A list without parts still contains the number, UUID, printer, owner, name, state, message, priority, creation time
/// and end time of each job. The other properties then have default values.
public struct JobParts: OptionSet, Hashable, Sendable {
    /// The parts as bits.
    public let rawValue: Int

    /// Creates a set of parts from bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    package static let documents = JobParts(rawValue: 1)
    /// The options, the reasons of the state, the progress, and all other properties without the documents.
    package static let details = JobParts(rawValue: 2)
    package static let all: JobParts = [.documents, .details]
}
