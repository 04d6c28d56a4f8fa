// Keeps a spool in a PostgreSQL database.

import Dispatch
import PostgresClient
import PrintModel

/// The spool's database on a PostgreSQL server, which several hosts can share.
///
/// One connection writes, and other connections read. After a lost connection, the store connects again. Each new
/// connection checks the schema, and skips event numbers if the server was restarted or replaced (`PostgresTimeline`).
final class PostgresStore: SpoolStore {
    private let pool: PostgresPool
    private let address: PostgresAddress

    private init(pool: PostgresPool, address: PostgresAddress) {
        (self.pool, self.address) = (pool, address)
    }

    /// Connects to the database, and migrates the database to the current schema.
    ///
    /// - Throws: `tooNew` if a newer version of printq has written the database (nothing is changed); `unavailable` if
    ///   the server cannot be reached.
    static func open(
        _ address: PostgresAddress, progress: (MigrationProgress) -> Void = { _ in }
    ) throws(SpoolError) -> PostgresStore {
        do {
            // The first connection reports an error immediately. The pool would connect again until its deadline.
            let first = try PostgresConnection.connect(to: address, check: PostgresSchema.setUp)
            defer { first.close() }
            try PostgresSchema.migrate(first, progress: progress)
            let pool = try PostgresPool(
                to: address,
                onConnect: { connection in
                    try PostgresSchema.setUp(connection)
                    try PostgresSchema.check(connection)
                    try PostgresTimeline.note(connection)
                })
            return PostgresStore(pool: pool, address: address)
        } catch {
            throw .postgres(error, address: address)
        }
    }

    func startWriting(_ body: @escaping @Sendable (any StoreSession) -> Void) {
        pool.writes.enqueue(
            run: { [address] in body(PostgresSession($0, address: address)) },
            fail: { body(UnavailableSession(error: $0)) })
    }

    func startReading(_ body: @escaping @Sendable (Result<any SpoolSnapshot, any Error>) -> Void) {
        pool.reads.enqueue(
            run: { connection in
                body(
                    Result {
                        try connection.begin(.snapshot)
                        return PostgresTransaction(PostgresSession(connection, address: nil))
                    })
            }, fail: { body(.failure($0)) })
    }

    func readNow<Value>(_ body: (any SpoolSnapshot) throws -> Value) throws -> Value {
        // The thread of the connection waits while the calling thread uses the connection, so that it has one user at
        // a time.
        let (isReady, isDone) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        nonisolated(unsafe) var found: Result<any SpoolSnapshot, any Error> = .failure(SpoolError.closed)
        startReading { snapshot in
            found = snapshot
            isReady.signal()
            // An error has no connection, and the calling thread or the timer of the pool may report it.
            if case .success = snapshot { isDone.wait() }
        }
        isReady.wait()
        defer { isDone.signal() }
        return try body(found.get())
    }

    func tidy(_ session: any StoreSession) {}

    func mayRepeat(_ error: any Error) -> Bool {
        guard let error = error as? PostgresError else { return false }
        // Another host changed the same jobs at the same time.
        return error.isRetrySafe && (error.kind == .deadlock || error.kind == .serialization)
    }

    func error(_ error: any Error) -> SpoolError { .postgres(error, address: address) }

    func copy(to path: String) throws {
        throw SpoolError.notPossible(
            "the spool is in the PostgreSQL database '\(address)', which 'printq backup' cannot copy; "
                + "use pg_dump or pg_basebackup")
    }

    func close() throws {
        let isDone = DispatchSemaphore(value: 0)
        pool.close { isDone.signal() }
        isDone.wait()
    }
}

/// The session of a store without a connection; every transaction fails.
private struct UnavailableSession: StoreSession {
    let error: any Error

    var transaction: any SpoolTransaction { fatalError("a transaction that did not begin has no operations") }
    var isUsable: Bool { false }
    var isInTransaction: Bool { false }
    var changeCount: Int { 0 }
    func begin(_ durability: Durability) throws { throw error }
    func commit() throws { throw error }
    func rollback() throws {}
    func eraseDeletedContent() {}
}
