// Sends statements without waiting for their results.

import CLibpq

/// A statement in the pipeline (libpq pipeline mode) whose result has not been read.
struct PipelinedStatement {
    var sql: String
    /// Whether the request only prepares the statement, without running the statement.
    var isPreparation = false
    /// The function that receives the result of the statement.
    var receive: (ResultMemory) -> Void = { _ in }
}

extension PostgresConnection {
    /// The number of unsent bytes at which the client sends the statements in the pipeline to the server.
    private static let sendingBytes = 32 << 10

    /// Adds a statement to the pipeline of the open transaction, without waiting for the result of the statement.
    ///
    /// The next call of `query`, `synchronize` or `commit` reads the result. If a statement fails, the server skips
    /// the statements that follow in the pipeline. The transaction can then only be rolled back.
    ///
    /// - Parameter receive: A function that is called with the result of the statement. The function is not called if
    ///   the statement fails or is skipped. The function must not use the connection.
    /// - Throws: `misuse` if no transaction is open or a parameter is invalid, or the error of the connection.
    public func enqueue(
        _ sql: String, _ parameters: [(any PostgresParameter)?] = [],
        receive: @escaping (PostgresRows) -> Void = { _ in }
    ) throws(PostgresError) {
        let list = try ParameterList(parameters, of: sql)
        let handle = try handle()
        try announce(sql)
        guard transactionStatus != .idle else {
            throw PostgresError(.misuse, "a statement in the pipeline requires a transaction", statement: sql)
        }
        try enterPipeline(handle)
        let receiveResult: (ResultMemory) -> Void = { receive(PostgresRows($0)) }
        if prepared[sql] == nil, let name = nextStatementName() {
            try mustSucceed(PQsendPrepare(handle, name, sql, 0, nil))
            pipeline.append(PipelinedStatement(sql: sql, isPreparation: true))
            prepared[sql] = name
        }
        if let name = prepared[sql] {
            try mustSucceed(list.withPointers { PQsendQueryPrepared(handle, name, $0, $1, $2, $3, 1) })
        } else {
            try mustSucceed(list.withPointers { PQsendQueryParams(handle, sql, $0, nil, $1, $2, $3, 1) })
        }
        pipeline.append(PipelinedStatement(sql: sql, receive: receiveResult))
        statementCount += 1
        try sendIfFull(list.byteCount + sql.utf8.count)
    }

    /// Waits for the results of all statements in the pipeline.
    ///
    /// - Throws: The error of the first statement that failed.
    public func synchronize() throws(PostgresError) {
        if !pipeline.isEmpty { try finishPipeline() }
    }

    /// Sends the statements in the pipeline, so that the server runs them, without waiting for their results.
    public func sendPipeline() throws(PostgresError) {
        if !pipeline.isEmpty { try flush() }
    }

    /// Adds a command without parameters, such as `COMMIT`, to the pipeline, without preparing the command.
    func append(_ command: String, _ receive: @escaping (ResultMemory) -> Void = { _ in }) throws(PostgresError) {
        let handle = try handle()
        try announce(command)
        try enterPipeline(handle)
        try mustSucceed(PQsendQueryParams(handle, command, 0, nil, nil, nil, nil, 1))
        pipeline.append(PipelinedStatement(sql: command, receive: receive))
        statementCount += 1
    }

    /// Runs all earlier statements, and then calls `beforeStatement`; does nothing without this closure.
    func announce(_ sql: String) throws(PostgresError) {
        guard let beforeStatement else { return }
        try synchronize()
        beforeStatement(serverProcess, sql)
    }

    private func enterPipeline(_ handle: OpaquePointer) throws(PostgresError) {
        guard PQpipelineStatus(handle) == PQ_PIPELINE_OFF else { return }
        try mustSucceed(PQenterPipelineMode(handle))
    }

    private func sendIfFull(_ bytes: Int) throws(PostgresError) {
        unsentBytes += bytes
        if unsentBytes >= Self.sendingBytes { try flush() }
    }

    /// Ends the pipeline, and reads the results of all statements in the pipeline.
    ///
    /// - Throws: The error of the first statement that failed, or the error of the connection, which contains no
    ///   statement.
    func finishPipeline() throws(PostgresError) {
        let handle = try handle()
        let statements = pipeline
        roundTripCount += 1
        try mustSucceed(PQpipelineSync(handle))
        try flush()
        var failure: PostgresError?
        for statement in statements {
            // The warnings of a COMMIT are relevant for its outcome; earlier warnings are not.
            if statement.sql == "COMMIT" { warnings.clear() }
            do {
                try read(statement)
            } catch {
                failure = failure ?? error
                guard isOpen else { throw failure ?? error }
            }
        }
        var isEnd = false
        while !isEnd {
            guard let result = try nextResult() else { throw failure ?? lost(handle) }
            isEnd = PQresultStatus(result) == PGRES_PIPELINE_SYNC
            PQclear(result)
        }
        pipeline = []
        try mustSucceed(PQexitPipelineMode(handle))
        if let failure { throw failure }
    }

    /// Reads all results of one statement in the pipeline.
    private func read(_ statement: PipelinedStatement) throws(PostgresError) {
        var failure: PostgresError?
        var isAnswered = false
        while let result = try nextResult() {
            isAnswered = true
            if PQresultStatus(result) == PGRES_PIPELINE_ABORTED {
                // The server skipped the statement because an earlier statement failed.
                PQclear(result)
                if statement.isPreparation { prepared[statement.sql] = nil }
                continue
            }
            do {
                statement.receive(try accept(result, of: statement.sql))
            } catch {
                if statement.isPreparation { prepared[statement.sql] = nil }
                failure = failure ?? error
                if !isOpen { break }
            }
        }
        if let failure { throw failure }
        // If the server ended the connection while no statement was in progress, libpq returns no result for it.
        if !isAnswered { throw lost(try handle()) }
    }
}
