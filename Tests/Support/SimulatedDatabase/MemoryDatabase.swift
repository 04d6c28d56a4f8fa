// Keeps a spool's database in memory, for simulations.

import GRDB
package import PrintSpool
import Synchronization

/// A spool's database in memory, with the same tables and statements as the database on a disk.
///
/// The database exists longer than the spools that use it, in the same way as a disk exists longer than a process. Each
/// spool has a separate handle. All work runs on one connection and on the calling thread, so only one thread at a time
/// may use the database.
package final class MemoryDatabase: Sendable {
    /// The callbacks of the simulated process that uses the database.
    package protocol Process: Sendable {
        /// Runs `work`, immediately or at a later time.
        ///
        /// Scheduled work runs in order, and never concurrently.
        func schedule(_ work: @escaping @Sendable () -> Void)

        /// The reason why this process can no longer use the database; nil if the process can use the database.
        var failure: CommitFailure? { get }

        /// Returns the reason why the current transaction cannot be committed; nil if the transaction can be committed.
        func willCommit() -> CommitFailure?

        /// Notifies the process after a commit, before the callers of the commit continue.
        func didCommit()
    }

    /// The reason for a failed commit.
    package enum CommitFailure: Sendable {
        /// An error for a full disk (`SQLITE_FULL`).
        case full
        /// An error for a failed write to the disk (`SQLITE_IOERR`).
        case inputOutput
        /// An error for a process that has exited or has closed the database (`SQLITE_ABORT`).
        case dead

        fileprivate var error: DatabaseError {
            switch self {
            case .full: DatabaseError(resultCode: .SQLITE_FULL, message: "database or disk is full")
            case .inputOutput: DatabaseError(resultCode: .SQLITE_IOERR, message: "disk I/O error")
            case .dead: DatabaseError(resultCode: .SQLITE_ABORT, message: "the process has exited")
            }
        }
    }

    private let queue: DatabaseQueue
    private let commits = Commits()
    /// The last contents of the database that were synced to disk.
    ///
    /// A power failure restores these contents.
    private let forced: DatabaseQueue
    /// Whether a power failure loses commits that were not synced to disk.
    private let isForgetful = Atomic(false)

    /// Creates an empty database.
    ///
    /// - Throws: An SQLite error when there is not enough memory.
    package init() throws {
        var configuration = Configuration()
        configuration.label = "spool in memory"
        configuration.prepareDatabase { SearchText.addFunction(to: $0) }
        queue = try DatabaseQueue(configuration: configuration)
        forced = try DatabaseQueue()
        try Self.template.get().backup(to: queue)
        let commits = commits
        queue.add(transactionObserver: commits, extent: .observerLifetime)
    }

    /// A database with empty tables, as the template of all databases.
    ///
    /// Each new database is a copy of this database. Therefore the migrations run only once.
    ///
    /// With `auto_vacuum`, free pages are released immediately, so that a cleared database is as small as a new
    /// database.
    private static let template = Result {
        var configuration = Configuration()
        configuration.prepareDatabase { try $0.execute(sql: "PRAGMA auto_vacuum = FULL") }
        let queue = try DatabaseQueue(configuration: configuration)
        try queue.writeWithoutTransaction { try SchemaMigration(of: $0).run(in: $0, time: 0) }
        return queue
    }

    /// Deletes all rows of all tables, and removes the growth limit.
    ///
    /// Compiled statements stay valid, which avoids most of the cost of a new database.
    ///
    /// - Parameter isForgetful: Whether a power failure loses commits that were not synced to disk.
    package func clear(isForgetful: Bool) throws {
        self.isForgetful.store(isForgetful, ordering: .relaxed)
        commits.isForcedKept.withLock { $0 = false }
        try queue.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA max_page_count = 1073741823")
            try db.inTransaction {
                for table in try String.fetchAll(try db.cachedStatement(sql: Self.tables)) {
                    try db.cachedStatement(sql: "DELETE FROM \(table)").execute()
                }
                try db.cachedStatement(sql: "DELETE FROM sqlite_sequence").execute()
                return .commit
            }
        }
    }

    /// The query for the tables in alphabetical order.
    ///
    /// In this order, each table comes before all tables that the table references.
    private static let tables = """
        SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'
        ORDER BY name
        """

    /// Simulates a power failure: commits that were not synced to disk are lost.
    package func cutPower() throws {
        guard commits.isForcedKept.withLock({ $0 }) else { return }
        try copy(from: forced, to: queue)
    }

    /// Saves the current contents of the database before a write that a power failure may lose.
    func keepForced() {
        guard isForgetful.load(ordering: .relaxed) else { return }
        commits.isForcedKept.withLock { isKept in
            if !isKept { isKept = (try? copy(from: queue, to: forced)) != nil }
        }
    }

    /// Whether a power failure would restore the contents that `keepForced` has saved.
    var keepsForced: Bool { commits.isForcedKept.withLock { $0 } }

    /// Records that all commits were synced to disk.
    func dropForced() { commits.isForcedKept.withLock { $0 = false } }

    /// Runs `body` with the writing session, and calls the callbacks of `process` at each commit.
    ///
    /// Another process can write during `body` if no transaction is in progress.
    func write(for process: any Process, setting: SQLiteDurability, _ body: (SQLiteSession) -> Void) {
        let other = commits.process.withLock { current in
            defer { current = process }
            return current
        }
        defer { commits.process.withLock { $0 = other } }
        queue.unsafeReentrantWrite { body(SQLiteSession(db: $0, setting: setting)) }
    }

    /// Runs `body` on the writing connection, without the callbacks of the current process.
    func withoutCallbacks(_ body: () throws -> Void) rethrows {
        let process = commits.process.withLock { $0.take() }
        defer { commits.process.withLock { $0 = process } }
        try body()
    }

    /// Runs `body` on the committed data.
    func read<Value>(_ body: (SQLiteTransaction) throws -> Value) rethrows -> Value {
        try queue.unsafeRead { try body(SQLiteTransaction(db: $0)) }
    }

    private func copy(from source: DatabaseQueue, to target: DatabaseQueue) throws {
        try source.unsafeReentrantWrite { source in
            try target.unsafeReentrantWrite { try source.backup(to: $0) }
        }
    }

    /// Limits the growth of the database to the given number of pages; nil removes the limit.
    ///
    /// If the database would exceed the limit, statements fail with `SQLITE_FULL`.
    ///
    /// SQLite can report the error in the middle of a statement.
    package func limitGrowth(pages: Int?) throws {
        try queue.writeWithoutTransaction { db in
            let count = try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0
            let limit = pages.map { count + $0 } ?? 1_073_741_823
            try db.execute(sql: "PRAGMA max_page_count = \(limit)")
        }
    }

    /// Returns the rows of a query.
    ///
    /// Each value is a text; a null value is the text `NULL`.
    package func rows(_ sql: String) throws -> [[String]] {
        try queue.unsafeRead { db in
            try Row.fetchAll(try db.cachedStatement(sql: sql)).map { row in
                row.databaseValues.map { $0.isNull ? "NULL" : String.fromDatabaseValue($0) ?? $0.description }
            }
        }
    }

    /// Changes the database directly, without a spool.
    package func execute(_ sql: String) throws {
        try queue.writeWithoutTransaction { try $0.execute(sql: sql) }
    }

    /// The handle with which one process uses the database.
    package final class Handle: SpoolStore {
        private let database: MemoryDatabase
        private let process: any Process
        private let isClosed = Atomic(false)
        private let durability = SQLiteDurability()
        /// The path of the database in error messages.
        private let path: String

        /// Creates a handle for `process`.
        package init(_ database: MemoryDatabase, for process: any Process, path: String = "spool.sqlite") {
            self.database = database
            self.process = process
            self.path = path
        }

        package func startWriting(_ body: @escaping @Sendable (any StoreSession) -> Void) {
            process.schedule { [self] in
                if process.failure == nil { database.keepForced() }
                database.write(for: process, setting: durability) { body($0) }
            }
        }

        package func startReading(_ body: @escaping @Sendable (Result<any SpoolSnapshot, any Error>) -> Void) {
            process.schedule { [self] in
                if let failure { return body(.failure(failure)) }
                database.read { body(.success($0)) }
            }
        }

        package func readNow<Value>(_ body: (any SpoolSnapshot) throws -> Value) throws -> Value {
            if let failure { throw failure }
            return try database.read(body)
        }

        package func tidy(_ session: any StoreSession) {}

        package func error(_ error: any Error) -> SpoolError { .sqlite(error, path: path) }

        package func copy(to path: String) throws {
            if let failure { throw failure }
            try database.queue.backup(to: DatabaseQueue(path: path))
        }

        package func close() { isClosed.store(true, ordering: .relaxed) }

        private var failure: DatabaseError? {
            isClosed.load(ordering: .relaxed) ? CommitFailure.dead.error : process.failure?.error
        }
    }

    /// A transaction observer that notifies the writing process before and after each commit.
    private final class Commits: TransactionObserver, Sendable {
        let process = Mutex<(any Process)?>(nil)
        /// Whether `forced` contains the last contents that were synced to disk.
        let isForcedKept = Mutex(false)

        func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { false }

        func databaseDidChange(with event: DatabaseEvent) {}

        func databaseWillCommit() throws {
            guard let process = process.withLock({ $0 }) else { return }
            if let failure = process.failure ?? process.willCommit() { throw failure.error }
        }

        func databaseDidCommit(_ db: Database) {
            // A change without a process, such as a skipped number, forces nothing.
            guard let process = process.withLock({ $0 }) else { return }
            // 1 is NORMAL: committed, but not forced onto the disk.
            isForcedKept.withLock { isKept in
                guard isKept else { return }
                isKept = (try? Int.fetchOne(try db.cachedStatement(sql: "PRAGMA synchronous"))) == 1
            }
            process.didCommit()
        }

        func databaseDidRollback(_ db: Database) {}
    }
}

extension SpoolMedium {
    /// Returns a storage in memory.
    package static func memory(
        files: any FileSystem, database: MemoryDatabase.Handle, makeName: @escaping @Sendable () -> String
    ) -> SpoolMedium {
        SpoolMedium(files: files, openDatabase: { _, _ in database }, makeName: makeName)
    }
}
