// Defines the storage of a spool.

import FoundationEssentials
import GRDB

/// The storage of a spool: a file system, a database, and a source of unique names.
///
/// A spool normally uses the disk of the machine. A simulation uses storage in memory, which injects faults and
/// outlives the spools that are opened on it.
package struct SpoolMedium: Sendable {
    let files: any FileSystem
    /// The closure that opens the database file, and migrates the database to the current schema.
    let openDatabase: @Sendable (_ path: String) throws -> any SpoolDatabase
    /// The closure that returns a unique name: a UUID in lower case.
    let makeName: @Sendable () -> String

    /// The disk of the machine.
    package static let disk = SpoolMedium(
        files: POSIXFileSystem(), openDatabase: { try DiskDatabase.open($0) },
        makeName: RandomUUID.make)

    /// Returns a storage in memory.
    package static func memory(
        files: any FileSystem, database: MemoryDatabase.Handle, makeName: @escaping @Sendable () -> String
    ) -> SpoolMedium {
        SpoolMedium(files: files, openDatabase: { _ in database }, makeName: makeName)
    }
}

/// A database that runs one write at a time, and reads committed data.
protocol SpoolDatabase: Sendable {
    /// Runs `body` with the writing connection as soon as the connection is free.
    func startWriting(_ body: @escaping @Sendable (Database) -> Void)

    /// Runs `body` on a snapshot of the committed data.
    func startReading(_ body: @escaping @Sendable (Result<Database, any Error>) -> Void)

    /// Runs `body` on a snapshot of the committed data, and waits for its result.
    func readNow<Value>(_ body: (Database) throws -> Value) throws -> Value

    /// Performs maintenance on the writing connection after a transaction, when the transaction's callers have been
    /// resumed.
    func tidy(_ db: Database)

    /// Closes the database. Later calls throw.
    func close() throws
}

extension SpoolDatabase {
    func tidy(_ db: Database) {}
}
