// The identity of a requester.

public import PrintModel

/// The sender of a request: an authenticated user, or a client whose user name was not authenticated.
///
/// Each case has a separate type. Therefore a function for authenticated users cannot be called with a user name that
/// was not authenticated. ``AccessRule`` contains the permissions of each case.
public enum Requester: Hashable, Sendable {
    /// A user of this machine.
    ///
    /// The kernel reported the user ID at the other end of the connection.
    case kernel(LocalUser)
    /// A client on the network that has proved its identity with a token.
    case token(TokenUser)
    /// A client on the network that has proved its identity with a name and a password, or with a token of OpenID
    /// Connect.
    ///
    /// The user has no rights of the local user with the same name.
    case networkUser(NetworkUser)
    case anonymous(AnonymousClient)
    /// A client on the network without credentials.
    case guest(NetworkGuest)
    /// A client of a printer without user accounts, such as a simulated printer.
    ///
    /// All clients are allowed to use all operations under any name.
    case visitor(Visitor)

    /// The owner name for the jobs and subscriptions that the requester creates.
    ///
    /// For a local user, the result is the account name. For an administrator or a print server that acts for another
    /// user, the result is the name of the other user. All anonymous clients share one name.
    package var name: String {
        switch self {
        case .kernel(let user): user.actingName
        case .token(let user): user.actingName
        // A person acts for nobody else: libcups claims the name of the account on the client.
        case .networkUser(let user): user.name
        case .anonymous: AnonymousClient.name
        case .guest(let guest): guest.name
        case .visitor(let visitor): visitor.name
        }
    }

    /// Whether the requester is an administrator: root, the user of the server process, a member of the group
    /// `lpadmin`, or a client whose token or user has the scope `manage` for all printers.
    package var isAdministrator: Bool {
        switch self {
        case .kernel(let user): user.isAdministrator
        case .token(let user): user.token.isAdministrator
        case .networkUser(let user): user.scope == .manage
        case .anonymous, .guest: false
        case .visitor: true
        }
    }

    /// Whether the kernel, a token or a password proves the identity.
    package var isProven: Bool {
        switch self {
        case .kernel, .token, .networkUser: true
        case .anonymous, .guest, .visitor: false
        }
    }

    /// Whether the requester can see the objects and values of all users.
    ///
    /// The value is true for a visitor, and for an administrator who does not act for another user.
    var seesEverything: Bool {
        switch self {
        case .kernel(let user): user.isAdministrator && user.actingName == user.name
        case .token(let user): user.token.isAdministrator && user.actingName == user.token.user
        case .networkUser(let user): user.scope == .manage
        case .anonymous, .guest: false
        case .visitor: true
        }
    }

    /// Returns whether an object of `owner` belongs to the requester.
    ///
    /// The names must be identical.
    package func owns(thingsOf owner: String) -> Bool { name == owner }

    /// The kind of requester, which selects the column in the access table, at a printer that it does not manage.
    package var kind: RequesterKind {
        switch self {
        case .kernel(let user): user.isAdministrator ? .administrator : .user
        case .token(let user):
            switch user.token.scope {
            case .look: .reader
            case .submit: .user
            case .manage: user.token.isAdministrator ? .administrator : .user
            }
        case .networkUser(let user):
            switch user.scope {
            case .look: .reader
            case .submit: .networkUser
            case .manage: .administrator
            }
        case .anonymous: .anonymous
        case .guest(let guest): guest.isAdmitted ? .admittedGuest : .guest
        case .visitor: .administrator
        }
    }
}

/// A user of this machine whom the kernel authenticated.
public struct LocalUser: Hashable, Sendable {
    /// The account name, or a name such as `uid-1000` if no account has the user ID.
    package var name: String
    /// Whether the user is root, the user of the server process, or a member of the group `lpadmin`.
    package var isAdministrator: Bool
    /// The name in `requesting-user-name`, or `nil` if the attribute is missing.
    ///
    /// Only an administrator can act under this name.
    package var claimedName: String?

    package init(name: String, isAdministrator: Bool = false, claimedName: String? = nil) {
        (self.name, self.isAdministrator, self.claimedName) = (name, isAdministrator, claimedName)
    }

    /// An administrator can act for another user, as a print server does for its clients.
    package var actingName: String { isAdministrator ? claimedName ?? name : name }
}

/// A client on the network whose token the service has accepted.
public struct TokenUser: Hashable, Sendable {
    package var token: AccessToken
    /// The name in `requesting-user-name`, or `nil` if the attribute is missing.
    ///
    /// Only a client whose token has the scope `manage` for all printers, or acts for others, can act under this name.
    package var claimedName: String?

    package init(token: AccessToken, claimedName: String? = nil) {
        (self.token, self.claimedName) = (token, claimedName)
    }

    package var actingName: String {
        token.isAdministrator || token.actsForOthers ? claimedName ?? token.user : token.user
    }
}

/// A client on the network that has sent no credentials.
public struct NetworkGuest: Hashable, Sendable {
    /// The numeric IP address of the client.
    package var address: String
    /// The name in `requesting-user-name`, or `nil` if the attribute is missing.
    package var claimedName: String?
    /// Whether the printer of the request, or of its job, admits clients without credentials.
    package var isAdmitted: Bool

    package init(address: String, claimedName: String? = nil, isAdmitted: Bool = false) {
        (self.address, self.claimedName, self.isAdmitted) = (address, claimedName, isAdmitted)
    }

    /// The owner name of the client's jobs, which contains the address.
    package var name: String { GuestName(claimed: claimedName, address: address).text }
}

/// A client of this machine that is not authenticated.
///
/// The client can claim a name (`requesting-user-name`, RFC 8011 §9.3), but the server cannot verify the name.
public struct AnonymousClient: Hashable, Sendable {
    /// The name that the client claims, for logs, or `nil` if the client claims no name.
    package var claimedName: String?

    package init(claimedName: String? = nil) { self.claimedName = claimedName }

    /// The owner name of all jobs that anonymous clients submit.
    package static let name = "anonymous"
}

/// A client of a printer without user accounts.
public struct Visitor: Hashable, Sendable {
    /// If the client claims no name, the value is the name of the client's account on this machine, or `anonymous` if
    /// the kernel does not report the client's user.
    package var name: String

    package init(name: String) { self.name = name }
}

extension Requester {
    /// Identifies the client of a connection.
    ///
    /// - Parameters:
    ///   - peer: The other end of the connection, as reported by the kernel.
    ///   - claimedName: The `requesting-user-name` of the request. An empty name counts as missing.
    ///   - isOpen: Whether the printer has no user accounts, so that clients are not authenticated.
    ///   - identity: The identity that the credentials of the client prove; `nil` if the client has sent none.
    ///   - admitsGuests: A function that returns whether a client on the network with the given address can use the
    ///     printer of the request without credentials.
    /// - Throws: `NameServiceError` if the user of the client cannot be determined now.
    package init(
        peer: Peer, claimedName: String?, accounts: UserAccounts, isOpen: Bool = false,
        identity: NetworkIdentity? = nil, admitsGuests: (String) async -> Bool = { _ in false }
    ) async throws(NameServiceError) {
        let claimedName = claimedName == "" ? nil : claimedName
        switch identity {
        case .token(let token):
            self = .token(TokenUser(token: token, claimedName: claimedName))
            return
        case .user(let user):
            self = .networkUser(user)
            return
        case nil: break
        }
        if isOpen, let claimedName {
            self = .visitor(Visitor(name: claimedName))
            return
        }
        let user: LocalUser? =
            if let uid = peer.uid { try await accounts.user(uid, claimedName: claimedName) } else { nil }
        if isOpen {
            self = .visitor(Visitor(name: user?.name ?? AnonymousClient.name))
        } else if let user {
            self = .kernel(user)
        } else if case .tcp(let address, _, _) = peer, !peer.isOnThisMachine {
            self = .guest(
                NetworkGuest(address: address, claimedName: claimedName, isAdmitted: await admitsGuests(address)))
        } else {
            self = .anonymous(AnonymousClient(claimedName: claimedName))
        }
    }
}
