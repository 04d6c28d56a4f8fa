// The identity of a requester.

/// The sender of a request: an authenticated user, or a client whose user name was not authenticated.
///
/// Each case has a separate type. Therefore a function for authenticated users cannot be called with a user name that
/// was not authenticated. ``AccessRule`` contains the permissions of each case.
public enum Requester: Hashable, Sendable {
    /// A user of this machine.
    ///
    /// The kernel reported the user ID at the other end of the connection.
    case kernel(LocalUser)
    case anonymous(AnonymousClient)
    /// A client of a printer without user accounts, such as a simulated printer.
    ///
    /// All clients are allowed to use all operations under any name.
    case visitor(Visitor)

    /// The owner name for the jobs and subscriptions that the requester creates.
    ///
    /// For a local user, the result is the account name. For an administrator who acts for another user, the result is
    /// the name of the other user. All anonymous clients share one name.
    package var name: String {
        switch self {
        case .kernel(let user): user.actingName
        case .anonymous: AnonymousClient.name
        case .visitor(let visitor): visitor.name
        }
    }

    /// Whether the requester is an administrator: root, the user of the server process, or a member of the group
    /// `lpadmin`.
    package var isAdministrator: Bool {
        switch self {
        case .kernel(let user): user.isAdministrator
        case .anonymous: false
        case .visitor: true
        }
    }

    /// Whether the kernel authenticated the requester.
    package var isProven: Bool { if case .kernel = self { true } else { false } }

    /// Whether the requester can see the objects and values of all users.
    ///
    /// The value is true for a visitor, and for an administrator who does not act for another user.
    var seesEverything: Bool {
        switch self {
        case .kernel(let user): user.isAdministrator && user.actingName == user.name
        case .anonymous: false
        case .visitor: true
        }
    }

    /// Returns whether an object of `owner` belongs to the requester.
    ///
    /// The names must be identical.
    package func owns(thingsOf owner: String) -> Bool { name == owner }

    /// The kind of requester, which selects the column in the access table.
    package var kind: RequesterKind {
        switch self {
        case .kernel(let user): user.isAdministrator ? .administrator : .user
        case .anonymous: .anonymous
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

/// A client that is not authenticated.
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
    /// - Throws: `NameServiceError` if the user of the client cannot be determined now.
    package init(
        peer: Peer, claimedName: String?, accounts: UserAccounts, isOpen: Bool = false
    ) async throws(NameServiceError) {
        let claimedName = claimedName == "" ? nil : claimedName
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
        } else {
            self = .anonymous(AnonymousClient(claimedName: claimedName))
        }
    }
}
