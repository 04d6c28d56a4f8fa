// Who may do what: one rule for each operation.

package import IPP

/// The kinds of requesters that the access table distinguishes.
package enum RequesterKind: String, CaseIterable, Sendable {
    /// A client of which nothing is proven.
    case anonymous
    /// A user of this machine.
    case user
    /// Root, the server's own user, or a member of the group `lpadmin`.
    case administrator
}

/// Whose thing an operation is about.
package enum Ownership: String, CaseIterable, Sendable {
    /// The requester's own job or subscription. For an anonymous client, that of any anonymous client.
    case own
    /// Somebody else's.
    case others = "other's"
}

/// What comes of a request.
package enum Permission: String, CaseIterable, Sendable {
    /// The operation is carried out.
    case allowed = "yes"
    /// The operation is carried out, and the answer leaves private values out (``PrivateJobValues``).
    case withoutPrivateValues = "state only"
    /// The operation is refused with `client-error-not-authorized`.
    case refused = "no"
}

/// What an operation requires of its requester; the rows of the table in `docs/threat-model.md`.
package enum AccessRule: String, CaseIterable, Sendable {
    /// Everyone: what is shown or made belongs to nobody else.
    case everyone
    /// Everyone, but private values of a job only to its proven owner and to administrators.
    case everyoneInPart
    /// The owner, also an anonymous one, and administrators.
    case owner
    /// The proven owner, and administrators.
    case provenOwner
    /// Every proven user.
    case provenUser
    /// Administrators.
    case administrator

    /// Returns what a requester may do with a thing of their own or of somebody else.
    package func permission(of requester: RequesterKind, _ ownership: Ownership) -> Permission {
        if requester == .administrator { return .allowed }
        switch (self, requester, ownership) {
        case (.everyone, _, _): return .allowed
        case (.everyoneInPart, .user, .own): return .allowed
        case (.everyoneInPart, _, _): return .withoutPrivateValues
        case (.owner, _, .own): return .allowed
        case (.provenOwner, .user, .own): return .allowed
        case (.provenUser, .user, _): return .allowed
        default: return .refused
        }
    }

    /// Whether the rule asks whose thing the operation is about.
    package var asksForOwner: Bool {
        switch self {
        case .everyoneInPart, .owner, .provenOwner: true
        case .everyone, .provenUser, .administrator: false
        }
    }
}

extension Operation {
    /// What the operation requires of its requester; of an operation that is not listed here only administrators are
    /// allowed.
    package var access: AccessRule { Self.accessByCode[rawValue] ?? .administrator }

    private static let accessByCode = Dictionary(
        uniqueKeysWithValues: accessRules.map { ($0.operation.rawValue, $0.rule) })

    /// The rules, in the order of the table.
    ///
    /// For an operation on several jobs (Get-Jobs, Cancel-Jobs, Purge-Jobs, Get-Accounting), "own" is the request with
    /// `my-jobs`, "other's" the one without.
    package static let accessRules: [(operation: Operation, rule: AccessRule)] = [
        (.getPrinterAttributes, .everyone), (.getPrinterSupportedValues, .everyone), (.cupsGetDefault, .everyone),
        (.cupsGetPrinters, .everyone), (.cupsGetClasses, .everyone),
        (.validateJob, .everyone), (.printJob, .everyone), (.printURI, .everyone), (.createJob, .everyone),
        (.sendDocument, .owner), (.sendURI, .owner), (.closeJob, .owner),
        (.getJobs, .everyoneInPart), (.getJobAttributes, .everyoneInPart),
        (.cancelJob, .provenOwner), (.cancelMyJobs, .provenUser), (.cancelJobs, .provenOwner),
        (.purgeJobs, .provenOwner), (.holdJob, .provenOwner), (.releaseJob, .provenOwner),
        (.setJobAttributes, .provenOwner), (.resumeJob, .provenOwner), (.restartJob, .provenOwner),
        (.resubmitJob, .provenOwner), (.cupsMoveJob, .provenOwner), (.printqGetAccounting, .provenOwner),
        (.createPrinterSubscriptions, .everyone), (.createJobSubscriptions, .owner),
        (.getSubscriptionAttributes, .owner), (.getSubscriptions, .owner), (.renewSubscription, .owner),
        (.cancelSubscription, .owner), (.getNotifications, .owner),
        (.identifyPrinter, .everyone),
        (.pausePrinter, .administrator), (.resumePrinter, .administrator), (.enablePrinter, .administrator),
        (.disablePrinter, .administrator), (.cupsAcceptJobs, .administrator), (.cupsRejectJobs, .administrator),
        (.setPrinterAttributes, .administrator), (.cupsSetDefault, .administrator),
        (.cupsAddModifyPrinter, .administrator), (.cupsDeletePrinter, .administrator),
        (.cupsGetDevices, .administrator),
    ]
}

/// The values of a job that only its owner and administrators see (CUPS JobPrivateValues).
///
/// What everyone may see is listed, so that a new attribute is private until somebody decides otherwise.
package enum PrivateJobValues {
    /// The attributes of a job that everyone may see: how long the queue is and how it moves, nothing of who prints what.
    package static let publicNames: Set<String> = [
        "job-id", "job-uri", "job-uuid", "job-printer-uri", "job-state", "job-state-reasons", "job-printer-up-time",
        "job-k-octets", "job-impressions", "job-impressions-completed", "job-media-sheets",
        "job-media-sheets-completed", "job-pages", "job-pages-completed", "job-pages-completed-current-copy",
        "number-of-documents", "time-at-creation", "time-at-processing", "time-at-completed",
        "date-time-at-creation", "date-time-at-processing", "date-time-at-completed", "job-priority",
        "job-hold-until", "job-hold-until-time", "printq-copies", "printq-current-copy", "printq-place",
    ]
}

/// The table that `docs/threat-model.md` publishes.
package enum AccessTable {
    /// Returns the table in Markdown: a row for each operation, a column for each kind of requester and owner.
    package static func markdown() -> String {
        var lines = [
            "| Operation | anonymous, own | anonymous, other's | user, own | user, other's | administrator |",
            "|---|---|---|---|---|---|",
        ]
        for (operation, rule) in Operation.accessRules {
            let cells = [RequesterKind.anonymous, .user].flatMap { kind in
                Ownership.allCases.map { rule.permission(of: kind, $0).rawValue }
            }
            let name = operation == .printqGetAccounting ? "Get-Accounting" : "\(operation)"
            lines.append("| \(name) | \((cells + ["yes"]).joined(separator: " | ")) |")
        }
        return lines.joined(separator: "\n") + "\n"
    }
}
