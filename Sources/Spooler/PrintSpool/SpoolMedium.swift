// Defines the storage of a spool.

import FoundationEssentials
package import PostgresClient

/// The storage of a spool: a file system, a database, and a source of unique names.
///
/// A spool normally uses the disk of the machine. A simulation uses storage in memory. This storage injects faults, and
/// exists longer than the spools that use it.
package struct SpoolMedium: Sendable {
    let files: any FileSystem
    /// The closure that checks the version of the database file without changing a file.
    ///
    /// The closure throws `tooNew` if a newer version of printq has written the file.
    let checkDatabase: @Sendable (_ path: String) throws(SpoolError) -> Void
    /// The closure that opens the database file, and migrates the database to the current schema.
    let openDatabase: @Sendable (_ path: String, _ progress: (MigrationProgress) -> Void) throws -> any SpoolStore
    /// The closure that returns a unique name: a UUID in lower case.
    let makeName: @Sendable () -> String

    /// The storage on the disk of the machine.
    package static let disk = SpoolMedium(
        files: POSIXFileSystem(),
        checkDatabase: { (path: String) throws(SpoolError) in try WrittenSchema.refuseNewer(path) },
        openDatabase: { try SQLiteStore.open($0, progress: $1) }, makeName: RandomUUID.make)

    /// Returns a storage whose database is on a PostgreSQL server.
    ///
    /// Large documents are files on the disk of the machine.
    package static func postgres(_ address: PostgresAddress) -> SpoolMedium {
        SpoolMedium(
            files: POSIXFileSystem(), checkDatabase: { (_: String) throws(SpoolError) in },
            openDatabase: { try PostgresStore.open(address, progress: $1) }, makeName: RandomUUID.make)
    }

    /// Returns a storage in memory.
    package static func memory(
        files: any FileSystem, database: MemoryDatabase.Handle, makeName: @escaping @Sendable () -> String
    ) -> SpoolMedium {
        SpoolMedium(
            files: files, checkDatabase: { (_: String) throws(SpoolError) in }, openDatabase: { _, _ in database },
            makeName: makeName)
    }
}
