// Defines which jobs a list contains: a filter, and a range of the filtered list.

/// A filter for lists of jobs (IPP `Get-Jobs`, RFC 8011 §4.2.6).
///
///     service.jobs(JobFilter(.all, owner: "ada"), in: JobListRange(limit: 10))
public struct JobFilter: Hashable, Sendable {
    /// The states of the jobs in a list (`which-jobs`, RFC 8011 §4.2.6.1, PWG 5100.11 §5.5).
    public enum Which: Hashable, Sendable {
        /// Jobs that have not ended: first the jobs in progress, then the waiting jobs in the order of printing.
        case notCompleted
        /// Jobs that have ended, the newest first.
        case completed
        /// All jobs: first the jobs that have not ended, then the jobs that have ended.
        case all
        /// Jobs in one state.
        case state(JobState)

        /// The parts of the list, in order.
        public var parts: [QueuePosition.Part] {
            switch self {
            case .notCompleted: [.inProgress, .waiting]
            case .completed: [.ended]
            case .all: QueuePosition.Part.allCases
            case .state(let state): [QueuePosition.Part(state)]
            }
        }

        /// Returns whether the list contains jobs in a state.
        public func contains(_ state: JobState) -> Bool {
            if case .state(let wanted) = self { return state == wanted }
            return parts.contains(QueuePosition.Part(state))
        }
    }

    /// The states of the listed jobs.
    public var which: Which
    /// The printer of the listed jobs; nil for all printers.
    public var printer: String?
    /// The owner of the listed jobs; nil for all owners.
    public var owner: String?
    /// The numbers of the listed jobs; nil for all numbers.
    public var ids: [Int]?

    /// Creates a filter; by default for all jobs that have not ended.
    public init(
        _ which: Which = .notCompleted, printer: String? = nil, owner: String? = nil, ids: [Int]? = nil
    ) {
        self.which = which
        self.printer = printer
        self.owner = owner
        self.ids = ids
    }
}

/// The part of a list of jobs that a request returns, so that a client can read a long list in several requests.
public struct JobListRange: Hashable, Sendable {
    /// The position after which the range begins; nil for the beginning of the list.
    public var after: QueuePosition?
    /// The maximum number of jobs; nil for no limit.
    public var limit: Int?
    /// The number of jobs that are omitted at the beginning of the range.
    public var offset: Int

    /// Creates a range; by default of the whole list.
    public init(after: QueuePosition? = nil, limit: Int? = nil, offset: Int = 0) {
        self.after = after
        self.limit = limit
        self.offset = offset
    }

    /// The whole list.
    public static let all = JobListRange()

    /// Returns the jobs of a complete list that are in the range.
    public func jobs(of list: some Sequence<Job>) -> [Job] {
        let rest = list.filter { job in after.map { $0 < QueuePosition(job) } ?? true }
        return Array(rest.dropFirst(max(0, offset)).prefix(max(0, limit ?? .max)))
    }
}
