// Transactions.

import CLibpq

/// The characteristics of a transaction.
public enum PostgresTransaction: String, Sendable {
    /// A transaction in which each statement sees the rows that were committed before the statement.
    case readCommitted = "BEGIN"
    /// A transaction that only reads, and whose statements all see the same rows.
    case snapshot = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
    /// A transaction whose result is that of some serial order; it may fail with `serialization`.
    case serializable = "BEGIN ISOLATION LEVEL SERIALIZABLE"
}

/// The state of a connection with regard to transactions.
public enum PostgresTransactionStatus: Sendable {
    /// No transaction is open.
    case idle
    /// A transaction is open; statements may be pending in the pipeline.
    case open
    /// A transaction is open in which a statement failed; only a rollback is possible.
    case failed
    /// The connection is closed.
    case closed
}

extension PostgresConnection {
    /// The state of the transaction.
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
    /// The statement is sent together with the next statement, so that it costs no separate round trip. Its errors
    /// appear at the next `query`, `synchronize` or `commit`.
    ///
    /// - Throws: `misuse` when a transaction is open.
    public func begin(_ transaction: PostgresTransaction = .readCommitted) throws(PostgresError) {
        _ = try handle()
        guard transactionStatus == .idle else {
            throw PostgresError(.misuse, "cannot begin a transaction: another transaction is open")
        }
        try append(transaction.rawValue)
    }

    /// Commits the transaction, after the statements that are pending in the pipeline.
    ///
    /// If one of them fails, nothing is committed, and its error is thrown.
    ///
    /// - Throws: `commitUncertain` when the outcome is unknown: the connection was lost before the answer, or the
    ///   server did not wait for its synchronous standby. After any other error nothing was committed.
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

    /// Rolls back the transaction, if one is open.
    ///
    /// Errors of pending statements are ignored. If the rollback fails, the connection is closed, and the server rolls
    /// back.
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

    /// Runs `body` in a transaction and commits the transaction; if `body` throws, rolls the transaction back.
    ///
    /// - Throws: The errors of `body` and of `commit`.
    public func transaction<Value>(
        _ transaction: PostgresTransaction = .readCommitted, _ body: () throws -> Value
    ) throws -> Value {
        try begin(transaction)
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
