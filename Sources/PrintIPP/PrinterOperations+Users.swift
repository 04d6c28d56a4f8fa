// Who may print where.

public import IPP
public import PrintModel

extension ServedPrinter {
    /// Lets a user print, or throws why not.
    ///
    /// As in CUPS nobody is exempt, administrators neither: they may change who may print.
    func admit(_ user: String) throws(IPPFailure) {
        guard !users.admit(user, isMember: { UserAccounts.isMember(user, ofGroup: $0) }) else { return }
        throw .notAuthorized(
            "\(user) may not print on \(name); choose another printer, or ask who looks after this one")
    }

    /// Whether it is shown to somebody who asks for a list of printers.
    func isListed(for requester: Requester) -> Bool {
        requester.isAdministrator
            || users.admit(requester.name, isMember: { UserAccounts.isMember(requester.name, ofGroup: $0) })
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
