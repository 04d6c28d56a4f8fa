// Reads and writes the tokens of clients on the network.

package import PrintModel

extension SQLTransaction {
    private static var tokenColumns: String {
        "name, owner, scope, created_at, expires_at, last_used_at, printers, acts_for_others"
    }

    package func tokens() throws -> [AccessToken] {
        try rows("SELECT \(Self.tokenColumns) FROM tokens ORDER BY name", [], Self.token)
    }

    package func token(withDigest digest: String) throws -> AccessToken? {
        try rows("SELECT \(Self.tokenColumns) FROM tokens WHERE digest = $1", [digest], Self.token).first
    }

    package func insert(_ token: AccessToken, digest: String) throws -> Bool {
        let values: [(any SQLValue)?] = [
            token.name, token.user, token.scope.rawValue, token.createdAt, token.expiresAt, token.lastUsedAt,
            try StoredJSON.text(of: token.printers), token.actsForOthers, digest,
        ]
        return try change(
            """
            INSERT INTO tokens (\(Self.tokenColumns), digest) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
            ON CONFLICT (name) DO NOTHING
            """, values) > 0
    }

    package func removeToken(named name: String) throws -> Bool {
        try change("DELETE FROM tokens WHERE name = $1", [name]) > 0
    }

    package func noteUse(ofToken name: String, at time: UnixTime) throws {
        try run("UPDATE tokens SET last_used_at = $1 WHERE name = $2", [time, name])
    }

    private static func token(_ row: Row) throws -> AccessToken {
        // A token with an unreadable scope allows nothing but to look, and one with unreadable printers reaches none.
        var token = AccessToken(
            name: try row.string(0), user: try row.string(1),
            scope: AccessToken.Scope(rawValue: try row.string(2)) ?? .look,
            printers: (try? StoredJSON.value(of: row.string(6))) ?? [""],
            actsForOthers: try row.optionalBool(7) ?? false, createdAt: try row.double(3),
            expiresAt: try row.optionalDouble(4))
        token.lastUsedAt = try row.optionalDouble(5)
        return token
    }
}
