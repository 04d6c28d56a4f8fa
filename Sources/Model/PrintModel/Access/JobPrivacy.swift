/// The values of jobs that only some users see (IPP `job-privacy-attributes` and `job-privacy-scope`).
package struct JobPrivacy: Sendable, Hashable {
    /// The users who see the private values of a job (`job-privacy-scope`; CUPS JobPrivateAccess).
    package enum Scope: String, CaseIterable, Sendable {
        /// The owner of the job and all administrators.
        case owner
        /// All users of the spool.
        case all
    }

    /// The users who see the private values.
    package var scope: Scope
    /// The private values (`job-privacy-attributes`; CUPS JobPrivateValues).
    ///
    /// The names of job attributes, or one of these keywords: `default` for all attributes except those in
    /// ``progressNames``, `all` for all attributes except the number and the state, `none` for no attributes.
    package var names: Set<String>

    /// Creates the rules.
    package init(scope: Scope = .owner, names: Set<String> = ["default"]) {
        (self.scope, self.names) = (scope, names)
    }

    /// The values of `names`: the keywords, and the attributes that show whose job it is, and of what.
    package static let knownNames = ["default", "all", "none"] + attributeNames
    private static let attributeNames = [
        "document-format", "document-name-supplied", "job-k-octets", "job-name", "job-originating-user-name",
        "job-printer-state-message", "job-state-message",
    ]

    /// Whether all users see all values.
    package var hidesNothing: Bool { scope == .all || names.isSubset(of: ["none"]) }

    /// Returns whether an attribute is private.
    package func hides(_ name: String) -> Bool {
        guard !hidesNothing, !Self.requiredNames.contains(name) else { return false }
        return names.contains("all") || names.contains("default") && !Self.progressNames.contains(name)
            || names.contains(name)
    }

    /// The attributes with which clients count the jobs that are waiting.
    private static let requiredNames: Set<String> = [
        "job-id", "job-uri", "job-uuid", "job-printer-uri", "job-state", "job-state-reasons", "job-printer-up-time",
        "printq-place",
    ]

    /// The job attributes that are public with `default`.
    ///
    /// They show the length and progress of the queue, but not the content of jobs.
    private static let progressNames: Set<String> = [
        "job-k-octets", "job-impressions", "job-impressions-completed", "job-media-sheets",
        "job-media-sheets-completed", "job-pages", "job-pages-completed", "job-pages-completed-current-copy",
        "number-of-documents", "time-at-creation", "time-at-processing", "time-at-completed",
        "date-time-at-creation", "date-time-at-processing", "date-time-at-completed", "job-priority",
        "job-hold-until", "job-hold-until-time", "printq-copies", "printq-current-copy",
    ]
}
