// The storage of a spool.

import FoundationEssentials
import GRDB

/// The storage of a spool: a file system, a database and a source of random names.
///
/// A spool uses the machine's disk. A simulation uses a disk in memory, which fails on request and survives the spool
/// that was opened on it.
package struct SpoolMedium: Sendable {
    let files: any FileSystem
    /// Opens the database at the given path and migrates it.
    let openDatabase: @Sendable (_ path: String) throws -> any SpoolDatabase
    /// Creates a unique name: a UUID in lower case.
    let makeName: @Sendable () -> String

    /// The machine's disk.
    package static let disk = SpoolMedium(
        files: POSIXFileSystem(), openDatabase: { try DiskDatabase.open($0) },
        makeName: RandomUUID.make)

    /// Returns a disk in memory.
    package static func memory(
        files: any FileSystem, database: MemoryDatabase.Handle, makeName: @escaping @Sendable () -> String
    ) -> SpoolMedium {
        SpoolMedium(files: files, openDatabase: { _ in database }, makeName: makeName)
    }
}

/// A database with a single writer and readers of committed data.
protocol SpoolDatabase: Sendable {
    /// Runs `body` with the writing connection, as soon as it is free.
    func startWriting(_ body: @escaping @Sendable (Database) -> Void)

    /// Runs `body` on a snapshot of the committed data.
    func startReading(_ body: @escaping @Sendable (Result<Database, any Error>) -> Void)

    /// Runs `body` on committed data, and waits for its result.
    func readNow<Value>(_ body: (Database) throws -> Value) throws -> Value

    /// Called with the writing connection after a transaction, when its callers have been notified.
    func tidy(_ db: Database)

    /// Closes the database. Later calls throw.
    func close() throws
}

extension SpoolDatabase {
    func tidy(_ db: Database) {}
}
