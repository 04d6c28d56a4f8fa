// The writing session of a spool in PostgreSQL.

import FoundationEssentials
import PostgresClient
import PrintModel

/// A connection that a transaction or a snapshot uses.
///
/// A statement whose result is not needed is sent together with the next query or with the commit. That query or commit
/// also throws the error of the statement. A failed statement ends the transaction. `GroupCommitter` then runs each
/// write of the transaction again in a separate transaction.
final class PostgresSession: StoreSession {
    let connection: PostgresConnection
    /// The address for the connection that looks up the outcome of a commit; nil for a snapshot.
    private let address: PostgresAddress?
    private(set) var changeCount = 0
    /// The events of the transaction, which the commit stores.
    var events: [StoredEvent] = []
    /// The identification of the transaction; its value is nil until the response to the first query arrives.
    private let number = TransactionNumber()

    init(_ connection: PostgresConnection, address: PostgresAddress?) {
        (self.connection, self.address) = (connection, address)
    }

    var transaction: any SpoolTransaction { PostgresTransaction(self) }

    /// Whether the session can write.
    ///
    /// If true, a query for a job locks the row of the job until the end of the transaction.
    var isWriting: Bool { address != nil }

    var isUsable: Bool { connection.isOpen }

    var isInTransaction: Bool { connection.transactionStatus == .open }

    func begin(_ durability: Durability) throws {
        events = []
        try connection.begin()
        number.value = nil
        try connection.enqueue(
            """
            SELECT pg_current_xact_id()::text, set_config('synchronous_commit', $1, true),
                substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8)
            """, [durability == .forced ? "on" : "off"]
        ) { [number] rows in
            number.value = (try? (rows[0].string(0), rows[0].string(2))).map { .init(id: $0, timeline: $1) }
        }
    }

    func commit() throws {
        if !events.isEmpty {
            let events = events
            try enqueue(PostgresTransaction.insertEvents, [events.count, StoredJSON.text(of: events)])
        }
        do {
            // The results are read before COMMIT is sent, so that only an error of COMMIT leaves the outcome unknown.
            if number.value == nil { try connection.synchronize() }
            try connection.commit()
        } catch  where error.kind == .commitUncertain {
            guard let address, let number = number.value else { throw UnknownOutcome(cause: error) }
            connection.close()
            try PostgresOutcome.confirm(number, at: address, after: error)
        }
    }

    func rollback() throws { connection.rollback() }

    func eraseDeletedContent() {}

    // MARK: - Statements

    /// Runs a query.
    func query(_ sql: String, _ parameters: [(any PostgresParameter)?] = []) throws -> PostgresRows {
        try connection.query(sql, Self.storable(parameters))
    }

    /// Adds a query that is sent together with the next query.
    ///
    /// The next query also reads the rows of this query, and passes the rows to `receive`.
    func query(
        _ sql: String, _ parameters: [(any PostgresParameter)?], receive: @escaping (PostgresRows) -> Void
    ) throws {
        try connection.enqueue(sql, Self.storable(parameters), receive: receive)
    }

    /// Runs a statement that changes rows, and returns the rows of the statement's result.
    func change(_ sql: String, _ parameters: [(any PostgresParameter)?] = []) throws -> PostgresRows {
        let rows = try connection.query(sql, Self.storable(parameters))
        changeCount += rows.affectedRows
        return rows
    }

    /// Sends a statement that changes rows, and does not wait for its result.
    func enqueue(_ sql: String, _ parameters: [(any PostgresParameter)?] = []) throws {
        changeCount += 1
        try connection.enqueue(sql, Self.storable(parameters))
    }

    /// Appends an event, which the commit stores.
    func append(_ event: StoredEvent) {
        changeCount += 1
        events.append(event)
    }

    /// Replaces zero bytes in texts, because PostgreSQL cannot store zero bytes.
    private static func storable(_ parameters: [(any PostgresParameter)?]) -> [(any PostgresParameter)?] {
        parameters.map { ($0 as? String)?.withoutZeroBytes ?? $0 }
    }
}

extension String {
    /// The text with a replacement character for each zero byte, which PostgreSQL cannot store.
    var withoutZeroBytes: String { utf8.contains(0) ? replacing("\0", with: "\u{FFFD}") : self }
}

/// The identification of a transaction, which is set when the result of the first query arrives.
private final class TransactionNumber {
    var value: PostgresOutcome.Number?
}
