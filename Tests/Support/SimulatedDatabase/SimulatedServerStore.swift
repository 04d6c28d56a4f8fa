// Lets one process use a simulated database server.

import GRDB
import PrintModel
package import PrintSpool
import Synchronization

extension SimulatedDatabaseServer {
    /// The access of one process to the server.
    package final class Handle: Sendable {
        let store: SimulatedServerStore

        /// Creates the access of the process `incarnation` on a host.
        ///
        /// - Parameter folder: The unique name of the host's spool folder.
        package init(
            _ server: SimulatedDatabaseServer, for client: any Client, host: String, incarnation: String,
            folder: String
        ) {
            let process = HostProcess(host: host, incarnation: incarnation, folder: folder)
            store = SimulatedServerStore(server: server, client: client, process: process)
        }
    }
}

extension SpoolMedium {
    /// Returns a storage on a simulated database server that several hosts share.
    ///
    /// - Parameters:
    ///   - files: The disk of the host, which contains prepared pages and copies of documents.
    ///   - uptime: The monotonic clock of the host.
    package static func shared(
        files: any FileSystem, database: SimulatedDatabaseServer.Handle, makeName: @escaping @Sendable () -> String,
        uptime: @escaping @Sendable () -> ContinuousClock.Instant
    ) -> SpoolMedium {
        SpoolMedium(
            files: files,
            openDatabase: { _, _ in
                try database.store.open()
                return database.store
            },
            makeName: makeName, uptime: uptime)
    }
}

/// The spool of one process on a simulated database server.
final class SimulatedServerStore: SpoolStore {
    let server: SimulatedDatabaseServer
    let client: any SimulatedDatabaseServer.Client
    let process: HostProcess
    private let isClosed = Atomic(false)
    private let observer = Mutex<(@Sendable (News?) -> Void)?>(nil)
    /// The number of the last event that the process has seen.
    private let lastEvent = Mutex(-1)

    /// The time between two polls of the event log, in seconds.
    private static let interval = 1.0

    init(server: SimulatedDatabaseServer, client: any SimulatedDatabaseServer.Client, process: HostProcess) {
        (self.server, self.client, self.process) = (server, client, process)
    }

    /// Registers the process.
    ///
    /// - Throws: `unavailable`; `locked` if another process has the same host name.
    func open() throws {
        guard server.isRunning else { throw SimulatedDatabaseServer.unreachable }
        try server.transaction { tables, _, now in
            guard tables.register(process, at: now) else { throw SpoolError.sameHostName(process) }
        }
        server.open(self)
    }

    func startWriting(_ body: @escaping @Sendable (any StoreSession) -> Void) {
        client.connect { [self] isConnected in
            if let failure = failure(isConnected: isConnected) { return body(UnavailableSession(error: failure)) }
            let write = SimulatedWrite(of: self, body)
            server.receive(write)
            client.start { [server] in server.run(write) }
        }
    }

    func startReading(_ body: @escaping @Sendable (Result<any SpoolSnapshot, any Error>) -> Void) {
        client.connect { [self] isConnected in
            if let failure = failure(isConnected: isConnected) { return body(.failure(failure)) }
            read { body(.success($0)) }
        }
    }

    func readNow<Value>(_ body: (any SpoolSnapshot) throws -> Value) throws -> Value {
        if let failure = failure(isConnected: true) { throw failure }
        return try server.database.read { base in
            try body(SimulatedServerTransaction(base: base, server: server, session: nil))
        }
    }

    private func read(_ body: (any SpoolSnapshot) -> Void) {
        server.database.read { body(SimulatedServerTransaction(base: $0, server: server, session: nil)) }
    }

    /// Returns the reason why the process cannot use the server; nil if it can.
    func failure(isConnected: Bool) -> (any Error)? {
        if isClosed.load(ordering: .relaxed) { return SpoolError.closed }
        if client.failure != nil || !isConnected || !server.isRunning { return SimulatedDatabaseServer.unreachable }
        return nil
    }

    var largeDocuments: (any LargeDocuments)? { SimulatedContents(store: self) }

    var hosts: (any HostRegistry)? { SimulatedHosts(store: self) }

    func tidy(_ session: any StoreSession) {}

    func error(_ error: any Error) -> SpoolError {
        switch error {
        case is UnknownOutcome:
            SpoolError(code: .unavailable, message: "it is unknown whether the change was saved", cause: error)
        case let error as SimulatedLocks.Timeout:
            SpoolError(code: .unavailable, message: "another process has locked \(error.subject)", cause: error)
        default: .sqlite(error, path: "simulated database")
        }
    }

    func mayRepeat(_ error: any Error) -> Bool { (error as? DatabaseError)?.resultCode == .SQLITE_CONSTRAINT }

    func copy(to path: String) throws { throw SpoolError.notPossible("the simulated database cannot be copied") }

    func close() {
        isClosed.store(true, ordering: .relaxed)
        server.close(self)
        observer.withLock { $0 = nil }
    }

    /// Sends a request on the connection for leases and large documents.
    func perform<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        if isClosed.load(ordering: .relaxed) { throw SpoolError.closed }
        let result = Mutex<Result<Value, any Error>>(.failure(SimulatedDatabaseServer.unreachable))
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            client.request(
                arrive: { [server] in
                    guard server.isRunning else { return }
                    let value = Result { try body() }
                    result.withLock { $0 = value }
                },
                answer: { isAnswered in
                    if isAnswered {
                        continuation.resume()
                    } else {
                        continuation.resume(throwing: SimulatedDatabaseServer.unreachable)
                    }
                })
        }
        return try result.withLock { $0 }.get()
    }

    // MARK: - Notifications

    func announceChange(_ news: News) { server.announceChange(news, by: self) }

    func observeChanges(_ body: @escaping @Sendable (News?) -> Void) {
        observer.withLock { $0 = body }
        poll()
    }

    /// Receives a notification of another process.
    func receiveNotification(_ news: News) {
        client.notify { [self] in
            guard failure(isConnected: true) == nil else { return }
            observer.withLock { $0 }?(news)
        }
    }

    /// Polls the event log every second.
    private func poll() {
        client.wait(Self.interval) { [self] in
            guard client.failure == nil, !isClosed.load(ordering: .relaxed) else { return close() }
            var isChanged = false
            if server.isRunning {
                read { snapshot in
                    let last = (try? snapshot.latestEventSequence()) ?? 0
                    isChanged = lastEvent.withLock { seen in
                        defer { seen = last }
                        return seen != last
                    }
                }
            }
            observer.withLock { $0 }?(isChanged ? .all : nil)
            poll()
        }
    }
}

/// The writing session of a process on a simulated database server.
final class SimulatedServerSession: StoreSession {
    let base: SQLiteSession
    let store: SimulatedServerStore
    /// The session whose transaction continues after the end of this session; nil for a session that runs alone.
    let other: SimulatedServerSession?
    private let startNumber: Int
    private(set) var isUsable = true
    /// The tables at the start of the transaction; nil outside a transaction.
    var saved: HostTables?
    private(set) var durability = Durability.forced
    /// The number of changes before the transaction.
    private(set) var changesBefore = 0
    /// The locks of the transaction.
    var locks = SimulatedLocks()
    /// The number of the last change when the transaction read a job or a printer to change it.
    var seen: [SimulatedLocks.Subject: Int] = [:]
    /// The number of the last change at the start of the transaction.
    private(set) var firstSeen = 0
    /// The changes of this transaction that it must not make.
    private var staleWrites: [String] = []
    /// The leases under which the next changes of the jobs are made, by job id.
    var checked: [Int: PrinterLease] = [:]
    private var ownChanges = 0

    init(_ base: SQLiteSession, of store: SimulatedServerStore, before other: SimulatedServerSession? = nil) {
        (self.base, self.store, self.other) = (base, store, other)
        startNumber = store.server.startNumber
    }

    /// The process that writes.
    var process: HostProcess { store.process }

    var transaction: any SpoolTransaction {
        SimulatedServerTransaction(base: SQLiteTransaction(db: base.db), server: store.server, session: self)
    }

    var isInTransaction: Bool { base.isInTransaction }

    var changeCount: Int { base.changeCount + ownChanges }

    func begin(_ durability: Durability) throws {
        guard isUsable, startNumber == store.server.startNumber, store.failure(isConnected: true) == nil else {
            isUsable = false
            throw SimulatedDatabaseServer.unreachable
        }
        try base.begin(durability)
        saved = store.server.tables.withLock { $0 }
        (staleWrites, checked, locks) = ([], [:], SimulatedLocks())
        (self.durability, changesBefore) = (durability, changeCount)
        (seen, firstSeen) = ([:], store.server.lastChange)
    }

    func commit() throws {
        switch store.client.fateOfCommit() {
        case .answered: try commitNow()
        case .lost:
            isUsable = false
            throw SimulatedDatabaseServer.unreachable
        case .unknown(let isCommitted):
            isUsable = false
            if isCommitted { try commitNow() } else { try rollback() }
            throw UnknownOutcome(cause: SimulatedDatabaseServer.unreachable)
        }
    }

    private func commitNow() throws {
        try base.commit()
        (saved, locks) = (nil, SimulatedLocks())
        for write in staleWrites { store.server.observe(.staleWrite(write)) }
    }

    func rollback() throws {
        let lastJob = base.isInTransaction ? try lastJobNumber() : nil
        defer { if let lastJob { skipNumbers(through: lastJob) } }
        if let saved {
            // A sequence is not rolled back.
            store.server.tables.withLock { tables in
                let last = tables.lastContent
                tables = saved
                tables.lastContent = last
            }
        }
        (saved, locks) = (nil, SimulatedLocks())
        try base.rollback()
    }

    private func lastJobNumber() throws -> Int? {
        try Int.fetchOne(base.db, sql: "SELECT seq FROM sqlite_sequence WHERE name = 'jobs'")
    }

    /// Does not use the ids of a rolled-back transaction again, like a sequence of PostgreSQL.
    ///
    /// A crash of the server can lose the skipped numbers.
    private func skipNumbers(through last: Int) {
        try? store.server.database.withoutCallbacks {
            guard try lastJobNumber() ?? 0 < last else { return }
            try base.db.execute(sql: "DELETE FROM sqlite_sequence WHERE name = 'jobs'")
            try base.db.execute(sql: "INSERT INTO sqlite_sequence (name, seq) VALUES ('jobs', ?)", arguments: [last])
        }
    }

    func eraseDeletedContent() {}

    /// Counts a change of the tables of hosts and leases.
    func noteChange() { ownChanges += 1 }

    func noteStaleWrite(_ words: String) { staleWrites.append(words) }
}
