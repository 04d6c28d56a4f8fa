// Runs statements and reads their results.

import CLibpq

extension PostgresConnection {
    /// The maximum number of prepared statements; further statements are sent without preparation.
    private static let mostPrepared = 500

    /// Runs a statement and returns its rows.
    ///
    /// If statements are pending in the pipeline, this statement is added to the pipeline, and all results are read.
    ///
    /// - Parameters:
    ///   - sql: One statement, with `$1`, `$2`, … for parameters.
    ///   - parameters: The values of the parameters; nil for NULL.
    /// - Throws: The error of the statement, or the first error of the pipeline. If the connection was lost outside a
    ///   transaction, `isRetrySafe` of the error is false.
    @discardableResult
    public func query(
        _ sql: String, _ parameters: [(any PostgresParameter)?] = []
    ) throws(PostgresError) -> PostgresRows {
        if !pipeline.isEmpty {
            var rows: PostgresRows?
            try enqueue(sql, parameters) { rows = $0 }
            try synchronize()
            if let rows { return rows }
            throw PostgresError(.other, "PostgreSQL returned no result", statement: sql)
        }
        let list = try ParameterList(parameters, of: sql)
        try announce(sql)
        let isInTransaction = PQtransactionStatus(try handle()) != PQTRANS_IDLE
        do {
            return PostgresRows(try run(sql, list, isInTransaction))
        } catch  where PostgresError.mustPrepareAgain(error.sqlState) && !isInTransaction && isOpen {
            return PostgresRows(try run(sql, list, isInTransaction))
        }
    }

    /// Runs a statement, and returns the number of rows that the statement inserted, changed or deleted.
    ///
    /// - Throws: The errors of `query`.
    @discardableResult
    public func execute(_ sql: String, _ parameters: [(any PostgresParameter)?] = []) throws(PostgresError) -> Int {
        try query(sql, parameters).affectedRows
    }

    /// Runs several statements without parameters, such as a schema.
    ///
    /// Outside a transaction, the server runs all statements in one transaction.
    ///
    /// - Throws: The error of the first statement that failed.
    public func runScript(_ sql: String) throws(PostgresError) {
        try synchronize()
        let handle = try handle()
        let isInTransaction = PQtransactionStatus(handle) != PQTRANS_IDLE
        try attempt(sql, isInTransaction) { () throws(PostgresError) in
            try send(sql) { PQsendQuery(handle, sql) }
            _ = try lastResult(of: sql)
        }
    }

    /// Runs one statement outside the pipeline.
    private func run(
        _ sql: String, _ list: ParameterList, _ isInTransaction: Bool
    ) throws(PostgresError) -> ResultMemory {
        try attempt(sql, isInTransaction) { () throws(PostgresError) in
            try sendStatement(sql, list)
            return try lastResult(of: sql)
        }
    }

    /// Runs `body`, and adds the statement to an error that `body` throws.
    ///
    /// If the connection was lost outside a transaction, the method sets `isRetrySafe` of the error to false, because
    /// the server might have committed the statement. If the server committed the statement without waiting for its
    /// synchronous standby, the method throws `commitUncertain`.
    func attempt<Value>(
        _ sql: String, _ isInTransaction: Bool, _ body: () throws(PostgresError) -> Value
    ) throws(PostgresError) -> Value {
        warnings.clear()
        do throws(PostgresError) {
            let value = try body()
            // Outside a transaction, a statement commits itself, and the commit may not wait for the standby.
            if !isInTransaction, let warning = warnings.warnings.first(where: \.isUncertainCommit) {
                throw PostgresError(.commitUncertain, warning.message, sqlState: warning.sqlState, statement: sql)
            }
            return value
        } catch {
            var error = error
            error.statement = error.statement ?? sql
            let ended: [PostgresError.Kind] = [.connectionLost, .timeout, .serverShutsDown]
            if !isInTransaction, ended.contains(error.kind), !isOpen { error.isRetrySafe = false }
            throw error
        }
    }

    /// Sends a statement, as a prepared statement if possible.
    func sendStatement(_ sql: String, _ list: ParameterList) throws(PostgresError) {
        statementCount += 1
        let handle = try handle()
        if let name = try preparedName(of: sql) {
            try send(sql) {
                list.withPointers { PQsendQueryPrepared(handle, name, $0, $1, $2, $3, 1) }
            }
        } else {
            try send(sql) { list.withPointers { PQsendQueryParams(handle, sql, $0, nil, $1, $2, $3, 1) } }
        }
    }

    /// Returns the name of the prepared statement for `sql`, and prepares the statement at its first use.
    ///
    /// Returns nil if the maximum number of prepared statements is reached.
    private func preparedName(of sql: String) throws(PostgresError) -> String? {
        if let name = prepared[sql] { return name }
        guard let name = nextStatementName() else { return nil }
        let handle = try handle()
        try send(sql) { PQsendPrepare(handle, name, sql, 0, nil) }
        _ = try lastResult(of: sql)
        prepared[sql] = name
        return name
    }

    /// Returns an unused name for a prepared statement; nil if the maximum number of prepared statements is reached.
    func nextStatementName() -> String? {
        guard prepared.count < Self.mostPrepared else { return nil }
        preparationCount += 1
        return "s\(preparationCount)"
    }

    /// Calls a function of libpq that queues a request, and then sends the queued bytes to the server.
    func send(_ sql: String, _ request: () -> Int32) throws(PostgresError) {
        guard !sql.utf8.contains(0) else { throw PostgresError(.misuse, "a statement contains a zero byte") }
        try mustSucceed(request())
        try flush()
    }

    /// Throws the error of libpq if `result`, the return value of a libpq function, is 0.
    func mustSucceed(_ result: Int32) throws(PostgresError) {
        guard result == 0 else { return }
        let handle = try handle()
        guard PQstatus(handle) == CONNECTION_OK else { throw lost(handle) }
        let reason = PostgresError.oneLine(String(cString: PQerrorMessage(handle)))
        throw PostgresError(.misuse, "the PostgreSQL client refused a call: \(reason)")
    }

    /// Reads all results of the statement that was sent last, and returns the last result.
    ///
    /// - Throws: The first error among the results.
    func lastResult(of sql: String) throws(PostgresError) -> ResultMemory {
        roundTripCount += 1
        var last: ResultMemory?
        var failure: PostgresError?
        while let result = try nextResult() {
            do {
                last = try accept(result, of: sql)
            } catch {
                failure = failure ?? error
                if !isOpen { break }
            }
        }
        if let failure { throw failure }
        if let last { return last }
        throw lost(try handle())
    }

    /// Takes ownership of a result of libpq, or throws the error that the result contains.
    func accept(_ result: OpaquePointer, of sql: String) throws(PostgresError) -> ResultMemory {
        switch PQresultStatus(result) {
        case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_SINGLE_TUPLE, PGRES_EMPTY_QUERY: return ResultMemory(result)
        case PGRES_COPY_IN, PGRES_COPY_OUT, PGRES_COPY_BOTH:
            PQclear(result)
            throw close(because: PostgresError(.misuse, "COPY is not supported", statement: sql))
        default: break
        }
        defer { PQclear(result) }
        let isConnected = PQstatus(try handle()) == CONNECTION_OK
        let error = PostgresError(result: result, statement: sql, isConnected: isConnected)
        if PostgresError.mustPrepareAgain(error.sqlState) { prepared[sql] = nil }
        if !isConnected { _ = close(because: error) }
        throw error
    }
}

extension WarningLog.Warning {
    /// Whether the server committed a transaction, but stopped waiting for its synchronous standby (`syncrep.c`).
    ///
    /// The text of the warning depends on the language of the server. The name of the server's function does not.
    var isUncertainCommit: Bool { function == "SyncRepWaitForLSN" }
}
