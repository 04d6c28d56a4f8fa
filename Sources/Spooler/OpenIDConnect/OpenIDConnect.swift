// Checks the tokens of OpenID Connect.

package import Logging
package import PrintModel
import Synchronization

/// The check of tokens that a provider of OpenID Connect has signed.
///
/// The check follows OpenID Connect Core 1.0 §3.1.3.7 and RFC 8725. It is repeated for each request, so that a token that
/// expires, and a key that the provider withdraws, are refused.
package final class OpenIDConnect: Sendable {
    private struct Trust {
        var provider: Provider
        var keys: KeyStore
    }

    private let clock: @Sendable () -> UnixTime
    private let logger: Logger
    private let trust = Mutex<Trust?>(nil)

    /// Creates a check that trusts no provider.
    package init(logger: Logger = Logger(label: "printd"), clock: @escaping @Sendable () -> UnixTime) {
        (self.logger, self.clock) = (logger, clock)
    }

    /// Trusts a provider from now on; nil for none.
    ///
    /// The keys of the provider are kept unless their place changes.
    package func trust(_ provider: Provider?) {
        trust.withLock { trust in
            trust = provider.map { new in
                let old = trust.flatMap { $0.provider.keys == new.keys ? $0.keys : nil }
                return Trust(provider: new, keys: old ?? KeyStore(new.keys, logger: logger))
            }
        }
    }

    /// The address of the provider, which clients ask for tokens; nil without a provider.
    package var issuer: String? { trust.withLock { $0?.provider.issuer } }

    /// Returns the user to whom the provider has issued a token; nil without a provider.
    ///
    /// - Throws: `TokenRefusal` if the token proves no identity.
    package func user(bearing token: String) async throws(TokenRefusal) -> NetworkUser? {
        guard let trust = trust.withLock(\.self) else { return nil }
        let signed = try SignedToken(token, algorithms: trust.provider.algorithms)
        let claims = try await signed.claims(verifiedBy: try await trust.keys.key(signed.key))
        return try trust.provider.user(claims, at: clock())
    }

    /// Returns the reason why no token can be checked, or why the keys are not renewed; nil if there is no such reason.
    package func problem() async -> String? { await trust.withLock(\.?.keys)?.problem()?.description }
}
