// Who may print where.

import Glibc
public import IPP
public import PrintModel

extension ServedPrinter {
    /// Lets a user print, or throws why not.
    ///
    /// As in CUPS nobody is exempt, administrators neither: they may change who may print.
    func admit(_ user: String) throws(IPPFailure) {
        guard !users.admit(user, isMember: { Requester.isMember(user, ofGroup: $0) }) else { return }
        throw .notAuthorized(
            "\(user) may not print on \(name); choose another printer, or ask who looks after this one")
    }

    /// Whether it is shown to somebody who asks for a list of printers.
    func isListed(for requester: Requester) -> Bool {
        requester.isAdministrator
            || users.admit(requester.name, isMember: { Requester.isMember(requester.name, ofGroup: $0) })
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

extension Requester {
    /// Whether a user is a member of a group, by name, as the machine knows both.
    static func isMember(_ user: String, ofGroup name: String) -> Bool {
        var entry = passwd()
        var result: UnsafeMutablePointer<passwd>?
        var buffer = [CChar](repeating: 0, count: 16384)
        let isKnown = getpwnam_r(user, &entry, &buffer, buffer.count, &result) == 0 && result != nil
        return isMember(user, gid: isKnown ? entry.pw_gid : .max, ofGroup: name)
    }
}
