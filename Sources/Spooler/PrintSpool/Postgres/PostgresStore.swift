// Keeps a spool in a PostgreSQL database.

import AsyncPrimitives
import Dispatch
import FoundationEssentials
import PostgresClient
import PrintModel

/// The spool's database on a PostgreSQL server, which several hosts can share.
///
/// Two connections write: while one commits, the other adds new jobs (`GroupCommitter`). Other connections read. Large
/// documents, leases and notifications have separate connections. After a lost connection, the store connects again.
/// Each new connection checks the schema, and skips event numbers if the server was restarted or replaced
/// (`PostgresTimeline`).
final class PostgresStore: SpoolStore {
    private let pool: PostgresPool
    private let address: PostgresAddress
    /// The unique name of this store for the table `commits`.
    private let name = UUID().uuidString
    private let overlappingWrites: PostgresLane
    private let transfers: PostgresLane
    private let submissions = SubmissionsInProgress()
    let floor: PostgresQueueFloor
    private let registry: PostgresHosts?
    private let notifications: PostgresNotifications?

    private init(
        pool: PostgresPool, address: PostgresAddress, process: HostProcess?, floor: PostgresQueueFloor
    ) throws {
        (self.pool, self.address, self.floor) = (pool, address, floor)
        overlappingWrites = try pool.addLane(connections: 1)
        transfers = try pool.addLane(connections: 2)
        registry = try process.map { PostgresHosts(lane: try pool.addLane(connections: 1), process: $0, floor: floor) }
        notifications = try process.map { try PostgresNotifications(pool: pool, floor: floor, sender: $0.incarnation) }
    }

    /// Connects to the database, migrates the database to the current schema, and registers the host.
    ///
    /// - Parameter process: The process that shares the database with other hosts; nil if no other process uses the
    ///   database.
    /// - Throws: `tooNew` or `tooOld` if this version cannot use the tables (nothing is changed); `locked` if
    ///   another process has the same host name; `unavailable` if the server cannot be reached.
    static func open(
        _ address: PostgresAddress, process: HostProcess? = nil, options: PostgresOptions = PostgresOptions(),
        progress: (MigrationProgress) -> Void = { _ in }
    ) throws(SpoolError) -> PostgresStore {
        do {
            // The first connection reports an error immediately. The pool would connect again until its deadline.
            let first = try PostgresConnection.connect(to: address, check: PostgresSchema.setUp)
            defer { first.close() }
            try refusePooler(first, to: address)
            try PostgresSchema.migrate(first, progress: progress)
            _ = try? first.execute(PostgresOutcome.removeOld)
            if let process { try PostgresHosts.register(process, on: first) }
            var options = options
            if let process { options.applicationName = PostgresSchema.applicationPrefix + process.incarnation }
            let floor = PostgresQueueFloor()
            let pool = try PostgresPool(
                to: address, options: options,
                onConnect: { connection in
                    try PostgresSchema.setUp(connection)
                    try PostgresSchema.check(connection)
                    try PostgresTimeline.note(connection)
                    floor.reset(server: try PostgresTimeline.server(of: connection))
                })
            return try PostgresStore(pool: pool, address: address, process: process, floor: floor)
        } catch {
            throw .postgres(error, address: address)
        }
    }

    /// Throws an error if a pooler gives the transactions of a connection to different sessions of PostgreSQL.
    ///
    /// The settings, prepared statements and notifications of a connection belong to one session.
    private static func refusePooler(_ first: PostgresConnection, to address: PostgresAddress) throws {
        guard try first.backendProcess() != first.serverProcess else { return }
        let second = try PostgresConnection.connect(to: address)
        defer { second.close() }
        var processes: [Set<Int>] = [[], []]
        for _ in 0..<3 {
            for (index, connection) in [first, second].enumerated() {
                processes[index].insert(try connection.backendProcess())
            }
        }
        let isShared = processes.contains { $0.count > 1 } || !processes[0].isDisjoint(with: processes[1])
        guard isShared else { return }
        throw SpoolError(
            code: .unwritable,
            message: "the database '\(address)' is behind a pooler that shares sessions, such as PgBouncer with "
                + "pool_mode 'transaction' or 'statement'; set pool_mode = session, or connect to PostgreSQL directly")
    }

    var writers: Int { 2 }

    func startWriting(_ body: @escaping @Sendable (any StoreSession) -> Void) { startWriting(as: 0, body) }

    func startWriting(as writer: Int, _ body: @escaping @Sendable (any StoreSession) -> Void) {
        let lane = writer == 0 ? pool.writes : overlappingWrites
        lane.enqueue(
            run: { [address, name, submissions, floor] in
                body(
                    PostgresSession(
                        $0, address: address, writer: "\(name)/\(writer)", submissions: submissions, floor: floor))
            },
            fail: { body(UnavailableSession(error: $0)) })
    }

    var hosts: (any HostRegistry)? { registry }

    var warnings: [HealthFinding] {
        var warnings: [HealthFinding] = []
        let hosts = address.unverifiedHosts
        if !hosts.isEmpty {
            warnings.append(
                HealthFinding(
                    .spool, "database-identity", .warning,
                    "the identity of the database server at \(hosts.joined(separator: ", ")) is not verified",
                    advice: "set sslmode=verify-full and sslrootcert=FILE in 'store'"))
        }
        if let problem = notifications?.problem {
            warnings.append(
                HealthFinding(
                    .spool, "database-notifications", .warning,
                    "this host receives no notifications of the database (\(problem)), and finds changes of other hosts "
                        + "only by a query each second",
                    advice: "connect to PostgreSQL directly, or through a pooler that keeps sessions"))
        }
        return warnings
    }

    func announceChange(_ news: News) { notifications?.announce(news) }

    func observeChanges(_ body: @escaping @Sendable (News?) -> Void) { notifications?.start(body) }

    func startReading(_ body: @escaping @Sendable (Result<any SpoolSnapshot, any Error>) -> Void) {
        pool.reads.enqueue(
            run: { [floor] connection in
                body(
                    Result {
                        // The bound holds for every later snapshot.
                        let bound = floor.value
                        try connection.begin(.snapshot)
                        if bound > 0 { try connection.enqueue(Self.setFloor, ["\(bound)"]) }
                        return PostgresTransaction(PostgresSession(connection, address: nil))
                    })
            }, fail: { body(.failure($0)) })
    }

    private static let setFloor = "SELECT set_config('printq.floor', $1, true)"

    var largeDocuments: (any LargeDocuments)? { PostgresLargeDocuments(lane: transfers) }

    func readNow<Value>(_ body: (any SpoolSnapshot) throws -> Value) throws -> Value {
        BlockingCall.check()
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
        switch error.kind {
        // Another host changed the same jobs at the same time.
        case .deadlock, .serialization: return error.isRetrySafe
        // Another host inserted the same submission at the same time; the next attempt finds the other host's job.
        case .uniqueViolation: return true
        default: return false
        }
    }

    func error(_ error: any Error) -> SpoolError { .postgres(error, address: address) }

    func copy(to path: String) throws {
        throw SpoolError.notPossible(
            "the spool is in the PostgreSQL database '\(address)', which 'printq backup' cannot copy; "
                + "use pg_dump or pg_basebackup")
    }

    func close() throws {
        notifications?.stop()
        let isDone = DispatchSemaphore(value: 0)
        pool.close { isDone.signal() }
        isDone.wait()
    }
}
