// Describes a provider of OpenID Connect, and decides which user a token belongs to.

package import PrintModel

/// A provider of OpenID Connect whose users can print, with the rules for their tokens.
package struct Provider: Equatable, Sendable {
    /// The algorithms with which a provider can sign tokens (RFC 7518 §3.1).
    ///
    /// There are no others: neither `none`, nor algorithms for which `printd` would need a shared secret.
    package enum Algorithm: String, CaseIterable, Sendable {
        case rs256 = "RS256"
        case es256 = "ES256"
    }

    /// The place of the provider's keys, a JSON Web Key Set (RFC 7517 §5).
    package enum KeyPlace: Equatable, Sendable {
        case file(String)
        /// An address with the scheme `https:`; the path includes the query.
        case web(host: String, port: Int, path: String)
    }

    /// The value that the claim `iss` must have.
    package var issuer: String
    /// The value that the claim `aud` must have or contain.
    package var audience: String
    package var keys: KeyPlace
    package var algorithms = Set(Algorithm.allCases)
    /// The claim with the name of the user; nil for `preferred_username` or, without this claim, `sub`.
    package var nameClaim: String?
    /// The claim with the names of the user's groups.
    package var groupsClaim = "groups"
    /// The groups whose members have a scope.
    ///
    /// Without groups for the scope `submit`, all users have this scope at least.
    package var groups: [AccessToken.Scope: Set<String>] = [:]
    /// The end of the owner names of the provider's users, after `@`.
    ///
    /// The realm separates the jobs of the provider's users from the jobs of all other users with the same name. It is
    /// empty if the provider's names are the names of the users of this machine.
    package var realm: String

    package init(issuer: String, audience: String, keys: KeyPlace, realm: String) {
        (self.issuer, self.audience, self.keys, self.realm) = (issuer, audience, keys, realm)
    }

    /// The time in seconds by which the clocks of the provider and of this machine may differ.
    static let leeway: UnixTime = 60

    /// Returns the user to whom the provider has issued a token with these claims.
    ///
    /// - Throws: `TokenRefusal` if the token is for another audience or time, or if the user may not print.
    func user(_ claims: Claims, at now: UnixTime) throws(TokenRefusal) -> NetworkUser {
        guard claims.text("iss") == issuer else { throw .claim("iss") }
        guard claims.texts("aud").contains(audience) else { throw .claim("aud") }
        guard let expiry = claims.number("exp"), now < expiry + Self.leeway else { throw .expired }
        for name in ["nbf", "iat"] where claims.has(name) {
            guard let start = claims.number(name), start <= now + Self.leeway else { throw .notYetValid }
        }
        guard let name = nameClaim.map(claims.text) ?? claims.text("preferred_username") ?? claims.text("sub"),
            let owner = owner(name)
        else { throw .name }
        guard let scope = scope(ofMembers: Set(claims.texts(groupsClaim))) else { throw .groups }
        var user = NetworkUser(name: owner, scope: scope, createdAt: 0)
        user.proof = .openID
        return user
    }

    /// Returns the owner of the jobs of a user with the given name; nil if the name cannot own jobs.
    ///
    /// The name stays as it is, with its case and the domain that it may contain: `CORP\anna`, `anna@REALM`. It must
    /// consist of ASCII characters, so that two different names are never equal as texts.
    func owner(_ name: String) -> String? {
        let owner = realm.isEmpty ? name : "\(name)@\(realm)"
        let isValid =
            !name.isEmpty && owner.utf8.count <= 255 && owner.utf8.allSatisfy { (0x21..<0x7F).contains($0) }
        // As with passwords of this machine's accounts, the network does not reach the jobs of root.
        return isValid && !NetworkUser.isReserved(owner) && owner != "root" ? owner : nil
    }

    private func scope(ofMembers members: Set<String>) -> AccessToken.Scope? {
        func isMember(_ scope: AccessToken.Scope) -> Bool { !members.isDisjoint(with: groups[scope] ?? []) }
        if isMember(.manage) { return .manage }
        if groups[.submit]?.isEmpty ?? true || isMember(.submit) { return .submit }
        return isMember(.look) ? .look : nil
    }
}

/// The reason why a token of OpenID Connect is refused.
package enum TokenRefusal: Error, Hashable, Sendable, CustomStringConvertible {
    case tooLong
    case malformed
    /// A token that is signed with an algorithm that the settings do not list.
    case algorithm
    /// A token whose key the provider does not publish.
    case unknownKey
    /// The keys of the provider are missing, for the given reason.
    case noKeys(String)
    case signature
    /// A claim that does not have the configured value.
    case claim(String)
    case expired
    case notYetValid
    /// A token without a name that can own jobs.
    case name
    /// A user who is in no group that may print.
    case groups

    /// The reason, as part of a sentence.
    package var description: String {
        switch self {
        case .tooLong: "token of OpenID Connect that is longer than 8 KiB"
        case .malformed: "malformed token"
        case .algorithm: "token whose algorithm openID.algorithms does not list"
        case .unknownKey: "token with an unknown key"
        case .noKeys(let reason): "token that cannot be checked: \(reason)"
        case .signature: "token with a wrong signature"
        case .claim(let name): "token with another value of the claim \(name)"
        case .expired: "expired token"
        case .notYetValid: "token that is not valid yet"
        case .name: "token without a usable name; see openID.nameClaim"
        case .groups: "token of a user in none of the groups of openID"
        }
    }
}
