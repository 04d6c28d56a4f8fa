// Describes the users on the network.

/// A user on the network: a person who proves their identity with a password, or with a token of OpenID Connect.
///
/// The name does not give the rights of the local user with the same name. The spool stores a yescrypt hash of the
/// password of a user of printq.
public struct NetworkUser: Hashable, Sendable {
    /// The unique name, which is also the owner of the user's jobs.
    public var name: String
    /// What the user may do.
    public var scope: AccessToken.Scope
    /// The time of creation, in seconds since 1970.
    public var createdAt: UnixTime
    /// The time at which the password was set, in seconds since 1970.
    public var passwordChangedAt: UnixTime
    /// How the user proves the identity.
    package var proof = AuditEntry.Proof.password

    /// Creates a user with a password that is as old as the user.
    public init(name: String, scope: AccessToken.Scope, createdAt: UnixTime) {
        (self.name, self.scope, self.createdAt, passwordChangedAt) = (name, scope, createdAt, createdAt)
    }

    /// Returns whether a text can be the name of a user: 1 to 100 letters, digits, `-`, `_`, `.` and `@`.
    ///
    /// Reserved names are not valid.
    public static func isValidName(_ name: String) -> Bool {
        AccessToken.isValidName(name.filter { $0 != "@" }) && name.utf8.count <= 100 && !isReserved(name)
    }

    /// Returns whether a name belongs to owners of jobs without a known user: `anonymous`, `uid-NUMBER`, and names of
    /// guests, such as `anna@192.0.2.7`.
    package static func isReserved(_ name: String) -> Bool {
        name == "anonymous" || GuestName.address(in: name) != nil
            || name.hasPrefix("uid-") && name.dropFirst(4).allSatisfy(\.isNumber)
    }
}

/// A new password of a user.
///
/// The value is secret: it has no description.
public struct UserPassword: Hashable, Sendable {
    /// The characters of the password.
    public let text: String

    /// The least number of characters.
    public static let fewestCharacters = 8
    /// The maximum length in bytes; libcrypt hashes no longer password.
    public static let mostBytes = 511

    /// Returns `nil` if the text has fewer than 8 characters, more than 511 bytes or a control character, which the
    /// Basic scheme forbids (RFC 7617 §2), or if the text looks like the secret of a token.
    public init?(_ text: String) {
        guard text.count >= Self.fewestCharacters, Self.canBePassword(text) else { return nil }
        self.text = text
    }

    /// Returns whether a user can have the password, apart from the least length.
    ///
    /// A text with the form of a token is no password, so that a client with an old token does not count as a guess.
    public static func canBePassword(_ text: String) -> Bool {
        text.utf8.count <= mostBytes && !text.isEmpty && !AccessToken.isSecret(text)
            && !text.unicodeScalars.contains { $0.properties.generalCategory == .control }
    }
}

extension UserPassword: CustomStringConvertible, CustomReflectable {
    /// A text without the password.
    public var description: String { "password" }
    /// A mirror without the password.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// A change of the users on the network by an administrator.
public enum UserChange: Hashable, Sendable {
    /// A new user.
    ///
    /// - Parameter isSamePerson: Whether the user is the person who already owns jobs under the name: a local user, a
    ///   removed user, or the user of a token.
    case add(name: String, scope: AccessToken.Scope, password: UserPassword, isSamePerson: Bool)
    /// A new password; the old password is refused from the next request on.
    case setPassword(name: String, UserPassword)
    /// The end of a user, from the next request on. The jobs keep their owner.
    case remove(name: String)
}
