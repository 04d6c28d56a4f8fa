// A spool database in memory, for simulations.

import GRDB
import Synchronization

/// A spool database in memory, with the same tables and statements as on disk.
///
/// The database survives the spools that are opened on it, as a disk survives processes. Each spool has a separate
/// handle. A single connection executes everything on the calling thread, so only one thread at a time may use it.
package final class MemoryDatabase: Sendable {
    /// The behavior of a process that uses the database.
    package protocol Process: Sendable {
        /// Runs `work` now or later, in the order of the calls.
        func schedule(_ work: @escaping @Sendable () -> Void)

        /// The reason why this process can no longer use the database; nil while it can.
        var failure: CommitFailure? { get }

        /// Returns the reason why the current transaction cannot be committed; nil if it can.
        func willCommit() -> CommitFailure?

        /// Called after a commit, before the waiting callers are notified.
        func didCommit()
    }

    /// The reason why a commit fails.
    package enum CommitFailure: Sendable {
        /// The disk is full (`SQLITE_FULL`).
        case full
        /// The disk could not be written (`SQLITE_IOERR`).
        case inputOutput
        /// The process has ended, or the database is closed (`SQLITE_ABORT`).
        case dead

        fileprivate var error: DatabaseError {
            switch self {
            case .full: DatabaseError(resultCode: .SQLITE_FULL, message: "database or disk is full")
            case .inputOutput: DatabaseError(resultCode: .SQLITE_IOERR, message: "disk I/O error")
            case .dead: DatabaseError(resultCode: .SQLITE_ABORT, message: "the process is dead")
            }
        }
    }

    private let queue: DatabaseQueue
    private let commits = Commits()
    /// The last flushed state, which a power loss restores.
    private let forced: DatabaseQueue
    /// Whether a power loss can undo commits that were not flushed.
    private let isForgetful = Atomic(false)

    /// Creates an empty database.
    ///
    /// - Throws: The error of SQLite when there is no memory.
    package init() throws {
        var configuration = Configuration()
        configuration.label = "spool in memory"
        queue = try DatabaseQueue(configuration: configuration)
        forced = try DatabaseQueue()
        try Self.template.get().backup(to: queue)
        let commits = commits
        queue.add(transactionObserver: commits, extent: .observerLifetime)
    }

    /// The empty tables, which are created once and copied for each database.
    ///
    /// Free pages are returned at once, so that an emptied database is as small as a new one.
    private static let template = Result {
        var configuration = Configuration()
        configuration.prepareDatabase { try $0.execute(sql: "PRAGMA auto_vacuum = FULL") }
        let queue = try DatabaseQueue(configuration: configuration)
        try SpoolSchema.migrator.migrate(queue)
        return queue
    }

    /// Restores the initial state.
    ///
    /// Compiled statements remain, because compiling them is most of the cost of a new database.
    ///
    /// - Parameter isForgetful: Whether a power loss can undo commits that were not flushed, from now on.
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

    /// The tables, with referencing tables first.
    private static let tables = """
        SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE 'grdb_%'
        ORDER BY name
        """

    /// Simulates a power loss: commits that were not flushed are undone.
    package func cutPower() throws {
        guard commits.isForcedKept.withLock({ $0 }) else { return }
        try copy(from: forced, to: queue)
    }

    /// Saves the current state before a write that a power loss may undo.
    private func keepForced() {
        guard isForgetful.load(ordering: .relaxed) else { return }
        commits.isForcedKept.withLock { isKept in
            if !isKept { isKept = (try? copy(from: queue, to: forced)) != nil }
        }
    }

    private func copy(from source: DatabaseQueue, to target: DatabaseQueue) throws {
        try source.writeWithoutTransaction { source in
            try target.writeWithoutTransaction { try source.backup(to: $0) }
        }
    }

    /// Limits the growth of the database to a number of pages, after which the disk is full; nil removes the limit.
    ///
    /// SQLite itself then fails in the middle of a statement.
    package func limitGrowth(pages: Int?) throws {
        try queue.writeWithoutTransaction { db in
            let count = try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0
            let limit = pages.map { count + $0 } ?? 1_073_741_823
            try db.execute(sql: "PRAGMA max_page_count = \(limit)")
        }
    }

    /// Returns the rows of a query, each value as text, `NULL` for null.
    package func rows(_ sql: String) throws -> [[String]] {
        try queue.unsafeRead { db in
            try Row.fetchAll(try db.cachedStatement(sql: sql)).map { row in
                row.databaseValues.map { $0.isNull ? "NULL" : String.fromDatabaseValue($0) ?? $0.description }
            }
        }
    }

    /// Changes the database without the spool's knowledge.
    package func execute(_ sql: String) throws {
        try queue.writeWithoutTransaction { try $0.execute(sql: sql) }
    }

    /// The connection of one process to the database.
    package final class Handle: SpoolDatabase {
        private let database: MemoryDatabase
        private let process: any Process
        private let isClosed = Atomic(false)

        /// Creates the connection of `process`.
        package init(_ database: MemoryDatabase, for process: any Process) {
            self.database = database
            self.process = process
        }

        func startWriting(_ body: @escaping @Sendable (Database) -> Void) {
            process.schedule { [self] in
                database.commits.process.withLock { $0 = process }
                defer { database.commits.process.withLock { $0 = nil } }
                if process.failure == nil { database.keepForced() }
                database.queue.writeWithoutTransaction { body($0) }
            }
        }

        func startReading(_ body: @escaping @Sendable (Result<Database, any Error>) -> Void) {
            process.schedule { [self] in
                if let failure { return body(.failure(failure)) }
                database.queue.unsafeRead { body(.success($0)) }
            }
        }

        func readNow<Value>(_ body: (Database) throws -> Value) throws -> Value {
            if let failure { throw failure }
            return try database.queue.unsafeRead(body)
        }

        func close() { isClosed.store(true, ordering: .relaxed) }

        private var failure: DatabaseError? {
            isClosed.load(ordering: .relaxed) ? CommitFailure.dead.error : process.failure?.error
        }
    }

    /// The observer that asks the writing process before each commit.
    private final class Commits: TransactionObserver, Sendable {
        let process = Mutex<(any Process)?>(nil)
        /// Whether nothing was flushed since `forced` was saved.
        let isForcedKept = Mutex(false)

        func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { false }

        func databaseDidChange(with event: DatabaseEvent) {}

        func databaseWillCommit() throws {
            guard let process = process.withLock({ $0 }) else { return }
            if let failure = process.failure ?? process.willCommit() { throw failure.error }
        }

        func databaseDidCommit(_ db: Database) {
            // 1 is NORMAL: commits are not flushed.
            isForcedKept.withLock { isKept in
                guard isKept else { return }
                isKept = (try? Int.fetchOne(try db.cachedStatement(sql: "PRAGMA synchronous"))) == 1
            }
            process.withLock { $0 }?.didCommit()
        }

        func databaseDidRollback(_ db: Database) {}
    }
}
