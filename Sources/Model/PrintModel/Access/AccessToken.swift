// Describes the credentials of clients on the network.

/// A token: a credential with which a client on the network proves its identity.
///
/// Only the client has the secret of the token. The spool stores the SHA-256 digest of the secret.
public struct AccessToken: Hashable, Sendable {
    /// What a client with the token may do.
    public enum Scope: String, CaseIterable, Hashable, Sendable {
        /// See printers and the queue.
        case look
        /// Also submit jobs, and see and change the user's jobs.
        case submit
        /// Everything that an administrator may do, except to create and revoke tokens; with
        /// ``AccessToken/printers``, everything that a manager of these printers may do (``PrinterRight/manage``).
        case manage
    }

    /// The unique name, which says where the token is used.
    public var name: String
    /// The owner of the jobs that are submitted with the token.
    public var user: String
    /// What the client may do.
    public var scope: Scope
    /// The printers that the client can use, in alphabetical order; empty for all printers.
    public var printers: [String]
    /// Whether the client acts for the users whom it names in `requesting-user-name`, as a print server does.
    public var actsForOthers: Bool
    /// The time of creation, in seconds since 1970.
    public var createdAt: UnixTime
    /// The time at which the token expires; nil for no expiration.
    public var expiresAt: UnixTime?
    /// The time of the last use, at most a minute too early; nil if the token was never used.
    public var lastUsedAt: UnixTime?

    /// Creates a token that was never used.
    public init(
        name: String, user: String, scope: Scope, printers: [String] = [], actsForOthers: Bool = false,
        createdAt: UnixTime, expiresAt: UnixTime? = nil
    ) {
        (self.name, self.user, self.scope) = (name, user, scope)
        (self.printers, self.actsForOthers) = (Set(printers).sorted(), actsForOthers)
        (self.createdAt, self.expiresAt) = (createdAt, expiresAt)
    }

    /// Whether the client has the rights of an administrator at all printers.
    package var isAdministrator: Bool { scope == .manage && printers.isEmpty }

    /// Returns whether the token has expired.
    public func isExpired(at now: UnixTime) -> Bool { expiresAt.map { $0 <= now } ?? false }

    /// The beginning of each secret, which lets scanners of source code find a secret that was published by mistake.
    public static let secretPrefix = "printq_"

    /// Returns whether a text has the form of a secret: the prefix and 43 characters, which contain 256 random bits.
    public static func isSecret(_ text: String) -> Bool { text.utf8.count == 50 && text.hasPrefix(secretPrefix) }

    /// Returns whether a text can be the name of a token: 1 to 100 letters, digits, `-`, `_` and `.`.
    public static func isValidName(_ name: String) -> Bool {
        (1...100).contains(name.utf8.count)
            && name.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                    || "-_.".utf8.contains(byte)
            }
    }
}

/// A change of the tokens by an administrator.
public enum TokenChange: Hashable, Sendable {
    /// A new token.
    ///
    /// - Parameters:
    ///   - printers: The printers that the client can use; empty for all printers.
    ///   - actsForOthers: Whether the client acts for the users whom it names.
    ///   - lifetime: The time in seconds until the token expires; nil for no expiration.
    case create(
        name: String, user: String, scope: AccessToken.Scope, printers: [String] = [], actsForOthers: Bool = false,
        lifetime: Double?)
    /// The end of a token, from the next request on.
    case revoke(name: String)
}
