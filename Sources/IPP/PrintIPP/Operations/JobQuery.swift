// What a client wants to know of the jobs.

public import PrintModel

/// Which jobs are asked for.
public struct JobQuery: Sendable {
    /// The printer; nil for all.
    public var printer: String?
    /// The owner; nil for all.
    public var owner: String?
    /// In which part of their life.
    public var which: Which
    /// The numbers; nil for any.
    public var ids: [Int]?
    /// Those that stand after a place (`printq-after`); nil begins at the start.
    public var after: QueuePosition?
    /// At most so many; nil for all.
    public var limit: Int?
    /// How many to pass over first.
    public var skip: Int

    /// Parts of a job's life (`which-jobs`, RFC 8011 §4.2.6.1, PWG 5100.11 §5.5).
    public enum Which: Hashable, Sendable {
        /// Those that have not ended.
        case notCompleted
        /// Those that have ended.
        case completed
        /// All.
        case all
        /// Those in one state.
        case state(JobState)
    }

    /// A query.
    public init(
        printer: String? = nil, owner: String? = nil, which: Which = .notCompleted, ids: [Int]? = nil,
        after: QueuePosition? = nil, limit: Int? = nil, skip: Int = 0
    ) {
        self.printer = printer
        self.owner = owner
        self.which = which
        self.ids = ids
        self.after = after
        self.limit = limit
        self.skip = skip
    }
}
