// Sets quotas, and checks them for new jobs and for jobs whose length becomes known.

public import PrintModel

/// A function that returns which of the given groups of the machine contain the owner of a job.
public typealias GroupLookUp = @Sendable (_ names: [String]) async throws -> Set<String>

extension Spool {
    /// Returns all quotas.
    public func quotas() async throws(SpoolError) -> [Quota] { try await read { snapshot in try snapshot.quotas() } }

    /// Returns what a user has used of each quota in the current period, and the limits per job.
    public func quotaStandings(
        of owner: String, groups: @escaping GroupLookUp
    ) async throws(SpoolError) -> (standings: [QuotaStanding], perJob: [Quota]) {
        try await withGroups(groups) { known throws(SpoolError) in
            try await self.read { [self] snapshot in
                let quotas = try snapshot.quotas(thatCanLimit: owner)
                let limits = UserLimits(quotas, of: owner, groups: try known.members(amongGroupsOf: quotas))
                return (try standings(of: owner, limits, in: snapshot), limits.perJob)
            }
        }
    }

    /// Applies a change of the quotas.
    ///
    /// - Throws: `notPossible` if there is no such quota or accounting entry, or if the job was refunded before.
    public func changeQuotas(_ change: QuotaChange) async throws(SpoolError) {
        let now = clock()
        let refusal = try await write { transaction -> String? in
            switch change {
            case .set(let quota): try transaction.set(quota)
            case .remove(let subject, let period):
                guard try transaction.removeQuotas(of: subject, per: period) > 0 else {
                    return "there is no quota of \(subject.words)\(period.map { " per \($0.rawValue)" } ?? ""); see "
                        + "'printq quota list'"
                }
            case .topUp(let user, let pages, let sheets):
                _ = try transaction.insert(
                    QuotaCredit(.topUp, of: user, QuotaAmounts(pages: pages, sheets: sheets), at: now))
            case .refund(let job):
                guard let printed = try transaction.printed(byJob: job) else {
                    return "job \(job) has no accounting entry: the job has not ended, or its entry was removed"
                }
                guard
                    try transaction.insert(QuotaCredit(.refund, of: printed.owner, printed.amounts, job: job, at: now))
                else { return "job \(job) was already refunded" }
            case .reset(let user): _ = try transaction.insert(QuotaCredit(.reset, of: user, QuotaAmounts(), at: now))
            }
            return nil
        }
        if let refusal { throw SpoolError.notPossible(refusal) }
    }

    // MARK: - Checks

    /// Checks the quotas of the owner of a new job, whose length is unknown.
    ///
    /// Until the end of the transaction, no other host checks quotas.
    ///
    /// - Returns: The groups whose quotas limit the job; nil if no quota limits the job.
    /// - Throws: `accountLimitReached` with the quota.
    func admit(
        _ submission: Submission, groups known: KnownGroups, in transaction: any SpoolTransaction
    ) throws -> [String]? {
        let quotas = try transaction.quotas(thatCanLimit: submission.owner)
        let groups = try known.members(amongGroupsOf: quotas)
        let limits = UserLimits(quotas, of: submission.owner, groups: groups)
        guard !limits.isEmpty else { return nil }
        try refuse(
            limits.refusal(
                ofJob: submission.ticket.copies ?? 1, amounts: nil, isColor: submission.isColor, at: clock()))
        if !limits.countedPeriods.isEmpty { try transaction.lockQuotas() }
        for standing in try standings(of: submission.owner, limits, in: transaction) {
            try refuse(standing.refusal(of: submission.owner, amount: nil))
        }
        return groups.sorted()
    }

    /// Checks the quotas for changed options of a waiting job.
    ///
    /// - Throws: `accountLimitReached` with the quota.
    func admit(_ ticket: JobTicket, of job: Job, in transaction: any SpoolTransaction) throws {
        guard let limits = try limits(of: job, in: transaction) else { return }
        // The preparation checks the color and the length.
        try refuse(limits.refusal(ofJob: ticket.copies ?? 1, amounts: nil, isColor: false, at: job.createdAt))
    }

    /// Replaces the event that a job is prepared by its failure, if the length of the job exceeds a quota.
    ///
    /// A job that has printed pages continues: its pages were admitted before.
    func limited(
        _ events: [JobStateMachine.Event], of job: Job, in transaction: any SpoolTransaction
    ) throws -> [JobStateMachine.Event] {
        guard job.ticket.limitedGroups != nil, job.remote == nil, job.printed.sheets == 0 else { return events }
        for (index, event) in events.enumerated() {
            guard case .prepared(let impressions, let sheets, _, _, let plan) = event,
                let refusal = try refusal(of: job, impressions: impressions, sheets: sheets, plan, in: transaction)
            else { continue }
            // A held job is checked again when its turn comes.
            let replacement: [JobStateMachine.Event] =
                job.state == .pendingHeld
                ? []
                : [.failed(.accountLimitReached, message: "\(refusal). Then 'printq reprint \(job.id)' prints the job")]
            return events[..<index] + replacement
        }
        return events
    }

    private func refusal(
        of job: Job, impressions: Int, sheets: Int, _ plan: SheetPlan?, in transaction: any SpoolTransaction
    ) throws -> String? {
        guard let limits = try limits(of: job, in: transaction) else { return nil }
        var planned = job
        (planned.impressions, planned.sheets, planned.sheetPlan) = (impressions, sheets, plan)
        let amounts = planned.quotaAmounts
        if let refusal = limits.refusal(
            ofJob: plan?.copies ?? job.ticket.copies ?? 1, amounts: amounts, isColor: plan?.isColor ?? false,
            at: job.createdAt)
        {
            return refusal
        }
        guard !limits.countedPeriods.isEmpty else { return nil }
        try transaction.lockQuotas()
        return try standings(of: job.owner, limits, besides: job.id, in: transaction).lazy
            .compactMap { $0.refusal(of: job.owner, amount: amounts[$0.unit]) }.first
    }

    /// Returns the limits of a job with the groups of its owner at the submission; nil for no limits.
    private func limits(of job: Job, in snapshot: any SpoolSnapshot) throws -> UserLimits? {
        guard let groups = job.ticket.limitedGroups else { return nil }
        let limits = UserLimits(
            try snapshot.quotas(thatCanLimit: job.owner), of: job.owner, groups: Set(groups))
        return limits.isEmpty ? nil : limits
    }

    private func standings(
        of owner: String, _ limits: UserLimits, besides jobID: Int? = nil, in snapshot: any SpoolSnapshot
    ) throws -> [QuotaStanding] {
        let (periods, now) = (limits.countedPeriods, clock())
        guard !periods.isEmpty else { return [] }
        // The reserved pages are read first: a job that ends in the meantime is counted twice, and not omitted.
        let reserved = try snapshot.reservedAmounts(of: owner, besides: jobID)
        return try periods.flatMap { period -> [QuotaStanding] in
            guard let bounds = period.bounds(at: now) else { return [] }
            let usage = try snapshot.quotaUsage(of: owner, since: bounds.lowerBound)
            return Quota.Unit.allCases.compactMap { unit in
                limits.limit(of: unit, per: period).map { most, quota in
                    QuotaStanding(
                        quota: quota, unit: unit, limit: most, used: usage.used[unit], added: usage.added[unit],
                        reserved: reserved[unit], endsAt: bounds.upperBound)
                }
            }
        }
    }

    private func refuse(_ refusal: String?) throws {
        if let refusal { throw SpoolError(code: .accountLimitReached, message: refusal) }
    }

    // MARK: - Groups

    /// Runs `body`, and repeats it with the groups of the owner if quotas limit groups.
    ///
    /// Without such quotas, no group is looked up.
    func withGroups<Value>(
        _ lookUp: GroupLookUp, _ body: (KnownGroups) async throws(SpoolError) -> Value
    ) async throws(SpoolError) -> Value {
        var known = KnownGroups()
        while true {
            let unknown: UnknownGroups
            do throws(SpoolError) { return try await body(known) } catch {
                guard let cause = error.cause as? UnknownGroups else { throw error }
                unknown = cause
            }
            do {
                known.members.formUnion(try await lookUp(unknown.names))
                known.names.formUnion(unknown.names)
            } catch {
                throw SpoolError(
                    code: .unavailable,
                    message: "the groups of the user cannot be determined now (\(error)); try again",
                    cause: error)
            }
        }
    }
}

/// The groups that were looked up for the owner of a job.
struct KnownGroups: Sendable {
    /// The groups that were looked up.
    fileprivate var names: Set<String> = []
    /// The groups that contain the owner.
    fileprivate var members: Set<String> = []

    /// Returns the groups with quotas that contain the owner.
    ///
    /// - Throws: An error with the cause `UnknownGroups` if a group was not looked up.
    fileprivate func members(amongGroupsOf quotas: [Quota]) throws(SpoolError) -> Set<String> {
        let wanted = Set(
            quotas.compactMap { quota in if case .group(let name) = quota.subject { name } else { nil } })
        let unknown = wanted.subtracting(names)
        guard unknown.isEmpty else {
            throw SpoolError(
                code: .inconsistent, message: "groups are not looked up", cause: UnknownGroups(names: unknown.sorted()))
        }
        return members.intersection(wanted)
    }
}

private struct UnknownGroups: Error {
    var names: [String]
}

/// What an administrator has added to the quotas of a user.
package struct QuotaCredit: Sendable {
    package enum Kind: String, Sendable {
        case topUp = "top-up"
        case refund
        /// Everything before this entry does not count.
        case reset
    }

    /// The user, or `@` and the address of guests.
    var owner: String
    var kind: Kind
    var amounts: QuotaAmounts
    /// The job that is refunded; otherwise nil.
    var jobID: Int?
    var createdAt: UnixTime

    init(_ kind: Kind, of owner: String, _ amounts: QuotaAmounts, job: Int? = nil, at time: UnixTime) {
        (self.kind, self.owner, self.amounts) = (kind, GuestName.limited(owner), amounts)
        (jobID, createdAt) = (job, time)
    }
}

/// What counts for the quotas of a user in a period.
package struct QuotaUsage: Sendable {
    /// The printed pages and sheets.
    package var used: QuotaAmounts
    /// What administrators have added.
    package var added: QuotaAmounts
}

/// Whether a printer accepts a new job.
package struct PrinterAdmission: Sendable {
    package var isAccepting: Bool
    /// Whether the spool has quotas, so that the quotas of the owner must be checked.
    package var hasQuotas: Bool
}
