// The credentials in an HTTP request.

import FoundationEssentials
package import IPP
public import PrintModel

/// The credentials of an encrypted HTTP request (`Authorization`, RFC 9110 §11.6.2).
///
/// The value is secret: it has no description.
public struct Credentials: Hashable, Sendable {
    /// The user name of the Basic scheme (RFC 7617); nil for the Bearer scheme (RFC 6750).
    package var user: String?
    /// The password or the bearer token.
    package var secret: String

    package init(user: String? = nil, secret: String) { (self.user, self.secret) = (user, secret) }

    /// Reads the value of an `Authorization` header.
    ///
    /// Returns `nil` for other schemes, and for a malformed value.
    package init?(authorization: String) {
        let parts = authorization.split(separator: " ", maxSplits: 1)
        guard parts.count == 2 else { return nil }
        let value = parts[1].trimmingPrefix { $0 == " " }
        switch parts[0].lowercased() {
        case "bearer": self.init(secret: String(value))
        case "basic":
            guard let data = Data(base64Encoded: String(value)), let text = String(data: data, encoding: .utf8),
                let colon = text.firstIndex(of: ":")
            else { return nil }
            self.init(user: String(text[..<colon]), secret: String(text[text.index(after: colon)...]))
        default: return nil
        }
    }

    /// The challenges of a server (`WWW-Authenticate`): the schemes with which a client can send credentials.
    ///
    /// CUPS clients use the first scheme that they support.
    package static let challenges = ["Basic realm=\"printq\", charset=\"UTF-8\"", "Bearer realm=\"printq\""]
}

extension Credentials: CustomStringConvertible, CustomReflectable {
    /// A text without the secret.
    public var description: String { "credentials" }
    /// A mirror without the secret.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// The identity that credentials prove.
public enum NetworkIdentity: Hashable, Sendable {
    /// The bearer of a token.
    case token(AccessToken)
    /// A user with a name and a password, or with a token of OpenID Connect.
    case user(NetworkUser)
}

/// The refusal of credentials without a check, because too many passwords were wrong.
///
/// The HTTP status is 429 (RFC 6585 §4). The IPP status tells clients to retry later.
public struct TooManyLogins: Error, Hashable, CustomStringConvertible {
    /// The time in seconds after which the client can try again.
    public let retryAfter: Int

    /// Creates a refusal.
    public init(retryAfter: Int) { self.retryAfter = retryAfter }

    /// The error message.
    public var description: String { "too many passwords were wrong; try again in \(retryAfter) seconds" }
}

extension TooManyLogins: ServiceError {
    package var status: Status { .serverErrorBusy }
    package var message: String { description }
}
