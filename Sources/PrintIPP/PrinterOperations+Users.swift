// Who may print where.

public import IPP
public import PrintModel

extension ServedPrinter {
    /// Lets a user print, or throws why not.
    ///
    /// As in CUPS nobody is exempt, administrators neither: they may change who may print.
    func admit(_ user: String, _ accounts: UserAccounts) async throws(IPPFailure) {
        guard await !users.admit(user, accounts) else { return }
        throw .notAuthorized(
            "\(user) may not print on \(name); choose another printer, or ask who looks after this one")
    }

    /// Whether it is shown to somebody who asks for a list of printers.
    func isListed(for requester: Requester, _ accounts: UserAccounts) async -> Bool {
        if requester.seesEverything { return true }
        return await users.admit(requester.name, accounts)
    }
}

extension PrinterUsers {
    /// Returns whether a user may print, by the groups of this machine.
    fileprivate func admit(_ user: String, _ accounts: UserAccounts) async -> Bool {
        let names =
            switch self {
            case .allowed(let names), .denied(let names): names
            }
        var groups: Set<String> = []
        for name in names where name.hasPrefix("@") {
            let group = String(name.dropFirst())
            if await accounts.isMember(user, ofGroup: group) { groups.insert(group) }
        }
        return admit(user) { groups.contains($0) }
    }
}

extension PrinterUsers {
    /// Who may print, as CUPS shows it; nothing when everybody may.
    public var attributes: [Attribute] {
        if areEverybody { return [] }
        switch self {
        case .allowed(let names):
            return [Attribute("requesting-user-name-allowed", (names.isEmpty ? ["none"] : names).map { .name($0) })]
        case .denied(let names): return [Attribute("requesting-user-name-denied", names.map { .name($0) })]
        }
    }
}
