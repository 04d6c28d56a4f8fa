// The operations that list and change the users on the network.

package import IPP
public import PrintModel

extension Operation {
    /// The operation Get-Users, which returns the users on the network without their passwords.
    ///
    /// This operation of printq has a number in the vendor range (RFC 8011 §5.4.15). The printer attribute of the
    /// response is `printq-users`, with one collection for each user (``NetworkUser``).
    package static let printqGetUsers = Operation(rawValue: 0x505C)

    /// The operation Change-Users, which adds or removes a user, or sets the password of a user (``UserChange``).
    ///
    /// This operation of printq has a number in the vendor range (RFC 8011 §5.4.15). Only administrators on the machine
    /// of the server are allowed to use the operation: stolen credentials must not create others.
    ///
    /// The operation attributes are `printq-user-change` (`add`, `password` or `remove`), `printq-user-name`,
    /// `printq-user-password`, and for `add` `printq-user-scope` and `printq-user-same-person`. The response is that of
    /// Get-Users after the change.
    package static let printqChangeUsers = Operation(rawValue: 0x505D)
}

extension PrinterOperations {
    func getUsers(_ exchange: Exchange) async throws -> Message {
        let users = NetworkUser.attribute(of: try await service.users())
        return exchange.reply(users.values.isEmpty ? [] : [AttributeGroup(.printer, [users])])
    }

    func changeUsers(_ exchange: Exchange) async throws -> Message {
        guard case .kernel = exchange.requester else {
            throw IPPFailure.notAuthorized("users can be changed only on the machine of the server")
        }
        let change = try UserChange(attributes: exchange.attributes)
        if case .add(let name, _, _, isSamePerson: false) = change, try await accounts.hasAccount(named: name) {
            throw IPPFailure.notPossible(
                "this machine has a local user '\(name)', whose jobs the new user would own; choose another name, or "
                    + "add '--same-person'")
        }
        try await service.changeUsers(change)
        return try await getUsers(exchange)
    }
}

extension PrinterService {
    /// Returns nil, because this service has no tokens and no users.
    public func authenticate(_ credentials: Credentials, from address: String?) async throws -> NetworkIdentity? { nil }

    /// Throws an error, because this service has no users.
    public func users() async throws -> [NetworkUser] { throw Self.withoutUsers }

    /// Throws an error, because this service has no users.
    public func changeUsers(_ change: UserChange) async throws { throw Self.withoutUsers }

    private static var withoutUsers: IPPFailure {
        IPPFailure(.serverErrorOperationNotSupported, "this server has no users on the network")
    }
}
