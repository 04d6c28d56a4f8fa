import PrintTestSupport
import Testing

@testable import PostgresClient

struct PostgresConnectionTests {
    // MARK: - Prepared statements

    @Test func `a PostgreSQL connection prepares a statement only once`() throws {
        let (connection, _) = try connectToNewDatabase()
        for number in 0..<10 { #expect(try connection.query("SELECT $1::int", [number])[0].int(0) == number) }
        #expect(connection.preparationCount == 1)
        #expect(try connection.query("SELECT count(*) FROM pg_prepared_statements")[0].int(0) == 2)
    }

    @Test func `a PostgreSQL statement is prepared again if its result type has changed`() throws {
        let (connection, _) = try connectToNewDatabase()
        try connection.runScript("CREATE TABLE t (id int); INSERT INTO t VALUES (1)")
        #expect(try connection.query("SELECT * FROM t")[0].count == 1)
        try connection.runScript("ALTER TABLE t ADD name text")
        #expect(try connection.query("SELECT * FROM t")[0].count == 2)
    }

    @Test func `a PostgreSQL statement is prepared again if the server has deallocated the statement`() throws {
        let (connection, _) = try connectToNewDatabase()
        try connection.query("SELECT 1")
        try connection.runScript("DISCARD ALL")
        #expect(try connection.query("SELECT 1")[0].int(0) == 1)
    }

    @Test func `a transaction with a deallocated PostgreSQL statement fails with an error that allows a retry`()
        throws
    {
        let (connection, _) = try connectToNewDatabase()
        try connection.query("SELECT 1")
        try connection.runScript("DEALLOCATE ALL")
        try connection.begin()
        let error = postgresError { _ = try connection.query("SELECT 1") }
        #expect(error?.sqlState == "26000")
        #expect(error?.isRetrySafe == true)
        connection.rollback()
        #expect(try connection.query("SELECT 1")[0].int(0) == 1)
    }

    // MARK: - Transactions

    @Test func `a PostgreSQL transaction is rolled back if its closure throws an error, but not after its commit`()
        throws
    {
        let (connection, _) = try connectToNewDatabase()
        try connection.runScript("CREATE TABLE t (id int)")
        #expect(connection.transactionStatus == .idle)
        try connection.begin()
        #expect(connection.transactionStatus == .open)
        try connection.execute("INSERT INTO t VALUES (1)")
        #expect(connection.transactionStatus == .open)
        try connection.commit()
        #expect(connection.transactionStatus == .idle)
        struct Refusal: Error {}
        #expect(throws: Refusal.self) {
            try connection.transaction {
                try connection.execute("INSERT INTO t VALUES (2)")
                throw Refusal()
            }
        }
        #expect(connection.transactionStatus == .idle)
        #expect(try connection.query("SELECT id FROM t").map { try $0.int(0) } == [1])
    }

    @Test func `the commit of a failed PostgreSQL transaction throws an error`() throws {
        let (connection, _) = try connectToNewDatabase()
        try connection.begin()
        #expect(postgresError { try connection.execute("SELECT 1 / 0") }?.sqlState == "22012")
        #expect(connection.transactionStatus == .failed)
        #expect(postgresError { try connection.commit() }?.sqlState == "25P02")
        #expect(connection.transactionStatus == .idle)
    }

    @Test func `a write in a read-only PostgreSQL transaction is refused`() throws {
        let (connection, _) = try connectToNewDatabase()
        try connection.begin(.snapshot)
        #expect(postgresError { try connection.execute("CREATE TABLE t (id int)") }?.kind == .readOnly)
        connection.rollback()
    }

    @Test func `the error for a violated PostgreSQL constraint contains the name of the constraint`() throws {
        let (connection, _) = try connectToNewDatabase()
        try connection.runScript("CREATE TABLE t (id int CONSTRAINT once UNIQUE); INSERT INTO t VALUES (1)")
        let error = postgresError { try connection.execute("INSERT INTO t VALUES ($1)", [1]) }
        #expect(error?.kind == .uniqueViolation(constraint: "once"))
        #expect(error?.statement == "INSERT INTO t VALUES ($1)")
        #expect(error?.detail == "Key (id)=(1) already exists.")
    }

    @Test
    func
        `in PostgreSQL, 'begin' in a transaction, and 'commit' or 'enqueue' outside a transaction, throw an error`()
        throws
    {
        let (connection, _) = try connectToNewDatabase()
        #expect(postgresError { try connection.commit() }?.kind == .misuse)
        #expect(postgresError { try connection.enqueue("SELECT 1") }?.kind == .misuse)
        try connection.begin()
        #expect(postgresError { try connection.begin() }?.kind == .misuse)
        connection.rollback()
        #expect(connection.transactionStatus == .idle)
    }

    // MARK: - Pipeline

    @Test func `results of pipelined PostgreSQL statements arrive in order`() throws {
        let (connection, _) = try connectToNewDatabase()
        try connection.runScript("CREATE TABLE t (id int)")
        var results: [Int] = []
        try connection.begin()
        for number in 0..<100 {
            try connection.enqueue("INSERT INTO t VALUES ($1) RETURNING id", [number]) { rows in
                if let number = try? rows[0].int(0) { results.append(number) }
            }
        }
        #expect(try connection.query("SELECT count(*) FROM t")[0].int(0) == 100)
        #expect(results == Array(0..<100))
        try connection.enqueue("INSERT INTO t VALUES ($1)", [100])
        try connection.commit()
        #expect(try connection.query("SELECT count(*) FROM t")[0].int(0) == 101)
    }

    @Test
    func `after an error in a PostgreSQL pipeline, no statement is executed, and the commit reports the first error`()
        throws
    {
        let (connection, _) = try connectToNewDatabase()
        try connection.runScript("CREATE TABLE t (id int PRIMARY KEY)")
        try connection.begin()
        try connection.enqueue("INSERT INTO t VALUES ($1)", [1])
        try connection.enqueue("INSERT INTO t VALUES ($1) /* second */", [1])
        try connection.enqueue("INSERT INTO nothing VALUES (3)")
        try connection.enqueue("SELECT 'skipped'")
        let error = postgresError { try connection.commit() }
        #expect(error?.kind == .uniqueViolation(constraint: "t_pkey"))
        #expect(error?.statement == "INSERT INTO t VALUES ($1) /* second */")
        #expect(connection.transactionStatus == .failed)
        connection.rollback()
        #expect(try connection.query("SELECT count(*) FROM t")[0].int(0) == 0)
        // Statements whose preparation was skipped can be used.
        #expect(try connection.query("SELECT 'skipped'")[0].string(0) == "skipped")
        try connection.begin()
        try connection.enqueue("INSERT INTO t VALUES ($1)", [1])
        try connection.commit()
    }

    @Test func `a query reports the error of an earlier statement in the PostgreSQL pipeline`() throws {
        let (connection, _) = try connectToNewDatabase()
        try connection.begin()
        try connection.enqueue("SELECT 1 / $1::int", [0])
        let error = postgresError { _ = try connection.query("SELECT 1") }
        #expect(error?.statement == "SELECT 1 / $1::int")
        connection.rollback()
    }

    @Test func `a PostgreSQL pipeline of many large statements does not block`() throws {
        let (connection, _) = try connectToNewDatabase()
        try connection.runScript("CREATE TABLE chunks (number int, bytes bytea)")
        let chunk = [UInt8](repeating: 7, count: 1 << 20)
        var returned = 0
        try connection.begin()
        for number in 0..<16 {
            try connection.enqueue("INSERT INTO chunks VALUES ($1, $2) RETURNING bytes", [number, chunk]) { rows in
                returned += (try? rows[0].bytes(0).count) ?? 0
            }
        }
        try connection.commit()
        #expect(returned == 16 << 20)
    }

    // MARK: - Large results

    @Test func `PostgreSQL rows arrive one by one, and the server waits for the reader of the rows`() throws {
        let (connection, address) = try connectToNewDatabase()
        try connection.runScript(
            """
            CREATE TABLE chunks (number int, bytes bytea);
            ALTER TABLE chunks ALTER bytes SET STORAGE EXTERNAL;
            INSERT INTO chunks SELECT n, decode(repeat(lpad(to_hex(n), 2, '0'), 1 << 20), 'hex')
            FROM generate_series(0, 63) AS n
            """)
        let observer = try PostgresConnection.connect(to: address)
        let process = connection.serverProcess
        var numbers: [Int] = []
        try connection.forEachRow("SELECT number, bytes FROM chunks ORDER BY number") { row in
            if numbers.isEmpty {
                try observer.waitUntil(
                    "SELECT wait_event = 'ClientWrite' FROM pg_stat_activity WHERE pid = $1", [process])
            }
            let (number, bytes) = (try row.int(0), try row.bytes(1))
            #expect(bytes.count == 1 << 20 && bytes.first == UInt8(number) && bytes.last == UInt8(number))
            numbers.append(number)
        }
        #expect(numbers == Array(0..<64))
        #expect(try connection.query("SELECT 1")[0].int(0) == 1)
    }

    @Test func `if a row reader throws an error while many rows remain, the PostgreSQL connection is closed`() throws {
        struct Enough: Error {}
        let (connection, _) = try connectToNewDatabase()
        #expect(throws: Enough.self) {
            try connection.forEachRow("SELECT generate_series(1, 3)") { _ in throw Enough() }
        }
        #expect(try connection.query("SELECT 1")[0].int(0) == 1)
        #expect(throws: Enough.self) {
            try connection.forEachRow("SELECT generate_series(1, 100)") { _ in throw Enough() }
        }
        #expect(!connection.isOpen)
    }

    @Test func `if a row reader throws an error of a different PostgreSQL connection, the reading ends`() throws {
        let (connection, address) = try connectToNewDatabase()
        let other = try PostgresConnection.connect(to: address)
        var count = 0
        let error = postgresError {
            try connection.forEachRow("SELECT generate_series(1, 3)") { _ in
                count += 1
                try other.query("SELECT 1 / 0")
            }
        }
        #expect(error?.statement == "SELECT 1 / 0")
        #expect(count == 1)
        #expect(try connection.query("SELECT 1")[0].int(0) == 1)
    }

    @Test func `if a PostgreSQL query fails after some rows, the reader receives these rows before the error`() throws {
        let (connection, _) = try connectToNewDatabase()
        var count = 0
        let error = postgresError {
            try connection.forEachRow("SELECT 1 / (3 - n) FROM generate_series(1, 5) AS n") { _ in count += 1 }
        }
        #expect(error?.sqlState == "22012")
        #expect(count == 2)
        #expect(connection.isOpen)
    }

    // MARK: - Notifications

    @Test func `a PostgreSQL connection receives a notification only after the sender commits the transaction`() throws
    {
        let (sender, address) = try connectToNewDatabase()
        let receiver = try PostgresConnection.connect(to: address)
        try receiver.listen("Jobs \"x\"")
        try sender.begin()
        try sender.notify("Jobs \"x\"", "7")
        #expect(try receiver.waitForNotification(until: .now) == nil)
        try sender.commit()
        let received = try receiver.waitForNotification(until: .now + .seconds(30))
        #expect(
            received == PostgresNotification(channel: "Jobs \"x\"", payload: "7", process: sender.serverProcess))
        #expect(try receiver.waitForNotification(until: .now + .milliseconds(1)) == nil)
    }
}
