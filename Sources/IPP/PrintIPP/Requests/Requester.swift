// The identity of a requester.

/// The sender of a request, with the proof of identity.
///
/// Each case has a separate type, so that code for a proven user cannot be called with a claimed name. ``AccessRule``
/// contains the permissions of each case.
public enum Requester: Hashable, Sendable {
    /// A user of this machine.
    ///
    /// The kernel reported the user ID at the other end of the connection.
    case kernel(LocalUser)
    /// A client without a proven identity.
    case anonymous(AnonymousClient)
    /// A client of a printer without users, such as a simulated printer.
    ///
    /// Every client may do everything under any name.
    case visitor(Visitor)

    /// The name of the owner of the requester's jobs and subscriptions.
    ///
    /// For a local user, the result is the account name. For an administrator who acts for another user, the
    /// result is the name of the other user. All anonymous clients share one name.
    public var name: String {
        switch self {
        case .kernel(let user): user.actingName
        case .anonymous: AnonymousClient.name
        case .visitor(let visitor): visitor.name
        }
    }

    /// Whether the requester is an administrator: root, the server's own user, or a member of the group `lpadmin`.
    public var isAdministrator: Bool {
        switch self {
        case .kernel(let user): user.isAdministrator
        case .anonymous: false
        case .visitor: true
        }
    }

    /// Whether the kernel proved the identity.
    public var isProven: Bool { if case .kernel = self { true } else { false } }

    /// Whether the requester sees everything: an administrator who does not act for another user, or a visitor.
    var seesEverything: Bool {
        switch self {
        case .kernel(let user): user.isAdministrator && user.actingName == user.name
        case .anonymous: false
        case .visitor: true
        }
    }

    /// Returns whether an object of `owner` belongs to the requester.
    ///
    /// Names must match exactly.
    public func owns(thingsOf owner: String) -> Bool { name == owner }

    /// The requester's column in the access table.
    package var kind: RequesterKind {
        switch self {
        case .kernel(let user): user.isAdministrator ? .administrator : .user
        case .anonymous: .anonymous
        case .visitor: .administrator
        }
    }
}

/// A user of this machine, proven by the kernel.
public struct LocalUser: Hashable, Sendable {
    /// The account name, or `uid-1000` if no account has the user ID.
    public var name: String
    /// Whether the user is root, the server's own user, or a member of the group `lpadmin`.
    public var isAdministrator: Bool
    /// The name in `requesting-user-name`, or `nil` if it is missing.
    ///
    /// Only an administrator can act under this name.
    public var claimedName: String?

    /// Creates a user.
    public init(name: String, isAdministrator: Bool = false, claimedName: String? = nil) {
        self.name = name
        self.isAdministrator = isAdministrator
        self.claimedName = claimedName
    }

    /// The user for whom the request is made.
    ///
    /// An administrator can act for another user, as a print server does for its clients.
    public var actingName: String { isAdministrator ? claimedName ?? name : name }
}

/// A client without a proven identity.
///
/// The client's name is only claimed (`requesting-user-name`, RFC 8011 §9.3).
public struct AnonymousClient: Hashable, Sendable {
    /// The name that the client claims, for logs, or `nil` if the client claims no name.
    public var claimedName: String?

    /// Creates a client.
    public init(claimedName: String? = nil) { self.claimedName = claimedName }

    /// The owner of the jobs of all anonymous clients.
    public static let name = "anonymous"
}

/// A client of a printer without users.
public struct Visitor: Hashable, Sendable {
    /// The claimed name.
    ///
    /// Without a claimed name, the account name; without an account, `anonymous`.
    public var name: String

    /// Creates a client.
    public init(name: String) { self.name = name }
}

extension Requester {
    /// Identifies the client of a connection.
    ///
    /// - Parameters:
    ///   - peer: The other end of the connection, as reported by the kernel.
    ///   - claimedName: The `requesting-user-name` of the request. An empty name counts as missing.
    ///   - accounts: The accounts in which names and groups are looked up.
    ///   - isOpen: Whether the printer has no users.
    public init(peer: Peer, claimedName: String?, accounts: UserAccounts, isOpen: Bool = false) async {
        let claimedName = claimedName == "" ? nil : claimedName
        if isOpen, let claimedName {
            self = .visitor(Visitor(name: claimedName))
            return
        }
        let user: LocalUser? =
            if let uid = peer.uid { await accounts.user(uid, claimedName: claimedName) } else { nil }
        if isOpen {
            self = .visitor(Visitor(name: user?.name ?? AnonymousClient.name))
        } else if let user {
            self = .kernel(user)
        } else {
            self = .anonymous(AnonymousClient(claimedName: claimedName))
        }
    }
}
