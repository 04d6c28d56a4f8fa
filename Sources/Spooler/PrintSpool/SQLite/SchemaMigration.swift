// Migrates a database to the current schema.

import FoundationEssentials
package import GRDB
import Glibc
package import PrintModel

/// A step of the migration of a spool's database, for messages to users.
public struct MigrationProgress: Hashable, Sendable {
    /// The schema number before the migration; 0 for a database without tables.
    public var from: Int
    /// The schema number after the migration.
    public var to: Int
    /// The number of jobs in the migrated database.
    public var jobs: Int
    /// The schema number of the statements that run next; nil after the migration was committed.
    public var step: Int?
    /// The time since the start of the migration, in seconds.
    public var seconds: Double

    /// Creates the description of a migration step.
    public init(from: Int, to: Int, jobs: Int, step: Int?, seconds: Double) {
        (self.from, self.to, self.jobs, self.step, self.seconds) = (from, to, jobs, step, seconds)
    }
}

/// The migrations that a database lacks.
///
/// All migrations run in one transaction. If the program is killed or the disk is full, the database keeps its old
/// schema. Then the earlier version of printq can still open the database.
package struct SchemaMigration {
    /// The schema number of the database; 0 for a database without tables.
    let from: Int
    /// The schema after the migration.
    private let schema: SpoolSchema
    /// Whether the database is empty, or printq has written the database.
    private let isOwn: Bool

    /// Reads the schema number of a database.
    package init(of db: Database, to schema: SpoolSchema = .current) throws {
        self.schema = schema
        from = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
        let isEmpty = try from == 0 && Int.fetchOne(db, sql: "SELECT COUNT(*) FROM sqlite_master") == 0
        isOwn = try isEmpty || Int.fetchOne(db, sql: "PRAGMA application_id") == SpoolSchema.applicationID
    }

    /// Whether the database does not have the current schema yet.
    var isNeeded: Bool { from < schema.number }

    /// Checks that this version of printq can use the database at `path`.
    ///
    /// - Throws: `tooNew` or `tooOld`.
    func check(_ path: String) throws(SpoolError) {
        guard isOwn else { throw .tooOld(path: path) }
        guard from <= schema.number else { throw .tooNew(path: path, writer: nil) }
    }

    /// Applies the missing migrations in one transaction.
    ///
    /// - Parameters:
    ///   - db: The writing connection, outside of a transaction.
    ///   - time: The wall-clock time, in seconds since 1970.
    ///   - progress: A closure that is called before each migration and after the commit, but not for a new database.
    package func run(
        in db: Database, time: UnixTime, progress: (MigrationProgress) -> Void = { _ in }
    ) throws {
        guard isNeeded else { return }
        let start = ContinuousClock.now
        let jobs = from == 0 ? 0 : try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM jobs") ?? 0
        func report(_ step: Int?) {
            guard from > 0 else { return }
            let seconds = (ContinuousClock.now - start) / .seconds(1)
            progress(MigrationProgress(from: from, to: schema.number, jobs: jobs, step: step, seconds: seconds))
        }
        // SQLite requires this order to replace a table that others refer to (sqlite.org/lang_altertable.html).
        try db.execute(sql: "PRAGMA foreign_keys = OFF")
        defer { try? db.execute(sql: "PRAGMA foreign_keys = ON") }
        try db.inTransaction(.immediate) {
            for (index, sql) in schema.migrations.enumerated().dropFirst(from) {
                report(index + 1)
                try db.execute(sql: sql)
            }
            if from > 0 { try db.checkForeignKeys() }
            try db.execute(
                sql: "INSERT INTO schema_changes (schema, program, time) VALUES (?, ?, ?)",
                arguments: [schema.number, Release.version, time])
            try db.execute(sql: "PRAGMA application_id = \(SpoolSchema.applicationID)")
            try db.execute(sql: "PRAGMA user_version = \(schema.number)")
            return .commit
        }
        report(nil)
    }

    // MARK: - Disk space

    /// Checks that the disk has enough space for the migration of the database at `path`.
    ///
    /// - Parameter free: The free space in bytes; nil means the free space of the disk.
    /// - Throws: `noSpace` before anything is changed.
    func checkSpace(for path: String, free: Int? = nil) throws(SpoolError) {
        guard from > 0, isNeeded else { return }
        let bytes = Self.size(of: path) + Self.size(of: path + "-wal")
        let needed = Self.least + bytes * Self.factor
        guard let free = free ?? Self.freeSpace(beside: path), free < needed else { return }
        throw .noSpaceForMigration(of: path, needed: needed, free: free)
    }

    /// The space that a migration needs, as a multiple of the size of the database.
    ///
    /// A migration can copy all tables. The write-ahead log contains the copy until the copy is moved into the database.
    private static let factor = 2

    /// The additional space in bytes that every migration requires.
    private static let least = 4 << 20

    /// Returns the free disk space for files of this user, in bytes; nil if the space is unknown.
    private static func freeSpace(beside path: String) -> Int? {
        var disk = statvfs()
        return statvfs(path, &disk) == 0 ? Int(clamping: disk.f_bavail) * Int(clamping: disk.f_frsize) : nil
    }

    private static func size(of path: String) -> Int {
        var status = stat()
        return stat(path, &status) == 0 ? Int(status.st_size) : 0
    }
}
