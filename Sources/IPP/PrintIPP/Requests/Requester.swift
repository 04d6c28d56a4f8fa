// Who asks, and how that is known.

/// Who sends a request, and how much is known about them.
///
/// Each case is a type of its own, so that code for a proven user cannot be called with a name that was only claimed.
/// ``AccessRule`` decides what each may do.
public enum Requester: Hashable, Sendable {
    /// A user of this machine: the kernel told the user ID of the other end of the connection.
    case kernel(LocalUser)
    /// A client of which nothing is proven.
    case anonymous(AnonymousClient)
    /// A client of a printer that has no users, such as a simulated printer: everyone may do everything under any name.
    case visitor(Visitor)

    /// The name under which the requester's jobs and subscriptions are kept.
    ///
    /// For a local user it is the name of the account, for an administrator who acts for somebody else the name of that
    /// user. All anonymous clients share one name.
    public var name: String {
        switch self {
        case .kernel(let user): user.actingName
        case .anonymous: AnonymousClient.name
        case .visitor(let visitor): visitor.name
        }
    }

    /// Whether this is an administrator: root, the server's own user, or a member of the group `lpadmin`.
    public var isAdministrator: Bool {
        switch self {
        case .kernel(let user): user.isAdministrator
        case .anonymous: false
        case .visitor: true
        }
    }

    /// Whether the kernel told who this is.
    public var isProven: Bool { if case .kernel = self { true } else { false } }

    /// Whether everything is shown to the requester: an administrator who does not act for somebody else, or a visitor.
    var seesEverything: Bool {
        switch self {
        case .kernel(let user): user.isAdministrator && user.actingName == user.name
        case .anonymous: false
        case .visitor: true
        }
    }

    /// Whether something that belongs to `owner` belongs to the requester; names match exactly.
    public func owns(thingsOf owner: String) -> Bool { name == owner }

    /// The column of the access table.
    package var kind: RequesterKind {
        switch self {
        case .kernel(let user): user.isAdministrator ? .administrator : .user
        case .anonymous: .anonymous
        case .visitor: .administrator
        }
    }
}

/// A user of this machine, as the kernel told.
public struct LocalUser: Hashable, Sendable {
    /// The name of the account; `uid-1000` when no account has the user ID.
    public var name: String
    /// Whether the user is root, the server's own user, or a member of the group `lpadmin`.
    public var isAdministrator: Bool
    /// The name in `requesting-user-name`; nil when there is none.
    ///
    /// Only an administrator acts under it.
    public var claimedName: String?

    /// A user.
    public init(name: String, isAdministrator: Bool = false, claimedName: String? = nil) {
        self.name = name
        self.isAdministrator = isAdministrator
        self.claimedName = claimedName
    }

    /// The user for whom the request is made: an administrator may act for somebody else, as a print server does for its
    /// clients.
    public var actingName: String { isAdministrator ? claimedName ?? name : name }
}

/// A client of which nothing is proven: its name is only claimed (`requesting-user-name`, RFC 8011 §9.3).
public struct AnonymousClient: Hashable, Sendable {
    /// The name that the client claims to have, for logs; nil when it claims none.
    public var claimedName: String?

    /// A client.
    public init(claimedName: String? = nil) { self.claimedName = claimedName }

    /// The owner of the jobs of all anonymous clients.
    public static let name = "anonymous"
}

/// A client of a printer that has no users.
public struct Visitor: Hashable, Sendable {
    /// The name that the client claims to have, else the name of its account, else `anonymous`.
    public var name: String

    /// A client.
    public init(name: String) { self.name = name }
}

extension Requester {
    /// Finds out who is at the other end of a connection.
    ///
    /// - Parameters:
    ///   - peer: the other end, as the kernel tells of it.
    ///   - claimedName: the request's `requesting-user-name`; an empty one counts as none.
    ///   - accounts: where names and groups are looked up.
    ///   - isOpen: whether the printer has no users.
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
