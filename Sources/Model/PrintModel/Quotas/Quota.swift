// Defines the rules that limit what users may print.

/// A rule that limits what users may print in a period, or with one job (`job-page-limit`, `job-quota-period` of CUPS).
public struct Quota: Hashable, Sendable {
    /// The users whom a quota limits, each of them separately.
    public enum Subject: Hashable, Sendable {
        /// The user with the given name.
        case user(String)
        /// The members of a group of the machine.
        case group(String)
        /// The clients on the network without credentials: each address counts as one user.
        case guests
        /// All users and guests.
        case everyone
    }

    /// The period in which a quota counts, in local time.
    public enum Period: String, CaseIterable, Hashable, Sendable {
        /// One job: the quota limits each job, and counts nothing.
        case job
        case day
        /// A week, which begins on Monday (ISO 8601).
        case week
        case month
    }

    /// The unit in which a quota counts.
    public enum Unit: String, CaseIterable, Hashable, Sendable {
        /// Sides with content (IPP impressions).
        case pages
        case sheets
    }

    package var subject: Subject
    package var period: Period
    /// The maximum number of pages; nil for no limit.
    package var pages: Int?
    /// The maximum number of sheets; nil for no limit.
    package var sheets: Int?
    /// The maximum number of copies of a job; nil for no limit, as in each quota that is not per job.
    package var copies: Int?
    /// The hours in which jobs in color are accepted; nil for no limit, as in each quota that is not per job.
    package var color: ColorHours?

    package init(
        _ subject: Subject, per period: Period, pages: Int? = nil, sheets: Int? = nil, copies: Int? = nil,
        color: ColorHours? = nil
    ) {
        (self.subject, self.period) = (subject, period)
        (self.pages, self.sheets, self.copies, self.color) = (pages, sheets, copies, color)
    }

    /// Whether the quota has a limit, and no limit that its period excludes.
    package var isValid: Bool {
        let amounts = [pages, sheets, copies].compactMap(\.self)
        return amounts.allSatisfy { $0 >= 0 && $0 <= Int(Int32.max) } && !(amounts.isEmpty && color == nil)
            && (period == .job || copies == nil && color == nil) && subject.name.map { !$0.isEmpty } ?? true
    }

    func limit(of unit: Unit) -> Int? { unit == .pages ? pages : sheets }
}

extension Quota.Subject {
    /// Creates a subject from its stored form; nil for an unknown kind.
    package init?(kind: String, name: String) {
        switch kind {
        case "user": self = .user(name)
        case "group": self = .group(name)
        case "guests": self = .guests
        case "everyone": self = .everyone
        default: return nil
        }
    }

    /// The kind of the subject as a keyword.
    package var kind: String {
        switch self {
        case .user: "user"
        case .group: "group"
        case .guests: "guests"
        case .everyone: "everyone"
        }
    }

    /// The name of the user or of the group; nil for all guests or all users.
    package var name: String? {
        switch self {
        case .user(let name), .group(let name): name
        case .guests, .everyone: nil
        }
    }

    /// Creates a subject from its label; nil for an empty name.
    package init?(label: String) {
        switch label {
        case "", "@": return nil
        case "everyone": self = .everyone
        case "guests": self = .guests
        case _ where label.hasPrefix("@"): self = .group(String(label.dropFirst()))
        default: self = .user(label)
        }
    }

    /// The subject as users write it: a user, a group with a leading `@`, `guests` or `everyone`.
    package var label: String {
        switch self {
        case .user(let name): name
        case .group(let name): "@\(name)"
        case .guests: "guests"
        case .everyone: "everyone"
        }
    }

    /// The subject in a sentence, such as `the group 'students'`.
    package var words: String {
        switch self {
        case .user(let name): "user '\(name)'"
        case .group(let name): "the group '\(name)'"
        case .guests: "guests"
        case .everyone: "all users"
        }
    }

    /// The precedence: a quota with a lower value replaces the same limit of quotas with higher values.
    var rank: Int {
        switch self {
        case .user: 0
        case .group: 1
        case .guests: 2
        case .everyone: 3
        }
    }
}

/// A change of the quotas, or of what a user has used, by an administrator.
public enum QuotaChange: Hashable, Sendable {
    /// A new quota, which replaces the quota of the same users and period.
    case set(Quota)
    /// The removal of the quotas of some users; a nil period stands for all periods.
    case remove(Quota.Subject, Quota.Period?)
    /// More pages and sheets in the current periods of a user.
    case topUp(user: String, pages: Int, sheets: Int)
    /// The return of the pages and sheets of an ended job to its owner, once.
    case refund(job: Int)
    /// A new start: everything that a user has used in the current periods no longer counts.
    case reset(user: String)
}
