// The error of the PostgreSQL client.

/// An error of a connection, of a statement, or of the conversion of a value.
///
/// Messages contain neither passwords nor the parameters of statements.
public struct PostgresError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of error, for programs.
    public enum Kind: Sendable, Hashable {
        /// An error for an address that is invalid, or whose password file cannot be used.
        case badAddress
        /// An error for a call that the connection cannot perform, such as text with a zero byte.
        case misuse
        /// An error for a server to which no connection can be established.
        case unreachable
        /// An error for a rejected user name or password (SQLSTATE class 28).
        case authentication
        /// An error for a server, such as a former primary, whose timeline is lower than the highest known timeline.
        case staleServer
        /// An error for a pool or a connection that the program has closed.
        case closed
        /// An error for a connection that was lost.
        case connectionLost
        /// An error for a server that did not respond before the deadline.
        ///
        /// The connection is closed, because its state is unknown.
        case timeout
        /// An error for a server that is starting or shutting down (SQLSTATE 57P01, 57P02, 57P03).
        case serverShutsDown
        /// An error for a COMMIT whose outcome is unknown.
        ///
        /// Either the response was lost, or the server stopped waiting for its synchronous standby. Before a retry of
        /// the transaction, check whether the changes were committed.
        case commitUncertain
        /// An error for a write in a read-only transaction, for example at a standby (SQLSTATE 25006).
        case readOnly
        /// An error for a server without free disk space (SQLSTATE 53100).
        case diskFull
        /// An error for a lock that was not granted within `lock_timeout` (SQLSTATE 55P03).
        case lockTimeout
        /// An error for a transaction that the server aborted to resolve a deadlock (SQLSTATE 40P01).
        case deadlock
        /// An error for a transaction that conflicts with another transaction (SQLSTATE 40001).
        case serialization
        /// An error for a row that violates the unique constraint or unique index with the given name (SQLSTATE 23505).
        case uniqueViolation(constraint: String)
        /// An error for a value that is NULL, has an unsuitable type, or does not exist.
        case wrongType
        /// Any other error, with or without an SQLSTATE.
        case other
    }

    /// The kind of error, for programs.
    public var kind: Kind
    /// The SQLSTATE of the server; nil for an error of the client.
    public var sqlState: String?
    /// The explanation for people: what failed, and why.
    public var message: String
    /// The details that the server reported, which can contain values of rows; nil if the server reported no details.
    public var detail: String?
    /// The statement that failed, without its parameters; nil if the error belongs to no statement.
    public var statement: String?
    /// Whether the transaction or the statement certainly changed nothing, and a retry can succeed.
    ///
    /// The value is false for a connection that was lost during a statement outside a transaction, because the server
    /// might have committed the statement.
    public var isRetrySafe: Bool

    /// Creates an error.
    ///
    /// - Parameter isRetrySafe: Whether a retry is safe; nil means the default value of the error kind.
    public init(
        _ kind: Kind, _ message: String, sqlState: String? = nil, detail: String? = nil, statement: String? = nil,
        isRetrySafe: Bool? = nil
    ) {
        self.kind = kind
        self.message = message
        self.sqlState = sqlState
        self.detail = detail
        self.statement = statement
        self.isRetrySafe = isRetrySafe ?? kind.isTransient
    }

    /// The explanation for people, with the SQLSTATE.
    public var description: String { sqlState.map { "\(message) (SQLSTATE \($0))" } ?? message }
}

extension PostgresError.Kind {
    /// Creates the kind of error for an SQLSTATE.
    ///
    /// - Parameter constraint: The name of the violated constraint; nil if the error names no constraint.
    public init(sqlState: String, constraint: String? = nil) {
        self =
            switch sqlState {
            case "57P01", "57P02", "57P03": .serverShutsDown
            case "25006": .readOnly
            case "53100": .diskFull
            case "55P03": .lockTimeout
            case "40P01": .deadlock
            case "40001": .serialization
            case "23505": .uniqueViolation(constraint: constraint ?? "")
            default:
                switch sqlState.prefix(2) {
                case "28": .authentication
                case "08": .connectionLost
                default: .other
                }
            }
    }

    /// Whether the transaction had no effect, and a retry of the same statement can succeed.
    var isTransient: Bool {
        switch self {
        case .unreachable, .staleServer, .connectionLost, .timeout, .serverShutsDown, .readOnly, .diskFull,
            .lockTimeout, .deadlock, .serialization:
            true
        case .badAddress, .misuse, .authentication, .closed, .commitUncertain, .uniqueViolation, .wrongType, .other:
            false
        }
    }
}
