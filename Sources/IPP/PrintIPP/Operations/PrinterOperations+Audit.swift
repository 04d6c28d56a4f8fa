// Records requests in the audit log, and returns the log to administrators.

package import IPP
public import PrintModel

extension Operation {
    /// The operation Get-Audit, which returns the newest entries of the audit log, oldest first.
    ///
    /// This operation of printq has a number in the vendor range (RFC 8011 §5.4.15). The operation attributes are
    /// `printq-since`, `printq-user`, `job-id` and `limit`, as in ``AuditQuery``; the response has one group of job
    /// attributes for each entry.
    package static let printqGetAudit = Operation(rawValue: 0x505E)

    /// Whether requests change nothing that a person cares about: queries and subscriptions.
    fileprivate var isQuery: Bool {
        switch self {
        case .validateJob, .getJobs, .getJobAttributes, .getPrinterAttributes, .getPrinterSupportedValues,
            .cupsGetDefault, .cupsGetPrinters, .cupsGetClasses, .cupsGetPPD, .cupsGetDevices,
            .createPrinterSubscriptions, .createJobSubscriptions, .getSubscriptionAttributes, .getSubscriptions,
            .renewSubscription, .cancelSubscription, .getNotifications, .printqGetAccounting, .printqGetHosts,
            .printqGetTokens, .printqGetUsers, .printqGetAudit, .printqGetQuotas:
            true
        default: false
        }
    }
}

extension PrinterOperations {
    func getAudit(_ exchange: Exchange) async throws -> Message {
        let query = AuditQuery(
            since: exchange.attributes["printq-since"]?.timeValue, user: exchange.attributes.string("printq-user"),
            job: exchange.attributes.integer("job-id").map(Int.init),
            limit: exchange.attributes.integer("limit").map(Int.init) ?? AuditQuery.mostAtOnce)
        return exchange.reply(try await service.audit(query).map { AttributeGroup(.job, $0.attributes) })
    }

    /// Records a request that changes something, or that was refused because of who sent it.
    ///
    /// A client without credentials that is asked for credentials is not recorded: every client begins in this way.
    ///
    /// - Parameter requester: The requester; `nil` if the identity is unknown, because the credentials are wrong.
    func record(_ request: IPPRequest, from requester: Requester?, _ target: RequestTarget?, _ answer: Message) {
        let isRefused = [.clientErrorNotAuthenticated, .clientErrorNotAuthorized, .serverErrorBusy].contains(
            answer.status)
        guard !request.message.operation.isQuery || isRefused, !isOpen else { return }
        let group = request.message[.operation]
        let claimed = group?.string("requesting-user-name")
        var entry = AuditEntry(
            time: clock(), user: claimed ?? AnonymousClient.name, proof: .none, address: request.peer.address,
            operation: request.message.operation.title, printer: target?.printer,
            job: target?.jobID ?? answer[.job]?.integer("job-id").map(Int.init), status: "\(answer.status)")
        switch requester {
        case .kernel(let user):
            (entry.user, entry.proof) = (user.name, AuditEntry.Proof.kernel.text)
            entry.actsFor = user.actingName == user.name ? nil : user.actingName
        case .token(let user):
            (entry.user, entry.proof) = (user.token.user, AuditEntry.Proof.token(user.token.name).text)
            entry.actsFor = user.actingName == user.token.user ? nil : user.actingName
        case .networkUser(let user): (entry.user, entry.proof) = (user.name, user.proof.text)
        case .guest(let guest):
            guard guest.isAdmitted else { return }
            entry.user = guest.name
        case .anonymous, .visitor: break
        case nil:
            guard let credentials = request.credentials, isRefused else { return }
            (entry.user, entry.proof) = (credentials.user ?? claimed ?? "", AuditEntry.Proof.refused.text)
        }
        service.record(entry)
    }
}

extension PrinterService {
    /// Does nothing, because this service has no audit log.
    public func record(_ entry: AuditEntry) {}

    /// Throws an error, because this service has no audit log.
    public func audit(_ query: AuditQuery) async throws -> [AuditEntry] {
        throw IPPFailure(.serverErrorOperationNotSupported, "this server has no audit log")
    }
}
