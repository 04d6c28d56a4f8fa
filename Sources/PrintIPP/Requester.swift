// Who asks.

import Glibc
import IPP

/// Who asks for something, and what they may do.
///
/// On a Unix socket the kernel says who it is. On TCP a name is only claimed (`requesting-user-name`, RFC 8011 §9.3): it
/// may submit, look, and change jobs of its own name.
public struct Requester: Hashable, Sendable {
    /// The name of the user.
    public var name: String
    /// Whether the name was proven, not only claimed.
    public var isAuthenticated: Bool
    /// Whether this is an administrator: root, the server's own user, or a member of the group `lpadmin`.
    public var isAdministrator: Bool

    /// Someone.
    public init(name: String, isAuthenticated: Bool, isAdministrator: Bool) {
        self.name = name
        self.isAuthenticated = isAuthenticated
        self.isAdministrator = isAdministrator
    }

    /// Who is at the other end of a connection, claiming the given name.
    ///
    /// An administrator on a Unix socket may speak for somebody else, as a print server does for its clients.
    public init(peer: Peer, claimedName: String?) {
        let claimedName = claimedName == "" ? nil : claimedName
        switch peer {
        case .unix(let uid, let gid, _):
            let own = UserAccounts.name(of: uid)
            let isAdministrator =
                uid == 0 || uid == getuid() || UserAccounts.isMember(own, mainGroup: gid, ofGroup: "lpadmin")
            self.init(
                name: isAdministrator ? claimedName ?? own : own, isAuthenticated: true,
                isAdministrator: isAdministrator)
        case .tcp:
            self.init(name: claimedName ?? "anonymous", isAuthenticated: false, isAdministrator: false)
        }
    }

    /// Whether this is the owner of something, or may do everything anyway.
    public func mayChange(thingsOf owner: String) -> Bool { isAdministrator || name == owner }
}
