// Reads a spool in PostgreSQL for a transfer.

import PostgresClient

/// The connection of a transfer, which excludes all hosts from the database.
enum PostgresTransfer {
    /// The maximum time to wait for each response: a count or a commit of a large database takes some time.
    private static let waitLimit = Duration.seconds(600)

    static func connect(to address: PostgresAddress) throws -> PostgresConnection {
        let options = PostgresOptions(applicationName: "printq migrate", waitLimit: waitLimit)
        let connection = try PostgresConnection.connect(to: address, options: options, check: PostgresSchema.setUp)
        // The other side of the transfer can take longer than these limits.
        try connection.runScript("SET idle_in_transaction_session_timeout = 0; SET statement_timeout = 0")
        return connection
    }

    /// Prevents the start of hosts until the end of the transaction, and checks that no host is alive.
    ///
    /// In a snapshot, the call must be the first statement.
    static func excludeHosts(_ connection: PostgresConnection, _ address: PostgresAddress) throws {
        let lock = Result { () throws(PostgresError) in
            try connection.runScript("LOCK TABLE hosts IN EXCLUSIVE MODE")
        }
        if case .failure(let error) = lock, error.kind == .lockTimeout { throw inUse("another program", address) }
        try lock.get()
        let alive = try connection.query(
            """
            SELECT name FROM hosts
            WHERE heard_at >= clock_timestamp() - make_interval(secs => \(PostgresHosts.period))
            ORDER BY name COLLATE "C"
            """
        ).map { try $0.string(0) }
        guard alive.isEmpty else {
            let hosts = alive.map { "'\($0)'" }.joined(separator: ", ")
            throw inUse("printd on the \(alive.count == 1 ? "host" : "hosts") \(hosts)", address)
        }
    }

    private static func inUse(_ user: String, _ address: PostgresAddress) -> SpoolError {
        SpoolError(
            code: .locked,
            message: "\(user) uses the database '\(address)'; stop printd on all hosts, wait "
                + "\(PostgresHosts.period) seconds if printd was killed, and try again")
    }
}

/// The spool in a PostgreSQL database as the source of a transfer.
///
/// All reads use one snapshot. The transaction changes nothing.
struct PostgresTransferSource: TransferSource {
    private let connection: PostgresConnection

    /// Opens the database.
    ///
    /// - Throws: `locked` if a host is alive; `tooNew`; `notPossible` if the tables are those of an earlier version.
    init(_ address: PostgresAddress) throws {
        connection = try PostgresTransfer.connect(to: address)
        try PostgresSchema.requireCurrent(connection)
        try connection.begin(.snapshot)
        try PostgresTransfer.excludeHosts(connection, address)
    }

    func numbers() throws -> SpoolNumbers {
        let skipped = try PostgresTimeline.mustSkip(connection) ? PostgresTimeline.jump : 0
        let row = try connection.query(
            """
            SELECT (SELECT name FROM identity), \(Self.last("printers")), \(Self.last("jobs")),
                \(PostgresTransaction.lastEvent), (SELECT through FROM purged_events)
            """)[0]
        return SpoolNumbers(
            identity: try row.string(0), lastPrinter: try row.int(1), lastJob: try row.int(2),
            lastEvent: try row.int(3) + skipped, purgedEvent: try row.int(4))
    }

    /// Returns the SQL expression for the highest used id of a table.
    private static func last(_ table: String) -> String {
        "(SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM \(table)_id_seq)"
    }

    func count(_ table: StoredTable) throws -> Int {
        try connection.query("SELECT count(*) FROM \(table.name)")[0].int(0)
    }

    func rows(of table: StoredTable, after key: StoredRow?, limit: Int) throws -> [StoredRow] {
        let query = table.query(.postgres, isFirst: key == nil, limit: limit)
        return try connection.query(query, (key ?? []).map(\.integer)).map { row in
            try table.kinds.enumerated().map { try row.value($0, $1) }
        }
    }

    // MARK: - Large documents

    func content(_ reference: StoredValue, ofJob id: Int) throws -> LargeContent? {
        guard let number = reference.integer else { return nil }
        let rows = try connection.query(
            """
            SELECT bytes, (SELECT count(*) FROM documents WHERE content_id = $1) > 1,
                bytes = (SELECT sum(length(chunks.bytes)) FROM chunks WHERE content_id = $1)
            FROM large_contents WHERE id = $1
            """, [number])
        guard let row = rows.first, try row.optionalBool(2) == true else { return nil }
        return LargeContent(number: number, bytes: try row.int(0), isShared: try row.bool(1))
    }

    func read(_ content: LargeContent, receive: ([UInt8]) throws -> Void) throws {
        var (received, part) = (0, 0)
        while received < content.bytes {
            let bytes = try connection.query(
                "SELECT bytes FROM chunks WHERE content_id = $1 AND part = $2", [content.number, part])[0].bytes(0)
            try receive(bytes)
            (received, part) = (received + bytes.count, part + 1)
        }
    }

    func close() { connection.close() }
}
