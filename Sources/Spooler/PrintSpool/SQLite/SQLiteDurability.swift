// Sets whether SQLite syncs commits to disk.

package import GRDB
import Synchronization

/// The setting of the writing connection: whether commits are synced to disk.
package final class SQLiteDurability: Sendable {
    /// The current setting of the connection; nil when the setting is unknown.
    private let current = Mutex<Durability?>(nil)

    package init() {}

    /// Sets whether the next commits are synced to disk: `FULL` syncs commits, `NORMAL` only keeps the order of
    /// commits.
    package func set(_ durability: Durability, in db: Database) throws {
        guard current.withLock({ $0 }) != durability else { return }
        current.withLock { $0 = nil }
        try db.execute(sql: "PRAGMA synchronous = \(durability == .forced ? "FULL" : "NORMAL")")
        current.withLock { $0 = durability }
    }
}
