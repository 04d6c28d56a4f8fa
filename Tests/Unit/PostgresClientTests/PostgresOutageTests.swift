import PrintTestSupport
import Synchronization
import Testing

@testable import PostgresClient

struct PostgresOutageTests {
    @Test func `if the PostgreSQL server is killed during a statement, the error is '.connectionLost'`() async throws {
        let server = try PrivatePostgres()
        let address = try PostgresAddress(server.address())
        let pool = try PostgresPool(to: address, connections: 1)
        let running = Task {
            try await pool.withConnection { connection in
                let error = postgresError { try connection.query("SELECT pg_sleep(60)") }
                return (error, connection.isOpen, postgresError { try connection.query("SELECT 1") })
            }
        }
        try await pool.writes.perform { try $0.waitUntil(isSleeping) }
        server.kill()
        let (error, isOpen, later) = try await running.value
        #expect(error?.kind == .connectionLost)
        #expect(error?.isRetrySafe == false, "a statement outside a transaction may have been committed")
        #expect(!isOpen)
        #expect(later?.kind == .connectionLost)
        #expect(later?.isRetrySafe == true, "the second statement was not sent")
        try server.start()
        #expect(try await pool.withConnection(within: .seconds(30)) { try $0.query("SELECT 1")[0].int(0) } == 1)
        await pool.close()
    }

    @Test func `if a PostgreSQL connection is lost in a transaction, the error allows a retry`() async throws {
        let server = try PrivatePostgres()
        let connection = try PostgresConnection.connect(to: PostgresAddress(server.address()))
        try connection.begin()
        try connection.query("SELECT 1")
        server.kill()
        let error = postgresError { try connection.query("SELECT 2") }
        #expect(error?.kind == .connectionLost)
        #expect(error?.isRetrySafe == true)
        #expect(!connection.isAlive())
        connection.rollback()
    }

    @Test func `if the server ends an unused connection, the connection is not alive`() async throws {
        let (connection, _) = try connectToNewDatabase()
        try await endProcess(of: connection)
        #expect(!connection.isAlive())
        #expect(!connection.isOpen)
    }

    @Test func `if the server ends an unused connection, statements in a pipeline are not reported as successful`()
        async throws
    {
        let (connection, _) = try connectToNewDatabase()
        try await endProcess(of: connection)
        var isReceived = false
        let error = postgresError {
            try connection.begin()
            try connection.enqueue("SELECT 1") { _ in isReceived = true }
            try connection.synchronize()
        }
        #expect(!isReceived)
        #expect(error.map { [.connectionLost, .serverShutsDown].contains($0.kind) } == true, "\(error as Any)")
    }

    /// Ends the server process of a connection, and waits until the process has ended.
    private func endProcess(of connection: PostgresConnection) async throws {
        let server = try PrivatePostgres.shared()
        let number = connection.serverProcess
        try server.query("SELECT pg_terminate_backend(\(number))")
        // The server reports no event for the end of a connection.
        try await eventually("the process of the connection has ended", within: .seconds(20)) {
            try server.query("SELECT count(*) FROM pg_stat_activity WHERE pid = \(number)") == "0"
        }
    }

    @Test func `an orderly shutdown of the PostgreSQL server causes the error '.serverShutsDown'`() async throws {
        let server = try PrivatePostgres()
        let connection = try PostgresConnection.connect(to: PostgresAddress(server.address()))
        try connection.begin()
        try connection.query("SELECT 1")
        try server.stop()
        let error = postgresError { try connection.query("SELECT 2") }
        #expect(error?.kind == .serverShutsDown)
        #expect(error?.isRetrySafe == true)
        let refused = postgresError { _ = try PostgresConnection.connect(to: PostgresAddress(server.address())) }
        #expect(refused?.kind == .unreachable)
    }

    @Test func `if a PostgreSQL server does not respond, an error is reported at the deadline`() throws {
        let server = try PrivatePostgres()
        let connection = try PostgresConnection.connect(to: PostgresAddress(server.address()))
        try connection.runScript("CREATE TABLE t (bytes bytea)")
        connection.waitLimit = .milliseconds(300)
        server.pause()
        let begin = ContinuousClock.now
        let error = postgresError { try connection.query("SELECT 1") }
        #expect(error?.kind == .timeout)
        #expect(!connection.isOpen)
        let options = PostgresOptions(connectLimit: .milliseconds(300))
        for text in [server.address(), server.uri()] {
            let error = postgresError {
                _ = try PostgresConnection.connect(to: PostgresAddress(text), options: options)
            }
            #expect(error?.kind == .unreachable)
        }
        #expect(begin.duration(to: .now) >= .milliseconds(900))
        server.resume()
        let again = try PostgresConnection.connect(to: PostgresAddress(server.address()))
        #expect(try again.query("SELECT 1")[0].int(0) == 1)
    }

    @Test func `if a PostgreSQL server stops reading, a timeout error is reported at the deadline`() throws {
        let server = try PrivatePostgres()
        let connection = try PostgresConnection.connect(to: PostgresAddress(server.address()))
        connection.waitLimit = .milliseconds(300)
        try connection.begin()
        server.pause()
        let chunk = [UInt8](repeating: 0, count: 16 << 20)
        #expect(postgresError { try connection.enqueue("SELECT length($1::bytea)", [chunk]) }?.kind == .timeout)
        server.resume()
    }

    // MARK: - The outcome of a commit

    @Test func `a PostgreSQL commit is reported as uncertain if its response is lost`() throws {
        let server = try PrivatePostgres.shared()
        let database = try server.makeDatabase()
        let isCommitting = Mutex(false)
        let proxy = try TCPProxy(to: server.port) { direction, bytes in
            isCommitting.withLock { isCommitting in
                if direction == .toServer, String(decoding: bytes, as: UTF8.self).contains("COMMIT") {
                    isCommitting = true
                }
                return isCommitting && direction == .toClient ? .cut : .forward
            }
        }
        let direct = try PostgresConnection.connect(to: PostgresAddress(server.address(database: database)))
        try direct.runScript("CREATE TABLE t (id int)")
        let uri = server.uri(database: database, port: proxy.port) + "?sslmode=disable&gssencmode=disable"
        let connection = try PostgresConnection.connect(to: PostgresAddress(uri))
        try connection.begin()
        try connection.enqueue("INSERT INTO t VALUES (1)")
        let error = postgresError { try connection.commit() }
        #expect(error?.kind == .commitUncertain)
        #expect(error?.isRetrySafe == false)
        #expect(!connection.isOpen)
        // In this case, the transaction was committed.
        try direct.waitUntil("EXISTS (SELECT FROM t)")
    }

    @Test func `a PostgreSQL commit is reported as uncertain if the synchronous standby has not confirmed the commit`()
        async throws
    {
        let server = try PrivatePostgres(settings: ["synchronous_standby_names": "missing"])
        let pool = try PostgresPool(to: PostgresAddress(server.address()), connections: 2)
        for script in ["BEGIN", ""] {
            let committing = Task {
                try await pool.withConnection { connection in
                    try connection.runScript("SET synchronous_commit = local; CREATE TABLE IF NOT EXISTS t (id int)")
                    try connection.runScript("SET synchronous_commit = on")
                    return postgresError {
                        if script == "BEGIN" { try connection.begin() }
                        try connection.query("INSERT INTO t VALUES (1)")
                        if script == "BEGIN" { try connection.commit() }
                    }
                }
            }
            try await pool.writes.perform { connection in
                try connection.waitUntil("EXISTS (SELECT FROM pg_stat_activity WHERE wait_event = 'SyncRep')")
                try connection.query("SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'")
            }
            let error = try await committing.value
            #expect(error?.kind == .commitUncertain, "\(script)")
            #expect(error?.isRetrySafe == false)
        }
        await pool.close()
    }

    @Test func `a PostgreSQL commit is not reported as uncertain if the server refuses the commit`() throws {
        let (connection, _) = try connectToNewDatabase()
        try connection.runScript(
            "CREATE TABLE t (id int UNIQUE DEFERRABLE INITIALLY DEFERRED); INSERT INTO t VALUES (1)")
        try connection.begin()
        try connection.enqueue("INSERT INTO t VALUES (1)")
        let error = postgresError { try connection.commit() }
        #expect(error?.kind == .uniqueViolation(constraint: "t_id_key"))
        #expect(connection.transactionStatus == .idle)
    }
}

/// The condition that a connection runs `pg_sleep`.
let isSleeping = "EXISTS (SELECT FROM pg_stat_activity WHERE wait_event = 'PgSleep' AND query LIKE '%pg_sleep(60)%')"
