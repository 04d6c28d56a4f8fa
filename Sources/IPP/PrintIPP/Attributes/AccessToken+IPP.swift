// The tokens of clients on the network as IPP attributes, in both directions.

package import IPP
package import PrintModel

extension AccessToken {
    private static let listName = "printq-tokens"

    package static func attribute(of tokens: [AccessToken]) -> Attribute {
        Attribute(listName, tokens.map { .collection(Collection($0.attributes)) })
    }

    /// Returns the tokens in the printer attributes of a response; tokens without a name are ignored.
    package static func list(in group: AttributeGroup?) -> [AccessToken] {
        group?[listName]?.values.compactMap { $0.collectionValue.flatMap(AccessToken.init(members:)) } ?? []
    }

    package var attributes: [Attribute] {
        [
            Attribute("printq-token-name", .name(name)), Attribute("printq-token-user", .name(user)),
            Attribute("printq-token-scope", .keyword(scope.rawValue)),
            Attribute(
                "printq-token-printers", printers.isEmpty ? [.outOfBand(.noValue)] : printers.map { .name($0) }),
            Attribute("printq-token-for-others", .boolean(actsForOthers)),
            Attribute("printq-token-created", .moment(createdAt)),
            Attribute("printq-token-expires", expiresAt.map { .moment($0) } ?? .outOfBand(.noValue)),
            Attribute("printq-token-last-used", lastUsedAt.map { .moment($0) } ?? .outOfBand(.noValue)),
        ]
    }

    private init?(members: IPP.Collection) {
        guard let name = members.string("printq-token-name"),
            let scope = members.string("printq-token-scope").flatMap(Scope.init)
        else { return nil }
        self.init(
            name: name, user: members.string("printq-token-user") ?? "", scope: scope,
            printers: members.strings("printq-token-printers"),
            actsForOthers: members["printq-token-for-others"]?.first?.boolValue ?? false,
            createdAt: members.time("printq-token-created") ?? 0, expiresAt: members.time("printq-token-expires"))
        lastUsedAt = members.time("printq-token-last-used")
    }
}

extension TokenChange {
    package var attributes: [Attribute] {
        switch self {
        case .create(let name, let user, let scope, let printers, let actsForOthers, let lifetime):
            [
                Attribute("printq-token-change", .keyword("create")), Attribute("printq-token-name", .name(name)),
                Attribute("printq-token-user", .name(user)), Attribute("printq-token-scope", .keyword(scope.rawValue)),
                Attribute("printq-token-for-others", .boolean(actsForOthers)),
            ] + (printers.isEmpty ? [] : [Attribute("printq-token-printers", printers.map { .name($0) })])
                + (lifetime.map { [Attribute("printq-token-lifetime", .integer(Int32(clamping: Int($0))))] } ?? [])
        case .revoke(let name):
            [Attribute("printq-token-change", .keyword("revoke")), Attribute("printq-token-name", .name(name))]
        }
    }

    /// Creates a change from operation attributes.
    ///
    /// - Throws: `client-error-bad-request` if an attribute is missing or has an invalid value.
    init(attributes group: AttributeGroup) throws(IPPFailure) {
        guard let name = group.string("printq-token-name"), AccessToken.isValidName(name) else {
            throw .badRequest("printq-token-name must have 1 to 100 letters, digits, '-', '_' or '.'")
        }
        switch group.keywords("printq-token-change").first {
        case "revoke": self = .revoke(name: name)
        case "create":
            guard let user = group.string("printq-token-user"), !user.isEmpty, user.utf8.count <= 255,
                user != AnonymousClient.name, GuestName.address(in: user) == nil
            else { throw .badRequest("printq-token-user must be the name of a user") }
            guard let scope = group.string("printq-token-scope").flatMap(AccessToken.Scope.init) else {
                throw .badRequest("printq-token-scope must be look, submit or manage")
            }
            let lifetime = group.integer("printq-token-lifetime")
            guard lifetime ?? 1 > 0 else { throw .badRequest("printq-token-lifetime must be at least 1 second") }
            let actsForOthers = group.boolean("printq-token-for-others") ?? false
            guard !actsForOthers || scope == .submit else {
                throw .badRequest("printq-token-for-others requires the scope submit")
            }
            self = .create(
                name: name, user: user, scope: scope, printers: group.strings("printq-token-printers"),
                actsForOthers: actsForOthers, lifetime: lifetime.map(Double.init))
        default: throw .badRequest("printq-token-change must be create or revoke")
        }
    }
}
