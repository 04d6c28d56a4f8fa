// The users on the network as IPP attributes, in both directions.

package import IPP
package import PrintModel

extension NetworkUser {
    private static let listName = "printq-users"

    package static func attribute(of users: [NetworkUser]) -> Attribute {
        Attribute(listName, users.map { .collection(Collection($0.attributes)) })
    }

    /// Returns the users in the printer attributes of a response; users without a name are ignored.
    package static func list(in group: AttributeGroup?) -> [NetworkUser] {
        group?[listName]?.values.compactMap { $0.collectionValue.flatMap(NetworkUser.init(members:)) } ?? []
    }

    package var attributes: [Attribute] {
        [
            Attribute("printq-user-name", .name(name)), Attribute("printq-user-scope", .keyword(scope.rawValue)),
            Attribute("printq-user-created", .moment(createdAt)),
            Attribute("printq-user-password-changed", .moment(passwordChangedAt)),
        ]
    }

    private init?(members: IPP.Collection) {
        guard let name = members.string("printq-user-name"),
            let scope = members.string("printq-user-scope").flatMap(AccessToken.Scope.init)
        else { return nil }
        self.init(name: name, scope: scope, createdAt: members.time("printq-user-created") ?? 0)
        passwordChangedAt = members.time("printq-user-password-changed") ?? createdAt
    }
}

extension UserChange {
    package var attributes: [Attribute] {
        switch self {
        case .add(let name, let scope, let password, let isSamePerson):
            [
                Attribute("printq-user-change", .keyword("add")), Attribute("printq-user-name", .name(name)),
                Attribute("printq-user-scope", .keyword(scope.rawValue)),
                Attribute("printq-user-password", .text(password.text)),
                Attribute("printq-user-same-person", .boolean(isSamePerson)),
            ]
        case .setPassword(let name, let password):
            [
                Attribute("printq-user-change", .keyword("password")), Attribute("printq-user-name", .name(name)),
                Attribute("printq-user-password", .text(password.text)),
            ]
        case .remove(let name):
            [Attribute("printq-user-change", .keyword("remove")), Attribute("printq-user-name", .name(name))]
        }
    }

    /// Creates a change from operation attributes.
    ///
    /// - Throws: `client-error-bad-request` if an attribute is missing or has an invalid value.
    init(attributes group: AttributeGroup) throws(IPPFailure) {
        guard let name = group.string("printq-user-name"), NetworkUser.isValidName(name) else {
            throw .badRequest(
                "printq-user-name must have 1 to 100 letters, digits, '-', '_', '.' or '@', and not be reserved")
        }
        switch group.keywords("printq-user-change").first {
        case "remove": self = .remove(name: name)
        case "password": self = .setPassword(name: name, try Self.password(in: group))
        case "add":
            guard let scope = group.string("printq-user-scope").flatMap(AccessToken.Scope.init) else {
                throw .badRequest("printq-user-scope must be look, submit or manage")
            }
            self = .add(
                name: name, scope: scope, password: try Self.password(in: group),
                isSamePerson: group.boolean("printq-user-same-person") ?? false)
        default: throw .badRequest("printq-user-change must be add, password or remove")
        }
    }

    private static func password(in group: AttributeGroup) throws(IPPFailure) -> UserPassword {
        guard let password = group.string("printq-user-password").flatMap(UserPassword.init) else {
            throw .badRequest(
                "printq-user-password must have at least 8 characters, at most 511 bytes and no control characters")
        }
        return password
    }
}
