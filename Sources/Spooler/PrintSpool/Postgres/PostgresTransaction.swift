// Runs the operations of the store on a connection to PostgreSQL.

import PostgresClient
import PrintModel

/// A transaction or a snapshot of the PostgreSQL database.
///
/// `PostgresStoreTests` checks that the statements use the indexes.
struct PostgresTransaction: SQLTransaction {
    /// The connection, and the events that the commit stores.
    let session: PostgresSession

    init(_ session: PostgresSession) { self.session = session }

    static var dialect: SQLDialect { .postgres }

    func rows<Value>(
        _ sql: String, _ parameters: [(any SQLValue)?], _ read: (PostgresRow) throws -> Value
    ) throws -> [Value] {
        try session.query(sql, parameters).map(read)
    }

    func integer(_ sql: String, _ parameters: [(any SQLValue)?]) throws -> Int? {
        try session.query(sql, parameters).first?.optionalInt(0)
    }

    func integers(_ sql: String, _ parameters: [(any SQLValue)?]) throws -> [Int] {
        try session.query(sql, parameters).map { try $0.int(0) }
    }

    func boolean(_ sql: String, _ parameters: [(any SQLValue)?]) throws -> Bool? {
        try session.query(sql, parameters).first?.optionalBool(0)
    }

    func run(_ sql: String, _ parameters: [(any SQLValue)?]) throws { try session.enqueue(sql, parameters) }

    func change(_ sql: String, _ parameters: [(any SQLValue)?]) throws -> Int {
        try session.change(sql, parameters).affectedRows
    }
}
