// Runs the operations of the store on a connection of SQLite.

package import GRDB
import FoundationEssentials
import GRDBSQLite
package import PrintModel

/// A transaction or a snapshot of the SQLite database.
///
/// `QueryPlanTests` checks that the statements use the indexes.
package struct SQLiteTransaction: SQLTransaction {
    package let db: Database

    package init(db: Database) { self.db = db }

    package static var dialect: SQLDialect { .sqlite }

    package func rows<Value>(
        _ sql: String, _ parameters: [(any SQLValue)?], _ read: (Row) throws -> Value
    ) throws -> [Value] {
        let rows = try Row.fetchCursor(try statement(sql), arguments: Self.arguments(parameters))
        var values: [Value] = []
        while let row = try rows.next() { values.append(try read(row)) }
        return values
    }

    package func integer(_ sql: String, _ parameters: [(any SQLValue)?]) throws -> Int? {
        try Int.fetchOne(try statement(sql), arguments: Self.arguments(parameters))
    }

    package func integers(_ sql: String, _ parameters: [(any SQLValue)?]) throws -> [Int] {
        try Int.fetchAll(try statement(sql), arguments: Self.arguments(parameters))
    }

    package func boolean(_ sql: String, _ parameters: [(any SQLValue)?]) throws -> Bool? {
        try Bool.fetchOne(try statement(sql), arguments: Self.arguments(parameters))
    }

    package func run(_ sql: String, _ parameters: [(any SQLValue)?]) throws {
        try statement(sql).execute(arguments: Self.arguments(parameters))
    }

    package func change(_ sql: String, _ parameters: [(any SQLValue)?]) throws -> Int {
        try run(sql, parameters)
        return db.changesCount
    }

    /// Returns the compiled statement.
    ///
    /// SQLite numbers the parameters in the order of their first use, and ignores the numbers in their names.
    private func statement(_ sql: String) throws -> Statement {
        let statement = try db.cachedStatement(sql: sql)
        assert(
            (0..<sqlite3_bind_parameter_count(statement.sqliteStatement)).allSatisfy { index in
                sqlite3_bind_parameter_name(statement.sqliteStatement, index + 1)
                    .map { String(cString: $0) == "$\(index + 1)" } ?? false
            }, "the parameters must be used in the order of their numbers: \(sql)")
        return statement
    }

    private static func arguments(_ parameters: [(any SQLValue)?]) -> StatementArguments {
        StatementArguments(parameters.map { $0?.databaseValue })
    }

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

// MARK: - Rows

extension Row: SQLRow {
    package func int(_ column: Int) throws -> Int { try typed(column) }
    package func optionalInt(_ column: Int) throws -> Int? { try optional(column) }
    package func double(_ column: Int) throws -> Double { try typed(column) }
    package func optionalDouble(_ column: Int) throws -> Double? { try optional(column) }
    package func string(_ column: Int) throws -> String { try typed(column) }
    package func optionalString(_ column: Int) throws -> String? { try optional(column) }
    package func bool(_ column: Int) throws -> Bool { try typed(column) }
    package func optionalBool(_ column: Int) throws -> Bool? { try optional(column) }
    package func optionalBytes(_ column: Int) throws -> [UInt8]? { try (optional(column) as Data?).map(Array.init) }

    package func value(_ column: Int, _ kind: StoredKind) throws -> StoredValue { StoredValue(self[column]) }

    package func unreadable(_ error: any Error, _ parts: JobParts) -> UnreadableJob {
        UnreadableJob(
            id: Int.fromDatabaseValue(self["id"]) ?? 0, reason: String("\(error)".prefix(200)),
            content: String(map { "\($0) = \($1)" }.joined(separator: ", ").prefix(16_000)))
    }

    /// Returns the value of a column.
    ///
    /// Throws an error for text in a numeric column. In contrast, GRDB's `StatementColumnConvertible` converts the
    /// text to a number.
    private func typed<Value: DatabaseValueConvertible>(_ column: Int) throws -> Value {
        try decode(atIndex: column)
    }

    private func optional<Value: DatabaseValueConvertible>(_ column: Int) throws -> Value? {
        try decode(atIndex: column)
    }
}
