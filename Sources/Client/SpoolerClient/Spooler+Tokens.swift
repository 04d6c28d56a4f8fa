// Lists and changes the tokens of clients on the network.

import IPP
import PrintIPP
package import PrintModel

extension Spooler {
    /// Returns the tokens of all users (Get-Tokens).
    ///
    /// - Throws: `noPermission` if the user is not an administrator.
    package func tokens() async throws(SpoolerClientError) -> [AccessToken] {
        AccessToken.list(in: try await ask(.printqGetTokens)[.printer])
    }

    /// Creates or revokes a token (Change-Tokens).
    ///
    /// - Returns: The tokens after the change, and the secret of a new token.
    /// - Throws: `notDone` if the change is not possible; `noPermission` if the user is not an administrator.
    package func changeTokens(
        _ change: TokenChange
    ) async throws(SpoolerClientError) -> (tokens: [AccessToken], secret: String?) {
        let answer = try await ask(.printqChangeTokens, attributes: change.attributes)
        return (AccessToken.list(in: answer[.printer]), answer[.operation]?.string("printq-token"))
    }
}
