// Where a job stands in lists.

/// Where a job stands in lists: those in hand come first, then those that wait in the order of printing, then those that
/// have ended, the newest first.
///
/// A list that is read page by page goes on after the place of the last job seen, whatever has come or gone meanwhile:
///
///     jobs.filter { QueuePosition($0) > last }
public struct QueuePosition: Hashable, Sendable {
    /// The parts of a list, in order.
    public enum Part: Int, Hashable, Sendable, CaseIterable {
        /// Jobs in hand: printing, or stopped on the way.
        case inHand
        /// Jobs that wait or are held.
        case waiting
        /// Jobs that have ended.
        case ended

        /// The part in which jobs of a state are.
        public init(_ state: JobState) {
            self = state.isTerminal ? .ended : state == .pending || state == .pendingHeld ? .waiting : .inHand
        }
    }

    /// The part of the list.
    public let part: Part
    /// The job's priority, 1 to 100.
    public let priority: Int
    /// When the job ended, in seconds since 1970; 0 while it has not.
    public let endedAt: UnixTime
    /// The job's number.
    public let id: Int

    /// The place of a job as it is now.
    public init(_ job: Job) {
        self.init(state: job.state, priority: job.priority, endedAt: job.completedAt, id: job.id)
    }

    /// The place of the job of that number, in that state, of that priority.
    ///
    /// - Parameter endedAt: when it ended; nil while it has not.
    public init(state: JobState, priority: Int, endedAt: UnixTime?, id: Int) {
        part = Part(state)
        self.priority = priority
        self.endedAt = endedAt ?? 0
        self.id = id
    }
}

extension QueuePosition: Comparable {
    /// Whether the one stands before the other.
    public static func < (a: QueuePosition, b: QueuePosition) -> Bool {
        guard a.part == b.part else { return a.part.rawValue < b.part.rawValue }
        switch a.part {
        case .inHand, .waiting: return (-a.priority, a.id) < (-b.priority, b.id)
        case .ended: return (-a.endedAt, -a.id) < (-b.endedAt, -b.id)
        }
    }
}

extension QueuePosition: LosslessStringConvertible {
    /// The place that a text says, as `description` writes it; nil for any other text.
    public init?(_ description: String) {
        let fields = description.split(separator: ":", omittingEmptySubsequences: false)
        guard fields.count == 4, let part = Int(fields[0]).flatMap(Part.init(rawValue:)),
            let priority = Int(fields[1]), let endedAt = UnixTime(String(fields[2])), endedAt.isFinite,
            let id = Int(fields[3])
        else { return nil }
        (self.part, self.priority, self.endedAt, self.id) = (part, priority, endedAt, id)
    }

    /// `1:50:0.0:17`: part, priority, end, number.
    public var description: String { "\(part.rawValue):\(priority):\(endedAt):\(id)" }
}
