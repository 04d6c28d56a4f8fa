// Migrates a database to the current schema.

import FoundationEssentials
import GRDB
import Glibc
import PrintModel

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

extension SpoolSchema {
    /// The SQL statements that change a database from one schema to the next schema.
    struct Migration: Sendable {
        /// The schema number after the migration.
        let number: Int
        /// The SQL statements of the migration.
        let sql: String

        /// The name of the migration in the table `grdb_migrations`.
        var identifier: String { "\(number)" }

        init(_ number: Int, _ sql: String) { (self.number, self.sql) = (number, sql) }
    }

    /// Returns the statements of all migrations up to a schema, for tools that create spools of earlier versions.
    package static func statements(upTo number: Int) -> [(identifier: String, sql: String)] {
        migrations.filter { $0.number <= number }.map { ($0.identifier, $0.sql) }
    }
}

/// The migrations that a database lacks.
///
/// All migrations run in one transaction. If the program is killed or the disk is full, the database keeps its old
/// schema. Then the earlier version of printq can still open the database.
struct SchemaMigration {
    /// The schema number of the database; 0 for a database without tables.
    let from: Int
    /// The migrations that must be applied.
    let pending: [SpoolSchema.Migration]
    /// Whether the database has migrations that this program does not support.
    let isSuperseded: Bool

    /// Reads the applied migrations from a database.
    init(of db: Database) throws {
        let applied =
            try db.tableExists("grdb_migrations")
            ? Set(try String.fetchAll(db, sql: "SELECT identifier FROM grdb_migrations")) : []
        self.init(applied: applied)
    }

    private init(applied: Set<String>) {
        let known = Set(SpoolSchema.migrations.map(\.identifier))
        isSuperseded = !applied.isSubset(of: known)
        pending = SpoolSchema.migrations.filter { !applied.contains($0.identifier) }
        from = applied.compactMap { Int($0) }.max() ?? 0
    }

    /// Applies the pending migrations in one transaction.
    ///
    /// - Parameters:
    ///   - db: The writing connection, outside of a transaction.
    ///   - time: The wall-clock time, in seconds since 1970.
    ///   - progress: A closure that is called before each migration and after the commit, but not for a new database.
    func run(
        in db: Database, time: UnixTime, progress: (MigrationProgress) -> Void = { _ in }
    ) throws {
        guard !pending.isEmpty else { return }
        let start = ContinuousClock.now
        let jobs = from == 0 ? 0 : try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM jobs") ?? 0
        func report(_ step: Int?) {
            guard from > 0 else { return }
            let seconds = (ContinuousClock.now - start) / .seconds(1)
            progress(MigrationProgress(from: from, to: SpoolSchema.number, jobs: jobs, step: step, seconds: seconds))
        }
        // SQLite requires this order to replace a table that others refer to (sqlite.org/lang_altertable.html).
        try db.execute(sql: "PRAGMA foreign_keys = OFF")
        defer { try? db.execute(sql: "PRAGMA foreign_keys = ON") }
        try db.inTransaction(.immediate) {
            try db.execute(
                sql: "CREATE TABLE IF NOT EXISTS grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)")
            for migration in pending {
                report(migration.number)
                try db.execute(sql: migration.sql)
                try db.execute(
                    sql: "INSERT INTO grdb_migrations (identifier) VALUES (?)", arguments: [migration.identifier])
            }
            if from > 0 { try db.checkForeignKeys() }
            try db.execute(
                sql: "INSERT INTO schema_changes (schema, program, time) VALUES (?, ?, ?)",
                arguments: [SpoolSchema.number, Release.version, time])
            try db.execute(sql: "PRAGMA user_version = \(SpoolSchema.number)")
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
        guard from > 0, !pending.isEmpty else { return }
        let bytes = Self.size(of: path) + Self.size(of: path + "-wal")
        let needed = Self.least + Int(Double(bytes) * factor)
        guard let free = free ?? Self.freeSpace(beside: path), free < needed else { return }
        throw .noSpaceForMigration(of: path, needed: needed, free: free)
    }

    /// The space that the migration needs, as a multiple of the size of the database.
    ///
    /// A migration to schema 6 copies all jobs. The write-ahead log contains the copy until the copy is moved into the
    /// database. Later migrations change few pages. `scripts/bench migrate` measures the space.
    private var factor: Double { pending.contains { $0.number <= 6 } ? 2 : 0.25 }

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
