// Reads large results row by row.

import CLibpq

extension PostgresConnection {
    /// The maximum number of rows that are read and discarded after `body` has thrown an error.
    private static let mostDroppedRows = 16

    /// Runs a statement, and calls `body` with each row when the row arrives.
    ///
    /// The client keeps one row in memory. While `body` runs, the server waits.
    ///
    /// If `body` throws an error and many rows remain, the connection is closed, because libpq can discard rows only
    /// one by one. `body` must not use this connection.
    ///
    /// - Throws: The errors of `body` and of the statement.
    public func forEachRow(
        _ sql: String, _ parameters: [(any PostgresParameter)?] = [], _ body: (PostgresRow) throws -> Void
    ) throws {
        let list = try ParameterList(parameters, of: sql)
        try synchronize()
        let handle = try handle()
        let isInTransaction = PQtransactionStatus(handle) != PQTRANS_IDLE
        try attempt(sql, isInTransaction) { () throws(PostgresError) in
            try sendStatement(sql, list)
            PQsetSingleRowMode(handle)
        }
        while let rows = try attempt(sql, isInTransaction, { () throws(PostgresError) in try nextRows(of: sql) }) {
            do {
                for row in rows { try body(row) }
            } catch {
                try? dropRows()
                throw error
            }
        }
    }

    /// Returns the next row of the statement that was sent last.
    ///
    /// After the last row, the method first returns an empty result, and then nil.
    private func nextRows(of sql: String) throws(PostgresError) -> PostgresRows? {
        guard let result = try nextResult() else { return nil }
        do {
            return PostgresRows(try accept(result, of: sql))
        } catch {
            // libpq accepts the next statement only after the end of the results.
            while isOpen, let rest = try nextResult() { PQclear(rest) }
            throw error
        }
    }

    private func dropRows() throws(PostgresError) {
        for _ in 0..<Self.mostDroppedRows {
            guard let result = try nextResult() else { return }
            PQclear(result)
        }
        _ = close(
            because: PostgresError(.connectionLost, "the connection to PostgreSQL was closed within a result"))
    }
}
