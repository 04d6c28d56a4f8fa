// Reads and writes the users on the network.

package import PrintModel

extension SQLTransaction {
    private static var userColumns: String { "name, scope, created_at, password_changed_at" }

    package func users() throws -> [NetworkUser] {
        try rows("SELECT \(Self.userColumns) FROM users ORDER BY name", [], Self.user)
    }

    package func user(named name: String) throws -> (user: NetworkUser, passwordHash: String)? {
        try rows("SELECT \(Self.userColumns), password_hash FROM users WHERE name = $1", [name]) { row in
            (try Self.user(row), try row.string(4))
        }.first
    }

    package func hasJobs(ofOwner owner: String) throws -> Bool {
        // The two conditions on the state select the partial indexes of an owner's jobs.
        try boolean(
            """
            SELECT EXISTS (SELECT 1 FROM jobs WHERE owner = $1 AND state < 7)
                OR EXISTS (SELECT 1 FROM jobs WHERE owner = $1 AND state >= 7)
                OR EXISTS (SELECT 1 FROM accounting WHERE owner = $1)
            """, [owner]) ?? false
    }

    package func insert(_ user: NetworkUser, passwordHash: String) throws -> Bool {
        let values: [(any SQLValue)?] = [
            user.name, user.scope.rawValue, user.createdAt, user.passwordChangedAt, passwordHash,
        ]
        return try change(
            """
            INSERT INTO users (\(Self.userColumns), password_hash) VALUES ($1, $2, $3, $4, $5)
            ON CONFLICT (name) DO NOTHING
            """, values) > 0
    }

    package func setPasswordHash(_ hash: String, ofUser name: String, at time: UnixTime) throws -> Bool {
        try change(
            "UPDATE users SET password_hash = $1, password_changed_at = $2 WHERE name = $3", [hash, time, name]) > 0
    }

    package func removeUser(named name: String) throws -> Bool {
        try change("DELETE FROM users WHERE name = $1", [name]) > 0
    }

    private static func user(_ row: Row) throws -> NetworkUser {
        // A user with an unreadable scope may only look.
        var user = NetworkUser(
            name: try row.string(0), scope: AccessToken.Scope(rawValue: try row.string(1)) ?? .look,
            createdAt: try row.double(2))
        user.passwordChangedAt = try row.double(3)
        return user
    }
}
