// A spool's database in memory, for simulations.

import GRDB
import Synchronization

/// A spool's database in memory: the same tables and statements, without a disk.
///
/// It outlives the spools that are opened on it, as a disk outlives processes; each of these has a handle of its own.
/// One connection does everything, in place on whichever thread asks, so one thread at a time may use it.
package final class MemoryDatabase: Sendable {
    /// What a process that uses the database adds to it.
    package protocol Process: Sendable {
        /// Runs `work` at once or later, one after another.
        func schedule(_ work: @escaping @Sendable () -> Void)

        /// Why the database cannot be used now, for it is not there any more for this process; nil when it can.
        var failure: CommitFailure? { get }

        /// Why what is written now cannot be committed; nil when it can.
        func willCommit() -> CommitFailure?

        /// Something was committed, and whoever waits for it was not told yet.
        func didCommit()
    }

    /// Why a commit is refused.
    package enum CommitFailure: Sendable {
        /// The disk is full (`SQLITE_FULL`).
        case full
        /// The disk could not be written (`SQLITE_IOERR`).
        case inputOutput
        /// The process is dead, or its database closed (`SQLITE_ABORT`).
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
    /// What was last forced onto the disk, which a power cut goes back to.
    private let forced: DatabaseQueue
    /// Whether a power cut can take back commits that were not forced onto the disk.
    private let isForgetful = Atomic(false)

    /// An empty database.
    ///
    /// - Throws: what SQLite says when there is no memory.
    package init() throws {
        var configuration = Configuration()
        configuration.label = "spool in memory"
        queue = try DatabaseQueue(configuration: configuration)
        forced = try DatabaseQueue()
        try Self.template.get().backup(to: queue)
        let commits = commits
        queue.add(transactionObserver: commits, extent: .observerLifetime)
    }

    /// The empty tables; migrated once, and copied for each database.
    ///
    /// Pages that become free go at once, so that a database that was emptied is as small as a new one.
    private static let template = Result {
        var configuration = Configuration()
        configuration.prepareDatabase { try $0.execute(sql: "PRAGMA auto_vacuum = FULL") }
        let queue = try DatabaseQueue(configuration: configuration)
        try SpoolSchema.migrator.migrate(queue)
        return queue
    }

    /// Makes it as it was when it was new; statements that were compiled stay so, which is most of the cost of a new one.
    ///
    /// - Parameter isForgetful: whether from now on a power cut can take back commits that were not forced onto the disk.
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

    /// The tables, those that refer to others first.
    private static let tables = """
        SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE 'grdb_%'
        ORDER BY name
        """

    /// Cuts the power: what was committed and not forced onto the disk is lost.
    package func cutPower() throws {
        guard commits.isForcedKept.withLock({ $0 }) else { return }
        try copy(from: forced, to: queue)
    }

    /// Keeps what is there before something is written that a power cut may take back.
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

    /// Lets the database grow by that many pages more, or as it likes (nil): beyond, the disk is full.
    ///
    /// It is SQLite itself that then fails, in the middle of a statement.
    package func limitGrowth(pages: Int?) throws {
        try queue.writeWithoutTransaction { db in
            let count = try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0
            let limit = pages.map { count + $0 } ?? 1_073_741_823
            try db.execute(sql: "PRAGMA max_page_count = \(limit)")
        }
    }

    /// The rows of a query, each value as text, `NULL` for null.
    package func rows(_ sql: String) throws -> [[String]] {
        try queue.unsafeRead { db in
            try Row.fetchAll(try db.cachedStatement(sql: sql)).map { row in
                row.databaseValues.map { $0.isNull ? "NULL" : String.fromDatabaseValue($0) ?? $0.description }
            }
        }
    }

    /// Changes the database behind the spool's back.
    package func execute(_ sql: String) throws {
        try queue.writeWithoutTransaction { try $0.execute(sql: sql) }
    }

    /// The database as one process has it.
    package final class Handle: SpoolDatabase {
        private let database: MemoryDatabase
        private let process: any Process
        private let isClosed = Atomic(false)

        /// The database as `process` has it.
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

    /// Asks the process that writes about each commit.
    private final class Commits: TransactionObserver, Sendable {
        let process = Mutex<(any Process)?>(nil)
        /// Whether nothing was forced onto the disk since `forced` was kept.
        let isForcedKept = Mutex(false)

        func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { false }

        func databaseDidChange(with event: DatabaseEvent) {}

        func databaseWillCommit() throws {
            guard let process = process.withLock({ $0 }) else { return }
            if let failure = process.failure ?? process.willCommit() { throw failure.error }
        }

        func databaseDidCommit(_ db: Database) {
            // 1 is NORMAL: committed, and not forced.
            isForcedKept.withLock { isKept in
                guard isKept else { return }
                isKept = (try? Int.fetchOne(try db.cachedStatement(sql: "PRAGMA synchronous"))) == 1
            }
            process.withLock { $0 }?.didCommit()
        }

        func databaseDidRollback(_ db: Database) {}
    }
}
