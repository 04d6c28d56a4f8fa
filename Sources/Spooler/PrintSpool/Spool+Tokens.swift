// Creates, checks and revokes the tokens of clients on the network.

import FoundationEssentials
public import PrintModel

extension Spool {
    /// Returns all tokens in the order of their names.
    public func tokens() async throws(SpoolError) -> [AccessToken] {
        try await read { snapshot in try snapshot.tokens() }
    }

    /// Creates a token, and returns its secret.
    ///
    /// The spool stores only the digest, so nobody can read the secret later.
    ///
    /// - Parameters:
    ///   - printers: The printers that the client can use; empty for all printers.
    ///   - actsForOthers: Whether the client acts for the users whom it names.
    ///   - lifetime: The time in seconds until the token expires; nil for no expiration.
    /// - Throws: `notPossible` if there is a token with the name.
    public func createToken(
        named name: String, user: String, scope: AccessToken.Scope, printers: [String] = [],
        actsForOthers: Bool = false, lifetime: Double?
    ) async throws(SpoolError) -> String {
        let secret = Self.newSecret()
        let now = clock()
        let token = AccessToken(
            name: name, user: user, scope: scope, printers: printers, actsForOthers: actsForOthers, createdAt: now,
            expiresAt: lifetime.map { now + $0 })
        let isNew = try await write { transaction in
            try transaction.insert(token, digest: Self.digest(of: secret))
        }
        guard isNew else {
            throw SpoolError(
                code: .notPossible,
                message: "there is a token with the name '\(name)'; revoke it, or choose another name")
        }
        return secret
    }

    /// Revokes a token: the next request with the token is refused, on every host of the queue.
    ///
    /// - Throws: `notPossible` if there is no token with the name.
    public func revokeToken(named name: String) async throws(SpoolError) {
        let isRevoked = try await write { transaction in try transaction.removeToken(named: name) }
        guard isRevoked else {
            throw SpoolError(
                code: .notPossible, message: "there is no token with the name '\(name)'; see 'printq tokens'")
        }
    }

    /// Returns the token with a secret, and stores the time of its use, at most once per minute.
    ///
    /// Returns nil if no token has the secret, or if the token has expired.
    public func token(with secret: String) async throws(SpoolError) -> AccessToken? {
        // No secret is longer, and a client must not make this process hash a long text.
        guard secret.utf8.count <= 100 else { return nil }
        let digest = Self.digest(of: secret)
        guard let token = try await read({ snapshot in try snapshot.token(withDigest: digest) }) else { return nil }
        let now = clock()
        guard !token.isExpired(at: now) else { return nil }
        if now - (token.lastUsedAt ?? 0) > Self.useInterval {
            _ = try await write(.ordered) { transaction in try transaction.noteUse(ofToken: token.name, at: now) }
        }
        return token
    }

    /// The least time between two stored times of use, in seconds.
    private static let useInterval = 60.0

    /// Returns a secret of 256 random bits, in the URL-safe form of Base64 (RFC 4648 §5) without padding.
    private static func newSecret() -> String {
        var generator = SystemRandomNumberGenerator()
        let bytes = (0..<4).flatMap { _ in withUnsafeBytes(of: generator.next() as UInt64) { Array($0) } }
        let text = Data(bytes).base64EncodedString().filter { $0 != "=" }
        return AccessToken.secretPrefix + String(text.map { $0 == "+" ? "-" : $0 == "/" ? "_" : $0 })
    }

    /// Returns the SHA-256 digest of a secret in hexadecimal digits.
    ///
    /// A secret has 256 random bits, so a slow hash adds no safety.
    private static func digest(of secret: String) -> String {
        var digest = SHA256()
        digest.update(Array(secret.utf8))
        return digest.digest()
    }
}
