// Which jobs someone wants to see.

public import PrintModel

/// Which jobs someone wants to see, and how many (IPP `Get-Jobs`, RFC 8011 §4.2.6).
public struct JobFilter: Hashable, Sendable {
    /// Jobs by whether they have ended (IPP `which-jobs`).
    public enum Which: Hashable, Sendable, CaseIterable {
        /// Those that have not ended: first those in hand, then in the order of printing.
        case notCompleted
        /// Those that have ended, however that was: the newest first.
        case completed
        /// The ones that have not ended, then those that have.
        case all

        /// The parts of the list that are wanted, in order.
        var parts: [QueuePosition.Part] {
            switch self {
            case .notCompleted: [.inHand, .waiting]
            case .completed: [.ended]
            case .all: QueuePosition.Part.allCases
            }
        }
    }

    /// By whether they have ended.
    public var which: Which
    /// Those of one printer; nil for all.
    public var printer: String?
    /// Those of one owner; nil for all.
    public var owner: String?
    /// Those in one state; nil for all.
    public var state: JobState?
    /// Those of the given ids; nil for all.
    public var ids: [Int]?
    /// Those that stand after a place; nil begins at the start.
    public var after: QueuePosition?
    /// The most to return; nil for no bound.
    public var limit: Int?
    /// How many to leave out at the start.
    public var offset: Int

    /// A filter; by default all jobs that have not ended.
    public init(
        _ which: Which = .notCompleted, printer: String? = nil, owner: String? = nil, state: JobState? = nil,
        ids: [Int]? = nil, after: QueuePosition? = nil, limit: Int? = nil, offset: Int = 0
    ) {
        self.which = which
        self.printer = printer
        self.owner = owner
        self.state = state
        self.ids = ids
        self.after = after
        self.limit = limit
        self.offset = offset
    }
}
