// Lists and changes the tokens of clients on the network.

public import PrintModel
import PrintSpool

extension SpoolService {
    /// Returns all tokens.
    public func tokens() async throws -> [AccessToken] { try await spool.tokens() }

    /// Changes the tokens, and returns the secret of a new token.
    public func changeTokens(_ change: TokenChange) async throws -> String? {
        switch change {
        case .create(let name, let user, let scope, let printers, let actsForOthers, let lifetime):
            for printer in printers { _ = try await row(of: printer) }
            return try await spool.createToken(
                named: name, user: user, scope: scope, printers: printers, actsForOthers: actsForOthers,
                lifetime: lifetime)
        case .revoke(let name):
            try await spool.revokeToken(named: name)
            return nil
        }
    }
}
