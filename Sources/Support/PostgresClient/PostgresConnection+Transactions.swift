// Transactions.

import CLibpq

/// The isolation level and the access mode of a transaction.
public enum PostgresTransactionMode: String, Sendable {
    /// A transaction in which each statement sees the rows that were committed before the statement.
    case readCommitted = "BEGIN"
    /// A transaction that only reads, and whose statements all see the same rows.
    case snapshot = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
}

/// The transaction state of a connection.
public enum PostgresTransactionStatus: Sendable {
    /// No open transaction.
    case idle
    /// An open transaction. Statements can be pending in the pipeline.
    case open
    /// An open transaction in which a statement failed. Only a rollback is possible.
    case failed
    /// No transaction, because the connection is closed.
    case closed
}

extension PostgresConnection {
    /// The transaction state of this connection.
    public var transactionStatus: PostgresTransactionStatus {
        guard let handle = try? handle() else { return .closed }
        if !pipeline.isEmpty { return .open }
        return switch PQtransactionStatus(handle) {
        case PQTRANS_IDLE: .idle
        case PQTRANS_INERROR: .failed
        default: .open
        }
    }

    /// Begins a transaction.
    ///
    /// The client sends `BEGIN` together with the next statement, to avoid a separate round trip. The next call of
    /// `query`, `synchronize` or `commit` throws the error of `BEGIN`.
    ///
    /// - Throws: `misuse` if a transaction is open.
    public func begin(_ mode: PostgresTransactionMode = .readCommitted) throws(PostgresError) {
        _ = try handle()
        guard transactionStatus == .idle else {
            throw PostgresError(.misuse, "cannot begin a transaction: another transaction is open")
        }
        try append(mode.rawValue)
    }

    /// Commits the transaction, after the statements that are pending in the pipeline.
    ///
    /// If a pending statement fails, the server commits nothing, and the method throws the error of this statement.
    ///
    /// - Throws: `commitUncertain` if the outcome is unknown: the connection was lost before the response arrived, or
    ///   the server did not wait for its synchronous standby. After any other error, nothing was committed.
    public func commit() throws(PostgresError) {
        _ = try handle()
        guard transactionStatus != .idle else {
            throw PostgresError(.misuse, "cannot commit: no transaction is open")
        }
        var outcome: ResultMemory?
        do {
            try append("COMMIT") { outcome = $0 }
            try finishPipeline()
        } catch {
            // The server did not run COMMIT if it reported the failure of an earlier statement. A lost connection says
            // nothing about COMMIT, because COMMIT was sent together with these statements.
            let isEarlier = error.sqlState != nil && error.statement != nil && error.statement != "COMMIT"
            guard !isEarlier, Self.leavesCommitUncertain(error) else { throw error }
            throw PostgresError(
                .commitUncertain, "it is unknown whether PostgreSQL committed a transaction: \(error.message)",
                sqlState: error.sqlState, statement: "COMMIT")
        }
        // The answer to COMMIT is ROLLBACK if the transaction had failed.
        guard outcome?.command == "COMMIT" else {
            throw PostgresError(
                .other, "PostgreSQL rolled back a transaction, because a statement of the transaction had failed",
                sqlState: "25P02", statement: "COMMIT")
        }
        let warning = warnings.warnings.first {
            $0.isUncertainCommit || $0.sqlState == "01000" || $0.sqlState == "57P01"
        }
        if let warning {
            throw PostgresError(
                .commitUncertain,
                "PostgreSQL committed a transaction without its synchronous standby: \(warning.message)",
                sqlState: warning.sqlState, statement: "COMMIT")
        }
    }

    private static func leavesCommitUncertain(_ error: PostgresError) -> Bool {
        switch error.kind {
        case .connectionLost, .timeout, .serverShutsDown: true
        // 57014: a canceled COMMIT.
        default: error.sqlState == "57014"
        }
    }

    /// Rolls back the open transaction; does nothing if no transaction is open.
    ///
    /// Errors of pending statements are ignored. If the rollback fails, the connection is closed, and the server then
    /// rolls back the transaction.
    public func rollback() {
        if !pipeline.isEmpty { try? finishPipeline() }
        guard transactionStatus == .open || transactionStatus == .failed else { return }
        do {
            try append("ROLLBACK")
            try finishPipeline()
        } catch {
            _ = close(because: error)
        }
    }

    /// Runs `body` in a transaction, and commits the transaction.
    ///
    /// If `body` or the commit throws an error, the transaction is rolled back.
    ///
    /// - Throws: The errors of `body` and of `commit`.
    public func transaction<Value>(
        _ mode: PostgresTransactionMode = .readCommitted, _ body: () throws -> Value
    ) throws -> Value {
        try begin(mode)
        do {
            let value = try body()
            try commit()
            return value
        } catch {
            rollback()
            throw error
        }
    }
}
