// Decides which quotas limit a user, and what the user may still print.

/// The quotas that limit one user.
///
/// For each limit, the quota of the user itself applies, otherwise the quota of a group, of guests, and of all users.
/// Among several groups, the group with the higher limit applies.
package struct UserLimits: Hashable, Sendable {
    private let quotas: [Quota]

    /// - Parameter groups: The groups that contain the user, among those that have quotas.
    package init(_ quotas: [Quota], of user: String, groups: Set<String>) {
        let isGuest = GuestName.address(in: user) != nil
        self.quotas = quotas.filter { quota in
            switch quota.subject {
            case .user(let name): name == user || name == GuestName.limited(user)
            case .group(let name): groups.contains(name)
            case .guests: isGuest
            case .everyone: true
            }
        }
    }

    package var isEmpty: Bool { quotas.isEmpty }

    /// The periods in which something must be counted.
    package var countedPeriods: [Quota.Period] {
        Quota.Period.allCases.filter { period in
            period != .job && Quota.Unit.allCases.contains { limit(of: $0, per: period) != nil }
        }
    }

    /// The quotas that limit each job.
    package var perJob: [Quota] { quotas.filter { $0.period == .job } }

    /// Returns the limit of a unit in a period, and its quota; nil for no limit.
    package func limit(of unit: Quota.Unit, per period: Quota.Period) -> (most: Int, quota: Quota)? {
        highest(per: period) { $0.limit(of: unit) }
    }

    private func highest(per period: Quota.Period, _ value: (Quota) -> Int?) -> (most: Int, quota: Quota)? {
        strongest(quotas.filter { $0.period == period && value($0) != nil })
            .map { (most: value($0) ?? 0, quota: $0) }.max { $0.most < $1.most }
    }

    /// Returns the quotas with the highest precedence.
    private func strongest(_ quotas: [Quota]) -> [Quota] {
        let first = quotas.map(\.subject.rank).min()
        return quotas.filter { $0.subject.rank == first }
    }

    /// Returns the reason why a job is refused regardless of what its owner has printed; nil for a permitted job.
    ///
    /// - Parameters:
    ///   - amounts: The pages and sheets of the job; nil if they are unknown.
    ///   - isColor: Whether the job is printed in color.
    ///   - time: The time of the submission.
    package func refusal(ofJob copies: Int, amounts: QuotaAmounts?, isColor: Bool, at time: UnixTime) -> String? {
        if let (most, quota) = highest(per: .job, \.copies), copies > most {
            return "the quota of \(quota.subject.words) is \(Self.count(most, "copies")) per job, and this job has "
                + "\(copies); request fewer copies, or ask an administrator"
        }
        let rules = strongest(quotas.filter { $0.period == .job && $0.color != nil })
        if isColor, let rule = rules.first, !rules.contains(where: { $0.color?.contains(time) == true }) {
            let hours = rule.color == .never ? "no color" : "color only from \(rule.color?.description ?? "")"
            return "the quota of \(rule.subject.words) permits \(hours); print in monochrome "
                + "('-o print-color-mode=monochrome')\(rule.color == .never ? "" : ", or later")"
        }
        for unit in Quota.Unit.allCases {
            guard let (most, quota) = limit(of: unit, per: .job), let amount = amounts?[unit], amount > most else {
                continue
            }
            return
                "the quota of \(quota.subject.words) is \(Self.count(most, unit.rawValue)) per job, and this job has "
                + "\(amount); print fewer pages, or ask an administrator"
        }
        return nil
    }

    /// Returns a number with its unit, such as `1 page`.
    static func count(_ number: Int, _ unit: String) -> String {
        number != 1 ? "\(number) \(unit)" : "1 \(unit == "copies" ? "copy" : String(unit.dropLast()))"
    }
}

/// Pages and sheets.
package struct QuotaAmounts: Hashable, Sendable {
    package var pages: Int
    package var sheets: Int

    package init(pages: Int = 0, sheets: Int = 0) { (self.pages, self.sheets) = (pages, sheets) }

    package subscript(unit: Quota.Unit) -> Int { unit == .pages ? pages : sheets }

    package static func + (one: Self, other: Self) -> Self {
        Self(pages: one.pages + other.pages, sheets: one.sheets + other.sheets)
    }
}

/// What a user has used of a quota in the current period.
public struct QuotaStanding: Hashable, Sendable {
    package var quota: Quota
    package var unit: Quota.Unit
    /// The limit of the quota.
    package var limit: Int
    /// The number of printed pages or sheets, from the accounting entries.
    package var used: Int
    /// The number that administrators have added in this period.
    package var added: Int
    /// The number that unfinished jobs will print; a job whose length is unknown counts as 1.
    package var reserved: Int
    /// The time at which the next period begins.
    package var endsAt: UnixTime

    package init(
        quota: Quota, unit: Quota.Unit, limit: Int, used: Int, added: Int, reserved: Int, endsAt: UnixTime
    ) {
        (self.quota, self.unit, self.limit, self.used) = (quota, unit, limit, used)
        (self.added, self.reserved, self.endsAt) = (added, reserved, endsAt)
    }

    /// The number that the user can still print.
    package var remaining: Int { max(0, limit + added - used - reserved) }

    /// Returns the reason why a job is refused; nil for a permitted job.
    ///
    /// - Parameter amount: The length of the job; nil if the length is unknown, but at least 1.
    package func refusal(of user: String, amount: Int?) -> String? {
        guard amount ?? 1 > remaining else { return nil }
        let more = added == 0 ? "" : " and \(added) more"
        let others = reserved == 0 ? "" : ", unfinished jobs print \(reserved)"
        return "the quota of \(quota.subject.words) is \(UserLimits.count(limit, unit.rawValue)) per "
            + "\(quota.period.rawValue)\(more): \(user) has printed \(used)\(others), and this job has "
            + "\(amount.map { "\($0)" } ?? "at least 1"); the next \(quota.period.rawValue) begins on "
            + "\(endsAt.localDate), or an administrator adds \(unit.rawValue)"
    }
}
