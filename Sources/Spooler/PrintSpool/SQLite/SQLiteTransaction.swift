// Runs the operations of the store on a connection of SQLite.

package import GRDB
import PrintModel

/// A transaction or a snapshot of the SQLite database.
///
/// The extensions of this type contain the SQL statements by subject. `QueryPlanTests` checks that the statements use
/// the indexes.
package struct SQLiteTransaction: SpoolTransaction {
    /// The connection.
    package let db: Database

    package init(db: Database) { self.db = db }

    /// Returns the level at which SQLite syncs commits to disk (`PRAGMA synchronous`).
    func synchronousLevel() throws -> Int? { try Int.fetchOne(db, sql: "PRAGMA synchronous") }
}

/// The writing session of the SQLite database.
package struct SQLiteSession: StoreSession {
    /// The writing connection.
    package let db: Database
    /// The durability that the connection is set to.
    package let setting: SQLiteDurability

    package init(db: Database, setting: SQLiteDurability) { (self.db, self.setting) = (db, setting) }

    package var transaction: any SpoolTransaction { SQLiteTransaction(db: db) }

    package var isInTransaction: Bool { db.isInsideTransaction }

    package var changeCount: Int { db.totalChangesCount }

    package func reserveJobID() throws -> Int {
        try setting.set(.ordered, in: db)
        let sql = "UPDATE sqlite_sequence SET seq = seq + 1 WHERE name = 'jobs' RETURNING seq"
        if let id = try Int.fetchAll(try db.cachedStatement(sql: sql)).first { return id }
        // The table has no row before the first job.
        try db.execute(sql: "INSERT INTO sqlite_sequence (name, seq) VALUES ('jobs', 1)")
        return 1
    }

    package func begin(_ durability: Durability) throws {
        try setting.set(durability, in: db)
        // This statement must be the first statement, because it throws an error if the database is closed.
        try db.cachedStatement(sql: "BEGIN IMMEDIATE TRANSACTION").execute()
    }

    package func commit() throws { try db.cachedStatement(sql: "COMMIT TRANSACTION").execute() }

    package func rollback() throws { if db.isInsideTransaction { try db.rollback() } }

    package func eraseDeletedContent() { _ = try? db.checkpoint(.truncate) }
}
