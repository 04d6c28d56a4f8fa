// Runs the operations of the store on a connection of SQLite.

import GRDB
import PrintModel

/// A transaction or a snapshot of the SQLite database.
///
/// The extensions of this type contain the SQL statements by subject. `QueryPlanTests` checks that the statements use
/// the indexes.
package struct SQLiteTransaction: SpoolTransaction {
    /// The connection.
    let db: Database

    /// Returns the level at which SQLite syncs commits to disk (`PRAGMA synchronous`).
    func synchronousLevel() throws -> Int? { try Int.fetchOne(db, sql: "PRAGMA synchronous") }
}

/// The writing session of the SQLite database.
struct SQLiteSession: StoreSession {
    /// The writing connection.
    let db: Database
    /// The durability that the connection is set to.
    let setting: SQLiteDurability

    var transaction: any SpoolTransaction { SQLiteTransaction(db: db) }

    var isInTransaction: Bool { db.isInsideTransaction }

    var changeCount: Int { db.totalChangesCount }

    func reserveJobID() throws -> Int {
        try setting.set(.ordered, in: db)
        let sql = "UPDATE sqlite_sequence SET seq = seq + 1 WHERE name = 'jobs' RETURNING seq"
        if let id = try Int.fetchAll(try db.cachedStatement(sql: sql)).first { return id }
        // The table has no row before the first job.
        try db.execute(sql: "INSERT INTO sqlite_sequence (name, seq) VALUES ('jobs', 1)")
        return 1
    }

    func begin(_ durability: Durability) throws {
        try setting.set(durability, in: db)
        // This statement must be the first statement, because it throws an error if the database is closed.
        try db.cachedStatement(sql: "BEGIN IMMEDIATE TRANSACTION").execute()
    }

    func commit() throws { try db.cachedStatement(sql: "COMMIT TRANSACTION").execute() }

    func rollback() throws { if db.isInsideTransaction { try db.rollback() } }

    func eraseDeletedContent() { _ = try? db.checkpoint(.truncate) }
}
