// Access control: one rule per operation.

package import IPP

/// The kinds of requesters that the access table distinguishes.
package enum RequesterKind: String, CaseIterable, Sendable {
    /// A client without a proven identity.
    case anonymous
    /// A user of this machine.
    case user
    /// Root, the server's own user, or a member of the group `lpadmin`.
    case administrator
}

/// The relation of the requester to the object of an operation.
package enum Ownership: String, CaseIterable, Sendable {
    /// The requester's own job or subscription.
    ///
    /// All anonymous clients share ownership.
    case own
    /// Another user's object.
    case others = "other's"
}

/// The decision about a request.
package enum Permission: String, CaseIterable, Sendable {
    /// The server carries out the operation.
    case allowed = "yes"
    /// The server carries out the operation.
    ///
    /// The response omits private values (``PrivateJobValues``).
    case withoutPrivateValues = "state only"
    /// The server refuses the operation with `client-error-not-authorized`.
    case refused = "no"
}

/// The requirement of an operation for its requester: a row of the table in `docs/threat-model.md`.
package enum AccessRule: String, CaseIterable, Sendable {
    /// Everyone may use the operation.
    ///
    /// The operation does not affect objects of other users.
    case everyone
    /// Everyone may use the operation.
    ///
    /// Only the proven owner and administrators receive private values of a job.
    case everyoneInPart
    /// The owner, including an anonymous owner, and administrators may use the operation.
    case owner
    /// The proven owner and administrators may use the operation.
    case provenOwner
    /// Every proven user may use the operation.
    case provenUser
    /// Administrators may use the operation.
    case administrator

    /// Returns the permission of a requester for an object with the given ownership.
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

    /// Whether the rule depends on the owner of the object.
    package var asksForOwner: Bool {
        switch self {
        case .everyoneInPart, .owner, .provenOwner: true
        case .everyone, .provenUser, .administrator: false
        }
    }
}

extension Operation {
    /// The requirement of the operation for its requester.
    ///
    /// Operations without a rule are restricted to administrators.
    package var access: AccessRule { Self.accessByCode[rawValue] ?? .administrator }

    private static let accessByCode = Dictionary(
        uniqueKeysWithValues: accessRules.map { ($0.operation.rawValue, $0.rule) })

    /// The rules, in the order of the table.
    ///
    /// For operations on several jobs (Get-Jobs, Cancel-Jobs, Purge-Jobs, Get-Accounting), "own" is a request with
    /// `my-jobs`, and "other's" is a request without it.
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

/// The job values that only the owner and administrators see (CUPS JobPrivateValues).
///
/// The table lists the public attributes, so that a new attribute is private by default.
package enum PrivateJobValues {
    /// The job attributes that everyone may see.
    ///
    /// The attributes show the length and progress of the queue, but not the content of jobs.
    package static let publicNames: Set<String> = [
        "job-id", "job-uri", "job-uuid", "job-printer-uri", "job-state", "job-state-reasons", "job-printer-up-time",
        "job-k-octets", "job-impressions", "job-impressions-completed", "job-media-sheets",
        "job-media-sheets-completed", "job-pages", "job-pages-completed", "job-pages-completed-current-copy",
        "number-of-documents", "time-at-creation", "time-at-processing", "time-at-completed",
        "date-time-at-creation", "date-time-at-processing", "date-time-at-completed", "job-priority",
        "job-hold-until", "job-hold-until-time", "printq-copies", "printq-current-copy", "printq-place",
    ]
}

/// The access table in `docs/threat-model.md`.
package enum AccessTable {
    /// Returns the table in Markdown, with a row per operation and a column per kind of requester and owner.
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
