// Defines the position of a job in lists.

/// The position of a job in lists of jobs.
///
/// Jobs in progress come first, followed by the waiting jobs in the order of printing. The ended jobs come last,
/// beginning with the job that ended last.
///
/// A client that reads a list in several requests continues after the position of the last received job. Jobs can be
/// added or removed between the requests:
///
///     jobs.filter { QueuePosition($0) > last }
public struct QueuePosition: Hashable, Sendable {
    /// The sections of a list, in order.
    public enum Part: Int, Hashable, Sendable, CaseIterable {
        case inProgress
        case waiting
        case ended

        package init(_ state: JobState) {
            self = state.isTerminal ? .ended : state == .pending || state == .pendingHeld ? .waiting : .inProgress
        }
    }

    package let part: Part
    /// The job's priority, 1 to 100.
    package let priority: Int
    /// The time at which the job ended, in seconds since 1970; 0 for a job that has not ended.
    package let endedAt: UnixTime
    /// The job's number.
    public let id: Int

    package init(_ job: Job) {
        self.init(state: job.state, priority: job.priority, endedAt: job.completedAt, id: job.id)
    }

    /// Creates the position of a job from its properties.
    ///
    /// - Parameter endedAt: The time at which the job ended; nil for a job that has not ended.
    package init(state: JobState, priority: Int, endedAt: UnixTime?, id: Int) {
        part = Part(state)
        self.priority = priority
        self.endedAt = endedAt ?? 0
        self.id = id
    }
}

extension QueuePosition: Comparable {
    /// Returns whether `a` comes before `b`.
    public static func < (a: QueuePosition, b: QueuePosition) -> Bool {
        guard a.part == b.part else { return a.part.rawValue < b.part.rawValue }
        switch a.part {
        case .inProgress, .waiting: return (-a.priority, a.id) < (-b.priority, b.id)
        case .ended: return (-a.endedAt, -a.id) < (-b.endedAt, -b.id)
        }
    }
}

extension QueuePosition: LosslessStringConvertible {
    /// Parses the text that `description` returns; nil for any other text.
    public init?(_ description: String) {
        let fields = description.split(separator: ":", omittingEmptySubsequences: false)
        guard fields.count == 4, let part = Int(fields[0]).flatMap(Part.init(rawValue:)),
            let priority = Int(fields[1]), let endedAt = UnixTime(String(fields[2])), endedAt.isFinite,
            let id = Int(fields[3])
        else { return nil }
        (self.part, self.priority, self.endedAt, self.id) = (part, priority, endedAt, id)
    }

    /// The position as text, such as `1:50:0.0:17`: section, priority, end time, job number.
    public var description: String { "\(part.rawValue):\(priority):\(endedAt):\(id)" }
}
