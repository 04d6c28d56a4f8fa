// Access control: one rule per operation.

package import IPP

/// The kinds of requesters that the access table distinguishes.
package enum RequesterKind: String, CaseIterable, Sendable {
    /// A client on the network that has sent no credentials.
    case guest
    /// A client on the network that has sent no credentials, at a printer that such clients can use.
    case admittedGuest = "admitted guest"
    /// A client on the network whose token or user has the scope `look`.
    case reader
    /// A client of this machine whose user the kernel does not report.
    case anonymous
    /// A user on the network with a password, or a token of OpenID Connect, and the scope `submit`.
    case networkUser = "network user"
    /// A local user, or a client on the network whose token has the scope `submit`.
    case user
    /// A user whom the policy of the printer makes its manager, or a token with the scope `manage` for the printer.
    case manager
    /// Root, the user of the server process, a member of the group `lpadmin`, or the scope `manage`
    /// for all printers.
    case administrator
}

/// The ownership of the object that an operation accesses, such as a job.
package enum Ownership: String, CaseIterable, Sendable {
    /// An object that the requester owns: a job or a subscription.
    ///
    /// All anonymous clients together count as one owner.
    case own
    case others = "other's"
}

package enum Permission: String, CaseIterable, Sendable {
    case allowed = "yes"
    /// The server performs the operation, and the response omits private values (``JobPrivacy``).
    case withoutPrivateValues = "state only"
    /// A refusal with the status `client-error-not-authorized`.
    case refused = "no"
}

/// The rule that determines who is allowed to use an operation: a row of the table in
/// `docs/results/access-table.md`.
package enum AccessRule: String, CaseIterable, Sendable {
    /// Access for everyone, including guests.
    case `public`
    /// The operation does not affect objects of other users.
    case everyone
    /// Access for all clients, with restrictions.
    ///
    /// Only the authenticated owner and administrators receive private values of a job.
    case everyoneInPart
    /// Access for the owner, including an anonymous owner, and for administrators.
    case owner
    /// Access for the authenticated owner and for administrators.
    case provenOwner
    /// Access for the authenticated owner and for administrators, because the object belongs to no printer.
    case provenSelf
    case provenUser
    /// Access for everyone except guests, because the request contains a password.
    case passwordHolder
    /// Access for the managers of the printer and for administrators.
    case manager
    /// Access for administrators only.
    case administrator

    package func permission(of requester: RequesterKind, _ ownership: Ownership) -> Permission {
        if requester == .administrator || self == .public { return .allowed }
        if requester == .guest { return .refused }
        if self == .passwordHolder { return .allowed }
        if requester == .manager, [.everyoneInPart, .provenOwner, .manager].contains(self) { return .allowed }
        // A password proves as much as the kernel or a token. Managers have no rights beyond those of their printer.
        let requester = [.networkUser, .manager].contains(requester) ? .user : requester
        switch (self, requester, ownership) {
        case (.everyoneInPart, .user, .own), (.everyoneInPart, .reader, .own): return .allowed
        case (.everyoneInPart, .admittedGuest, _): return ownership == .own ? .allowed : .refused
        case (.everyoneInPart, _, _): return .withoutPrivateValues
        case (_, .reader, _): return .refused
        case (.everyone, _, _): return .allowed
        case (.owner, _, .own): return .allowed
        case (.provenOwner, .user, .own), (.provenOwner, .admittedGuest, .own): return .allowed
        case (.provenSelf, .user, .own), (.provenSelf, .admittedGuest, .own): return .allowed
        case (.provenUser, .user, _): return .allowed
        default: return .refused
        }
    }

    package var asksForOwner: Bool {
        switch self {
        case .everyoneInPart, .owner, .provenOwner, .provenSelf: true
        case .public, .everyone, .provenUser, .passwordHolder, .manager, .administrator: false
        }
    }
}

extension Operation {
    /// The name of the operation, for the access table and the audit log.
    package var title: String { Self.ownTitles[rawValue] ?? description }

    /// The names of the operations that printq defines.
    private static let ownTitles: [UInt16: String] = [
        Operation.printqGetAccounting.rawValue: "Get-Accounting",
        Operation.printqReloadConfiguration.rawValue: "Reload-Configuration",
        Operation.printqGetHosts.rawValue: "Get-Hosts", Operation.printqChangeHosts.rawValue: "Change-Hosts",
        Operation.printqGetTokens.rawValue: "Get-Tokens", Operation.printqChangeTokens.rawValue: "Change-Tokens",
        Operation.printqGetUsers.rawValue: "Get-Users", Operation.printqChangeUsers.rawValue: "Change-Users",
        Operation.printqGetAudit.rawValue: "Get-Audit",
        Operation.printqGetQuotas.rawValue: "Get-Quotas", Operation.printqChangeQuotas.rawValue: "Change-Quotas",
    ]

    /// The rule that determines who is allowed to use the operation.
    ///
    /// Operations without a rule are restricted to administrators.
    package var access: AccessRule { Self.accessByCode[rawValue] ?? .administrator }

    /// Returns the rule for a request with the given operation attributes.
    ///
    /// Everyone who may list the jobs can send Release-Job with `job-password`.
    package func access(with attributes: AttributeGroup) -> AccessRule {
        self == .releaseJob && attributes["job-password"] != nil ? Self.releaseWithPassword : access
    }

    /// The rule of Release-Job with `job-password`.
    package static let releaseWithPassword = AccessRule.passwordHolder

    private static let accessByCode = Dictionary(
        uniqueKeysWithValues: accessRules.map { ($0.operation.rawValue, $0.rule) })

    /// The access rules, in the order of the access table.
    ///
    /// For Cancel-Jobs and Purge-Jobs, the column "own" applies to requests with `my-jobs`, and the column "other's" to
    /// requests without `my-jobs`. For Get-Jobs, the columns apply to each job in the response. For Get-Accounting
    /// and Get-Quotas, the column "other's" applies to requests about another user (`printq-user`).
    package static let accessRules: [(operation: Operation, rule: AccessRule)] = [
        (.getPrinterAttributes, .public), (.getPrinterSupportedValues, .public), (.cupsGetDefault, .public),
        (.cupsGetPrinters, .public), (.cupsGetClasses, .public), (.cupsGetPPD, .public),
        (.validateJob, .everyone), (.printJob, .everyone), (.printURI, .everyone), (.createJob, .everyone),
        (.sendDocument, .owner), (.sendURI, .owner), (.closeJob, .owner),
        (.getJobs, .everyoneInPart), (.getJobAttributes, .everyoneInPart),
        (.cancelJob, .provenOwner), (.cancelMyJobs, .provenUser), (.cancelJobs, .provenOwner),
        (.purgeJobs, .provenOwner), (.holdJob, .provenOwner), (.releaseJob, .provenOwner),
        (.setJobAttributes, .provenOwner), (.resumeJob, .provenOwner), (.restartJob, .provenOwner),
        (.resubmitJob, .provenOwner), (.cupsMoveJob, .provenOwner), (.printqGetAccounting, .provenOwner),
        (.printqGetQuotas, .provenSelf),
        (.createPrinterSubscriptions, .everyone), (.createJobSubscriptions, .owner),
        (.getSubscriptionAttributes, .owner), (.getSubscriptions, .owner), (.renewSubscription, .owner),
        (.cancelSubscription, .owner), (.getNotifications, .owner),
        (.identifyPrinter, .everyone), (.printqGetHosts, .provenUser),
        (.pausePrinter, .manager), (.resumePrinter, .manager), (.enablePrinter, .manager),
        (.disablePrinter, .manager), (.cupsAcceptJobs, .manager), (.cupsRejectJobs, .manager),
        (.setPrinterAttributes, .administrator), (.cupsSetDefault, .administrator),
        (.cupsAddModifyPrinter, .administrator), (.cupsDeletePrinter, .administrator),
        (.cupsGetDevices, .administrator), (.printqReloadConfiguration, .administrator),
        (.printqChangeHosts, .administrator), (.printqGetTokens, .administrator),
        (.printqChangeTokens, .administrator), (.printqGetUsers, .administrator),
        (.printqChangeUsers, .administrator), (.printqGetAudit, .administrator),
        (.printqChangeQuotas, .administrator),
    ]
}
