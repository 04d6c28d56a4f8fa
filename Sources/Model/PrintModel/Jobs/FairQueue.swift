// Determines the positions of jobs in a queue in which the owners take turns.

/// The queue of a printer with `QueueOrder.fair`.
///
/// The owner whose turn is longest ago prints next. An owner without a turn counts as longest ago; among such owners, the
/// owner whose first job is oldest prints next. The jobs of one owner are printed by priority, and then in order of
/// submission. A turn lasts until its job ends: a job that waits again, for example for a retry, stays at the head of
/// the queue.
///
/// The stores select the next job with the same rule in SQL (`fairHeads`).
public struct FairQueue: Sendable {
    /// A waiting job.
    public struct Waiting: Sendable {
        var owner: String
        var priority: Int
        var id: Int

        package init(owner: String, priority: Int, id: Int) {
            (self.owner, self.priority, self.id) = (owner, priority, id)
        }
    }

    /// The last turn of an owner.
    public struct Turn: Sendable {
        var owner: String
        /// The number of the turn; a later turn has a higher number.
        var number: Int
        /// The number of the job that the owner printed.
        var jobID: Int

        package init(owner: String, number: Int, jobID: Int) {
            (self.owner, self.number, self.jobID) = (owner, number, jobID)
        }
    }

    /// The jobs that a printer prints before a job.
    public struct JobsAhead: Hashable, Sendable {
        /// The number of jobs of the same user.
        public var own = 0
        /// The number of jobs of other users.
        public var others = 0
        package var count: Int { own + others }

        package init(own: Int = 0, others: Int = 0) { (self.own, self.others) = (own, others) }
    }

    private var waiting: [String: [Waiting]]
    private var inProgress: [String: Int] = [:]
    private var turns: [String: Turn]
    /// The positions of the jobs among the jobs of their owners.
    private var positions: [Int: Int] = [:]

    /// Creates the queue of a printer.
    ///
    /// - Parameter waiting: The waiting jobs; the jobs of one owner are in the order in which they are printed.
    package init(waiting: [Waiting], inProgress: [String], turns: [Turn]) {
        self.waiting = Dictionary(grouping: waiting, by: \.owner)
        for jobs in self.waiting.values {
            for (position, job) in jobs.enumerated() { positions[job.id] = position }
        }
        for owner in inProgress { self.inProgress[owner, default: 0] += 1 }
        self.turns = Dictionary(turns.map { ($0.owner, $0) }) { first, _ in first }
    }

    /// Returns the jobs that the printer prints before a waiting or held job, if no further job arrives.
    package func jobsAhead(of job: Job) -> JobsAhead {
        guard job.state == .pending || job.state == .pendingHeld else { return JobsAhead() }
        let own = waiting[job.owner] ?? []
        // A held job is not in the queue yet.
        let before =
            positions[job.id] ?? own.prefix { ($0.priority, -$0.id) > (job.priority, -job.id) }.count
        let rank = rank(of: job.owner, first: before == 0 ? job.id : own[0].id)
        var ahead = JobsAhead(own: before + inProgress[job.owner, default: 0])
        for (owner, count) in inProgress where owner != job.owner { ahead.others += count }
        for (owner, jobs) in waiting where owner != job.owner {
            ahead.others += min(jobs.count, before + (self.rank(of: owner, first: jobs[0].id) < rank ? 1 : 0))
        }
        return ahead
    }

    /// Returns the waiting job that the printer prints next if the jobs of some owners cannot be printed; nil if no other
    /// job waits.
    ///
    /// - Parameter order: The order of the queue; in strict order, no job passes another.
    public func next(besides owners: Set<String>, order: QueueOrder) -> Int? {
        let first = waiting.filter { !owners.contains($0.key) }.compactMap(\.value.first)
        switch order {
        case .perPrinter: return first.min { ($1.priority, $0.id) < ($0.priority, $1.id) }?.id
        case .fair: return first.min { rank(of: $0.owner, first: $0.id) < rank(of: $1.owner, first: $1.id) }?.id
        case .strict: return nil
        }
    }

    /// Returns the rank of an owner in the current round; the owner with the lowest rank prints next.
    private func rank(of owner: String, first: Int) -> (Int, Int, Int) {
        let turn = turns[owner]
        return (turn?.jobID == first ? 0 : 1, turn?.number ?? 0, first)
    }
}
