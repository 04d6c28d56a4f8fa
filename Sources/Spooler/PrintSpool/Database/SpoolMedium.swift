// What a spool is kept on.

import FoundationEssentials
import GRDB

/// What a spool is kept on: a file system and a database, and where its random names come from.
///
/// A spool lives on the machine's own disk. A simulation gives it one that exists in memory, fails when it is told to,
/// and survives the spool that was opened on it.
package struct SpoolMedium: Sendable {
    let files: any FileSystem
    /// Opens the database in the file of that path, with the tables as they are today.
    let openDatabase: @Sendable (_ path: String) throws -> any SpoolDatabase
    /// Makes a name that nothing else has: a UUID in small letters.
    let makeName: @Sendable () -> String

    /// The machine's own disk.
    package static let disk = SpoolMedium(
        files: POSIXFileSystem(), openDatabase: { try DiskDatabase.open($0) },
        makeName: RandomUUID.make)

    /// A disk in memory.
    package static func memory(
        files: any FileSystem, database: MemoryDatabase.Handle, makeName: @escaping @Sendable () -> String
    ) -> SpoolMedium {
        SpoolMedium(files: files, openDatabase: { _ in database }, makeName: makeName)
    }
}

/// A database that writes one after another and reads what is committed.
protocol SpoolDatabase: Sendable {
    /// Runs `body` with the connection that writes, as soon as it is free.
    func startWriting(_ body: @escaping @Sendable (Database) -> Void)

    /// Runs `body` on a snapshot of what is committed.
    func startReading(_ body: @escaping @Sendable (Result<Database, any Error>) -> Void)

    /// Waits for what `body` reads.
    func readNow<Value>(_ body: (Database) throws -> Value) throws -> Value

    /// Called with the connection that writes after a transaction, when those who waited for it know how it ended.
    func tidy(_ db: Database)

    /// Closes the database: what is asked later throws.
    func close() throws
}

extension SpoolDatabase {
    func tidy(_ db: Database) {}
}
