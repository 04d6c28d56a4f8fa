// Writes a spool to PostgreSQL in a transfer.

import FoundationEssentials
import PostgresClient
import PrintModel

/// An empty PostgreSQL database as the target of a transfer.
///
/// One transaction contains all rows and documents. If the process or the server is killed, the database remains empty.
final class PostgresTransferTarget: TransferTarget {
    private let session: PostgresSession
    /// The name of the host to which local printers belong.
    private let host: String

    private var connection: PostgresConnection { session.connection }

    /// Connects to the database, creates missing tables, and begins the transaction.
    ///
    /// - Parameter host: The name of the host whose spool is copied.
    /// - Throws: `locked` if a host is alive; `notPossible` if the database is not empty; `tooNew`.
    init(_ address: PostgresAddress, host: String) throws {
        let connection = try PostgresTransfer.connect(to: address)
        session = PostgresSession(connection, address: address, writer: UUID().uuidString)
        self.host = host
        try PostgresSchema.migrate(connection) { _ in }
        try session.begin(.forced)
        try PostgresTransfer.excludeHosts(connection, address)
        for table in StoredTable.all where try count(table) > 0 {
            throw SpoolError.notPossible(
                "the database '\(address)' is not empty: the table '\(table.name)' has rows; use an empty database")
        }
    }

    // MARK: - Rows

    func insert(_ rows: [StoredRow], into table: StoredTable) throws -> [StoredRow] {
        let valid = rows.filter(table.fits)
        var refused = rows.filter { !table.fits($0) }
        if try insertAll(valid, into: table) { return refused }
        for row in valid where try !insertAll([row], into: table) { refused.append(row) }
        return refused
    }

    /// Inserts all rows with one statement, and returns whether the database accepted the rows.
    ///
    /// If the database refuses a row, no row is inserted.
    private func insertAll(_ rows: [StoredRow], into table: StoredTable) throws -> Bool {
        guard !rows.isEmpty else { return true }
        do {
            try connection.enqueue("SAVEPOINT step")
            try session.enqueue(Self.statement(table, rows: rows.count), rows.flatMap { Self.parameters($0, table) })
            try connection.enqueue("RELEASE SAVEPOINT step")
            try connection.synchronize()
            return true
        } catch let error as PostgresError where ["22", "23"].contains(error.sqlState?.prefix(2)) {
            // 22: an invalid value; 23: a violated constraint.
            try connection.runScript("ROLLBACK TO SAVEPOINT step")
            return false
        }
    }

    private static func statement(_ table: StoredTable, rows: Int) -> String {
        let width = table.columns.count
        let values = (0..<rows).map { row in
            "(\((1...width).map { "$\(row * width + $0)" }.joined(separator: ", ")))"
        }
        return """
            INSERT INTO \(table.name) (\(table.columnList(.postgres))) OVERRIDING SYSTEM VALUE
            VALUES \(values.joined(separator: ", "))
            """
    }

    private static func parameters(_ row: StoredRow, _ table: StoredTable) -> [(any PostgresParameter)?] {
        zip(row, table.kinds).map { parameter($0, $1) }
    }

    private static func parameter(_ value: StoredValue, _ kind: StoredKind) -> (any PostgresParameter)? {
        switch (value, kind) {
        case (.null, _): nil
        case (.integer(let value), .boolean): value != 0
        case (.integer(let value), .real): Double(value)
        case (.integer(let value), _): value
        case (.real(let value), _): value
        case (.text(let value), _): value
        case (.bytes(let value), _): value
        }
    }

    // MARK: - Large documents

    func add(
        bytes: Int, for place: DocumentPlace, read: (_ receive: ([UInt8]) throws -> Void) throws -> Void
    ) throws -> StoredValue {
        let id = try connection.query("INSERT INTO large_contents (bytes) VALUES ($1) RETURNING id", [bytes])[0].int(0)
        var part = 0
        try read { bytes in
            try connection.execute(
                "INSERT INTO chunks (content_id, part, bytes) VALUES ($1, $2, $3)", [id, part, bytes])
            part += 1
        }
        return .integer(id)
    }

    func share(_ reference: StoredValue, of other: DocumentPlace, for place: DocumentPlace) throws -> StoredValue {
        reference
    }

    // MARK: - The end

    func store(_ numbers: SpoolNumbers) throws {
        for (table, last) in [("printers", numbers.lastPrinter), ("jobs", numbers.lastJob)] {
            try connection.query(
                "SELECT setval(pg_get_serial_sequence('\(table)', 'id'), GREATEST($1::bigint, 1), $1::bigint > 0)",
                [last])
        }
        for table in ["tokens", "users", "quota_credits"] {
            try connection.query(
                "SELECT setval(pg_get_serial_sequence('\(table)', 'id'), MAX(id)) FROM \(table) HAVING MAX(id) > 0")
        }
        // No server is stored, so that the numbers do not skip a range at the next connection.
        try session.enqueue(
            "UPDATE event_log SET last = $1, timeline = NULL, server = NULL", [numbers.lastEvent])
        try session.enqueue("UPDATE purged_events SET through = $1", [numbers.purgedEvent])
        try session.enqueue("UPDATE identity SET name = $1", [numbers.identity])
        try restrictLocalPrinters()
    }

    /// Stores that only this host can reach its simulated printers and its folders.
    private func restrictLocalPrinters() throws {
        for row in try session.query("SELECT name, device_uri FROM printers ORDER BY id") {
            let printer = ConfiguredPrinter(name: try row.string(0), deviceURI: try row.string(1))
            if printer.isLocal { try PostgresTransaction(session).restrict(printer.name, toHost: host) }
        }
    }

    func count(_ table: StoredTable) throws -> Int {
        try connection.query("SELECT count(*) FROM \(table.name)")[0].int(0)
    }

    func documentBytes() throws -> Int {
        try connection.query(
            """
            SELECT ((SELECT COALESCE(sum(length(content)), 0) FROM documents)
                + (SELECT COALESCE(sum(length(bytes)), 0) FROM chunks))::bigint
            """)[0].int(0)
    }

    func commit() throws -> String? {
        try connection.runScript("ANALYZE \(StoredTable.all.map(\.name).joined(separator: ", "))")
        try session.commit()
        return nil
    }

    func close() { connection.close() }
}
