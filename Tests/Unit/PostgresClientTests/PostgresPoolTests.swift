import FoundationEssentials
import PrintTestSupport
import Synchronization
import Testing

@testable import PostgresClient

struct PostgresPoolTests {
    @Test func `closures for the write connection of a PostgreSQL pool run in the order of submission`() async throws {
        let pool = try makePool()
        let order = Mutex<[Int]>([])
        await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
            for number in 0..<200 {
                pool.writes.enqueue(
                    run: { _ in
                        let isLast = order.withLock { order in
                            order.append(number)
                            return order.count == 200
                        }
                        if isLast { done.resume() }
                    },
                    fail: { Issue.record($0) })
            }
        }
        #expect(order.withLock { $0 } == Array(0..<200))
        await pool.close()
    }

    @Test func `several connections of a PostgreSQL pool work at the same time`() async throws {
        let pool = try makePool(connections: 3)
        let counts = try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<3 {
                group.addTask {
                    try await pool.withConnection { connection in
                        try connection.query("SELECT pg_advisory_lock_shared(1)")
                        try connection.waitUntil(
                            """
                            SELECT count(*) = 3 FROM pg_locks l JOIN pg_database d ON d.oid = l.database
                            WHERE locktype = 'advisory' AND datname = current_database()
                            """)
                        return true
                    }
                }
            }
            return try await group.reduce(into: 0) { count, isDone in count += isDone ? 1 : 0 }
        }
        #expect(counts == 3)
        await pool.close()
    }

    @Test func `if a closure leaves a transaction open, the PostgreSQL pool rolls back the transaction`() async throws {
        let pool = try makePool(connections: 1)
        try await pool.withConnection { connection in
            try connection.runScript("CREATE TABLE t (id int)")
            try connection.begin()
            try connection.query("INSERT INTO t VALUES (1)")
        }
        let (status, count) = try await pool.withConnection { connection in
            (connection.transactionStatus, try connection.query("SELECT count(*) FROM t")[0].int(0))
        }
        #expect(status == .idle)
        #expect(count == 0)
        await pool.close()
    }

    @Test
    func `if a PostgreSQL pool cannot connect, a request for a connection fails at the deadline and reports the cause`()
        async throws
    {
        let folder = try TemporaryFolder()
        let pool = try PostgresPool(to: PostgresAddress("host=\(folder.path) user=print"), connections: 1)
        let error = await #expect(throws: PostgresError.self) {
            try await pool.withConnection(within: .milliseconds(200)) { _ in }
        }
        #expect(error?.kind == .unreachable)
        #expect(error?.message.contains("No such file or directory") == true)
        #expect(!pool.status.isConnected)
        await pool.close()
    }

    @Test func `if all connections of a PostgreSQL pool are busy, a request for a connection fails at the deadline`()
        async throws
    {
        let pool = try makePool(connections: 1)
        let (started, starter) = AsyncStream.makeStream(of: Void.self)
        let error = Mutex<PostgresError?>(nil)
        async let first: Void = pool.withConnection { connection in
            starter.yield()
            while error.withLock({ $0 }) == nil { try connection.query("SELECT pg_sleep(0.01)") }
        }
        for await _ in started { break }
        let found = await #expect(throws: PostgresError.self) {
            try await pool.withConnection(within: .milliseconds(50)) { _ in }
        }
        error.withLock { $0 = found ?? PostgresError(.other, "") }
        #expect(found?.kind == .timeout)
        try await first
        await pool.close()
    }

    @Test func `a canceled task stops waiting for a connection of a PostgreSQL pool`() async throws {
        let folder = try TemporaryFolder()
        let pool = try PostgresPool(to: PostgresAddress("host=\(folder.path) user=print"))
        let waiting = Task { try await pool.withConnection(within: .seconds(600)) { _ in } }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        await pool.close()
    }

    @Test func `a PostgreSQL pool reports lost and restored connections`() async throws {
        let server = try PrivatePostgres()
        let (changes, reporter) = AsyncStream.makeStream(of: PostgresPool.Status.self)
        let pool = try PostgresPool(to: PostgresAddress(server.address()), onChange: { reporter.yield($0) })
        var iterator = changes.makeAsyncIterator()
        #expect(await iterator.next()?.isConnected == true)
        server.kill()
        let lost = await iterator.next()
        #expect(lost?.isConnected == false)
        #expect((lost?.error as? PostgresError)?.kind == .connectionLost)
        try server.start()
        while let status = await iterator.next(), !status.isConnected {}
        #expect(pool.status.isConnected)
        await pool.close()
    }

    @Test func `a closed PostgreSQL pool rejects work and closes all connections`() async throws {
        let server = try PrivatePostgres.shared()
        let database = try server.makeDatabase()
        let pool = try PostgresPool(to: PostgresAddress(server.address(database: database)), connections: 3)
        try await pool.writes.perform { _ in }
        let listening = Task {
            try await pool.withConnection { connection in
                try connection.listen("never")
                return try connection.waitForNotification(until: .now + .seconds(600))
            }
        }
        try await pool.writes.perform { connection in
            // A thread of the pool that starts late opens a further connection.
            try connection.waitUntil("SELECT count(*) > 1 FROM pg_stat_activity WHERE datname = current_database()")
        }
        await pool.close()
        let interrupted = await #expect(throws: PostgresError.self) { try await listening.value }
        #expect(interrupted?.kind == .closed)
        let error = await #expect(throws: PostgresError.self) { try await pool.withConnection { _ in } }
        #expect(error?.kind == .closed)
        let observer = try PostgresConnection.connect(to: PostgresAddress(server.address()))
        try observer.waitUntil("NOT EXISTS (SELECT FROM pg_stat_activity WHERE datname = $1)", [database])
    }

    // MARK: - The choice of a server

    @Test func `a PostgreSQL pool refuses a server with an older timeline, and uses the next server in the address`()
        async throws
    {
        let (old, new) = (try PrivatePostgres(), try PrivatePostgres())
        try new.promote()
        let alone = try PostgresPool(to: PostgresAddress(old.uri()), minimumTimeline: 2)
        let error = await #expect(throws: PostgresError.self) {
            try await alone.withConnection(within: .milliseconds(500)) { _ in }
        }
        #expect(error?.kind == .staleServer)
        await alone.close()

        let both = "host=127.0.0.1,127.0.0.1 port=\(old.port),\(new.port) user=postgres target_session_attrs=read-write"
        let pool = try PostgresPool(to: PostgresAddress(both), minimumTimeline: 2)
        #expect(try await pool.writes.perform { try $0.query("SHOW port")[0].string(0) } == "\(new.port)")
        #expect(pool.timeline == 2)
        await pool.close()
    }

    @Test func `a PostgreSQL pool skips a standby if the address requires a writable server`() async throws {
        let (standby, primary) = (try PrivatePostgres(), try PrivatePostgres())
        try standby.becomeStandby()
        let hosts = "host=127.0.0.1,127.0.0.1 port=\(standby.port),\(primary.port) user=postgres"
        let pool = try PostgresPool(to: PostgresAddress("\(hosts) target_session_attrs=read-write"))
        #expect(try await pool.writes.perform { try $0.query("SHOW port")[0].string(0) } == "\(primary.port)")
        await pool.close()
        let any = try PostgresPool(to: PostgresAddress(hosts))
        let error = await #expect(throws: PostgresError.self) {
            try await any.writes.perform { try $0.execute("CREATE TABLE t (id int)") }
        }
        #expect(error?.kind == .readOnly)
        await any.close()
    }

    @Test func `a PostgreSQL pool does not use a connection if the 'onConnect' closure refuses the connection`()
        async throws
    {
        struct OldSchema: Error {}
        let pool = try makePool(onConnect: { _ in throw OldSchema() })
        await #expect(throws: OldSchema.self) {
            try await pool.withConnection(within: .milliseconds(300)) { _ in }
        }
        await pool.close()
    }

    private func makePool(
        connections: Int = 2, onConnect: @escaping @Sendable (PostgresConnection) throws -> Void = { _ in }
    ) throws -> PostgresPool {
        let server = try PrivatePostgres.shared()
        let address = try PostgresAddress(server.address(database: server.makeDatabase()))
        return try PostgresPool(to: address, connections: connections, onConnect: onConnect)
    }
}

extension PrivatePostgres {
    /// Restarts the server as a standby without a primary.
    fileprivate func becomeStandby() throws {
        try stop()
        try "".write(toFile: folder.path("data/standby.signal"), atomically: true, encoding: .utf8)
        try start()
    }

    /// Makes the server the primary of the next timeline.
    fileprivate func promote() throws {
        try becomeStandby()
        try query("SELECT pg_promote()")
    }
}
