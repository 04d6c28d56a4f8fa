// Formats the tokens of clients on the network as a table and as JSON.

import PrintIPP
package import PrintModel
package import SpoolerClient

extension AccessToken {
    /// Returns the tokens as a table.
    ///
    /// - Parameters:
    ///   - now: The current time.
    ///   - times: The style of the times, relative or absolute.
    package static func table(of tokens: [AccessToken], now: UnixTime, times: TimeStyle = .absolute) -> TextTable {
        var table = TextTable([
            .left("NAME"), .left("USER"), .left("SCOPE"), .left("PRINTERS"), .left("CREATED"), .left("LAST USED"),
            .left("EXPIRES"),
        ])
        for token in tokens {
            let expiration =
                token.isExpired(at: now) ? "expired" : token.expiresAt.map { TimeStyle.absolute.text($0, now: now) }
            table.add(
                [
                    token.name, token.user, token.scope.rawValue + (token.actsForOthers ? " for others" : ""),
                    token.printers.isEmpty ? "all" : token.printers.joined(separator: ", "),
                    times.text(token.createdAt, now: now),
                    token.lastUsedAt.map { times.text($0, now: now) } ?? "never", expiration ?? "never",
                ], tones: token.isExpired(at: now) ? [6: .bad] : [:])
        }
        return table
    }

    /// The tokens as JSON, without their secrets.
    package static func json(of tokens: [AccessToken]) -> JSONText {
        .array(tokens.map { JSONText($0.attributes) })
    }
}
