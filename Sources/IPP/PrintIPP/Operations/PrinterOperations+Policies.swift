// Applies the policies of printers and the printers of tokens.

import IPP
public import PrintModel

extension PrinterOperations {
    /// Returns the printers that a requester reaches.
    ///
    /// - Parameter address: The numeric IP address of a client on the network; nil for a client of this machine.
    func reach(of requester: Requester, at address: String?) async -> PrinterReach {
        guard !requester.isAdministrator else { return PrinterReach() }
        var reach = PrinterReach()
        if case .token(let user) = requester, !user.token.printers.isEmpty {
            reach.limit = Set(user.token.printers)
            if user.token.scope == .manage { reach.managed = Set(user.token.printers) }
        }
        // Without the policies, no printer is in reach. The operation fails, because it needs the same database.
        guard let policies = try? await service.policies() else { return PrinterReach(limit: []) }
        guard !policies.isEmpty else { return reach }
        let groups = policies.values.reduce(into: Set<String>()) { $0.formUnion($1.groups) }
        let memberships = await memberships(of: requester.name, in: groups)
        for (printer, policy) in policies {
            guard policy.groups.isSubset(of: memberships.known) else {
                reach.managed.remove(printer)
                reach.hidden.insert(printer)
                continue
            }
            func hasRight(_ right: PrinterRight) -> Bool {
                policy.grants(right, to: requester.name, at: address, isMember: memberships.groups.contains)
            }
            if !policy.admits(address, to: .manage) {
                reach.managed.remove(printer)
            } else if requester.canBeManager, hasRight(.manage) {
                reach.managed.insert(printer)
            }
            if !reach.managed.contains(printer), !hasRight(.look) { reach.hidden.insert(printer) }
        }
        return reach
    }

    /// Returns the groups of a user, and the groups whose members are known now.
    private func memberships(
        of user: String, in groups: Set<String>
    ) async -> (groups: Set<String>, known: Set<String>) {
        var (own, known): (Set<String>, Set<String>) = ([], [])
        for group in groups {
            guard let isMember = try? await accounts.isMember(user, ofGroup: group) else { continue }
            known.insert(group)
            if isMember { own.insert(group) }
        }
        return (own, known)
    }

    /// Throws an error if the requester, or the owner of a job that the requester moves, is not allowed to print on a
    /// printer.
    ///
    /// As in CUPS, the policy also applies to administrators. Administrators can change the policy.
    ///
    /// - Parameter owner: The owner of the job; `nil` for the requester.
    func admit(_ exchange: Exchange, owner: String? = nil, to printer: ServedPrinter) async throws {
        let requester = exchange.requester
        if case .guest(let guest) = requester,
            !(printer.admitsAnonymous && service.admitsAnonymous(from: guest.address))
        {
            throw IPPFailure.notAuthenticated("\(printer.name) requires a token")
        }
        try exchange.checkReach(printer.name)
        if let address = exchange.address, !printer.policy.admits(address, to: .submit) {
            throw IPPFailure.notAuthorized(
                "clients at \(address) are not allowed to print on \(printer.name); ask an administrator")
        }
        let user = owner ?? requester.name
        guard try await !isSubmitter(user, at: printer) else { return }
        throw IPPFailure.notAuthorized(
            "\(user) is not allowed to print on \(printer.name); choose another printer or ask an administrator")
    }

    /// Returns whether the list of users allows a user to print, based on the user's groups on this machine.
    private func isSubmitter(_ user: String, at printer: ServedPrinter) async throws -> Bool {
        let users = printer.policy[.submitters]
        var groups: Set<String> = []
        for name in users.names where name.hasPrefix("@") {
            let group = String(name.dropFirst())
            if try await accounts.isMember(user, ofGroup: group) { groups.insert(group) }
        }
        return users.admit(user) { groups.contains($0) }
    }

    /// Returns whether a list of printers contains a printer: the requester may see it and print on it, or manage it.
    func lists(_ printer: ServedPrinter, for exchange: Exchange) async throws -> Bool {
        guard exchange.reach.shows(printer.name) else { return false }
        if exchange.requester.seesEverything || exchange.kind(at: printer.name) == .manager { return true }
        guard printer.policy.admits(exchange.address, to: .submit) else { return false }
        return try await isSubmitter(exchange.requester.name, at: printer)
    }

    /// Returns the lists of a printer's policy that a requester may see.
    ///
    /// Administrators and managers see all lists. The authenticated users who may print see the list of allowed users.
    /// A user who is not allowed to print sees only the own name.
    func policyAttributes(of printer: ServedPrinter, _ exchange: Exchange) async -> [Attribute] {
        let requester = exchange.requester
        if [.administrator, .manager].contains(exchange.kind(at: printer.name)) { return printer.policy.attributes }
        let submitters = printer.policy[.submitters]
        guard let isAdmitted = try? await isSubmitter(requester.name, at: printer) else { return [] }
        guard isAdmitted else { return [PolicyList.submitters.attribute(.denied([requester.name]))] }
        if case .allowed = submitters, requester.isProven, !submitters.admitsEverybody {
            return [PolicyList.submitters.attribute(submitters)]
        }
        return []
    }
}

extension PrinterService {
    /// Returns an empty dictionary, because the printers of this service have no policies.
    public func policies() async throws -> [String: PrinterPolicy] { [:] }
}

extension Requester {
    /// Whether a policy can make the requester the manager of a printer.
    ///
    /// The scope of a token limits its client, and a name that is only claimed proves nothing.
    fileprivate var canBeManager: Bool {
        switch self {
        case .kernel: true
        case .networkUser(let user): user.scope == .submit
        case .token, .anonymous, .guest, .visitor: false
        }
    }
}
