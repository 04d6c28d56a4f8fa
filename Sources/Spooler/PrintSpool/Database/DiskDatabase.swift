// Opens the spool's database on the disk.

import GRDB
import Glibc

/// The spool's database in a file: SQLite in WAL mode, with one connection for writing and a pool for reading.
final class DiskDatabase: SpoolDatabase {
    /// The time that a connection waits for a lock, in seconds.
    static let busyTimeout = 5.0

    private let pool: DatabasePool
    private let log: WriteAheadLog

    private init(pool: DatabasePool, log: WriteAheadLog) {
        self.pool = pool
        self.log = log
    }

    /// Opens the database file, creates it if necessary, and migrates it to the current schema.
    static func open(_ path: String) throws(SpoolError) -> DiskDatabase {
        // SQLite creates its other files with the mode of this file.
        let descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .file(path, SystemCallError(call: "open", number: errno)) }
        _ = Glibc.close(descriptor)
        do {
            var configuration = Configuration()
            configuration.label = "spool"
            configuration.busyMode = .timeout(busyTimeout)
            if let note = StatementTrace.note {
                configuration.prepareDatabase { db in
                    db.trace { event in if case .statement(let statement) = event { note(statement.sql) } }
                }
            }
            let pool = try DatabasePool(path: path, configuration: configuration)
            guard try pool.read({ try !SpoolSchema.migrator.hasBeenSuperseded($0) }) else {
                try pool.close()
                throw SpoolError.tooNew(path: path)
            }
            let log = WriteAheadLog()
            // GRDB sets NORMAL when it opens the pool. With NORMAL, a power cut may lose commits.
            try pool.writeWithoutTransaction { db in
                try db.execute(sql: "PRAGMA synchronous = FULL")
                // Overwrite deleted documents in the database file.
                try db.execute(sql: "PRAGMA secure_delete = ON")
                log.watch(db)
            }
            try SpoolSchema.migrator.migrate(pool)
            try pool.writeWithoutTransaction { try EventNumbers.secure(in: $0, boot: EventNumbers.boot) }
            return DiskDatabase(pool: pool, log: log)
        } catch {
            throw .database(error, path: path)
        }
    }

    func startWriting(_ body: @escaping @Sendable (Database) -> Void) { pool.asyncWriteWithoutTransaction(body) }

    func startReading(_ body: @escaping @Sendable (Result<Database, any Error>) -> Void) { pool.asyncRead(body) }

    func readNow<Value>(_ body: (Database) throws -> Value) throws -> Value { try pool.read(body) }

    func tidy(_ db: Database) { log.keepShort(db) }

    func close() throws { try pool.close() }
}
