// The operations that list and change the quotas.

package import IPP
public import PrintModel

extension Operation {
    /// The operation Get-Quotas, which returns what a user has used of its quotas.
    ///
    /// This operation of printq has a number in the vendor range (RFC 8011 §5.4.15). The operation attribute
    /// `printq-user` names the user, by default the requester. Only administrators can name other users. With
    /// `printq-all-quotas`, an administrator receives all quotas instead.
    ///
    /// The printer attributes of the response are `printq-quota-standings` (``QuotaStanding``), and `printq-quotas`
    /// (``Quota``): the quotas that limit each job of the user, or all quotas.
    package static let printqGetQuotas = Operation(rawValue: 0x5060)

    /// The operation Change-Quotas, which changes the quotas, or what a user has used (``QuotaChange``).
    ///
    /// This operation of printq has a number in the vendor range (RFC 8011 §5.4.15). The operation attributes are
    /// `printq-quota-change` (`set`, `remove`, `top-up`, `refund` or `reset`) and the attributes of the change. The
    /// response is that of Get-Quotas with `printq-all-quotas` after the change.
    package static let printqChangeQuotas = Operation(rawValue: 0x5061)
}

extension PrinterOperations {
    func getQuotas(_ exchange: Exchange) async throws -> Message {
        let asked = exchange.attributes
        let isAll = asked.boolean("printq-all-quotas") == true
        let user = asked.string("printq-user") ?? exchange.requester.name
        let isOwn = user == exchange.requester.name && !isAll
        guard exchange.permission(isOwn ? .own : .others, at: nil) == .allowed else {
            throw exchange.refusal(
                isAll
                    ? "only an administrator may see all quotas; see 'printq quota show'"
                    : "only an administrator may see the quotas of \(user)")
        }
        if isAll { return try await allQuotas(exchange) }
        let groups = isOwn ? groups(of: exchange.requester) : groups(ofAccount: user)
        let (standings, perJob) = try await service.quotaStandings(of: user, groups: groups)
        return reply(exchange, [QuotaStanding.attribute(of: standings), Quota.attribute(of: perJob)])
    }

    func changeQuotas(_ exchange: Exchange) async throws -> Message {
        try await service.changeQuotas(try QuotaChange(attributes: exchange.attributes))
        return try await allQuotas(exchange)
    }

    private func allQuotas(_ exchange: Exchange) async throws -> Message {
        reply(exchange, [Quota.attribute(of: try await service.quotas())])
    }

    private func reply(_ exchange: Exchange, _ attributes: [Attribute]) -> Message {
        let found = attributes.filter { !$0.values.isEmpty }
        return exchange.reply(found.isEmpty ? [] : [AttributeGroup(.printer, found)])
    }

    /// Returns the function that looks up the groups of a requester.
    ///
    /// A user on the network is not a member of the groups of a local user with the same name.
    func groups(of requester: Requester) -> @Sendable ([String]) async throws -> Set<String> {
        switch requester {
        case .kernel, .token: groups(ofAccount: requester.name)
        case .networkUser, .anonymous, .guest, .visitor: { _ in [] }
        }
    }

    private func groups(ofAccount user: String) -> @Sendable ([String]) async throws -> Set<String> {
        { [accounts] names in
            var members: Set<String> = []
            for name in names where try await accounts.isMember(user, ofGroup: name) { members.insert(name) }
            return members
        }
    }
}

extension JobRequest {
    /// Whether the printer prints the job in color, as far as the options tell.
    package var isColor: Bool {
        let wanted = ticket.colorMode ?? ticket.outputType?.colorMode ?? .auto
        return printer.capabilities.colorModes.contains(.color) && (wanted == .color || wanted == .auto)
    }
}

extension PrinterService {
    /// Throws an error, because this service has no quotas.
    public func quotas() async throws -> [Quota] { throw Self.withoutQuotas }

    /// Throws an error, because this service has no quotas.
    public func quotaStandings(
        of user: String, groups: @escaping @Sendable ([String]) async throws -> Set<String>
    ) async throws -> (standings: [QuotaStanding], perJob: [Quota]) { throw Self.withoutQuotas }

    /// Throws an error, because this service has no quotas.
    public func changeQuotas(_ change: QuotaChange) async throws { throw Self.withoutQuotas }

    private static var withoutQuotas: IPPFailure {
        IPPFailure(.serverErrorOperationNotSupported, "this server has no quotas")
    }
}
