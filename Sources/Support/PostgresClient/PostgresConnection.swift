// A connection to a PostgreSQL server.

import CLibpq
import Glibc

/// A connection to a PostgreSQL server, for use by one thread at a time.
///
///     let connection = try PostgresConnection.connect(to: PostgresAddress("postgresql://print@db1/spool"))
///     let rows = try connection.query("SELECT title FROM jobs WHERE id = $1", [id])
///
/// Each call blocks the calling thread, and waits at most `waitLimit` for each response of the server. After a lost
/// connection or a timeout, the connection is closed, and all calls throw the error that closed the connection.
/// `PostgresPool` connects again.
///
/// Statements are prepared at their first use. The server sends values in the binary format, which is exact and does
/// not depend on settings.
public final class PostgresConnection {
    /// The libpq connection; nil if the connection is closed.
    private var open: OpaquePointer?
    /// The error that closed the connection; nil while the connection is open.
    private var closingError: PostgresError?
    /// The warnings that the server has sent since the list was last cleared.
    let warnings = WarningLog()
    /// The closure that is called before each statement; nil outside of tests.
    let beforeStatement: (@Sendable (_ serverProcess: Int, _ sql: String) -> Void)?
    /// Whether the server must prove its identity because the address chooses no `sslmode`.
    private let mustVerify: Bool
    /// A file descriptor that becomes readable to interrupt a connection attempt or a wait for notifications; nil if
    /// these operations cannot be interrupted.
    let interruption: Int32?
    /// The maximum time to wait for each response of the server.
    public var waitLimit: Duration
    /// The names of the prepared statements; the keys are the texts of the statements.
    var prepared: [String: String] = [:]
    /// The number of statements that were prepared with this connection.
    public internal(set) var preparationCount = 0
    /// The number of statements that were sent with this connection.
    public internal(set) var statementCount = 0
    /// The number of times that this connection waited for the results of statements.
    public internal(set) var roundTripCount = 0
    /// The statements in the pipeline whose results have not been read, in order.
    var pipeline: [PipelinedStatement] = []
    /// The number of bytes in the pipeline that have not been sent to the server.
    var unsentBytes = 0

    /// Connects to the first server of the address that accepts the connection and passes a check.
    ///
    /// - Parameters:
    ///   - interruption: A file descriptor that becomes readable to interrupt the connection attempt, or later a wait
    ///     for notifications; nil if these operations cannot be interrupted.
    ///   - check: A function that is called with the new connection. If the function throws an error, the next server
    ///     is tried.
    /// - Throws: The error of the first server that rejected the connection. If no server rejected the connection, the
    ///   error of the first server that did not respond.
    public static func connect(
        to address: PostgresAddress, options: PostgresOptions = PostgresOptions(), interruption: Int32? = nil,
        check: (PostgresConnection) throws -> Void = { _ in }
    ) throws -> PostgresConnection {
        let passwords = try address.passwords()
        var errors: [any Error] = []
        for server in address.servers {
            do {
                let connection = try PostgresConnection(server, passwords, options, interruption)
                try check(connection)
                return connection
            } catch let error as PostgresError where error.kind == .closed {
                throw error
            } catch {
                errors.append(error)
            }
        }
        // An answer explains more than a server that does not respond.
        let unreachable: [PostgresError.Kind] = [.unreachable, .timeout, .serverShutsDown, .connectionLost]
        let answer = errors.first { error in
            guard let error = error as? PostgresError else { return true }
            return !unreachable.contains(error.kind)
        }
        throw answer ?? errors.first ?? PostgresError(.badAddress, "the address of PostgreSQL contains no server")
    }

    private init(
        _ server: [PostgresAddress.Setting], _ passwords: [PostgresAddress.Setting], _ options: PostgresOptions,
        _ interruption: Int32?
    ) throws(PostgresError) {
        self.interruption = interruption
        waitLimit = options.waitLimit
        beforeStatement = options.beforeStatement
        let settings = server + passwords + options.settings(without: server)
        mustVerify = PostgresAddress.mustVerify(server)
        let keywords = settings.map { strdup($0.keyword) } + [nil]
        let values = settings.map { strdup($0.value) } + [nil]
        defer { for text in keywords + values { free(text) } }
        open = PQconnectStartParams(
            keywords.map { UnsafePointer($0) }, values.map { UnsafePointer($0) }, 0)
        let handle = try self.handle()
        // libpq reports the SQLSTATE of a refused connection only in verbose messages.
        PQsetErrorVerbosity(handle, PQERRORS_VERBOSE)
        try finishConnecting(
            handle, within: options.connectLimit(given: server), place: PostgresAddress.place(of: server))
        PQsetErrorVerbosity(handle, PQERRORS_DEFAULT)
        PQsetnonblocking(handle, 1)
        PQsetNoticeReceiver(
            handle,
            { context, result in
                guard let context, let result else { return }
                Unmanaged<WarningLog>.fromOpaque(context).takeUnretainedValue().note(result)
            }, Unmanaged.passUnretained(warnings).toOpaque())
    }

    deinit {
        if let open { PQfinish(open) }
    }

    private func finishConnecting(
        _ handle: OpaquePointer, within limit: Duration, place: String
    ) throws(PostgresError) {
        let end = ContinuousClock.now + limit
        var direction = PGRES_POLLING_WRITING
        guard PQstatus(handle) != CONNECTION_BAD else { throw refusal(handle) }
        while direction != PGRES_POLLING_OK {
            let events = direction == PGRES_POLLING_READING ? POLLIN : POLLOUT
            guard try wait(for: Int16(events), until: end, isInterruptible: true) != 0 else {
                throw close(
                    because: PostgresError(
                        .unreachable, "cannot connect to PostgreSQL at \(place): no response within \(limit)"))
            }
            direction = PQconnectPoll(handle)
            if direction == PGRES_POLLING_FAILED { throw refusal(handle) }
        }
    }

    private func refusal(_ handle: OpaquePointer) -> PostgresError {
        var error = PostgresError(connecting: String(cString: PQerrorMessage(handle)))
        if mustVerify, error.message.contains("SSL") || error.message.contains("certificate") {
            error.message += """
                ; a server on another machine must prove its identity: set sslrootcert=FILE to the certificate of its \
                CA, or choose less with sslmode=require
                """
        }
        return close(because: error)
    }

    // MARK: - State

    /// Whether this process has the connection open.
    ///
    /// The server might already have closed the connection; see `isAlive()`.
    public var isOpen: Bool { open != nil }

    /// The process ID of the server process of this connection; 0 if the connection is closed.
    public var serverProcess: Int { open.map { Int(PQbackendPID($0)) } ?? 0 }

    /// The host and the port of the server as text; `(closed)` if the connection is closed.
    public var serverName: String {
        guard let open, let host = PQhost(open), let port = PQport(open) else { return "(closed)" }
        return "'\(String(cString: host))' port \(String(cString: port))"
    }

    /// The error that closed the connection; nil while the connection is open.
    public var reasonOfClosing: PostgresError? { open == nil ? closingError : nil }

    /// Returns the process ID of the process of PostgreSQL that runs the next statement.
    ///
    /// The process differs from `serverProcess` if a connection pooler is between the client and PostgreSQL. The
    /// statement is not prepared, because a pooler may give the preparation to another process.
    public func backendProcess() throws(PostgresError) -> Int {
        let sql = "SELECT pg_backend_pid()"
        let handle = try handle()
        try send(sql) { PQsendQueryParams(handle, sql, 0, nil, nil, nil, nil, 1) }
        return try PostgresRows(lastResult(of: sql))[0].int(0)
    }

    /// Whether the connection uses TLS.
    public var usesTLS: Bool { open.map { PQsslInUse($0) != 0 } ?? false }

    /// Closes the connection; the server rolls back an open transaction.
    public func close() {
        _ = close(because: PostgresError(.closed, "the connection to PostgreSQL is closed"))
    }

    /// Returns whether an unused connection is still open, without sending a request to the server.
    ///
    /// If the server has closed the connection, the method closes the connection too.
    public func isAlive() -> Bool {
        guard let open else { return false }
        while true {
            var descriptor = pollfd(fd: PQsocket(open), events: Int16(POLLIN), revents: 0)
            guard poll(&descriptor, 1, 0) != 0 else { return true }
            // The end of the connection follows the message of a server that ends the connection.
            guard PQconsumeInput(open) != 0, PQstatus(open) == CONNECTION_OK else {
                _ = lost(open)
                return false
            }
        }
    }

    /// Returns the libpq connection.
    ///
    /// - Throws: The error that closed the connection.
    func handle() throws(PostgresError) -> OpaquePointer {
        if let open { return open }
        throw closingError ?? PostgresError(.unreachable, "cannot connect to PostgreSQL: out of memory")
    }

    /// Closes the connection, and returns the given error, or the earlier error if the connection is already closed.
    ///
    /// Later calls throw a copy of the error. `isRetrySafe` of the copy is true, except for the kind `closed`, because
    /// later calls do not reach the server.
    func close(because error: PostgresError) -> PostgresError {
        guard let handle = open else { return closingError ?? error }
        open = nil
        PQfinish(handle)
        pipeline = []
        prepared = [:]
        var later = error
        if later.kind == .commitUncertain { later.kind = .connectionLost }
        later.isRetrySafe = later.kind != .closed
        closingError = later
        return error
    }

    /// Closes a connection that was lost, and returns the error `connectionLost`.
    func lost(_ handle: OpaquePointer) -> PostgresError {
        let reason = PostgresError.oneLine(String(cString: PQerrorMessage(handle)))
        return close(
            because: PostgresError(
                .connectionLost, "the connection to PostgreSQL was lost: \(reason.isEmpty ? "end of file" : reason)"))
    }
}

extension PostgresAddress {
    /// Returns the host and the port of a server, for messages.
    static func place(of server: [Setting]) -> String {
        let value = { (keyword: String) in server.first { $0.keyword == keyword && !$0.value.isEmpty }?.value }
        guard let host = value("host") ?? value("hostaddr") else { return "the default address" }
        return "'\(host)'" + (value("port").map { " port \($0)" } ?? "")
    }
}

/// The warnings that a server sent to a connection.
final class WarningLog {
    /// A warning that the server sent.
    struct Warning {
        var sqlState: String
        var message: String
        /// The function of the server's source code that reported the warning.
        var function: String
    }

    private(set) var warnings: [Warning] = []
    /// The maximum number of warnings in the list.
    private static let most = 20

    /// Adds a warning of the server; ignores messages whose SQLSTATE begins with 00.
    func note(_ result: OpaquePointer) {
        let state = PostgresError.field(PGDiagnostic.sqlState, of: result) ?? ""
        // Notices with the class 00 report progress.
        guard !state.hasPrefix("00"), warnings.count < Self.most else { return }
        warnings.append(
            Warning(
                sqlState: state, message: PostgresError.field(PGDiagnostic.message, of: result) ?? "",
                function: PostgresError.field(PGDiagnostic.function, of: result) ?? ""))
    }

    func clear() { warnings = [] }
}
