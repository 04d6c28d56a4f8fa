// Opens the spool's database on the disk.

import AsyncPrimitives
import FoundationEssentials
import GRDB
import Glibc

/// The spool's database in a file: SQLite in WAL mode, with one connection for writing and a pool for reading.
final class SQLiteStore: SpoolStore {
    /// The time that a connection waits for a lock, in seconds.
    static let busyTimeout = 5.0

    private let pool: DatabasePool
    private let log: WriteAheadLog
    private let path: String
    private let durability = SQLiteDurability()
    let reserve: SpaceReserve?

    private init(pool: DatabasePool, log: WriteAheadLog, path: String, reserve: SpaceReserve) {
        self.pool = pool
        self.log = log
        self.path = path
        self.reserve = reserve
    }

    /// Opens or creates the database file, and migrates the database to the current schema.
    ///
    /// - Parameters:
    ///   - schema: The current schema.
    ///   - trace: A function that receives each SQL statement, with placeholders instead of values.
    ///   - progress: A closure that is called for each step in the migration of an existing database.
    /// - Throws: `tooNew` or `tooOld` if this version cannot use the database (no file is changed); `noSpace` if the
    ///   disk does not have enough space for the migration.
    static func open(
        _ path: String, schema: SpoolSchema = .current, trace: (@Sendable (String) -> Void)? = nil,
        progress: (MigrationProgress) -> Void = { _ in }
    ) throws(SpoolError) -> SQLiteStore {
        let reserve = SpaceReserve(ofDatabase: path)
        while true {
            let level = reserve.level
            do throws(SpoolError) {
                return try open(path, schema: schema, reserve: reserve, trace: trace, progress: progress)
            } catch {
                guard error.code == .noSpace, reserve.release(below: level) else { throw error }
            }
        }
    }

    private static func open(
        _ path: String, schema: SpoolSchema, reserve: SpaceReserve, trace: (@Sendable (String) -> Void)?,
        progress: (MigrationProgress) -> Void
    ) throws(SpoolError) -> SQLiteStore {
        try WrittenSchema.check(path, schema: schema)
        // SQLite creates its other files with the mode of this file.
        let descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .file(path, SystemCallError(call: "open", number: errno)) }
        _ = Glibc.close(descriptor)
        do {
            var configuration = Configuration()
            configuration.label = "spool"
            configuration.busyMode = .timeout(busyTimeout)
            configuration.prepareDatabase { SearchText.addFunction(to: $0) }
            if let trace {
                configuration.prepareDatabase { db in
                    db.trace { event in if case .statement(let statement) = event { trace(statement.sql) } }
                }
            }
            let pool = try DatabasePool(path: path, configuration: configuration)
            let migration = try pool.read { try SchemaMigration(of: $0, to: schema) }
            try migration.check(path)
            try migration.checkSpace(for: path)
            let log = WriteAheadLog()
            // GRDB sets NORMAL when it opens the pool. With NORMAL, a power cut may lose commits.
            try pool.writeWithoutTransaction { db in
                try db.execute(sql: "PRAGMA synchronous = FULL")
                // Overwrite deleted documents in the database file.
                try db.execute(sql: "PRAGMA secure_delete = ON")
                log.watch(db)
            }
            try pool.writeWithoutTransaction { db in
                guard migration.isNeeded else { return }
                try migration.run(in: db, time: Date().timeIntervalSince1970, progress: progress)
                // The header of the file has the new schema number before anything else is stored, so that an older
                // program can read it there.
                _ = try db.checkpoint(.truncate)
            }
            // Cached statements and pages of the reading connections have the old schema.
            pool.invalidateReadOnlyConnections()
            try pool.writeWithoutTransaction { try EventNumbers.secure(in: $0, boot: EventNumbers.boot) }
            return SQLiteStore(pool: pool, log: log, path: path, reserve: reserve)
        } catch {
            throw .sqlite(error, path: path)
        }
    }

    func startWriting(_ body: @escaping @Sendable (any StoreSession) -> Void) {
        pool.asyncWriteWithoutTransaction { [durability] db in body(SQLiteSession(db: db, setting: durability)) }
    }

    func startReading(_ body: @escaping @Sendable (Result<any SpoolSnapshot, any Error>) -> Void) {
        pool.asyncRead { result in body(result.map { SQLiteTransaction(db: $0) }) }
    }

    func readNow<Value>(_ body: (any SpoolSnapshot) throws -> Value) throws -> Value {
        BlockingCall.check()
        return try pool.read { try body(SQLiteTransaction(db: $0)) }
    }

    func tidy(_ session: any StoreSession) {
        if let session = session as? SQLiteSession { log.keepShort(session.db) }
    }

    func makeSpace(below level: Int) async -> Bool {
        guard let reserve, await BlockingThreads.shared.run({ reserve.release(below: level) }) else { return false }
        // After the checkpoint, SQLite writes to the beginning of its log again, which needs no space.
        await copyLog(.passive)
        return true
    }

    func shortenLog() async { await copyLog(.truncate) }

    /// Copies the log into the database, which can use the reserve for its growth.
    private func copyLog(_ mode: Database.CheckpointMode) async {
        guard let reserve else { return }
        await withCheckedContinuation { continuation in
            pool.asyncWriteWithoutTransaction { [path] db in
                if let growth = try? Self.growth(of: db, at: path), reserve.release(untilFree: growth) {
                    _ = try? db.checkpoint(mode)
                }
                continuation.resume()
            }
        }
    }

    /// Returns the number of bytes by which a checkpoint lets the database file grow, with a margin.
    private static func growth(of db: Database, at path: String) throws -> Int {
        let pages = try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0
        let pageSize = try Int.fetchOne(db, sql: "PRAGMA page_size") ?? 4096
        var status = stat()
        guard stat(path, &status) == 0 else { throw SystemCallError(call: "stat", number: errno) }
        return max(0, pages * pageSize - Int(status.st_size)) + 64 << 10
    }

    func error(_ error: any Error) -> SpoolError { .sqlite(error, path: path) }

    func copy(to path: String) throws {
        BlockingCall.check()
        let copy = try DatabaseQueue(path: path)
        try pool.backup(to: copy)
        // The copy becomes a single file, without a write-ahead log and without passwords, which would outlive their
        // jobs in a backup.
        try copy.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA journal_mode = DELETE")
            try db.execute(sql: "PRAGMA secure_delete = ON")
            try db.execute(sql: "DELETE FROM document_passwords")
            try db.execute(sql: "DELETE FROM job_passwords")
        }
        try copy.close()
    }

    func close() throws { try pool.close() }
}
