// Defines the storage of a spool.

import FoundationEssentials
package import PostgresClient

/// The storage of a spool: a file system, a database, and a source of unique names.
///
/// A spool normally uses the disk of the machine. A simulation uses storage in memory.
package struct SpoolMedium: Sendable {
    let files: any FileSystem
    /// The closure that checks the version of the database file without changing a file.
    ///
    /// The closure throws `tooNew` or `tooOld` if this version of printq cannot use the file.
    let checkDatabase: @Sendable (_ path: String) throws(SpoolError) -> Void
    /// The closure that opens the database file, and migrates the database to the current schema.
    let openDatabase: @Sendable (_ path: String, _ progress: (MigrationProgress) -> Void) throws -> any SpoolStore
    /// The closure that returns a unique name: a UUID in lower case.
    let makeName: @Sendable () -> String
    /// The name of the folder for the files of accepted jobs.
    let jobsFolder: String
    /// The monotonic clock, on which the process counts the deadlines of its leases.
    let uptime: @Sendable () -> ContinuousClock.Instant

    package init(
        files: any FileSystem,
        checkDatabase: @escaping @Sendable (_ path: String) throws(SpoolError) -> Void = { _ throws(SpoolError) in },
        openDatabase: @escaping @Sendable (String, (MigrationProgress) -> Void) throws -> any SpoolStore,
        makeName: @escaping @Sendable () -> String, jobsFolder: String = "jobs",
        uptime: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) {
        (self.files, self.checkDatabase, self.openDatabase) = (files, checkDatabase, openDatabase)
        (self.makeName, self.jobsFolder, self.uptime) = (makeName, jobsFolder, uptime)
    }

    /// The storage on the disk of the machine.
    package static let disk = disk()

    /// Returns the storage on the disk of the machine.
    ///
    /// - Parameters:
    ///   - schema: The schema of the database.
    ///   - trace: A function that receives each SQL statement, with placeholders instead of values.
    package static func disk(
        schema: SpoolSchema = .current, trace: (@Sendable (String) -> Void)? = nil
    ) -> SpoolMedium {
        SpoolMedium(
            files: POSIXFileSystem(),
            checkDatabase: { (path: String) throws(SpoolError) in try WrittenSchema.check(path, schema: schema) },
            openDatabase: { path, progress in
                try CopyRecord(databasePath: path).refuseCopiedQueue()
                return try SQLiteStore.open(path, schema: schema, trace: trace, progress: progress)
            },
            makeName: RandomUUID.make)
    }

    /// Returns a storage whose database is on a PostgreSQL server.
    ///
    /// The file system contains only prepared pages, and copies of documents from the database. They have a separate
    /// folder, because the folder `jobs` can contain documents of an SQLite database.
    ///
    /// - Parameters:
    ///   - host: The unique name of this host, which shares the queue with other hosts; nil if no other process uses
    ///     the database.
    ///   - jobsFolder: The name of the folder for these files.
    ///   - options: The settings of the connections.
    package static func postgres(
        _ address: PostgresAddress, host: String? = nil, jobsFolder: String = "copies",
        options: PostgresOptions = PostgresOptions()
    ) -> SpoolMedium {
        SpoolMedium(
            files: POSIXFileSystem(),
            openDatabase: { path, progress in
                let process = try host.map { try HostProcess(host: $0, databasePath: path) }
                return try PostgresStore.open(address, process: process, options: options, progress: progress)
            },
            makeName: RandomUUID.make, jobsFolder: jobsFolder)
    }

    /// Returns the storage for the setting `store`: a shared PostgreSQL database, or the disk for nil.
    ///
    /// - Parameters:
    ///   - uri: The URI of the database.
    ///   - host: The unique name of this host.
    /// - Throws: `unwritable` for an invalid URI, and for a URI with a password.
    package static func named(_ uri: String?, host: String) throws(SpoolError) -> SpoolMedium {
        guard let uri else { return .disk }
        return .postgres(try address(uri), host: host)
    }

    /// Returns the address of the database in the setting `store`.
    ///
    /// - Throws: `unwritable` for an invalid URI, and for a URI with a password.
    static func address(_ uri: String) throws(SpoolError) -> PostgresAddress {
        let address: PostgresAddress
        do {
            address = try PostgresAddress(uri)
        } catch {
            throw SpoolError(code: .unwritable, message: "invalid value for store: \(error)", cause: error)
        }
        guard !address.containsPassword else {
            throw SpoolError(
                code: .unwritable,
                message: "the setting 'store' contains a password, which other users might read; "
                    + "store the password in a file, and append '?passfile=FILE' to the URI")
        }
        return address
    }

    /// Connects to the database in the setting `store`, and changes nothing.
    ///
    /// - Throws: `unavailable` if the database server cannot be reached, or the other errors of the connection.
    package static func connect(to uri: String) throws(SpoolError) {
        let address = try address(uri)
        do { try PostgresConnection.connect(to: address).close() } catch { throw .postgres(error, address: address) }
    }
}
